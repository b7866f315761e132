"""Merging of individual judgements into one row per output."""

from __future__ import annotations

from typing import Any

from rainbow.base.lazy import pd
from rainbow.datasets.columns import Columns
from rainbow.datasets.shapes.cell_values import is_missing
from rainbow.datasets.shapes.invalid_cells import clear_invalid_numbers

# Maximum number of rater columns; with more raters (crowds), columns hold the first, second, ... rating.
MAX_RATERS = 12


def merge_judgements(frame: pd.DataFrame, columns: Columns, rater: str | None) -> pd.DataFrame:
    """Return a row per output with mean ratings, and raters' values as ``NAME_1``, ``NAME_2`` ..."""
    ratings = [name for name in columns.rating_names if name in frame]
    named = {name: getattr(columns, name) or name for name in ("mr", "item", "system")}
    wanted = [*(columns.output or ("output",)), *named.values(), "dataset"]
    keys = [name for name in dict.fromkeys(wanted) if name in frame]
    frame = frame.drop(columns=[name for name in ("id", columns.id) if name in frame and name not in keys])
    about = frame.groupby([frame[key].map(repr) for key in keys], sort=False).ngroup()
    first = frame[~about.duplicated()].drop(columns=[*ratings, *([rater] if rater in frame else [])])
    first = first.set_axis(about[~about.duplicated()])
    frame = clear_invalid_numbers(frame, ratings)
    for name in ratings:
        marks = pd.to_numeric(frame[name], errors="coerce").dropna()
        given = frame.loc[marks.index]
        first = first.assign(
            **_spread_rating(marks, about[marks.index], _judgement_columns(given, about[marks.index], rater), name)
        )
    return first.reset_index(drop=True)


def _judgement_columns(frame: pd.DataFrame, groups: pd.Series[int], rater: str | None) -> pd.Series[int]:
    """Return the column of each judgement: by rater, or by its number among the output's."""
    if rater in frame:
        named = frame[rater].map(lambda cell: None if is_missing(cell) or cell == "" else str(cell))
        if named.nunique() <= MAX_RATERS:
            return pd.Series(pd.factorize(named)[0], index=frame.index)  # who judged nothing has no column
    return groups.groupby(groups).cumcount()


def _spread_rating(marks: pd.Series[Any], groups: pd.Series[int], places: pd.Series[int], name: str) -> dict[str, Any]:
    table = marks.groupby([groups, places]).mean().unstack()
    table = table.reindex(columns=range(int(max(table.columns, default=-1)) + 1))
    single = {f"{name}_{place}": table[column] for place, column in enumerate(table.columns, 1)}
    return {name: table.mean(axis=1), **(single if len(single) > 1 else {})}
