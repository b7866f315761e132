"""Human ratings as numbers: of single raters' columns, of words, with decimal commas."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rainbow.corpus.corpus_table import number_of, rater_columns
from rainbow.datasets.columns import Rating
from rainbow.datasets.shapes.cells import mark_of

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["marks_in", "rated"]


def rated(
    frame: pd.DataFrame, ratings: Sequence[str], scales: Sequence[str] = (), decimal: str | None = None
) -> pd.DataFrame:
    """Return the table with a column of numbers for each rating, and those of its raters as ``NAME_1``, ``NAME_2`` ...

    Parameters
    ----------
    frame, ratings
        The table, and its ratings as :class:`~rainbow.datasets.columns.Rating` reads them.
    scales
        Words that stand for marks, as ``disagree<neutral<agree``; a column has those that most of its cells are of.
    decimal
        ``,`` if a comma stands before the decimals. What is no mark stays as it is.

    Raises
    ------
    ValueError
        If there is no such column of raters.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"ann1": ["4", ""], "ann2": ["6", "3"]})
    >>> rated(table, ["quality=ann1,ann2"]).values.tolist()
    [[4.0, 6.0, 5.0], [nan, 3.0, 3.0]]
    >>> rated(pd.DataFrame({"rank": [1, 3, 2]}), ["rank:lower"])["rank"].tolist()
    [3.0, 1.0, 2.0]
    """
    for rating in map(Rating.of, ratings):
        frame = _one(frame, rating, scales, decimal)
        frame = _turned(frame, rating.name) if rating.lower and rating.name in frame else frame
    used = {name for rating in map(Rating.of, ratings) for name in rating.by_criterion}
    return frame.drop(columns=list(used))


def _one(frame: pd.DataFrame, rating: Rating, scales: Sequence[str], decimal: str | None) -> pd.DataFrame:
    if not rating.raters:
        if not (scales or decimal) or rating.name not in frame:
            return frame
        return frame.assign(**{rating.name: marks_in(frame[rating.name], scales, decimal)})
    if gone := [name for name in rating.columns if name not in frame]:
        raise ValueError(
            f"there is no column {gone[0]!r} for {rating.name}: there are {', '.join(map(str, frame))}: name those of "
            f"its raters, --rating {rating.name}=COLUMN,COLUMN"
        )
    if rating.by_criterion:
        mark, criterion = rating.by_criterion
        cells = frame[mark].where(frame[criterion].map(str) == rating.name, "")
        return frame.assign(**{rating.name: marks_in(cells, scales, decimal)})
    marks = [marks_in(frame[name], scales, decimal) for name in rating.raters]
    left = frame.drop(columns=list(rating.raters))
    if len(marks) == 1:
        return left.assign(**{rating.name: marks[0]})
    single = {f"{rating.name}_{place}": column for place, column in enumerate(marks, 1)}
    return left.assign(**single, **{rating.name: _means(marks)})


def _turned(frame: pd.DataFrame, name: str) -> pd.DataFrame:
    """Return the table with marks of which the least is the best turned round, from the least to the most of all."""
    columns = {column: [*map(number_of, frame[column])] for column in (name, *rater_columns(frame, name))}
    known = [number for numbers in columns.values() for number in numbers if number is not None and number == number]
    both = min(known, default=0.0) + max(known, default=0.0)
    turned = {
        column: [cell if number is None else both - number for cell, number in zip(frame[column], numbers, strict=True)]
        for column, numbers in columns.items()
    }
    return frame.assign(**turned)


def _means(marks: Sequence[Sequence[Any]]) -> list[float]:
    """Return the mean of the marks that each row has; NaN where it has none."""
    numbers = [[number_of(mark) for mark in row] for row in zip(*marks, strict=True)]
    rows = ([number for number in row if number is not None and number == number] for row in numbers)
    return [float(np.mean(row)) if row else float("nan") for row in rows]


def marks_in(cells: Iterable[Any], scales: Iterable[str], decimal: str | None) -> list[Any]:
    """Return the numbers that marks stand for, by the scale that has most of their words.

    Examples
    --------
    >>> marks_in(["good", "2,5"], ["bad<good", "no<yes"], ",")
    [2.0, 2.5]
    """
    cells = list(cells)
    words = [cell.strip().casefold() for cell in cells if isinstance(cell, str)]
    split = [tuple(word.strip().casefold() for word in scale.split("<")) for scale in scales]
    scale = max(split, key=lambda scale: sum(word in scale for word in words), default=())
    return [mark_of(cell, scale, decimal) for cell in cells]
