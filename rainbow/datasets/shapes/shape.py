"""Conversion of a table of any shape to one row per output, by its column options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rainbow.datasets.columns import Columns, Rating, Score
from rainbow.datasets.shapes.cell_values import (
    cell_name,
    format_scalar,
    input_text,
    output_text,
    plain_cell,
    unwrap_list,
)
from rainbow.datasets.shapes.choices import add_choices
from rainbow.datasets.shapes.inner_rows import expand_nested_rows, expand_parallel_lists, find_parallel_lists
from rainbow.datasets.shapes.judgement_rows import merge_judgements
from rainbow.datasets.shapes.nested_columns import column_cells, has_column
from rainbow.datasets.shapes.pairs import PREFERENCE, split_comparisons
from rainbow.datasets.shapes.rating_values import convert_ratings, parse_ratings
from rainbow.datasets.shapes.wide_tables import expand_system_objects, melt_systems

if TYPE_CHECKING:
    import pandas as pd


_ONE_EACH = ("mr", "system", "item", "id", "rater", "winner", "worst")


@dataclass(frozen=True)
class Shape:
    """Conversion of a file's rows to one output per row."""

    columns: Columns

    @property
    def whole(self) -> bool:
        """Whether several rows of the table belong to one output."""
        said = self.columns
        return bool(said.rater or said.is_comparison or any(Rating.of(rating).by_criterion for rating in said.ratings))

    @property
    def at_once(self) -> bool:
        """Whether rows can be converted only with the whole table, e.g. for reversed ranks."""
        return self.whole or any(Rating.of(rating).lower for rating in self.columns.ratings)

    @property
    def is_plain(self) -> bool:
        """Whether the table already has one row per output."""
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
        """Column options of the rows that :meth:`rows` returns."""
        said = self.columns
        several = len(said.output) > 1 or said.is_comparison
        item = {"item": "item"} if several and not said.mr else {}
        new: dict[str, Any] = {"output": ("output",), "id": None, **item} if several else {}
        if several:
            new["system"] = "system" if said.pair or not said.is_comparison else said.system
        parted = any(PREFERENCE in Rating.of(rating).by_criterion for rating in said.ratings)
        preference = (PREFERENCE,) if (said.is_comparison or said.is_choice) and not parted else ()
        ratings = (*preference, *said.rating_names)
        plain = said.without("rater", "pair", "winner", "worst", "scale", "not_rated", "decimal", "ignored")
        return replace(plain, **new, ratings=tuple(dict.fromkeys(ratings)))

    def rows(self, frame: pd.DataFrame, before: int = 0) -> pd.DataFrame:
        """Return the converted rows of a part of the table, given the number of earlier rows."""
        said = self.columns
        if said.is_comparison:
            frame = self.compared(frame, before)
        elif len(said.output) > 1:
            frame = self._select_columns(expand_system_objects(frame, said.output))
            frame = melt_systems(add_choices(frame, said) if said.is_choice else frame, said, before)
        else:
            frame = self._select_columns(frame)
        frame = convert_ratings(frame, said.ratings, said.scale, said.decimal, said.not_rated)
        if said.decimal or said.scale:
            names = [Score.of(score).column for score in said.scores]
            frame = frame.assign(**{name: parse_ratings(frame[name], said.scale, said.decimal) for name in names})
        return merge_judgements(frame, self.left, said.rater) if self.whole else frame

    def compared(self, frame: pd.DataFrame, before: int = 0) -> pd.DataFrame:
        """Return two rows for each comparison."""
        return split_comparisons(self._select_columns(frame), self.columns, before)

    def _select_columns(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return the table with a column for each named one, without ignored columns."""
        said = self.columns
        named = [getattr(said, name) for name in _ONE_EACH if getattr(said, name)]
        scores = [Score.of(score).column for score in said.scores]
        raters = [column for rating in map(Rating.of, said.ratings) for column in rating.columns]
        wanted = [
            name for name in (*said.output, *named, *said.references, *said.pair, *raters, *scores) if "." in name
        ]
        frame = expand_nested_rows(_expand_lists(frame, said, raters), wanted)
        further = {name: column_cells(frame, name) for name in wanted if name not in frame and has_column(frame, name)}
        gone = [name for name in said.ignored if name in frame and name not in (*said.output, *named)]
        frame = frame.drop(columns=gone).assign(**further)
        kept = {*said.output, *named, *said.references, "references", "reference"}
        return frame.assign(
            **{
                name: [plain_cell(unwrap_list(cell) if name in raters else cell) for cell in frame[name]]
                for name in map(str, frame)
                if name not in kept and frame[name].dtype == object and name.partition("_")[0] != "reference"
            }
        )


def _expand_lists(frame: pd.DataFrame, columns: Columns, raters: Sequence[str]) -> pd.DataFrame:
    """Return the table with a row per entry if outputs and ratings are parallel lists."""
    if len(columns.output) != 1 or columns.output[0] not in frame:
        return frame
    lists = {*find_parallel_lists(frame)}
    marks = {name.partition(".")[0] if name not in frame else name for name in raters}
    return expand_parallel_lists(frame) if {columns.output[0]} | marks <= lists else frame


def convert_texts(frame: pd.DataFrame) -> pd.DataFrame:
    """Return rows with outputs and inputs converted to texts."""
    readers = {"output": output_text, "mr": input_text, "id": cell_name, "item": cell_name, "system": cell_name}
    # Objects, because pandas' own strings cannot hold lone surrogates.
    changed = {
        name: type(frame[name])([format_scalar(read(cell)) for cell in frame[name]], index=frame.index, dtype=object)
        for name, read in readers.items()
        if name in frame
    }
    return frame.assign(**changed)
