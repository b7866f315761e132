"""Tables with a row for each judgement: who judged, and what is said of who judged."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rainbow.datasets.columns import EACH_ROW, Columns
from rainbow.datasets.mapping.names import role_by_name, words_of
from rainbow.datasets.mapping.profile import Profile, counts

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["about_raters", "rater_of"]

_NEARLY_ALL = 0.9
_SEVERAL_ROWS = 0.7  # so many outputs a row has at most, where several rows judge one
_EACH = 3  # so many rows a rater has at least, on average, from which what is about the rater is told


def rater_of(frame: pd.DataFrame, rest: Sequence[Profile], said: Columns) -> tuple[str | None, str]:
    """Return the column that says who judged, and why it is that; `#` where outputs repeat and nothing says who.

    Parameters
    ----------
    frame, rest, said
        The table, its columns that are nothing else, and what is known of it.

    Examples
    --------
    >>> import pandas as pd
    >>> from rainbow.datasets.mapping.profile import profile_of
    >>> cells = {"mr": [*"ab"] * 2, "system": ["s"] * 4, "text": [*"xy"] * 2, "mark": [1, 2, 1, 3], "Sujet": [*"KKLL"]}
    >>> said, rest = Columns.of(mr="mr", system="system", output="text"), ("mark", "Sujet")
    >>> rater_of(pd.DataFrame(cells), [profile_of(name, cells[name]) for name in rest], said)
    ('Sujet', 'outputs stand in several rows, each with another name here')
    """
    if named := next((profile.name for profile in rest if _is_rater(frame, profile, said)), None):
        return named, "by its name: a row for each judgement"
    if EACH_ROW in said.ignored or not _judged_by_rows(frame, rest, said):
        return None, ""
    for profile in rest:
        criteria = 2 * sum(role_by_name(text) == "rating" for text in profile.texts) > len(profile.texts)
        names = profile.kind == "names" and 2 * profile.distinct <= len(profile.texts) == len(profile.rows)
        if names and role_by_name(profile.name) is None and not criteria and _judges(frame, profile.name, said):
            return profile.name, "outputs stand in several rows, each with another name here"
    return EACH_ROW, "outputs stand in several rows: a judgement each"


def about_raters(frame: pd.DataFrame, rest: Sequence[Profile], rater: str | None) -> dict[str, str]:
    """Return the columns of numbers, and words for them, that are about raters and not about outputs, and why.

    Examples
    --------
    >>> import pandas as pd
    >>> from rainbow.datasets.mapping.profile import profile_of
    >>> cells = {"who": [*"KKKLLL"], "age": [31] * 3 + [19] * 3, "no": [1, 2, 3, 2, 3, 1], "mark": [3, 3, 4, 2, 5, 5]}
    >>> rest = [profile_of(name, cells[name]) for name in ("age", "no", "mark")]
    >>> about_raters(pd.DataFrame(cells), rest, "who")
    {'age': 'the same in all rows of a rater', 'no': 'it counts the rows of a rater'}
    """
    found: dict[str, str] = {}
    raters = frame[rater].map(str) if rater in frame else None
    if raters is None or not _EACH * raters.nunique() <= len(frame) or raters.nunique() < 2:
        return found
    for profile in rest:
        if not profile.is_mark or profile.name not in frame or profile.name == rater:
            continue
        if frame[profile.name].map(str).groupby(raters).nunique().max() == 1:
            found[profile.name] = "the same in all rows of a rater"
        elif len(profile.numbers) == len(frame):
            parts = frame.assign(number=profile.numbers).groupby(raters)["number"]
            if all(counts(part) or (part.is_monotonic_increasing and part.is_unique) for _, part in parts):
                found[profile.name] = "it counts the rows of a rater"
    return found


def _judged_by_rows(frame: pd.DataFrame, rest: Sequence[Profile], said: Columns) -> bool:
    """Return whether nearly all outputs of a system for an input stand in several rows, with marks."""
    about = [name for name in (said.item or said.mr, said.system, *said.output) if name and name in frame]
    if len(about) != 3 or not any(profile.is_mark for profile in rest) or said.compares:
        return False
    if frame[said.output[0]].map(str).nunique() > _NEARLY_ALL * len(frame):
        return False  # most texts stand in one row
    sizes = frame[about].map(repr).groupby(about).size()
    return bool((sizes > 1).mean() >= _NEARLY_ALL)


def _is_rater(frame: pd.DataFrame, profile: Profile, said: Columns) -> bool:
    named = words_of(profile.name)[-1:] in (["id"], ["index"], ["no"]) or _judges(frame, profile.name, said)
    return (
        role_by_name(profile.name) == "rater"
        and profile.kind in ("names", "number")
        and (profile.kind == "names" or named)
        and len(profile.texts) == len(profile.rows)
        and not re.search(r"\.\d+\.", profile.name)  # of one of several raters of a row
    )


def _judges(frame: pd.DataFrame, name: str, said: Columns) -> bool:
    """Return whether outputs stand in several rows, each with another value of this column."""
    about = [column for column in (said.mr, said.system, *said.output) if column in frame]
    if len(said.output) != 1 or name not in frame:
        return False
    outputs = frame[about].map(repr).drop_duplicates()
    judged = frame[[*about, name]].map(repr).duplicated()
    return len(outputs) <= _SEVERAL_ROWS * len(frame) and not judged.any()
