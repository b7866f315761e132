"""Conversion of a table of any shape to one row per output, by its column options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from rainbow.base.lazy import pd
from rainbow.datasets.columns import Columns, Rating, Score
from rainbow.datasets.shapes.cell_values import (
    cell_name,
    format_scalar,
    input_text,
    output_text,
    plain_cell,
    unwrap_list,
)
from rainbow.datasets.shapes.comparisons import PREFERENCE, add_choices, split_comparisons
from rainbow.datasets.shapes.nested_cells import (
    column_cells,
    expand_nested_rows,
    expand_parallel_lists,
    find_parallel_lists,
    has_column,
)
from rainbow.datasets.shapes.rating_values import convert_ratings, merge_judgements, parse_ratings
from rainbow.datasets.shapes.wide_tables import expand_system_objects, melt_systems

_ONE_EACH = ("mr", "system", "item", "id", "rater", "winner", "worst")


@dataclass(frozen=True)
class Shape:
    """Conversion of a file's rows to one output per row."""

    columns: Columns

    @property
    def merges_rows(self) -> bool:
        """Whether several rows of the table belong to one output."""
        columns, ratings = self.columns, map(Rating.parse, self.columns.ratings)
        return bool(columns.rater or columns.is_comparison or any(rating.by_criterion for rating in ratings))

    @property
    def at_once(self) -> bool:
        """Whether rows can be converted only with the whole table, e.g. for reversed ranks."""
        return self.merges_rows or any(Rating.parse(rating).lower for rating in self.columns.ratings)

    @property
    def is_plain(self) -> bool:
        """Whether the table already has one row per output."""
        columns = self.columns
        named = [getattr(columns, name) or "" for name in _ONE_EACH]
        named += [*columns.output, *columns.references, *columns.scores, *columns.ratings]
        return not (
            self.at_once
            or len(columns.output) > 1
            or columns.scale
            or columns.not_rated
            or columns.ignored
            or columns.decimal
            or any("=" in rating for rating in columns.ratings)
            or any("." in name for name in named)
        )

    @cached_property
    def left(self) -> Columns:
        """Column options of the rows that :meth:`rows` returns."""
        columns = self.columns
        several = len(columns.output) > 1 or columns.is_comparison
        item = {"item": "item"} if several and not columns.mr else {}
        new: dict[str, Any] = {"output": ("output",), "id": None, **item} if several else {}
        if several:
            new["system"] = "system" if columns.pair or not columns.is_comparison else columns.system
        parted = any(PREFERENCE in Rating.parse(rating).by_criterion for rating in columns.ratings)
        preference = (PREFERENCE,) if (columns.is_comparison or columns.is_choice) and not parted else ()
        ratings = (*preference, *columns.rating_names)
        plain = columns.without("rater", "pair", "winner", "worst", "scale", "not_rated", "decimal", "ignored")
        return replace(plain, **new, ratings=tuple(dict.fromkeys(ratings)))

    def rows(self, frame: pd.DataFrame, before: int = 0) -> pd.DataFrame:
        """Return the converted rows of a part of the table, given the number of earlier rows."""
        columns = self.columns
        if columns.is_comparison:
            frame = self.compared(frame, before)
        elif len(columns.output) > 1:
            frame = self._select_columns(expand_system_objects(frame, columns.output))
            frame = melt_systems(add_choices(frame, columns) if columns.is_choice else frame, columns, before)
        else:
            frame = self._select_columns(frame)
        frame = convert_ratings(frame, columns.ratings, columns.scale, columns.decimal, columns.not_rated)
        if columns.decimal or columns.scale:
            names = [score.column for score in map(Score.parse, columns.scores) if score.column in frame]
            frame = frame.assign(**{name: parse_ratings(frame[name], columns.scale, columns.decimal) for name in names})
        return merge_judgements(frame, self.left, columns.rater) if self.merges_rows else frame

    def compared(self, frame: pd.DataFrame, before: int = 0) -> pd.DataFrame:
        """Return two rows for each comparison."""
        return split_comparisons(self._select_columns(frame), self.columns, before)

    def _select_columns(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return the table with a column for each named one, without ignored columns."""
        columns = self.columns
        named = [getattr(columns, name) for name in _ONE_EACH if getattr(columns, name)]
        scores = [Score.parse(score).column for score in columns.scores]
        raters = [column for rating in map(Rating.parse, columns.ratings) for column in rating.columns]
        wanted = [*columns.output, *named, *columns.references, *columns.pair, *raters, *scores]
        wanted = [name for name in wanted if "." in name]
        frame = expand_nested_rows(_expand_lists(frame, columns, raters), wanted)
        further = {name: column_cells(frame, name) for name in wanted if name not in frame and has_column(frame, name)}
        gone = [name for name in columns.ignored if name in frame and name not in (*columns.output, *named)]
        frame = frame.drop(columns=gone).assign(**further)
        kept = {*columns.output, *named, *columns.references, "references", "reference"}
        plain = {
            name: [plain_cell(unwrap_list(cell) if name in raters else cell) for cell in frame[name]]
            for name in map(str, frame)
            if name not in kept and frame[name].dtype == object and name.partition("_")[0] != "reference"
        }
        return frame.assign(**plain)


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
