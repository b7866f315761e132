"""Human ratings as numbers: of single raters' columns, of words, with decimal commas."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rainbow.corpus.corpus_table import number_of
from rainbow.datasets.columns import Rating
from rainbow.datasets.shapes.cells import mark_of

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["numbered", "rated"]

Ordered = tuple[str, ...]  # words that stand for marks, the worst first


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
        ``,`` if a comma stands before the decimals. What is no mark stays as it is, see :func:`numbered`.

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
    """
    split = [tuple(word.strip().casefold() for word in scale.split("<")) for scale in scales]
    for rating in map(Rating.of, ratings):
        frame = _one(frame, rating, split, decimal)
    used = {name for rating in map(Rating.of, ratings) for name in rating.by_criterion}
    return frame.drop(columns=list(used))


def _one(frame: pd.DataFrame, rating: Rating, scales: Sequence[Ordered], decimal: str | None) -> pd.DataFrame:
    if not rating.raters:
        if not (scales or decimal) or rating.name not in frame:
            return frame
        return frame.assign(**{rating.name: _marks(frame[rating.name], scales, decimal)})
    if gone := [name for name in rating.columns if name not in frame]:
        raise ValueError(
            f"there is no column {gone[0]!r} for {rating.name}: there are {', '.join(map(str, frame))}: name those of "
            f"its raters, --rating {rating.name}=COLUMN,COLUMN"
        )
    if rating.by_criterion:
        mark, criterion = rating.by_criterion
        cells = frame[mark].where(frame[criterion].map(str) == rating.name, "")
        return frame.assign(**{rating.name: _marks(cells, scales, decimal)})
    marks = [_marks(frame[name], scales, decimal) for name in rating.raters]
    left = frame.drop(columns=list(rating.raters))
    if len(marks) == 1:
        return left.assign(**{rating.name: marks[0]})
    single = {f"{rating.name}_{place}": column for place, column in enumerate(marks, 1)}
    return left.assign(**single, **{rating.name: _means(marks)})


def _means(marks: Sequence[Sequence[Any]]) -> list[float]:
    """Return the mean of the marks that each row has; NaN where it has none."""
    numbers = [[number_of(mark) for mark in row] for row in zip(*marks, strict=True)]
    rows = ([number for number in row if number is not None and number == number] for row in numbers)
    return [float(np.mean(row)) if row else float("nan") for row in rows]


def _marks(cells: Any, scales: Sequence[Ordered], decimal: str | None) -> list[Any]:
    words = [cell.strip().casefold() for cell in cells if isinstance(cell, str)]
    scale = max(scales, key=lambda scale: sum(word in scale for word in words), default=())
    return [mark_of(cell, scale, decimal) for cell in cells]


def numbered(frame: pd.DataFrame, names: Sequence[str], before: int = 0, file: str = "the table") -> pd.DataFrame:
    """Return the table with nothing where a cell of these columns is no number, and a warning that names the first.

    A column that has more such cells than marks is left as it is: it holds something else.

    Parameters
    ----------
    frame, names
        A table and those of its columns that hold marks.
    before
        How many rows come before it in its file.
    file
        What that is called.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"quality": [4, 5, "4 or 5"], "who": ["A", "B", "4"]})
    >>> numbered(table, ["who"]).equals(table)
    True
    >>> with warnings.catch_warnings(record=True) as warned:
    ...     numbered(table, ["quality"], before=10)["quality"].tolist(), str(warned[0].message)
    ([4.0, 5.0, nan], "the table: row 13, quality: '4 or 5' is no number and counts as missing")
    """
    kept = [name for name in names if frame[name].dtype.kind in "Of"]
    return frame.assign(**{name: _numbers(frame[name], name, before, file) for name in kept})


def _numbers(cells: pd.Series[Any], name: str, before: int, file: str) -> Any:
    numbers = [number_of(cell) for cell in cells]
    odd = [place for place, number in enumerate(numbers) if number is None]
    if not odd or 2 * len(odd) > sum(number is not None and number == number for number in numbers):
        return cells
    others = f", and {len(odd) - 1} more: they count" if len(odd) > 1 else " and counts"
    row, cell = before + odd[0] + 1, cells.iloc[odd[0]]
    warnings.warn(f"{file}: row {row}, {name}: {cell!r:.60} is no number{others} as missing", stacklevel=3)
    return [np.nan if number is None else number for number in numbers]
