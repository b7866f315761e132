"""Header rows of a table: titles, comments, column groups and names, and their validation."""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import zip_longest

from rainbow.corpus.corpus_table import parse_number
from rainbow.datasets.read.formats import split_fields

MAX_HEADER_ROWS = 100  # rows
MAX_COLUMNS = 10_000
_TITLES = 10  # rows, at most, above the names of columns
_NAME = 4  # words, at most, of a name that is not a question
_COMMENT = re.compile(r"\ufeff?#+(\s|$)")
_ABOVE = re.compile(r"\ufeff?(\s*|#+(\s.*)?|sep=.)[\r\n]*")  # the last is Excel's delimiter line
# Survey tools: columns whose cell below the name repeats the question; a row of codes below the questions.
_REPEATED = {"StartDate": "Start Date", "EndDate": "End Date"}  # Qualtrics
_IMPORT = '{"ImportId":'  # Qualtrics: one row further down
_CODES = {"submitdate", "startlanguage"}  # LimeSurvey


def count_preamble_lines(lines: Sequence[str], delimiter: str) -> int:
    """Return the number of lines before the header: blank lines, comments, ``sep=;``."""
    start = next((place for place, line in enumerate(lines) if not is_preamble_line(line)), len(lines))
    comment = next((place for place in range(start - 1, -1, -1) if lines[place].strip()), -1)
    if comment < 0 or not _COMMENT.match(lines[comment]):
        return start
    names, *below = split_fields([lines[comment], *lines[start : start + 1]], delimiter) or [[]]
    is_header = len(names) > 1 and (not below or len(below[0]) == len(names) or names[0].strip() == "#")
    return comment if is_header else start


def is_preamble_line(line: str) -> bool:
    """Return whether a line before the header is blank, a comment or ``sep=;``."""
    return bool(_ABOVE.fullmatch(line))


def read_header(rows: Sequence[Sequence[str]]) -> tuple[list[str], int]:
    """Return the column names, prefixed by their groups, and the index of the first data row."""
    start = _header_row(rows)
    names = list(rows[start]) if rows else []
    stop = start + 1
    if stop < len(rows) and {*rows[stop]} >= _CODES and not {*names} & _CODES:
        return list(rows[stop]), stop + 1
    while stop < min(len(rows), start + _TITLES) and (groups := _column_groups(names, rows[stop])):
        between = " " if sum(map(bool, names)) < sum(map(bool, rows[stop])) else " / "
        names = [between.join(filter(None, pair)) for pair in zip_longest(groups, rows[stop], fillvalue="")]
        stop += 1
    below = [any(cell.startswith(_IMPORT) for cell in row) for row in rows[stop : stop + 2]]
    if any(below):
        return names, stop + 1 + below.index(True)
    questions = any(_REPEATED.get(name) == cell for name, cell in zip(names, [*rows, []][stop], strict=False))
    return names, stop + questions


def _header_row(rows: Sequence[Sequence[str]]) -> int:
    """Return the index of the header row, below title rows if there are any."""
    filled = [[bool(cell) for cell in row] for row in rows[:_TITLES]]
    first = next((place for place, row in enumerate(filled) if any(row)), 0)
    start = next((place for place, row in enumerate(filled) if sum(row) > 1), first)
    if any(len(row) == 1 for row in filled[:start]):
        return first
    # In a narrow table the row may be data below a header with only one name.
    narrow = start > first and len(rows[start]) < 4
    under = all(not any(row) or row.index(True) <= filled[start].index(True) for row in filled[:start])
    return start if not narrow or (under and not any(map(_is_number, rows[start]))) else first


def _column_groups(header: Sequence[str], second: Sequence[str]) -> list[str]:
    """Return the group of each column if the first row names groups, else an empty list."""
    spread: list[str] = []
    for name in header:
        spread.append(name or (spread[-1] if spread else ""))
    groups, names = ([name for name in line if name] for line in (header, second))
    pairs = [pair for pair in zip_longest(spread, second, fillvalue="") if pair[1]]
    if len({*names}) == len(names) or any(map(_is_number, names)) or len({*pairs}) < len(pairs):
        return []
    below = {group: [name for other, name in pairs if other == group] for group in groups}
    if len({*groups}) < len(groups):
        alike = [results for results in below.values() if len(results) > 1]
        return spread if len(alike) > 1 and all(results == alike[0] for results in alike) else []
    if not any(len(results) > 1 for results in below.values()):
        return []
    # Columns without a group may have their names in the first row, where those of groups leave cells empty.
    merged = 0 < len(groups) < len(header) and all(map(any, zip_longest(header, second)))
    return spread if merged or 0 < len(groups) < len(names) else []


def repeated_names(names: Sequence[str]) -> dict[int, int]:
    """Return the index of each column with a repeated name, and of its first occurrence."""
    first: dict[str, int] = {}
    return {place: first[name] for place, name in enumerate(names) if first.setdefault(name, place) != place}


def deduplicate_names(names: Sequence[str], differing: Collection[int], file: str) -> dict[int, str]:
    """Return index and name of each column to read, dropping copies and numbering the rest."""
    copies = repeated_names(names)
    kept = {place: name for place, name in enumerate(names) if place not in copies}
    for place in sorted(differing):
        number = 2
        while (name := f"{names[place]}.{number}") in kept.values():
            number += 1
        kept[place] = name
    if differing:
        twice, new = names[min(differing)], ", ".join(kept[place] for place in sorted(differing))
        warnings.warn(f"{file}: several columns are named {twice!r}: the later ones are renamed {new}", stacklevel=2)
    return dict(sorted(kept.items()))


def check_columns(columns: Sequence[str]) -> None:
    """Raise ValueError if there are too many columns or repeated names."""
    check_width(len(columns))
    if twice := next((name for name, times in Counter(columns).items() if times > 1), None):
        raise ValueError(
            f"two columns are named {twice!r}: rename one (only references may have several columns with one name)"
        )


def check_width(columns: int) -> None:
    """Raise ValueError if there are too many columns."""
    if columns > MAX_COLUMNS:
        raise ValueError(f"the table has {columns:,} columns: at most {MAX_COLUMNS:,} are supported")


def check_names(names: Sequence[str]) -> None:
    """Raise ValueError if the first row looks like data instead of column names."""
    numbers = [name for name in names if re.fullmatch(r"\d+([.,]\d+)?", name)]
    texts = [name for name in names if _is_text(name)]
    if texts and (numbers or len(texts) == len(names) > 1):
        other = [*numbers, *texts[1:]][0]
        raise ValueError(
            f"the first line contains {texts[0]!r:.60} and {other!r:.60}: is the header missing? Write the column "
            "names in the first line"
        )


def is_form(names: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Return whether two columns are labels and their values, from the first row on."""
    cells = [list(map(str, row)) for row in (names, *rows) if any(row)]
    if len(names) != 2 or len(cells) < 2 or any(len(row) != 2 for row in cells):
        return False
    labels = all(not _is_text(label) and not _is_number(label) for label, _ in cells)
    texts = [_is_text(value) for _, value in cells]
    is_mixed = any(texts) and not all(texts) and texts[0] in texts[1:]
    return labels and is_mixed and all(is_text or _is_number(cells[place][1]) for place, is_text in enumerate(texts))


FORM = (
    "this is a form (one label and value per row), not a table: write column names in the first row and "
    "one output per row"
)


def is_single_text(header: Sequence[str]) -> bool:
    """Return whether the first row is a single text, so that the column has no name."""
    return len(header) == 1 and _is_text(header[0])


def _is_number(cell: str) -> bool:
    return bool(cell.strip()) and parse_number(cell) is not None


def _is_text(name: str) -> bool:
    return len(name.split()) > _NAME and "?" not in name
