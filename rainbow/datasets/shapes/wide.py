"""Tables with a column of outputs for each system, of which every row becomes one row for each of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import takewhile
from numbers import Real
from typing import TYPE_CHECKING, Any

from rainbow.datasets.columns import Columns
from rainbow.datasets.lexicon import bare_name
from rainbow.datasets.shapes.cells import is_list
from rainbow.datasets.shapes.paths import column_of

if TYPE_CHECKING:
    import pandas as pd


_EDGE = " \n_.-:/"  # what stands between the name of a system and the rest of a column's name
_NUMBER = re.compile(r"(.*?)(\d+)(\D*)", re.DOTALL)


def system_names(columns: Sequence[str]) -> dict[str, str]:
    """Return the system of each column of outputs: its name without what all of these names begin or end with."""
    begin, end = common_ends(columns)
    marks = _EDGE.replace("-", "") if any(mark in begin for mark in "./:_") else _EDGE  # names have dashes in them
    cut = max((begin.rfind(mark) for mark in marks), default=-1) + 1
    places = [place for place, letter in enumerate(end) if letter in _EDGE]
    tail = len(end) - places[0] if places else 0
    return {column: _bare(column[cut : len(column) - tail]) or column for column in columns}


def _bare(name: str) -> str:
    """Return a name without marks and brackets around it; brackets that belong to its end stay."""
    name = name.strip(_EDGE)
    bare = name.strip(_EDGE + "()[]")
    return name if bare.count("(") > bare.count(")") or bare.count("[") > bare.count("]") else bare


def common_ends(texts: Sequence[str]) -> tuple[str, str]:
    """Return what all texts begin with, and what they end with after it."""
    begin = _common(texts)
    return begin, _common([text[len(begin) :][::-1] for text in texts])[::-1]


def _common(texts: Sequence[str]) -> str:
    """Return what all texts begin with."""
    shortest = min(texts, key=len, default="")
    same = (len({text[place] for text in texts}) == 1 for place in range(len(shortest)))
    return shortest[: sum(1 for _ in takewhile(bool, same))]


def own_column(column: str, systems: Sequence[str]) -> tuple[str, str] | None:
    """Return the system that a column is about, and what it says of it; None where it is about none."""
    column = bare_name(column) if column not in systems else column
    for system in sorted(systems, key=len, reverse=True):
        name = re.escape(system)
        edge = rf"[{re.escape(_EDGE)}]+"
        form = rf"(?:(.+?{edge}))?{name}({edge}.+)|(.+?)(?:{edge}\(?|\(){name}\)?"
        if found := re.fullmatch(form, column, re.IGNORECASE):
            before, after, alone = (part or "" for part in found.groups())
            scale = bool(before) and not any(map(str.isalpha, after))  # "Note DeepL /20"
            return system, alone or (f"{before.strip(_EDGE)}{after}" if scale else after.lstrip(_EDGE))
    numbers = {number: system for system in systems if (number := without_number(system)[1])}
    what, number = without_number(column)
    if len(numbers) == len(systems) > 1 and number in numbers and column not in systems:
        return numbers[number], what
    return None


def without_number(name: str) -> tuple[str, str]:
    """Return a name without its last number, and that number; nothing for the number where it has none."""
    if not (found := _NUMBER.fullmatch(name)):
        return name, ""
    return "_".join(filter(None, (found[1].rstrip(_EDGE), found[3].strip(_EDGE)))), found[2]


def own_columns(columns: Sequence[str], systems: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return the columns that say of one system what others say of another, as :func:`own_column` does."""
    found = {name: own for name in columns if (own := own_column(name, systems))}
    times = Counter(found.values())
    for name, (system, what) in found.items():
        if times[system, what] > 1:
            edge = f"[{re.escape(_EDGE)}]"
            found[name] = system, re.sub(rf"(^|{edge}){re.escape(system)}{edge}+", r"\1", name, flags=re.IGNORECASE)
    said = [what for _, what in found.values()]
    return {name: own for name, own in found.items() if len(systems) < 2 or said.count(own[1]) > 1}


def with_own_columns(frame: pd.DataFrame, output: Sequence[str]) -> pd.DataFrame:
    """Return the table with a column for each key, at any depth, of objects that say something of each system."""
    systems = list(system_names(output).values())
    for name in map(str, frame):
        keys = dict.fromkeys(f"{name}.{path}" for cell in frame[name] for path in _paths(cell))
        own = [key for key in own_columns(list(keys), systems) if key not in output]
        if own:
            cells = {key: column_of(frame, key) for key in own}
            kept = any(column.startswith(f"{name}.") for column in output)
            frame = (frame if kept else frame.drop(columns=name)).assign(**cells)
    return frame


def _paths(cell: Any) -> Iterator[str]:
    """Return the keys of an object and of objects in it, and the numbers of marks in lists: ``tgen.style.0``."""
    lists = is_list(cell) and all(isinstance(entry, (dict, Real)) for entry in cell)
    pairs = cell.items() if isinstance(cell, dict) else enumerate(cell) if lists else ()
    for key, value in pairs:
        inner = [*_paths(value)]
        yield from (f"{key}.{path}" for path in inner) if inner else [str(key)]


def melted(frame: pd.DataFrame, columns: Columns, before: int = 0) -> pd.DataFrame:
    """Return a row for each output: `system` and `output`, the columns about the system, and those about the input."""
    import pandas as pd

    if gone := [name for name in columns.output if name not in frame]:
        raise ValueError(f"there is no column {gone[0]!r} of outputs: there are {', '.join(map(str, frame))}")
    systems = system_names(columns.output)
    others = [name for name in map(str, frame) if name not in columns.output]
    own = own_columns(others, list(systems.values()))
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
            said = {what: row[name] for name, (of, what) in own.items() if of == system}
            system = said.get(columns.system or "", system)
            rows.append(about | said | {"system": system, "output": row[column]} | named)
    names = [*shared, *(what for _, what in own.values()), "system", "output", *([] if columns.mr else ["item"])]
    return pd.DataFrame(rows, columns=[name for name in dict.fromkeys(names) if name != "id"], dtype=object)
