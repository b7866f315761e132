"""Arrow types of a table's columns, inferred chunk by chunk."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from rainbow.base.lazy import pa, pd
from rainbow.corpus import COLUMNS, Corpus

# Columns that scores depend on: rows that are equal in these have equal scores.
TEXTS = ("output", "references", "mr", "item")


class SchemaBuilder:
    """Arrow types that fit all rows of a table, and the number of `rows`."""

    def __init__(self) -> None:
        self.rows = 0
        self._types: dict[str, Any] = {}

    def add(self, corpus: Corpus) -> None:
        """Add the next rows."""
        result = {str(name): column for name, column in corpus.frame.items() if name not in COLUMNS}
        self._merge_types({name: _column_type(column) for name, column in result.items()}, len(corpus))

    def join(self, other: SchemaBuilder) -> None:
        """Add the schema of the next rows."""
        self._merge_types(other._types, other.rows)

    def _merge_types(self, types: Mapping[str, Any], rows: int) -> None:
        for name, result in types.items():
            known = self._types.get(name)
            self._types[name] = result if known in (None, result) else _common_type(known, result)
        self.rows += rows

    def result(self, scores: Iterable[str] = ()) -> Any:
        """Return the schema: the columns of a corpus, then the others."""
        check_names_free((*COLUMNS, *self._types), scores)
        return pa.schema([*_corpus_types(COLUMNS), *self._types.items()])


def scored_texts(frame: pd.DataFrame) -> Any:
    """Return what the scores of rows depend on, as an Arrow table."""
    return arrow_table(frame[list(TEXTS)], pa.schema(_corpus_types(TEXTS)))


def _corpus_types(names: Iterable[str]) -> list[tuple[str, Any]]:
    """Return the types of the columns of a corpus."""
    return [(name, pa.list_(pa.string()) if name == "references" else pa.string()) for name in names]


def check_names_free(columns: Iterable[str], scores: Iterable[str]) -> None:
    """Raise an error if a score has the name of a corpus column."""
    if taken := sorted(set(columns) & set(scores)):
        raise ValueError(
            f"the corpus already has a column {taken[0]!r}, which is the name of a metric column: rename it"
        )


def arrow_table(frame: pd.DataFrame, schema: Any) -> Any:
    """Return rows as an Arrow table with these types, with mixed cells as text."""
    mixed = [str(name) for name in frame if _is_mixed(frame[name], schema.field(name).type)]
    texts = {name: frame[name].map(_cell_text) for name in mixed}
    try:
        return pa.Table.from_pandas(frame.assign(**texts), schema=schema, preserve_index=False)
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        raise ValueError(": ".join(map(str, error.args))) from None


def _is_mixed(column: pd.Series[Any], kind: Any) -> bool:
    """Return whether a text column contains other types."""
    return kind == "string" and not all(cell is None or isinstance(cell, str) for cell in column)


def _cell_text(cell: Any) -> str | None:
    """Return a cell as text, or None if it is empty."""
    if isinstance(cell, str) or cell is None or (isinstance(cell, float) and cell != cell):
        return cell if isinstance(cell, str) else None
    return json.dumps(cell, ensure_ascii=False, default=lambda value: getattr(value, "tolist", value.__str__)())


def _column_type(column: pd.Series[Any]) -> Any:
    try:
        result = pa.Array.from_pandas(column).type
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
        return pa.string()
    if _has_empty_struct(result):
        return pa.string()
    # Chunks of a column of categories each know some of them: the values are kept, not their numbers.
    return result.value_type if pa.types.is_dictionary(result) else result


def _has_empty_struct(kind: Any) -> bool:
    """Return whether the type contains a struct without fields, which Parquet cannot store."""
    inner = [kind.field(place).type for place in range(kind.num_fields)]
    return (str(kind) == "struct<>") or any(map(_has_empty_struct, inner))


def _common_type(one: Any, other: Any) -> Any:
    try:
        both = pa.unify_schemas([pa.schema([("", one)]), pa.schema([("", other)])], promote_options="permissive")
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return pa.string()
    return both.field("").type
