"""Ratings of plain texts in a table beside them, which says of which line and which system each is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rainbow.corpus import Corpus
from rainbow.datasets.columns import Columns
from rainbow.datasets.read.encoding import named
from rainbow.datasets.reading import whole_table
from rainbow.datasets.roles.mapping import Mapping, mapping_of_frame
from rainbow.datasets.roles.marks import Taken
from rainbow.datasets.shapes.cells import folded
from rainbow.datasets.shapes.odd_cells import numbered
from rainbow.datasets.shapes.shape import Shape

if TYPE_CHECKING:
    import pandas as pd


_KNOWN = ("item", "system", "output", "references", "mr")


def with_ratings(corpus: Corpus, mapping: Mapping, path: Path) -> tuple[Corpus, Mapping]:
    """Return outputs with the ratings of a table, and what each of its columns is taken as."""
    with named(path):
        table = whole_table(path)
    outputs = corpus.frame[[name for name in _KNOWN if name in corpus.frame]]
    line, system = _naming(table, outputs["item"]), _naming(table, outputs["system"])
    if not line or not system:
        missing = "names no line of the texts" if system else "names no system of the texts"
        return corpus, replace(mapping, taken=(*mapping.taken, Taken(path.name, "unused", missing, "")))
    marks = table.drop(columns=list({line, system} | {*_KNOWN} & {*table}))
    spelled = {"item": _in_terms_of(table[line], outputs["item"])}
    marks = marks.assign(**spelled, system=_in_terms_of(table[system], outputs["system"]))
    said = Columns.of(output="output", references="references", item="item", system="system")
    said = replace(said, mr="mr" if any(outputs["mr"]) else None)
    found = mapping_of_frame(outputs.merge(marks, on=["item", "system"]), said)
    shape = Shape(replace(found.columns, id=None, scores=()))
    rows = shape.rows(outputs.merge(marks, how="left", on=["item", "system"]))
    rows = numbered(rows, shape.left.ratings, 0, str(path))
    taken = [Taken(line, "names the line", "its values are the lines of the texts", "")]
    taken += [Taken(system, "system", "its values are the systems of the texts", "")]
    taken += [told for told in found.taken if told.column in table and told.column not in (line, system)]
    named_here = (told._replace(column=f"{path.name}: {told.column}") for told in taken)
    rated = Corpus(rows.assign(dataset=corpus.frame["dataset"].iloc[0]), shape.left.ratings, mr_format=corpus.mr_format)
    columns = replace(mapping.columns, ratings=shape.left.ratings)
    return rated, Mapping(columns, (*mapping.taken, *named_here))


def _naming(table: pd.DataFrame, names: pd.Series[Any]) -> str | None:
    """Return the column all of whose values, or their successors, are among these names, and that has most of them."""
    fitting = [name for name in map(str, table) if set(_in_terms_of(table[name], names)) <= {*names}]
    return max(fitting, key=lambda name: table[name].nunique(), default=None)


def _in_terms_of(cells: pd.Series[Any], names: pd.Series[Any]) -> list[str]:
    """Return cells as these names spell them; lines that are counted from 0 as those counted from 1."""
    spelled = {folded(name): name for name in names}
    said = [*map(folded, cells)]
    from_zero = "0" in said and "0" not in spelled and all(map(str.isdecimal, said))
    return [spelled.get(str(int(cell) + 1) if from_zero else cell, cell) for cell in said]
