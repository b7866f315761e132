"""Which of the learned scores `rainbow run` asks: the better one where it was fetched and takes no minutes."""

import pandas as pd
import pytest

from rainbow.learned.score import MAX_QUERIES, choose_speed


def outputs(rows: int, mr: str = "", references: tuple[str, ...] = ()) -> pd.DataFrame:
    return pd.DataFrame({"mr": [mr] * rows, "references": [references] * rows})


def test_full_is_asked_where_it_was_fetched_and_has_not_too_much_to_read(monkeypatch: pytest.MonkeyPatch) -> None:
    assert choose_speed(outputs(3)) == "fast"
    monkeypatch.setattr("rainbow.learned.scorer.missing_full_resources", lambda: None)
    kinds: list[tuple[int, str, tuple[str, ...]]] = [(1, "", ()), (1, "m", ()), (2, "", ("a", "b")), (3, "m", ("a",))]
    for questions, *given in kinds:
        assert choose_speed(outputs(MAX_QUERIES // questions, *given)) == "full"
        assert choose_speed(outputs(MAX_QUERIES // questions + 1, *given)) == "fast"
