"""Which score is recommended: the rule by hand, and its honesty on drawn tables."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from rainbow.learned.protocols.learning_curve import _draw_inputs, learning_curve, pays_from, subset_sizes
from rainbow.learned.protocols.recommended import (
    COMBINATION,
    GENERAL,
    LENGTH,
    SINGLE,
    Choices,
    advice_sentence,
    choose_score,
    recommend,
)


def line(
    score: str, spearman: float, over_length: float, over_single: float = 0.0, columns: str = ""
) -> dict[str, Any]:
    """Return a line of the table; the differences are the lower ends of their intervals."""
    ends = {"low": spearman - 0.07, "high": spearman + 0.06}
    lower = {"over_length_low": over_length, "over_single_low": over_single}
    return {"score": score, "columns": columns, "spearman": spearman, **ends, **lower}


def lines(combination: tuple[float, float, float], single: tuple[float, float], general: Any = None) -> list[Any]:
    return [
        line(COMBINATION, *combination),
        line(SINGLE, *single, columns="METEOR"),
        *([line(GENERAL, *general, columns="full_quality")] if general else []),
        line(LENGTH, 0.1, 0.0),
    ]


@pytest.mark.parametrize(("compared", "used"), [
    (lines((0.46, 0.2, 0.01), (0.38, 0.1)), COMBINATION),
    (lines((0.46, 0.2, -0.01), (0.38, 0.1)), SINGLE),  # not clearly better
    (lines((0.46, 0.2, 0.01), (0.38, 0.1), (0.46, 0.2)), GENERAL),  # as good, without learning
    (lines((0.46, 0.2, 0.01), (0.38, 0.1), (0.45, 0.2)), COMBINATION),
    (lines((0.46, 0.2, -0.01), (0.38, 0.1), (0.4, 0.2)), GENERAL),
    (lines((0.2, -0.1, -0.1), (0.2, -0.1)), None),
    (lines((0.2, -0.1, -0.1), (0.2, -0.1), (0.19, 0.01)), GENERAL),
])  # fmt: skip
def test_the_rule(compared: list[Any], used: str | None) -> None:
    assert choose_score(compared) == used


def test_the_sentence_has_the_figures_of_all() -> None:
    compared = lines((0.46, 0.2, 0.01), (0.38, 0.1), (0.4, 0.1))
    found = advice_sentence(compared, COMBINATION)
    assert found == "Use this combination: 0.46 (0.39 to 0.52), METEOR 0.38, the general score (full_quality) 0.40."
    result = advice_sentence(compared[:2] + compared[3:], SINGLE)
    assert result == "Use METEOR: 0.38 (0.31 to 0.44), the combination 0.46 (not clearly better)."
    assert advice_sentence(compared[1:2] + compared[:1] + compared[3:], None).startswith(
        "Nothing is better than length (0.10)"
    )


def table(inputs: int, columns: int, signal: float, seed: int = 0) -> pd.DataFrame:
    """Return a table of two outputs for each input; the first five columns each have a part of the rating."""
    rng, rows = np.random.default_rng(seed), 2 * inputs
    scores = rng.normal(size=(rows, columns))
    words = [f"word{number} " * int(rng.integers(3, 9)) for number in range(rows)]
    frame = pd.DataFrame(scores, columns=[f"m{place}" for place in range(columns)]).assign(
        id=[str(row) for row in range(rows)], dataset="d", system=["a", "b"] * inputs, mr="", output=words
    )
    frame["item"] = [str(row // 2) for row in range(rows)]
    return frame.assign(quality=signal * scores[:, :5].sum(axis=1) + rng.normal(size=rows))


def recommended(frame: pd.DataFrame, resamples: int = 200) -> pd.DataFrame:
    names = [name for name in frame if name.startswith("m") and name != "mr"]
    return recommend(frame, {"quality": Choices(names, names)}, dict.fromkeys(names, True), resamples=resamples)


def test_five_columns_with_a_part_each_are_recommended_together() -> None:
    found = recommended(table(100, 15, 0.6)).set_index("score")
    assert found["use"].to_dict() == {COMBINATION: True, SINGLE: False, LENGTH: False}
    assert set(found.loc[COMBINATION, "columns"].split(", ")) == {f"m{place}" for place in range(5)}
    assert found.loc[COMBINATION, "over_single_low"] > 0 and found["advice"].nunique() == 1


def test_a_choice_among_many_columns_of_noise_is_not_rewarded() -> None:
    found = [recommended(table(30, 100, 0.0, seed), 50).set_index("score") for seed in range(6)]
    for score in (COMBINATION, SINGLE):
        assert abs(np.mean([one.loc[score, "spearman"] for one in found])) < 0.1
    assert not any(one["use"].any() for one in found)


@pytest.mark.parametrize(("frame", "reason"), [
    (table(4, 3, 1.0), "8 outputs for 4 unrelated inputs; rate at least 20 outputs for 5 inputs"),
    (table(30, 3, 1.0).assign(quality=3.0), "all outputs have the same rating"),
    (table(30, 3, 1.0).assign(quality=np.nan), "0 outputs"),
    (table(30, 3, 1.0)[["id", "dataset", "system", "item", "mr", "output", "quality"]], "no computed metric"),
])  # fmt: skip
def test_without_enough_to_go_on_the_table_has_the_reason(frame: pd.DataFrame, reason: str) -> None:
    found = recommended(frame)
    assert len(found) == 1 and reason in found["reason"].item() and not found["use"].item()


def test_sizes_double_up_to_half_of_the_rated_outputs() -> None:
    assert [subset_sizes(rated) for rated in (39, 40, 79, 320)] == [[], [20], [20], [20, 40, 80, 160]]


def test_inputs_that_were_learned_from_are_not_tested() -> None:
    groups = np.repeat(np.arange(30), 3)
    train, test = _draw_inputs(groups, 20, np.random.default_rng(1))
    assert len(train) == 20 and not set(groups[train]) & set(groups[test])
    assert len(test) == 90 - 21  # whole inputs are left


def test_learning_pays_from_the_size_after_which_the_combination_stays_best() -> None:
    means = {20: (0.4, 0.3), 40: (0.3, 0.35), 80: (0.5, 0.4), 160: (0.6, 0.5)}
    rows = [
        {"rated": size, "score": score, "spearman": value}
        for size, (combination, single) in means.items()
        for score, value in ((COMBINATION, combination), (SINGLE, single), (LENGTH, 0.9))
    ]
    assert pays_from(pd.DataFrame(rows)) == 80
    assert pays_from(pd.DataFrame(rows).replace({"spearman": {0.6: 0.1}})) is None


def test_more_ratings_agree_better() -> None:
    frame = table(100, 15, 0.6)
    names = [f"m{place}" for place in range(15)]
    curve = learning_curve(frame, {"quality": Choices(names, names)}, dict.fromkeys(names, True), draws=5)
    means = curve[curve["score"] == COMBINATION].set_index("rated")["spearman"]
    assert means.index.tolist() == [20, 40, 80] and means[80] > means[20]
