"""Systems compared: their means on every dataset, and tests of the difference between two of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from rainbow.base.arrays import FloatArray, Random
from rainbow.scoring.cells import cells
from rainbow.stats.differences.mean_differences import (
    MeanDifference,
    Sample,
    paired_t,
    pooled_t,
    sample,
    welch_t,
    wilcoxon_signed_rank,
)
from rainbow.stats.resampling.paired_resampling import Randomisation, approximate_randomisation
from rainbow.stats.tidy import require, tidy

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["TESTS", "compare_systems", "system_means"]


# Tests of all rows of both systems, and of the values for the items that both have an output for.
_OF_ROWS: dict[str, Callable[[Sample, Sample], MeanDifference]] = {"pooled t": pooled_t, "Welch t": welch_t}
_OF_ITEMS: dict[str, Callable[[ArrayLike, ArrayLike], MeanDifference]] = {
    "paired t": paired_t,
    "Wilcoxon signed-rank": wilcoxon_signed_rank,
}
TESTS = (*_OF_ROWS, *_OF_ITEMS, "approximate randomisation")


def system_means(frame: pd.DataFrame, columns: Sequence[str]) -> pd.DataFrame:
    """Return mean and standard deviation of every column, for each system on each dataset.

    Parameters
    ----------
    frame
        A row per output, with columns `dataset`, `system` and `columns`.
    columns
        Metrics and ratings; NaN is left out, and `n` says so.

    Returns
    -------
    DataFrame
        Columns dataset, system, column, mean, sd (divisor n - 1), n, reason (why mean or sd is NaN, else None).

    Raises
    ------
    ValueError
        If a column is missing.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"dataset": "inns", "system": ["A", "A", "B"], "TER": [0.25, 0.75, 0.5]})
    >>> system_means(frame, ["TER"])[["system", "mean", "sd", "n", "reason"]]
      system  mean        sd  n                                reason
    0      A   0.5  0.353553  2                                  None
    1      B   0.5       NaN  1  one row has no standard deviation
    """
    require(frame, ["dataset", "system", *columns])
    rows: list[dict[str, Any]] = [
        {**key, "column": column, **_mean(part[column].to_numpy(dtype=float, na_value=np.nan))}
        for key, part in cells(frame, "dataset-system")
        for column in columns
    ]
    return tidy(rows, ["dataset", "system", "column", "mean", "sd", "n", "reason"])


def _mean(values: FloatArray) -> dict[str, Any]:
    known = values[~np.isnan(values)]
    n = len(known)
    reason = {0: "there is no value", 1: "one row has no standard deviation"}.get(n)
    if not np.isfinite(known).all():
        return {"mean": math.nan, "sd": math.nan, "n": n, "reason": "there are infinite values"}
    mean = float(known.mean()) if n else math.nan
    return {"mean": mean, "sd": float(known.std(ddof=1)) if n > 1 else math.nan, "n": n, "reason": reason}


def compare_systems(
    frame: pd.DataFrame,
    columns: Sequence[str],
    *,
    resamples: int = 10_000,
    rng: Random = None,
) -> pd.DataFrame:
    """Test, for each dataset and each two systems on it, whether they differ in every column.

    Five tests of each difference: ``pooled t`` and ``Welch t`` take the outputs of the two systems as independent
    samples (with one variance, and with two). But the systems answer the same inputs, and an input that is hard is
    hard for both: ``paired t``, ``Wilcoxon signed-rank`` and ``approximate randomisation`` look at the differences
    for each item, which is what to report. Where a system has several outputs for an item, their mean stands for it.

    Parameters
    ----------
    frame
        A row per output, with columns `dataset`, `system`, `item` and `columns`.
    columns
        Metrics and ratings. Rows with NaN are left out (before items are paired), and n says so.
    resamples
        The number of shuffles of approximate randomisation; more are made of the tests that they do not settle, where
        none could be significant as one of so many columns.
    rng
        A seed or a numpy Generator.

    Returns
    -------
    DataFrame
        Columns dataset, first, second (systems, in the order in which they occur), column, test, difference (mean of
        the first minus that of the second: over rows for the first two tests, over items for the others), low and
        high (95 % interval of the difference; NaN for the tests that have none), statistic (t; the smaller sum of
        ranks of Wilcoxon's test; NaN for approximate randomisation), p (two-sided, of no multiple comparisons),
        n_first, n_second (rows, or items, that the test rests on: items with a difference for Wilcoxon's test), reason
        (why p is NaN, else None) and resamples (of approximate randomisation, 0 for the others). A dataset with one
        system has NaN and `second` is empty.

    Raises
    ------
    ValueError
        If a column is missing, or `resamples` is below 1.

    Notes
    -----
    A comparison of systems by a metric is sound only where the metric was computed alike for both:
    :func:`rainbow.analysis.checks.check_scores.check_scores` looks for signs that it was not.

    References
    ----------
    Dror, R., Baumer, G., Shlomov, S. and Reichart, R. (2018). The hitchhiker's guide to testing statistical
    significance in natural language processing. ACL.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"dataset": "inns", "system": ["A", "B"] * 5, "item": [i // 2 for i in range(10)]})
    >>> frame["quality"] = [1.0, 2, 2, 3, 4, 5, 5, 6, 3, 3]
    >>> compare_systems(frame, ["quality"], rng=1)[["test", "difference", "p", "n_first"]].round(2)
                            test  difference     p  n_first
    0                   pooled t        -0.8  0.46        5
    1                    Welch t        -0.8  0.46        5
    2                   paired t        -0.8  0.02        5
    3       Wilcoxon signed-rank        -0.8  0.05        4
    4  approximate randomisation        -0.8  0.12        5
    """
    require(frame, ["dataset", "system", "item", *columns])
    generator = np.random.default_rng(rng)
    rows: list[dict[str, Any]] = []
    for key, part in cells(frame, "dataset"):
        pairs = _pairs(part["system"])
        scores = {name: _scores(part, columns, name) for name in dict.fromkeys(chain(*pairs))}
        for pair in pairs:
            heads = {"dataset": key["dataset"], **dict(zip(("first", "second"), pair, strict=True))}
            first, second = (scores[name] for name in pair)
            rows += [heads | result for result in _tests(first, second, columns, resamples, generator)]
    return tidy(rows, ["dataset", "first", "second", "column", "test", *MeanDifference._fields, "resamples"])


class _Scores(NamedTuple):
    """The scores of one system: every column over its outputs, and the means for each item, shape (items, columns)."""

    columns: list[Sample]
    items: pd.Index[Any]
    means: FloatArray


def _scores(part: pd.DataFrame, columns: Sequence[str], system: str) -> _Scores:
    rows = part[part["system"] == system]
    means = rows.groupby("item", sort=False)[list(columns)].mean()
    values, by_item = (table[list(columns)].to_numpy(dtype=float, na_value=np.nan) for table in (rows, means))
    return _Scores([sample(column) for column in values.T], means.index, by_item)


def _pairs(systems: pd.Series[str]) -> list[tuple[str, str]]:
    """Return each two systems in the order in which they occur; one system alone with an empty name."""
    names = [str(name) for name in systems.unique()]
    return list(combinations(names, 2)) if len(names) > 1 else [(names[0], "")]


def _tests(
    first: _Scores, second: _Scores, columns: Sequence[str], resamples: int, rng: np.random.Generator
) -> Iterator[dict[str, Any]]:
    """Return a row for every column and test; the second system has no item where there is only one."""
    places = second.items.get_indexer(first.items)
    items = first.means[places >= 0], second.means[places[places >= 0]]
    for place, column in enumerate(columns):
        one, other = (means[:, place] for means in items)
        shuffled = approximate_randomisation(one, other, resamples=resamples, tests=len(columns), rng=rng)
        of_rows = {name: test(first.columns[place], second.columns[place]) for name, test in _OF_ROWS.items()}
        of_items = {name: test(one, other) for name, test in _OF_ITEMS.items()}
        for test, found in {**of_rows, **of_items, TESTS[-1]: _as_difference(shuffled)}.items():
            if not len(second.items):
                found = found._replace(reason="there is only one system")
            made = shuffled.resamples if test == TESTS[-1] else 0
            yield {"column": column, "test": test, **found._asdict(), "resamples": made}


def _as_difference(shuffled: Randomisation) -> MeanDifference:
    n, gap = shuffled.n, math.nan
    return MeanDifference(shuffled.difference, gap, gap, gap, shuffled.p, n, n, shuffled.reason)
