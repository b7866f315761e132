"""Wide tables with a column of outputs for each system, converted to rows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from numbers import Real
from os.path import commonprefix
from typing import Any

from rainbow.base.lazy import pd
from rainbow.datasets.columns import Columns
from rainbow.datasets.lexicon import bare_name
from rainbow.datasets.shapes.cell_values import is_list
from rainbow.datasets.shapes.nested_cells import column_cells

_EDGE = " \n_.-:/"  # separator between a system's name and the rest of a column name
_NUMBER = re.compile(r"(.*?)(\d+)(\D*)", re.DOTALL)


def system_names(columns: Sequence[str]) -> dict[str, str]:
    """Return the system of each output column: its name without common prefix and suffix."""
    begin, end = common_affixes(columns)
    marks = _EDGE.replace("-", "") if any(mark in begin for mark in "./:_") else _EDGE  # names have dashes in them
    cut = max((begin.rfind(mark) for mark in marks), default=-1) + 1
    places = [place for place, letter in enumerate(end) if letter in _EDGE]
    tail = len(end) - places[0] if places else 0
    return {column: _strip_marks(column[cut : len(column) - tail]) or column for column in columns}


def _strip_marks(name: str) -> str:
    """Return a name without surrounding punctuation, keeping brackets that belong to it."""
    name = name.strip(_EDGE)
    bare = name.strip(_EDGE + "()[]")
    return name if bare.count("(") > bare.count(")") or bare.count("[") > bare.count("]") else bare


def common_affixes(texts: Sequence[str]) -> tuple[str, str]:
    """Return the common prefix of all texts, and the common suffix after it."""
    begin = commonprefix(list(texts))  # noqa: RUF071  letters are compared, not parts of paths
    return begin, commonprefix([text[len(begin) :][::-1] for text in texts])[::-1]  # noqa: RUF071


def split_system_column(column: str, systems: Sequence[str]) -> tuple[str, str] | None:
    """Return the system of a column and the rest of its name; None if it names no system."""
    column = bare_name(column) if column not in systems else column
    for system in sorted(systems, key=len, reverse=True):
        name = re.escape(system)
        edge = rf"[{re.escape(_EDGE)}]+"
        form = rf"(?:(.+?{edge}))?{name}({edge}.+)|(.+?)(?:{edge}\(?|\(){name}\)?"
        if match := re.fullmatch(form, column, re.IGNORECASE):
            before, after, alone = (part or "" for part in match.groups())
            scale = bool(before) and not any(map(str.isalpha, after))  # "Note DeepL /20"
            return system, alone or (f"{before.strip(_EDGE)}{after}" if scale else after.lstrip(_EDGE))
    numbers = {number: system for system in systems if (number := split_number(system)[1])}
    what, number = split_number(column)
    if len(numbers) == len(systems) > 1 and number in numbers and column not in systems:
        return numbers[number], what
    return None


def split_number(name: str) -> tuple[str, str]:
    """Return a name without its last number, and the number; an empty string if there is none."""
    if not (match := _NUMBER.fullmatch(name)):
        return name, ""
    return "_".join(filter(None, (match[1].rstrip(_EDGE), match[3].strip(_EDGE)))), match[2]


def find_system_columns(columns: Sequence[str], systems: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return the columns that exist for several systems, as :func:`split_system_column` does."""
    result = {name: own for name in columns if (own := split_system_column(name, systems))}
    times = Counter(result.values())
    for name, (system, what) in result.items():
        if times[system, what] > 1:
            edge = f"[{re.escape(_EDGE)}]"
            result[name] = system, re.sub(rf"(^|{edge}){re.escape(system)}{edge}+", r"\1", name, flags=re.IGNORECASE)
    roles = [what for _, what in result.values()]
    return {name: own for name, own in result.items() if len(systems) < 2 or roles.count(own[1]) > 1}


def expand_system_objects(frame: pd.DataFrame, output: Sequence[str]) -> pd.DataFrame:
    """Return the table with a column per key of objects that describe each system."""
    systems = list(system_names(output).values())
    for name in map(str, frame):
        keys = dict.fromkeys(f"{name}.{path}" for cell in frame[name] for path in _object_paths(cell))
        own = [key for key in find_system_columns(list(keys), systems) if key not in output]
        if own:
            cells = {key: column_cells(frame, key) for key in own}
            kept = any(column.startswith(f"{name}.") for column in output)
            frame = (frame if kept else frame.drop(columns=name)).assign(**cells)
    return frame


def _object_paths(cell: Any) -> Iterator[str]:
    """Return the paths of an object's keys and its lists' rating indices, e.g. ``tgen.style.0``."""
    lists = is_list(cell) and all(isinstance(entry, (dict, Real)) for entry in cell)
    pairs = cell.items() if isinstance(cell, dict) else enumerate(cell) if lists else ()
    for key, value in pairs:
        inner = [*_object_paths(value)]
        yield from (f"{key}.{path}" for path in inner) if inner else [str(key)]


def melt_systems(frame: pd.DataFrame, columns: Columns, before: int = 0) -> pd.DataFrame:
    """Return a row per output: `system`, `output`, and the system's and input's columns."""
    if gone := [name for name in columns.output if name not in frame]:
        raise ValueError(f"unknown column of outputs {gone[0]!r}: the columns are {', '.join(map(str, frame))}")
    systems = system_names(columns.output)
    others = [name for name in map(str, frame) if name not in columns.output]
    own = find_system_columns(others, list(systems.values()))
    shared = [name for name in others if name not in own]
    item = columns.item or (columns.id if columns.id in frame else None)
    rows = []
    first: dict[tuple[str, ...], int] = {}  # where raters judge the same outputs in several rows
    for number, row in enumerate(frame.to_dict("records"), before + 1):
        if columns.rater:
            number = first.setdefault(tuple(str(row[name]) for name in columns.output), number)
        about = {name: row[name] for name in shared}
        named = {} if columns.mr else {"item": str(row[item]) if item else str(number)}
        for column, system in systems.items():
            fields = {what: row[name] for name, (of, what) in own.items() if of == system}
            system = fields.get(columns.system or "", system)
            rows.append(about | fields | {"system": system, "output": row[column]} | named)
    names = [*shared, *(what for _, what in own.values()), "system", "output", *([] if columns.mr else ["item"])]
    return pd.DataFrame(rows, columns=[name for name in dict.fromkeys(names) if name != "id"], dtype=object)
