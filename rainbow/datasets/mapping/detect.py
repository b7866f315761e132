"""What the columns of a file are, and why: found by their names and by what stands in them."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from rainbow.base.storage import Place
from rainbow.datasets.columns import NOTHING, Columns, Score
from rainbow.datasets.encoding import named
from rainbow.datasets.mapping.contents.profile import profile_of
from rainbow.datasets.mapping.found import Found, Mapping, Taken
from rainbow.datasets.mapping.marks import marks_of
from rainbow.datasets.mapping.nested import flat
from rainbow.datasets.mapping.sniff import decimal_mark, delimiter_of, encoding_of
from rainbow.datasets.shapes.paths import column_of, ticked
from rainbow.datasets.tables.ending import ending
from rainbow.datasets.tables.frames import BINARY, DELIMITED, frames
from rainbow.datasets.tables.headers import check_names

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["mapping_of", "mapping_of_frame", "whole_table"]

LOOKED_AT = 100_000  # rows


def mapping_of(path: Place, given: Columns = NOTHING) -> Mapping:
    r"""Return what the columns of a file are.

    Parameters
    ----------
    path
        A table: ``.csv``, ``.tsv``, ``.jsonl``, ``.json``, ``.parquet``, ``.xlsx``.
    given
        What is said of it: that is taken as it is, the rest is found out.

    Raises
    ------
    ValueError
        If the file cannot be read.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "mine.csv")
    ...     _ = file.write_text("text,ref_a,ref_b,ann1,ann2\nthe inn is cheap,a cheap inn,an inn,4,5\n" * 1)
    ...     mapping = mapping_of(file)
    >>> str(mapping.columns)
    '--output text --reference ref_a --reference ref_b --rating rating=ann1,ann2'
    """
    with named(path, given.encoding):
        given = _written(path, given)
        parts = frames(path, LOOKED_AT, given.encoding, given.delimiter, given.sheet)
        mapping = mapping_of_frame(next(iter(islice(parts, 1))), given)
    for name in given.joined:
        mapping = _joined(mapping, Path(name))
    return mapping


def mapping_of_frame(frame: pd.DataFrame, given: Columns = NOTHING) -> Mapping:
    """Return what the columns of a table are, as :func:`mapping_of` does for a file.

    Examples
    --------
    >>> import pandas as pd
    >>> str(mapping_of_frame(pd.DataFrame({"hyp": ["the inn is cheap"], "quality": [4]})).columns)
    '--output hyp --rating quality'
    """
    frame = flat(frame)
    check_names(list(map(str, frame)))
    choices = ticked(frame)
    single = [column for each in choices.values() for column in each.values()]
    frame = frame.assign(**{name: column_of(frame, name) for name in choices}).drop(columns=single)
    if given.decimal is None and (comma := decimal_mark(cell for name in frame for cell in frame[name])):
        given = replace(given, decimal=comma)
    return Found(frame, given, choices).mapping()


def whole_table(path: Path) -> pd.DataFrame:
    r"""Return all of a table in a file, however it is written.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "mine.csv")
    ...     _ = file.write_text("text;quality\nan inn, cheap;3\n")
    ...     whole_table(file).columns.tolist()
    ['text', 'quality']
    """
    written = _written(path, NOTHING)
    return next(iter(frames(path, None, written.encoding, written.delimiter)))


def _joined(mapping: Mapping, path: Path) -> Mapping:
    """Return what is known with the ratings of a table that is joined, where none are named, and its scores."""
    with named(path):
        frame = whole_table(path)
    known, said = mapping.roles(), mapping.columns
    profiles = [profile_of(name, frame[name].tolist()) for name in map(str, frame) if name not in known]
    found = marks_of([profile for profile in profiles if profile.kind == "number"], said)
    ratings = [name for name in found.ratings if name in frame and not said.ratings]
    scores = [score for score in found.scores if Score.of(score).column in frame]
    names = [*ratings, *(Score.of(score).column for score in scores)]
    taken = [Taken(name, found.taken[name][0], f"of {path.name}", found.taken[name][2]) for name in names]
    said = replace(said, ratings=(*said.ratings, *ratings), scores=tuple(dict.fromkeys((*said.scores, *scores))))
    return Mapping(said, (*mapping.taken, *taken))


def _written(path: Place, given: Columns) -> Columns:
    """Return what is said with how the file is written."""
    if ending(path) in BINARY:
        return given
    given = given if given.encoding else replace(given, encoding=encoding_of(path))
    delimited = ending(path) in DELIMITED and not given.delimiter
    return replace(given, delimiter=delimiter_of(path, given.encoding)) if delimited else given
