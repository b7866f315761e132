"""The alternative annotator test: every printed result, and cases by hand."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import ttest_1samp

from rainbow.stats.agreement.alternative_annotator import alternative_annotator

ALIGNMENTS = {"accuracy": "classes", "minus RMSE": "numbers"}


def marks(folder: Path, judge: str) -> tuple[np.ndarray, pd.DataFrame]:
    """Return the marks of a judge and of the raters; classes become numbers."""
    table = pd.DataFrame(json.loads((folder / "human_annotations.json").read_text("utf-8")))
    table["judge"] = pd.Series(json.loads((folder / "llm_annotations.json").read_text("utf-8"))[judge])
    if not all(isinstance(mark, int | float) for mark in table["judge"].dropna()):
        table = table.apply(lambda column: column.map({name: code for code, name in enumerate(sorted(classes(table)))}))
    table = table.astype(float)
    return table.pop("judge").to_numpy(), table


def classes(table: pd.DataFrame) -> set[str]:
    return {str(mark) for mark in table.to_numpy().ravel() if mark == mark and mark is not None}


def test_every_printed_result(data_dir: Path) -> None:
    printed = pd.read_csv(data_dir.parent / "published" / "calderon2025_alternative_annotator_test.csv")
    assert len(printed) == 28
    for row in printed.itertuples():
        scores, raters = marks(data_dir / "alttest" / row.dataset, row.judge)
        test = alternative_annotator(scores, raters, row.epsilon, ALIGNMENTS[row.alignment])
        found = round(test.winning_rate, 2), round(test.advantage, 2), test.passes
        assert found == (row.winning_rate, row.advantage_probability, row.passes), (row.dataset, row.judge)


def test_by_hand() -> None:
    """Two raters: each is the only other of the other, and |score - other| is held against |rater - other|."""
    one, other = np.array([1.0, 2, 3] * 20), np.array([1.0, 4, 3] * 20)
    score = np.array([1.0, 4, 9] * 20)  # as near as the first rater, nearer, further; then the same, nearer, further
    test = alternative_annotator(score, np.column_stack([one, other]), 0.2)
    first, second = test.raters
    # without the first: near to `other` in 2 of 3; the first is near in 2 of 3 (its second mark is further than 4 is)
    assert (first.advantage, first.difference) == (pytest.approx(2 / 3), pytest.approx(0.0))
    # without the second: near to `one` in 2 of 3 (|4-2| = |4-2|); the second in all three
    assert (second.advantage, second.difference) == (pytest.approx(2 / 3), pytest.approx(1 / 3))
    assert first.p == pytest.approx(ttest_1samp(np.array([0.0, -1, 1] * 20), 0.2, alternative="less").pvalue)
    assert test.winning_rate == (0.0 if first.p * 3 > 0.05 else 0.5)


def test_gaps_are_left_out() -> None:
    rng = np.random.default_rng(4)
    raters = rng.integers(1, 7, (100, 3)).astype(float)
    scores = rng.integers(1, 7, 100).astype(float)
    whole = alternative_annotator(scores[:60], raters[:60], 0.1)
    scores[60:80], raters[80:, 1:] = np.nan, np.nan
    gaps = alternative_annotator(scores, raters, 0.1)
    assert ([rater.n for rater in gaps.raters], gaps) == ([60, 60, 60], whole)


def test_too_few_items_give_a_reason() -> None:
    test = alternative_annotator([1.0, 2], [[1, 2], [2, 2]], 0.1)
    assert np.isnan(test.winning_rate) and not test.passes
    expected = "no rater could be tested: 2 items with this rater, another rater and a score: at least 30 are needed"
    assert test.reason == expected
    found = alternative_annotator([1.0] * 40, np.ones((40, 1)), 0.1).reason
    assert found == "0 items with this rater, another rater and a score: at least 30 are needed"


@pytest.mark.parametrize(("scores", "epsilon", "alignment", "message"), [
    ([1.0], 0.1, "numbers", "give one score per"),
    ([1.0, 2], 1.5, "numbers", "epsilon is 1.5"),
    ([1.0, 2], 0.1, "ranks", "unknown alignment 'ranks'"),
])  # fmt: skip
def test_what_cannot_be_is_refused(scores: list[float], epsilon: float, alignment: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        alternative_annotator(scores, [[1, 2], [2, 2]], epsilon, alignment)
