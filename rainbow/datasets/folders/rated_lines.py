"""Ratings of plain text lines, in a table that names line and system."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from rainbow.base.lazy import pd
from rainbow.corpus import Corpus
from rainbow.datasets.columns import Columns
from rainbow.datasets.read.encoding import name_file_in_errors
from rainbow.datasets.roles.mapping import ColumnMapping, map_columns
from rainbow.datasets.roles.rating_columns import ColumnRole
from rainbow.datasets.shapes.cell_values import fold_cell
from rainbow.datasets.shapes.invalid_cells import clear_invalid_numbers
from rainbow.datasets.shapes.shape import Shape
from rainbow.datasets.table_mapping import read_table

_KNOWN = ("item", "system", "output", "references", "mr")


def add_line_ratings(corpus: Corpus, mapping: ColumnMapping, path: Path) -> tuple[Corpus, ColumnMapping]:
    """Add the ratings of a table to the outputs; also return the role of each of its columns."""
    with name_file_in_errors(path):
        table = read_table(path)
    outputs = corpus.frame[[name for name in _KNOWN if name in corpus.frame]]
    line, system = _matching_column(table, outputs["item"]), _matching_column(table, outputs["system"])
    if not line or not system:
        missing = "no column identifies lines of the texts" if system else "no column identifies systems of the texts"
        return corpus, replace(mapping, taken=(*mapping.taken, ColumnRole(path.name, "unused", missing, "")))
    marks = table.drop(columns=list({line, system} | {*_KNOWN} & {*table}))
    spelled = {"item": _match_spelling(table[line], outputs["item"])}
    marks = marks.assign(**spelled, system=_match_spelling(table[system], outputs["system"]))
    fixed = Columns.create(output="output", references="references", item="item", system="system")
    fixed = replace(fixed, mr="mr" if any(outputs["mr"]) else None)
    result = map_columns(outputs.merge(marks, on=["item", "system"]), fixed)
    shape = Shape(replace(result.columns, id=None, scores=()))
    rows = shape.rows(outputs.merge(marks, how="left", on=["item", "system"]))
    rows = clear_invalid_numbers(rows, shape.left.ratings, 0, str(path))
    taken = [ColumnRole(line, "line number", "its values are line numbers of the texts", "")]
    taken += [ColumnRole(system, "system", "its values are systems of the texts", "")]
    taken += [reason for reason in result.taken if reason.column in table and reason.column not in (line, system)]
    named_here = (reason._replace(column=f"{path.name}: {reason.column}") for reason in taken)
    rated = Corpus(rows.assign(dataset=corpus.frame["dataset"].iloc[0]), shape.left.ratings, mr_format=corpus.mr_format)
    columns = replace(mapping.columns, ratings=shape.left.ratings)
    return rated, ColumnMapping(columns, (*mapping.taken, *named_here))


def _matching_column(table: pd.DataFrame, names: pd.Series[Any]) -> str | None:
    """Return the column with the most distinct values that all match these names."""
    fitting = [name for name in map(str, table) if set(_match_spelling(table[name], names)) <= {*names}]
    return max(fitting, key=lambda name: table[name].nunique(), default=None)


def _match_spelling(cells: pd.Series[Any], names: pd.Series[Any]) -> list[str]:
    """Return cells in the spelling of these names; lines numbered from 0 are renumbered from 1."""
    spelled = {fold_cell(name): name for name in names}
    folded = [*map(fold_cell, cells)]
    from_zero = "0" in folded and "0" not in spelled and all(map(str.isdecimal, folded))
    return [spelled.get(str(int(cell) + 1) if from_zero else cell, cell) for cell in folded]
