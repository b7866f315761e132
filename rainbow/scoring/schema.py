"""The types of a table's columns, found chunk by chunk."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from rainbow.corpus import COLUMNS, Corpus

if TYPE_CHECKING:
    import pandas as pd

# What scores depend on: rows that are the same in these have the same scores.
TEXTS = ("output", "references", "mr", "item")


class SchemaOf:
    """The Arrow types that hold all rows of a table, whichever chunk they stand in, and how many `rows` there are."""

    def __init__(self) -> None:
        self.rows = 0
        self._types: dict[str, Any] = {}

    def add(self, corpus: Corpus) -> None:
        """Take the next rows."""
        found = {str(name): column for name, column in corpus.frame.items() if name not in COLUMNS}
        self._take({name: _type(column) for name, column in found.items()}, len(corpus))

    def join(self, other: SchemaOf) -> None:
        """Take the next rows, of which this is the schema."""
        self._take(other._types, other.rows)

    def _take(self, types: Mapping[str, Any], rows: int) -> None:
        for name, found in types.items():
            known = self._types.get(name)
            self._types[name] = found if known in (None, found) else _common(known, found)
        self.rows += rows

    def result(self, scores: Iterable[str] = ()) -> Any:
        """Return the schema: the columns of a corpus, and the others."""
        import pyarrow as pa

        refuse_taken((*COLUMNS, *self._types), scores)
        return pa.schema([*_of_corpus(COLUMNS), *self._types.items()])


def texts_table(frame: pd.DataFrame) -> Any:
    """Return what the scores of rows depend on, as an Arrow table."""
    import pyarrow as pa

    return arrow_table(frame[list(TEXTS)], pa.schema(_of_corpus(TEXTS)))


def _of_corpus(names: Iterable[str]) -> list[tuple[str, Any]]:
    """Return the types of columns of a corpus."""
    import pyarrow as pa

    return [(name, pa.list_(pa.string()) if name == "references" else pa.string()) for name in names]


def refuse_taken(columns: Iterable[str], scores: Iterable[str]) -> None:
    """Refuse scores that have the name of a column of the corpus."""
    if taken := sorted(set(columns) & set(scores)):
        raise ValueError(f"the corpus already has a column {taken[0]!r}: rename it, a metric's column has that name")


def arrow_table(frame: pd.DataFrame, schema: Any) -> Any:
    """Return rows as an Arrow table with these types, what stands in columns of texts as texts."""
    import pyarrow as pa

    mixed = [str(name) for name in frame if _is_mixed(frame[name], schema.field(name).type)]
    texts = {name: frame[name].map(_written) for name in mixed}
    try:
        return pa.Table.from_pandas(frame.assign(**texts), schema=schema, preserve_index=False)
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        raise ValueError(": ".join(map(str, error.args))) from None


def _is_mixed(column: pd.Series[Any], kind: Any) -> bool:
    """Return whether something else than texts stands in a column of texts."""
    return kind == "string" and not all(cell is None or isinstance(cell, str) for cell in column)


def _written(cell: Any) -> str | None:
    """Return a cell as text, nothing where nothing stands in it."""
    if isinstance(cell, str) or cell is None or (isinstance(cell, float) and cell != cell):
        return cell if isinstance(cell, str) else None
    return json.dumps(cell, ensure_ascii=False, default=lambda value: getattr(value, "tolist", value.__str__)())


def _type(column: pd.Series[Any]) -> Any:
    import pyarrow as pa

    try:
        found = pa.Array.from_pandas(column).type
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
        return pa.string()
    if _is_hollow(found):
        return pa.string()
    # Chunks of a column of categories each know some of them: the values are kept, not their numbers.
    return found.value_type if pa.types.is_dictionary(found) else found


def _is_hollow(kind: Any) -> bool:
    """Return whether objects without any key are in this type, which Parquet cannot write."""
    inner = [kind.field(place).type for place in range(kind.num_fields)]
    return (str(kind) == "struct<>") or any(map(_is_hollow, inner))


def _common(one: Any, other: Any) -> Any:
    import pyarrow as pa

    try:
        both = pa.unify_schemas([pa.schema([("", one)]), pa.schema([("", other)])], promote_options="permissive")
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return pa.string()
    return both.field("").type
