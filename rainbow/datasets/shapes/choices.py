"""Rows of several outputs of which a rater chose the best, and perhaps the worst."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rainbow.base.lazy import pd
from rainbow.datasets.columns import Columns
from rainbow.datasets.shapes.cell_values import fold_cell
from rainbow.datasets.shapes.pairs import PREFERENCE
from rainbow.datasets.shapes.wide_tables import find_system_columns, split_number, system_names

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
    marks = {
        f"{PREFERENCE}.{system}": [
            _choice_value(place, most, least, between) for most, least in zip(best, worst, strict=True)
        ]
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
