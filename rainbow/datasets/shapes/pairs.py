"""Tables of comparisons, side by side: two systems, perhaps their outputs, and which of them is preferred."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from rainbow.datasets.columns import Columns
from rainbow.datasets.shapes.cells import is_missing

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["PREFERENCE", "paired", "preferred"]

PREFERENCE = "preference"  # the rating: 1 for what is preferred, 0 for the other, .5 for both alike

_FIRST = re.compile(r"(?:system|model|output|option|response|assistant|text)?[ _\-]?(?:a|1|left|first)(?:[ _]?wins?)?")
_SECOND = re.compile(
    r"(?:system|model|output|option|response|assistant|text)?[ _\-]?(?:b|2|right|second)(?:[ _]?wins?)?"
)
_ALIKE = re.compile(r"(?:a )?(?:tie|draw|same|equal|both|neither|none|no preference|0)(?:[ _(].*)?")


def preferred(winner: Any, first: str, second: str) -> float | None:
    """Return 1 if the first is preferred, 0 if the second is, .5 for both alike; None where that is not said.

    Examples
    --------
    >>> [preferred(winner, "tgen", "slug") for winner in ("tgen", "B", "tie", "model_a", "")]
    [1.0, 0.0, 0.5, 1.0, None]
    """
    said = "" if is_missing(winner) else str(winner).strip().casefold().removesuffix(".0")
    if said in (first.casefold(), second.casefold()):
        return 1.0 if said == first.casefold() else 0.0
    for pattern, value in ((_ALIKE, 0.5), (_FIRST, 1.0), (_SECOND, 0.0)):
        if said and pattern.fullmatch(said):
            return value
    return None


def paired(frame: pd.DataFrame, columns: Columns, before: int = 0) -> pd.DataFrame:
    """Return two rows for each comparison: `system`, `output` (empty where there is none) and `preference`.

    Parameters
    ----------
    frame
        A row for each comparison.
    columns
        What is said of it: `pair` and `winner`, and, if there are any, two columns of outputs.
    before
        How many rows come before: comparisons without input or item are numbered.

    Raises
    ------
    ValueError
        If a column is not there.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"system_a": ["tgen"], "system_b": ["slug"], "winner": ["slug"]})
    >>> said = Columns.of(pair=["system_a", "system_b"], winner="winner")
    >>> paired(table, said)[["comparison", "system", "preference"]].values.tolist()
    [['1', 'tgen', 0.0], ['1', 'slug', 1.0]]
    """
    import pandas as pd

    named = [*columns.pair, *([columns.winner] if columns.winner else []), *columns.output]
    if gone := [name for name in named if name not in frame]:
        raise ValueError(f"there is no column {gone[0]!r}: there are {', '.join(map(str, frame))}")
    if len(columns.pair) != 2 or len(columns.output) not in (0, 2) or not columns.winner:
        raise ValueError(
            "of comparisons two columns of systems are named (--pair), that of the --winner, and two of outputs or none"
        )
    others = [name for name in map(str, frame) if name not in named]
    item = columns.item or (columns.id if columns.id in frame else None)
    rows = []
    for number, row in enumerate(frame.to_dict("records"), before + 1):
        first, second = (str(row[name]) for name in columns.pair)
        value = preferred(row[columns.winner], first, second)
        shared: dict[str, Any] = {name: row[name] for name in others} | {"comparison": str(number)}
        if not columns.mr:
            shared["item"] = str(row[item]) if item else str(number)
        for place, (system, won) in enumerate(((first, value), (second, None if value is None else 1 - value))):
            output = row[columns.output[place]] if columns.output else ""
            rows.append({**shared, "system": system, "output": output, PREFERENCE: won})
    return pd.DataFrame(rows, dtype=object)
