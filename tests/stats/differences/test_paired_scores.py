"""Levels of correlation against pandas and scipy, on tables in which drawn items and systems are written out."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from rainbow.stats.correlation.rowwise_correlation import RowwiseMethod
from rainbow.stats.differences.paired_scores import Level, paired_scores

ORACLES: dict[str, Callable[..., Any]] = {
    "pearson": stats.pearsonr,
    "spearman": stats.spearmanr,
    "kendall-b": stats.kendalltau,
}


def unbalanced(seed: int, items: int = 8, systems: int = 6) -> pd.DataFrame:
    """Return a table in which some systems lack some items, and one item has two outputs of a system."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame([(i, s) for i in range(items) for s in range(systems)], columns=["item", "system"])
    frame = pd.concat([frame.sample(frac=0.8, random_state=seed), frame.iloc[[0, 0]]], ignore_index=True)
    frame["rating"] = rng.integers(1, 7, len(frame)).astype(float)
    frame["x"] = frame["rating"] + rng.normal(size=len(frame))
    return frame.assign(y=frame["rating"] + 2 * rng.normal(size=len(frame)))


def expected(frame: pd.DataFrame, level: Level, method: RowwiseMethod) -> tuple[float, float]:
    """Correlate as written: pooled, by means of systems, or item by item; `copy` tells drawn items apart."""
    if level == "item":
        parts = [
            part for _, part in frame.groupby(["item", "copy"]) if (part[["x", "y", "rating"]].nunique() > 1).all()
        ]
    elif level == "system":
        parts = [frame.groupby(["system", "twin"])[["x", "y", "rating"]].mean()]
    else:
        parts = [frame]
    values = [[ORACLES[method](part[name], part["rating"])[0] for name in "xy"] for part in parts]
    r, r_other = np.mean(values, axis=0).tolist()
    return r, r_other


@pytest.mark.parametrize("method", ["pearson", "spearman", "kendall-b"])
@pytest.mark.parametrize("level", ["pooled", "item", "system"])
def test_correlations_of_drawn_items_and_systems_are_those_of_the_written_out_table(
    level: Level, method: RowwiseMethod
) -> None:
    frame = unbalanced(1)
    scores = paired_scores(frame["x"], frame["y"], frame["rating"], frame["item"], frame["system"])
    rng = np.random.default_rng(2)
    items, systems = rng.multinomial(8, np.full(8, 1 / 8), 30), rng.multinomial(6, np.full(6, 1 / 6), 30)
    items[0], systems[0] = 1, 1  # the table as it is
    found = scores.correlate(level, method, item_weights=items.astype(float), system_weights=systems.astype(float))
    for r, r_other, drawn, chosen in zip(found.r, found.r_other, items, systems, strict=True):
        copies = [frame[frame["item"] == i].assign(copy=k) for i in range(8) for k in range(drawn[i])]
        table = pd.concat(copies)
        twins = [table[table["system"] == s].assign(twin=k) for s in range(6) for k in range(chosen[s])]
        assert (r, r_other) == pytest.approx(expected(pd.concat(twins), level, method))


def test_the_level_says_how_much_it_rests_on() -> None:
    frame = unbalanced(3)
    frame.loc[frame["item"] == 2, "x"] = 0.5  # an item on which x is constant has no correlation
    scores = paired_scores(frame["x"], frame["y"], frame["rating"], frame["item"], frame["system"])
    n = {level: scores.correlate(level, "pearson").n.tolist() for level in ("pooled", "item", "system")}
    assert n == {"pooled": [len(frame)], "item": [7], "system": [6]}


def test_scores_are_standardised_and_incomplete_rows_left_out() -> None:
    frame = unbalanced(4)
    frame.loc[0, "x"], frame.loc[1, "y"], frame.loc[2, "rating"] = np.nan, np.nan, np.nan
    scores = paired_scores(frame["x"], frame["y"], frame["rating"], frame["item"], frame["system"])
    assert len(scores.x) == len(frame) - 3
    assert [scores.x.mean(), scores.x.std(), scores.y.mean(), scores.y.std()] == pytest.approx([0, 1, 0, 1])
    assert scores.x == pytest.approx(stats.zscore(frame["x"][3:]))


def test_an_item_or_system_may_have_any_name() -> None:
    scores = paired_scores([1, 2, 3, 4], [1, 2, 4, 3], [1, 2, 3, 4], ["b", "a", "b", "a"], [7, 7, 7, 10])
    assert (scores.items.tolist(), scores.systems.tolist()) == ([1, 0, 1, 0], [1, 1, 1, 0])
    assert (scores.item_count, scores.system_count) == (2, 2)


def test_columns_of_unlike_length_and_unknown_levels_are_refused() -> None:
    with pytest.raises(ValueError, match="differ in length"):
        paired_scores([1, 2], [1, 2, 3], [1, 2], ["a", "a"], ["S", "S"])
    with pytest.raises(ValueError, match="there is no level 'summary'"):
        paired_scores([1, 2, 3, 4], [1, 2, 4, 3], [1, 2, 3, 4], list("aabb"), list("STST")).correlate(
            "summary",  # type: ignore[arg-type]
            "pearson",
        )
