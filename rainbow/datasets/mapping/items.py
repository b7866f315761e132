"""Which column names the input of a row, and which the row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rainbow.datasets.columns import Columns
from rainbow.datasets.mapping.names import role_by_name, words_of
from rainbow.datasets.mapping.profile import Profile

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["items_of"]

_FEW = 2  # inputs may have names of their own by chance


def items_of(frame: pd.DataFrame, profiles: Sequence[Profile], said: Columns, long: bool) -> dict[str, tuple[str, str]]:
    """Return the column that repeats with its input (``item``), the one that never does (``id``), and why.

    Parameters
    ----------
    frame, profiles, said
        The table, its columns that are nothing else, and what is known of it.
    long
        Whether inputs stand in several rows.

    Examples
    --------
    >>> import pandas as pd
    >>> from rainbow.datasets.mapping.profile import profile_of
    >>> table = pd.DataFrame({"nr": [1, 1, 2, 2], "id": [*"abcd"], "mr": ["m", "m", "n", "n"]})
    >>> profiles = [profile_of(name, table[name].tolist()) for name in ("nr", "id")]
    >>> {name: role for name, (role, _) in items_of(table, profiles, Columns.of(mr="mr"), True).items()}
    {'nr': 'item', 'id': 'id'}
    """
    several = len(said.output) > 1 or said.compares
    free = [p for p in profiles if p.kind in ("number", "names") and len(p.texts) == len(p.rows) and p.name in frame]
    free = [p for p in free if p.name not in (said.item, said.id) and not (said.mr and "hit" in words_of(p.name))]
    named = {p.name: role_by_name(p.name) == "item" for p in free}
    free.sort(key=lambda p: (not named[p.name], p.distinct == len(p.texts)))
    found: dict[str, tuple[str, str]] = {}
    for p in free if not said.item else ():
        numbered = named[p.name] or _numbers_inputs(frame, p, said, long)
        repeats = several or 1 < p.distinct < len(p.texts)
        if numbered and repeats and _one_input(frame, p.name, said) and not _names_outputs(frame, p, said):
            why = "by its name" if several and named[p.name] else "its values repeat, each with one input"
            found[p.name] = "item", why
            break
    for p in free if not (said.id or several) else ():
        numbered = p.counts_rows and role_by_name(p.name) is None
        if p.name not in found and p.distinct == len(p.texts) and (named[p.name] or numbered):
            found[p.name] = "id", "by its name: no value repeats" if named[p.name] else "numbers that follow each other"
            break
    return found


def _numbers_inputs(frame: pd.DataFrame, profile: Profile, said: Columns, long: bool) -> bool:
    """Return whether a column whose name says nothing has a number, or a name, of its own for each input."""
    numbers = sorted({*profile.numbers})
    follow = bool(numbers) and any(numbers == [*range(first, first + len(numbers))] for first in (0, 1))
    if role_by_name(profile.name) or len(said.output) > 1:
        return not role_by_name(profile.name) and follow and profile.distinct == len(frame)
    about = [column for column in (said.mr, *said.references[:1]) if column in frame]
    inputs = frame[about[0]].map(repr).nunique() if about and long else 0
    return inputs > _FEW and (profile.distinct >= inputs if follow else profile.distinct == inputs)


def _one_input(frame: pd.DataFrame, name: str, said: Columns) -> bool:
    """Return whether each value of a column stands with one input and one set of references."""
    about = [column for column in (said.mr, *said.references) if column and column in frame]
    values = frame[name].map(repr)
    return all(frame[column].map(repr).groupby(values).nunique().max() == 1 for column in about)


def _names_outputs(frame: pd.DataFrame, profile: Profile, said: Columns) -> bool:
    """Return whether each value stands with one output, of which an input has several."""
    if said.mr not in frame or len(said.output) != 1 or profile.distinct <= frame[said.mr].map(repr).nunique():
        return False
    return bool(frame[said.output[0]].map(repr).groupby(frame[profile.name].map(repr)).nunique().max() == 1)
