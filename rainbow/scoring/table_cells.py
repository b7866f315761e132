"""Cells of a score table (dataset, system, ...) and measurements in each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from rainbow.base.lazy import pd
from rainbow.stats.order.pairs import PairBlock, item_pairs
from rainbow.stats.tidy_tables import require_columns

By = Literal["dataset-system", "dataset", "system", "all"]

# From a table without gaps, metrics and ratings, to named arrays that broadcast to shape (metrics, ratings).
Measure = Callable[["pd.DataFrame", list[str], list[str]], Mapping[str, NDArray[Any]]]

# Name in keys for all datasets, or all systems, pooled.
POOLED = "all"

_KEYS: dict[str, list[str]] = {
    "dataset-system": ["dataset", "system"],
    "dataset": ["dataset"],
    "system": ["system"],
    "all": [],
}


def iterate_cells(frame: pd.DataFrame, by: By) -> Iterator[tuple[dict[str, str], pd.DataFrame]]:
    """Return the parts of a table in order of first occurrence, each with its key."""
    if by not in _KEYS:
        raise ValueError(f"unknown parts {by!r}: choose from {', '.join(get_args(By))}")
    names = _KEYS[by]
    if missing := [name for name in names if name not in frame]:
        raise ValueError(f"the table has no column {missing[0]!r}, which parts by {by} need")
    return _group_rows(frame, names)


def _group_rows(frame: pd.DataFrame, names: list[str]) -> Iterator[tuple[dict[str, str], pd.DataFrame]]:
    key = {"dataset": POOLED, "system": POOLED}
    if not names:
        yield key, frame
        return
    for values, part in frame.groupby(names, sort=False, observed=True):
        yield key | dict(zip(names, map(str, values), strict=True)), part


def item_numbers(rows: pd.DataFrame) -> NDArray[np.intp]:
    """Return the item number of each row within its dataset, or a unique number without items."""
    if "item" not in rows:
        return np.arange(len(rows))
    columns = [name for name in ("dataset", "item") if name in rows]
    return np.asarray(rows.groupby(columns, sort=False, dropna=False, observed=True).ngroup(), dtype=np.intp)


def output_pairs(rows: pd.DataFrame, one_per_item: bool = False) -> tuple[PairBlock, ...]:
    """Return every pair of outputs of one item, see :func:`~rainbow.stats.order.pairs.item_pairs`."""
    require_columns(rows, ["dataset", "item", "system"])
    return item_pairs(item_numbers(rows), rows["system"].to_numpy(dtype=str), one_per_item)


def measure_cells(
    frame: pd.DataFrame, metrics: Sequence[str], ratings: Sequence[str], by: By, measure: Measure
) -> pd.DataFrame:
    """Return one row per cell, rating and metric with everything that `measure` returns."""
    _check_columns(frame, [*metrics, *ratings])
    records = []
    for key, part in iterate_cells(frame, by):
        result: dict[tuple[int, int], dict[str, Any]] = {}
        for group in _complete_groups(part, metrics, ratings):
            names = [metrics[place] for place in group.metrics], [ratings[place] for place in group.ratings]
            measured = measure(part.iloc[group.rows], *names)
            result |= _scatter_results(measured, group)
        for place, rating in enumerate(ratings):
            heads = [key | {"rating": rating, "metric": metric} for metric in metrics]
            records += [head | result[column, place] for column, head in enumerate(heads)]
    table = pd.DataFrame(records)
    # A column of strings would turn None into NaN.
    return table.assign(reason=pd.Series([record["reason"] for record in records], dtype=object))


def orient_metrics(
    frame: pd.DataFrame, metrics: Sequence[str], higher_is_better: Mapping[str, bool | None]
) -> pd.DataFrame:
    """Return the table with lower-is-better metrics negated, as floats."""
    _check_columns(frame, metrics)
    if missing := [name for name in metrics if name not in higher_is_better]:
        raise ValueError(f"the direction of {missing[0]!r} is unknown: set it in higher_is_better")
    signs = {name: -1.0 if higher_is_better[name] is False else 1.0 for name in metrics}
    return frame.assign(**{name: frame[name].astype(float) * sign for name, sign in signs.items()})


class _CompleteRows(NamedTuple):
    """Metrics and ratings with equal missing rows, and their complete rows."""

    rows: NDArray[np.intp]
    metrics: NDArray[np.intp]
    ratings: NDArray[np.intp]


def _check_columns(frame: pd.DataFrame, names: Sequence[str]) -> None:
    if missing := [name for name in names if name not in frame]:
        raise ValueError(f"the table has no column {missing[0]!r}")
    columns = frame[list(dict.fromkeys(names))]
    if texts := [name for name, kind in columns.dtypes.items() if not pd.api.types.is_numeric_dtype(kind)]:
        raise ValueError(f"the column {texts[0]!r} has no numbers: name score or rating columns")
    infinite = np.isinf(columns.to_numpy(dtype=float, na_value=np.nan)).any(axis=0)
    if infinite.any():
        raise ValueError(f"the column {columns.columns[infinite.argmax()]!r} has infinite values: replace them by NaN")


def _complete_groups(part: pd.DataFrame, metrics: Sequence[str], ratings: Sequence[str]) -> Iterator[_CompleteRows]:
    for scored, columns in group_equal_columns(part[list(metrics)].notna().to_numpy()):
        for rated, places in group_equal_columns(part[list(ratings)].notna().to_numpy()):
            yield _CompleteRows(np.flatnonzero(scored & rated), columns, places)


def group_equal_columns(present: NDArray[np.bool_]) -> Iterator[tuple[NDArray[np.bool_], NDArray[np.intp]]]:
    """Return every distinct column with the positions at which it occurs."""
    places: dict[bytes, list[int]] = {}
    for place, column in enumerate(present.T):
        places.setdefault(column.tobytes(), []).append(place)
    for same in places.values():
        yield present[:, same[0]], np.array(same)


def _scatter_results(
    measured: Mapping[str, NDArray[Any]], group: _CompleteRows
) -> dict[tuple[int, int], dict[str, Any]]:
    shape = (len(group.metrics), len(group.ratings))
    full = {name: np.broadcast_to(values, shape) for name, values in measured.items()}
    return {
        (int(metric), int(rating)): {name: values[row, column] for name, values in full.items()}
        for row, metric in enumerate(group.metrics)
        for column, rating in enumerate(group.ratings)
    }
