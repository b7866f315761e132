"""Detection of a table header on standard input."""

from __future__ import annotations

from collections.abc import Sequence

from rainbow.datasets.lexicon import role_by_name
from rainbow.datasets.read.formats import split_fields

_DELIMITERS = ",\t;|"
_LONGEST, _MOST_WORDS = 40, 4  # characters and words in the name of a column


def detect_header(lines: Sequence[str]) -> list[str]:
    """Return the column names if lines form a delimited table, else nothing."""
    if not lines or lines[0].startswith("{"):  # JSON
        return []
    for delimiter in _DELIMITERS:
        names, *rows = split_fields(lines, delimiter) or [[]]
        if rows and len(names) > 1 and {len(row) for row in rows} == {len(names)} and _looks_like_header(names):
            return names
    first = lines[0].strip().strip('"') if len(lines) > 1 else ""
    return [first] if first.isidentifier() and role_by_name(first) == "output" else []


def _looks_like_header(fields: Sequence[str]) -> bool:
    names = [field.strip() for field in fields]
    short = all(name and len(name) <= _LONGEST and len(name.split()) <= _MOST_WORDS for name in names)
    closed = any(name.endswith((".", "!")) for name in names)
    return short and not closed and len({*names}) == len(names) and any(map(role_by_name, names))
