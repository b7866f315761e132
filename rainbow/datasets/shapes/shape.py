"""From a table of any shape to one with a row per output, as what is said of its columns has it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rainbow.datasets.columns import Columns, Rating, Score
from rainbow.datasets.shapes.cells import input_of, name_of, only_of, plain_of, spelled, text_of
from rainbow.datasets.shapes.choices import with_choices
from rainbow.datasets.shapes.inner_rows import parallel_lists, with_inner_rows, with_parallel_lists
from rainbow.datasets.shapes.marks import marks_in, rated
from rainbow.datasets.shapes.merged import merged
from rainbow.datasets.shapes.pairs import PREFERENCE, paired
from rainbow.datasets.shapes.paths import column_of, has_column
from rainbow.datasets.shapes.wide import melted, with_own_columns

if TYPE_CHECKING:
    import pandas as pd


_ONE_EACH = ("mr", "system", "item", "id", "rater", "winner", "worst")


@dataclass(frozen=True)
class Shape:
    """How the rows of a file become rows with one output each."""

    columns: Columns

    @property
    def whole(self) -> bool:
        """Whether several rows of the table are about one output."""
        said = self.columns
        return bool(said.rater or said.compares or any(Rating.of(rating).by_criterion for rating in said.ratings))

    @property
    def at_once(self) -> bool:
        """Whether rows can be told only from all of the table, as ranks that are turned round are, too."""
        return self.whole or any(Rating.of(rating).lower for rating in self.columns.ratings)

    @property
    def is_plain(self) -> bool:
        """Whether the table has a row per output as it is."""
        said = self.columns
        named = (*said.output, *(getattr(said, name) or "" for name in _ONE_EACH), *said.references, *said.scores)
        named += said.ratings
        return not (
            self.at_once
            or len(said.output) > 1
            or said.scale
            or said.not_rated
            or said.ignored
            or said.decimal
            or any("=" in rating for rating in said.ratings)
            or any("." in name for name in named)
        )

    @cached_property
    def left(self) -> Columns:
        """What is said of the rows that :meth:`rows` gives."""
        said = self.columns
        several = len(said.output) > 1 or said.compares
        item = {"item": "item"} if several and not said.mr else {}
        new: dict[str, Any] = {"output": ("output",), "id": None, **item} if several else {}
        if several:
            new["system"] = "system" if said.pair or not said.compares else said.system
        parted = any(PREFERENCE in Rating.of(rating).by_criterion for rating in said.ratings)
        preference = (PREFERENCE,) if (said.compares or said.chooses) and not parted else ()
        ratings = (*preference, *said.rating_names)
        plain = said.without("rater", "pair", "winner", "worst", "scale", "not_rated", "decimal", "ignored")
        return replace(plain, **new, ratings=tuple(dict.fromkeys(ratings)))

    def rows(self, frame: pd.DataFrame, before: int = 0) -> pd.DataFrame:
        """Return the rows of a part of the table, so many rows of which come before."""
        said = self.columns
        if said.compares:
            frame = self.compared(frame, before)
        elif len(said.output) > 1:
            frame = self._named(with_own_columns(frame, said.output))
            frame = melted(with_choices(frame, said) if said.chooses else frame, said, before)
        else:
            frame = self._named(frame)
        frame = rated(frame, said.ratings, said.scale, said.decimal, said.not_rated)
        if said.decimal or said.scale:
            names = [Score.of(score).column for score in said.scores]
            frame = frame.assign(**{name: marks_in(frame[name], said.scale, said.decimal) for name in names})
        return merged(frame, self.left, said.rater) if self.whole else frame

    def compared(self, frame: pd.DataFrame, before: int = 0) -> pd.DataFrame:
        """Return two rows for each comparison, as :func:`~rainbow.datasets.shapes.pairs.paired` has them."""
        return paired(self._named(frame), self.columns, before)

    def _named(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return the table with a column for each one that is named, and without those to be ignored."""
        said = self.columns
        named = [getattr(said, name) for name in _ONE_EACH if getattr(said, name)]
        scores = [Score.of(score).column for score in said.scores]
        raters = [column for rating in map(Rating.of, said.ratings) for column in rating.columns]
        wanted = [
            name for name in (*said.output, *named, *said.references, *said.pair, *raters, *scores) if "." in name
        ]
        frame = with_inner_rows(_in_parallel(frame, said, raters), wanted)
        further = {name: column_of(frame, name) for name in wanted if name not in frame and has_column(frame, name)}
        gone = [name for name in said.ignored if name in frame and name not in (*said.output, *named)]
        frame = frame.drop(columns=gone).assign(**further)
        kept = {*said.output, *named, *said.references, "references", "reference"}
        return frame.assign(
            **{
                name: [plain_of(only_of(cell) if name in raters else cell) for cell in frame[name]]
                for name in map(str, frame)
                if name not in kept and frame[name].dtype == object and name.partition("_")[0] != "reference"
            }
        )


def _in_parallel(frame: pd.DataFrame, columns: Columns, raters: Sequence[str]) -> pd.DataFrame:
    """Return the table with a row for each entry where the outputs and their marks are lists that belong together."""
    if len(columns.output) != 1 or columns.output[0] not in frame:
        return frame
    lists = {*parallel_lists(frame)}
    marks = {name.partition(".")[0] if name not in frame else name for name in raters}
    return with_parallel_lists(frame) if {columns.output[0]} | marks <= lists else frame


def as_texts(frame: pd.DataFrame) -> pd.DataFrame:
    """Return rows whose outputs and inputs are texts, whatever they were written as."""
    readers = {"output": text_of, "mr": input_of, "id": name_of, "item": name_of, "system": name_of}
    # As objects: pandas' own strings cannot hold halves of characters, which a text may have.
    changed = {
        name: type(frame[name])([spelled(read(cell)) for cell in frame[name]], index=frame.index, dtype=object)
        for name, read in readers.items()
        if name in frame
    }
    return frame.assign(**changed)
