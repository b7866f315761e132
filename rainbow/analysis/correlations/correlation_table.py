"""Correlations of metrics with ratings as a tidy table with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from rainbow.analysis.correlations.levels import Level, correlate_at_level, item_numbers
from rainbow.base.arrays import IntArray, Random
from rainbow.base.lazy import pd
from rainbow.scoring.table_cells import POOLED, By, measure_cells
from rainbow.stats.correlation.correlation import EXACT_ROWS, Method
from rainbow.stats.correlation.intervals import Interval, cell_intervals, fisher_interval
from rainbow.stats.correlation.rank_influence import influence_intervals
from rainbow.stats.resampling.bootstrap import Resampling, bootstrap

IntervalKind = Literal["auto", Resampling, "influence", "fisher"]

# Above these sizes both intervals have the same coverage (docs/lab/levels.md), and the bootstrap takes minutes.
_MANY_ROWS, _MANY_ITEMS = 2_500, 50

_PART = ("dataset", "system", "stratum", "level")
COLUMNS = (*_PART, "rating", "metric", "r", "low", "high", "p", "test", "n", "method", "interval", "reason")


def correlation_table(
    frame: pd.DataFrame,
    metrics: Sequence[str],
    ratings: Sequence[str],
    by: By = "dataset-system",
    *,
    level: Level = "pooled",
    method: Method = "spearman",
    interval: IntervalKind = "auto",
    confidence: float = 0.95,
    resamples: int = 1000,
    rng: Random = None,
) -> pd.DataFrame:
    """Compute the correlation of every metric with every rating, with confidence intervals.

    Parameters
    ----------
    frame : DataFrame
        One row per output: `dataset`, `system`, `item`, metrics and ratings; NaN if a value is missing.
    metrics, ratings : sequence of str
        Columns of the table.
    by : {"dataset-system", "dataset", "system", "all"}
        Groups of rows (:func:`~rainbow.scoring.table_cells.iterate_cells`). For strata see
        :func:`~rainbow.analysis.correlations.stratum_correlations.stratum_correlations`.
    level : {"pooled", "item", "system"}
        Correlate over outputs, take the mean of the correlations within items, or correlate system means
        (:func:`~rainbow.analysis.correlations.levels.correlate_at_level`).
    method : {"spearman", "pearson", "kendall-b", "kendall-c"}
        Correlation coefficient.
    interval : {"auto", "bca", "percentile", "influence", "fisher"}
        ``bca`` and ``percentile``: bootstrap of items (:func:`bootstrap`). ``influence``: Spearman over outputs,
        clustered by item (:func:`~rainbow.stats.correlation.rank_influence.influence_intervals`). ``fisher``:
        independent rows (:func:`~rainbow.stats.correlation.intervals.fisher_interval`). ``auto``: ``influence`` if
        defined and there are at least 2,500 rows and 50 items, else ``bca``.
    confidence : float
        Confidence level, between 0 and 1.
    resamples : int
        Number of bootstrap resamples.
    rng : Generator or int
        Random generator or seed.

    Returns
    -------
    DataFrame
        One row per group, rating and metric. Columns: dataset, system, stratum (``all``), level, rating, metric, r,
        low, high, p (two-sided, null hypothesis of no association), test (``exact``: all orders of up to eight rows;
        ``t``; ``kendall``; ``signs`` of the correlations within items), n (outputs, items or systems), method,
        interval, reason (why r, or else the interval, is NaN).

    Raises
    ------
    ValueError
        If a column is missing or an option is unknown.

    Notes
    -----
    The p-value treats outputs as independent; bootstrap intervals do not. If items have several outputs, rely on the
    interval. In groups that pool datasets or systems, r mixes differences within and between the pooled groups.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"dataset": "inns", "system": "A", "item": range(6), "BLEU4": [1, 2, 3, 4, 5, 6]})
    >>> frame["quality"] = [1, 3, 2, 4, 6, 5]
    >>> table = correlation_table(frame, ["BLEU4"], ["quality"], interval="fisher")
    >>> table[["rating", "metric", "r", "low", "high", "n"]].round(2)
        rating metric     r   low  high  n
    0  quality  BLEU4  0.89  0.07  0.99  6
    """
    if interval not in get_args(IntervalKind):
        raise ValueError(f"unknown interval {interval!r}: choose from {', '.join(get_args(IntervalKind))}")
    if interval == "influence" and (level, method) != ("pooled", "spearman"):
        raise ValueError(f"{method} at the level {level} has no influence interval: choose bca")
    generator = np.random.default_rng(rng)
    measure = partial(
        _correlation_rows, level=level, method=method, interval=_Interval(interval, confidence, resamples, generator)
    )
    table = measure_cells(frame, metrics, ratings, by, measure)
    table = table.assign(stratum=POOLED, level=level, method=method)
    return table.reindex(columns=list(COLUMNS))


def correlations_among(frame: pd.DataFrame, names: Sequence[str], by: By = "all", **options: Any) -> pd.DataFrame:
    """Correlate columns with each other, e.g. metrics or ratings."""
    if len(names) < 2:
        raise ValueError(f"nothing to correlate {', '.join(names) or 'no column'} with: name at least two columns")
    options["rng"] = np.random.default_rng(options.get("rng"))
    tables = [
        correlation_table(frame, names[place + 1 :], [name], by, **options) for place, name in enumerate(names[:-1])
    ]
    return pd.concat(tables, ignore_index=True).rename(columns={"rating": "first", "metric": "second"})


class _Interval(NamedTuple):
    """Settings for confidence intervals."""

    kind: IntervalKind
    confidence: float
    resamples: int
    rng: np.random.Generator


def _correlation_rows(
    part: pd.DataFrame, metrics: list[str], ratings: list[str], *, level: Level, method: Method, interval: _Interval
) -> Mapping[str, NDArray[Any]]:
    """Correlate metrics with ratings that share rows, with intervals."""
    sample = correlate_at_level(part, metrics, ratings, level, method)
    grid = [[sample.correlation(i, j) for j in range(len(ratings))] for i in range(len(metrics))]
    r, p, n, reason = np.moveaxis(np.array(grid, dtype=object), -1, 0)
    r, p, n = r.astype(float), p.astype(float), n.astype(int)
    defined, items = np.isfinite(r), item_numbers(part)
    kind = interval.kind if interval.kind != "auto" else _default_interval(items, level, method)
    if not defined.any():
        bounds = cell_intervals(r.shape, lambda cell: Interval(np.nan, np.nan))
    elif kind == "fisher":
        bounds = cell_intervals(
            r.shape, lambda cell: _analytic_interval(r[cell], int(n[cell]), level, method, interval.confidence)
        )
    elif kind == "influence":
        bounds = influence_intervals(part[metrics], part[ratings], items, interval.confidence)
    else:
        bounds = bootstrap(sample.resampled, items, kind, interval.confidence, interval.resamples, interval.rng)
    low, high = (np.where(defined, ends, np.nan) for ends in (bounds.low, bounds.high))
    test = _null_hypothesis(n, level, method)
    test[~defined] = None
    reason = np.where(defined, bounds.reason, reason)
    made = {"r": r, "low": low, "high": high, "p": p, "test": test, "n": n}
    return made | {"interval": np.array(kind), "reason": reason}


def _default_interval(items: IntArray, level: Level, method: Method) -> Literal["influence", "bca"]:
    """Return the default kind of interval."""
    many = len(items) >= _MANY_ROWS and items.max() + 1 >= _MANY_ITEMS
    return "influence" if many and (level, method) == ("pooled", "spearman") else "bca"


def _null_hypothesis(n: NDArray[np.int64], level: Level, method: Method) -> NDArray[Any]:
    """Return the null hypothesis of each p-value."""
    many = "signs" if level == "item" else "kendall" if "kendall" in method else "t"
    values = np.full(n.shape, many, dtype=object)
    values[(n <= EXACT_ROWS) & (level != "item")] = "exact"
    return values


def _analytic_interval(r: float, n: int, level: Level, method: Method, confidence: float) -> Interval:
    if level == "item":
        reason = "Fisher's z gives no interval for a mean of correlations: use resampling of items"
        return Interval(np.nan, np.nan, reason)
    return fisher_interval(r, n, method, confidence)
