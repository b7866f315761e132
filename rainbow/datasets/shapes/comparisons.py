"""Comparisons: two outputs or systems with a preference, or the best and the worst of several outputs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from rainbow.base.lazy import pd
from rainbow.corpus.corpus_table import NO_VALUE
from rainbow.datasets.columns import Columns
from rainbow.datasets.shapes.cell_values import fold_cell, rating_value
from rainbow.datasets.shapes.nested_cells import column_cells, find_choices
from rainbow.datasets.shapes.wide_tables import common_affixes, find_system_columns, split_number, system_names

PREFERENCE = "preference"  # the rating: 1 for the preferred output, 0 for the other, .5 for a tie

_NAMED = r"(?:[^\W\d]+[ _\-]|system|model|output|response|text)?"  # before the side, whatever it is called
_HOW = r"(?:[ _]?wins?|[ _](?:is )?(?:(?:much|clearly|slightly|a bit|a little) )?better)?"
_FIRST = re.compile(rf"{_NAMED}(?:a|1|left|first){_HOW}")
_SECOND = re.compile(rf"{_NAMED}(?:b|2|right|second){_HOW}")
# Name parts that distinguish the two columns of a pair.
_SIDE = re.compile(r"\d+|(?<![A-Za-z])[A-Za-z](?![a-z])")
_BETWEEN = re.compile(r"1\.\d+")
_ALIKE = re.compile(
    r"(?:a )?(?:tie|tied|draw|(?:about )?(?:the )?same|equal|equally \w+|both|neither|none|no[ _-]\w+|undecided|0|1\.5|"
    r"pari|empate|iguales|égalité|ex aequo|gleich|unentschieden|gelijk|remis|les deux|平局|平|一样)(?:[ _(].*)?"
)


def preference_value(winner: Any, first: Any, second: Any) -> float | None:
    """Return 1 if the first is preferred, 0 if the second, .5 for a tie, else None."""
    choice = fold_cell(winner)
    sides = fold_cell(first), fold_cell(second)
    if choice in sides:
        return 0.5 if sides[0] == sides[1] else float(choice == sides[0])
    for pattern, value in ((_ALIKE, 0.5), (_FIRST, 1.0), (_SECOND, 0.0)):
        if choice and pattern.fullmatch(choice):
            return value
    return 2 - float(choice) if _BETWEEN.fullmatch(choice) else None


def preference_values(
    frame: pd.DataFrame, winner: str, pair: Sequence[str], output: Sequence[str]
) -> list[float | None]:
    """Return the result of each comparison, as :func:`preference_value` does."""
    cells = frame[winner].tolist()
    if pair and winner not in output:
        begin, end = common_affixes(pair)
        bare = [name[len(begin) : len(name) - len(end)] for name in pair]
        named = [*system_names(pair).values()]  # "links" and "rechts"; bare "L" and "R"
        ends = {fold_cell(side): won for two in (named, bare) for side, won in zip(two, (1.0, 0.0), strict=True)}
        rows = [*zip(cells, frame[pair[0]], frame[pair[1]], strict=True)]
        values = [ends[choice] if (choice := fold_cell(row[0])) in ends else preference_value(*row) for row in rows]
        others = {fold_cell(cell) for cell, value in zip(cells, values, strict=True) if value is None} - NO_VALUE
        tie = others if len(others) == 1 and {*values} == {None, 0.0, 1.0} else ()  # the only word of a third kind
        return [0.5 if fold_cell(cell) in tie else value for cell, value in zip(cells, values, strict=True)]
    texts = zip(frame[output[0]], frame[output[1]], strict=True)
    sides = [_SIDE.findall(name)[-1:] or [name] for name in output]
    orders = [[side for (side,) in sides], [*system_names(output).values()], output]
    results = [
        [preference_value(cell, *order) for order in (*orders, both)] for cell, both in zip(cells, texts, strict=True)
    ]
    return [next((value for value in values if value is not None), None) for values in results]


def split_comparisons(frame: pd.DataFrame, columns: Columns, before: int = 0) -> pd.DataFrame:
    """Return two rows per comparison with `system`, `output` and `preference`."""
    if columns.winner and columns.winner not in frame and (choices := find_choices(frame).get(columns.winner)):
        frame = frame.assign(**{columns.winner: column_cells(frame, columns.winner)}).drop(columns=[*choices.values()])
    frame, columns, times = _expand_rankings(frame, columns, before)
    named = [*columns.pair, *([columns.winner] if columns.winner else []), *columns.output]
    if gone := [name for name in named if name not in frame]:
        raise ValueError(f"unknown column {gone[0]!r}: the columns are {', '.join(map(str, frame))}")
    if not columns.winner or (len(columns.pair), len(columns.output)) not in ((2, 0), (2, 2), (0, 2)):
        raise ValueError(
            "comparisons need the column of the --winner and two columns of systems (--pair), of outputs, or both"
        )
    others = [name for name in map(str, frame) if name not in named or name == columns.mr]
    values = preference_values(frame, columns.winner, columns.pair, columns.output)
    item = columns.item or (columns.id if columns.id in frame else None)
    rows = []
    for number, (row, value) in enumerate(zip(frame.to_dict("records"), values, strict=True), before * times + 1):
        shared: dict[str, Any] = {name: row[name] for name in others} | {"comparison": str(number)}
        if not columns.mr:
            shared["item"] = str(row[item]) if item else str(number)
        for place, won in enumerate((value, None if value is None else 1 - value)):
            system = {"system": str(row[columns.pair[place]])} if columns.pair else {}
            output = row[columns.output[place]] if columns.output else ""
            rows.append({**shared, **system, "output": output, PREFERENCE: won})
    return pd.DataFrame(rows, dtype=object)


def _expand_rankings(frame: pd.DataFrame, columns: Columns, before: int) -> tuple[pd.DataFrame, Columns, int]:
    """Return a row per pair of ranked systems, the new columns, and the pairs per row."""
    numbers = [split_number(name)[1] for name in columns.pair]
    named = {split_number(name): name for name in map(str, frame)}
    ranks = {number: name for (what, number), name in named.items() if what == columns.winner}
    if columns.winner in frame or not numbers or not {*numbers} <= {*ranks}:
        return frame, columns, 1
    left = frame.drop(columns=[*columns.pair, *columns.output, *ranks.values()])
    if not (columns.mr or columns.item or columns.id in frame):
        left, columns = left.assign(item=range(before + 1, before + 1 + len(left))), replace(columns, item="item")
    marks = [[rating_value(cell) for cell in frame[ranks[number]]] for number in numbers]
    both = [names for names in (columns.pair, columns.output) if names]
    parts = []
    for one, other in combinations(range(len(numbers)), 2):
        sides = {names[side]: frame[names[place]] for names in both for side, place in enumerate((one, other))}
        rows = zip(marks[one], marks[other], frame[columns.pair[one]], frame[columns.pair[other]], strict=True)
        parts.append(left.assign(**sides, **{str(columns.winner): [*map(_better_ranked, rows)]}))
    table = pd.concat(parts).sort_index(kind="stable").reset_index(drop=True)
    return table, replace(columns, pair=columns.pair[:2], output=columns.output[:2]), len(parts)


def _better_ranked(ranked: tuple[Any, Any, Any, Any]) -> Any:
    """Return the system with the lower rank, or "tie"; None if a rank is missing or negative."""
    one, other, first, second = ranked
    if not all(isinstance(rank, (int, float)) and rank >= 0 for rank in (one, other)):
        return None
    return "tie" if one == other else first if one < other else second


_LETTERED = re.compile(r".*(?<![A-Za-z])([A-Za-z])", re.DOTALL)


def chosen_outputs(
    frame: pd.DataFrame, column: str, outputs: Sequence[str], system: str | None = None
) -> list[int | None]:
    """Return the index of the output named in each cell, from 0; None if none is."""
    names = system_names(outputs)
    others = [name for name in map(str, frame) if name not in outputs]
    extra = {of: name for name, (of, what) in find_system_columns(others, [*names.values()]).items() if what == system}
    fixed = [{fold_cell(side) for side in (name, names[name], *_side_labels(name))} for name in outputs]
    written = [name for output in outputs for name in (output, extra.get(names[output])) if name]
    rows = zip(frame[column], *([*map(fold_cell, frame[name])] for name in written), strict=True)
    each = len(written) // len(outputs)
    results: list[int | None] = []
    for cell, *texts in rows:
        choice = fold_cell(cell)
        all_spellings = [{*fixed[place], *texts[place * each : (place + 1) * each]} for place in range(len(outputs))]
        fitting = [place for place, spellings in enumerate(all_spellings) if choice and choice in spellings]
        results.append(fitting[0] if len(fitting) == 1 else None)
    return results


def add_choices(frame: pd.DataFrame, columns: Columns) -> pd.DataFrame:
    """Return the table with ``preference.SYSTEM`` per output: 1 best, 0 worst, .5 between."""
    named = [name for name in (columns.winner, columns.worst) if name]
    if gone := [name for name in named if name not in frame]:
        raise ValueError(f"unknown column {gone[0]!r}: the columns are {', '.join(map(str, frame))}")
    best, worst = (
        chosen_outputs(frame, name, columns.output, columns.system) if name else [None] * len(frame)
        for name in (columns.winner, columns.worst)
    )
    between = 0.5 if columns.winner and columns.worst else float(not columns.winner)
    chosen = [*zip(best, worst, strict=True)]
    marks = {
        f"{PREFERENCE}.{system}": [_choice_value(place, *pair, between) for pair in chosen]
        for place, system in enumerate(system_names(columns.output).values())
    }
    return frame.drop(columns=named).assign(**marks)


def _choice_value(place: int, best: int | None, worst: int | None, between: float) -> float:
    """Return the rating of the output at this index; NaN if nothing was chosen."""
    if best is None and worst is None:
        return float("nan")
    return 1.0 if place == best else 0.0 if place == worst else between


def _side_labels(name: str) -> list[str]:
    lettered = _LETTERED.fullmatch(name)
    return [side for side in (split_number(name)[1], lettered[1] if lettered else "") if side]
