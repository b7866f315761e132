"""Ratings as numbers: rater columns, words, decimal commas, and one row per output for single judgements."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import numpy as np

from rainbow.base.lazy import pd
from rainbow.corpus.corpus_table import cell_number, rater_columns
from rainbow.datasets.columns import NO_MISSING_CODE, Columns, Rating
from rainbow.datasets.shapes.cell_values import is_missing, rating_value
from rainbow.datasets.shapes.invalid_cells import clear_invalid_numbers


def convert_ratings(
    frame: pd.DataFrame,
    ratings: Sequence[str],
    scales: Sequence[str] = (),
    decimal: str | None = None,
    not_rated: Sequence[str] = (),
) -> pd.DataFrame:
    """Return the table with numeric ratings, and raters' values as ``NAME_1``, ``NAME_2`` ..."""
    codes = {number for code in not_rated if code != NO_MISSING_CODE and (number := cell_number(code)) is not None}
    parsed = [*map(Rating.parse, ratings)]
    marked = [name for rating in parsed for name in rating.columns if name in frame] if codes else []
    without: dict[str, Any] = {
        name: [None if cell_number(cell) in codes else cell for cell in frame[name]] for name in marked
    }
    frame = frame.assign(**without)
    alone = {rating.name for rating in parsed if not rating.raters}
    for rating in parsed:
        frame = _convert_rating(frame, rating, scales, decimal, alone)
        frame = _reverse_rating(frame, rating.name) if rating.lower and rating.name in frame else frame
    used = {name for rating in parsed for name in rating.by_criterion}
    return frame.drop(columns=list(used))


def _convert_rating(
    frame: pd.DataFrame, rating: Rating, scales: Sequence[str], decimal: str | None, only: Collection[str]
) -> pd.DataFrame:
    """Return the table with one rating, dropping rater columns that are not ratings themselves."""
    if not rating.raters:
        if not (scales or decimal) or rating.name not in frame:
            return frame
        return frame.assign(**{rating.name: parse_ratings(frame[rating.name], scales, decimal)})
    if gone := [name for name in rating.columns if name not in frame]:
        raise ValueError(
            f"unknown column {gone[0]!r} for {rating.name}: the columns are {', '.join(map(str, frame))}: name "
            f"those of its raters, --rating {rating.name}=COLUMN,COLUMN"
        )
    if rating.by_criterion:
        mark, criterion = rating.by_criterion
        cells = frame[mark].where(frame[criterion].map(str) == rating.name, "")
        return frame.assign(**{rating.name: parse_ratings(cells, scales, decimal)})
    marks = [parse_ratings(frame[name], scales, decimal) for name in rating.raters]
    left = frame.drop(columns=[name for name in rating.raters if name not in only])
    if len(marks) == 1:
        return left.assign(**{rating.name: marks[0]})
    single = {f"{rating.name}_{place}": column for place, column in enumerate(marks, 1)}
    numbers = ([cell_number(mark) for mark in row] for row in zip(*marks, strict=True))
    known = ([number for number in row if number is not None and number == number] for row in numbers)
    means = [float(np.mean(row)) if row else float("nan") for row in known]
    return left.assign(**single, **{rating.name: means})


def _reverse_rating(frame: pd.DataFrame, name: str) -> pd.DataFrame:
    """Return the table with a lower-is-better rating reversed within its range."""
    columns = {column: [*map(cell_number, frame[column])] for column in (name, *rater_columns(frame, name))}
    known = [number for numbers in columns.values() for number in numbers if number is not None and number == number]
    both = min(known, default=0.0) + max(known, default=0.0)
    turned = {
        column: [cell if number is None else both - number for cell, number in zip(frame[column], numbers, strict=True)]
        for column, numbers in columns.items()
    }
    return frame.assign(**turned)


def parse_ratings(cells: Iterable[Any], scales: Iterable[str], decimal: str | None) -> list[Any]:
    """Return the numbers of ratings, by the scale that has most of their words."""
    cells = list(cells)
    words = [cell.strip().casefold() for cell in cells if isinstance(cell, str)]
    split = [tuple(word.strip().casefold() for word in scale.split("<")) for scale in scales]
    scale = max(split, key=lambda scale: sum(word in scale for word in words), default=())
    return [rating_value(cell, scale, decimal) for cell in cells]


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
