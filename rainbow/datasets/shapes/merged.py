"""Tables with a row for each judgement of a rater, of which those on one output become its row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rainbow.datasets.columns import Columns
from rainbow.datasets.shapes.cells import is_missing
from rainbow.datasets.shapes.odd_cells import numbered

if TYPE_CHECKING:
    import pandas as pd


# So many raters have a column each; where there are more, as in a crowd, columns hold the first, second ... mark.
MOST_RATERS = 12


def merged(frame: pd.DataFrame, columns: Columns, rater: str | None) -> pd.DataFrame:
    """Return a row for each output with the mean of its ratings, and its raters' marks as ``NAME_1``, ``NAME_2`` ..."""
    import pandas as pd

    ratings = [name for name in columns.rating_names if name in frame]
    named = {name: getattr(columns, name) or name for name in ("mr", "item", "system")}
    wanted = [*(columns.output or ("output",)), *named.values(), "dataset"]
    keys = [name for name in dict.fromkeys(wanted) if name in frame]
    frame = frame.drop(columns=[name for name in ("id", columns.id) if name in frame and name not in keys])
    about = frame.groupby([frame[key].map(repr) for key in keys], sort=False).ngroup()
    first = frame[~about.duplicated()].drop(columns=[*ratings, *([rater] if rater in frame else [])])
    first = first.set_axis(about[~about.duplicated()])
    frame = numbered(frame, ratings)
    for name in ratings:
        marks = pd.to_numeric(frame[name], errors="coerce").dropna()
        given = frame.loc[marks.index]
        first = first.assign(**_single(marks, about[marks.index], _places(given, about[marks.index], rater), name))
    return first.reset_index(drop=True)


def _places(frame: pd.DataFrame, about: pd.Series[int], rater: str | None) -> pd.Series[int]:
    """Return in which column a judgement stands: that of its rater, or that of its number among those on an output."""
    import pandas as pd

    if rater in frame:
        named = frame[rater].map(lambda cell: None if is_missing(cell) or cell == "" else str(cell))
        if named.nunique() <= MOST_RATERS:
            return pd.Series(pd.factorize(named)[0], index=frame.index)  # who judged nothing has no column
    return about.groupby(about).cumcount()


def _single(marks: pd.Series[Any], about: pd.Series[int], places: pd.Series[int], name: str) -> dict[str, Any]:
    table = marks.groupby([about, places]).mean().unstack()
    table = table.reindex(columns=range(int(max(table.columns, default=-1)) + 1))
    single = {f"{name}_{place}": table[column] for place, column in enumerate(table.columns, 1)}
    return {name: table.mean(axis=1), **(single if len(single) > 1 else {})}
