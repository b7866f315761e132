"""Which column names the input of a row, which the row, and which who judged it; what is said of who judged."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rainbow.datasets.columns import EACH_ROW, Columns
from rainbow.datasets.mapping.contents.names import any_of, one_of, role_by_name, words_of
from rainbow.datasets.mapping.contents.profile import Profile, are_links
from rainbow.datasets.mapping.long import Long
from rainbow.datasets.shapes.cells import is_missing

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["about_inputs", "about_raters", "items_of", "rater_of", "twice"]

_ADDRESS = re.compile(r"\S+@\S+\.\w+")
_JUDGEMENTS = one_of("annotation assignment judgement judgment submission vote")
_FEW = 2  # inputs may have names of their own by chance
_NEARLY_ALL = 0.9
_OFTEN = 0.8  # so many different values of the rows, at most
_AGAIN = 0.02  # so many answers were sent twice, at most
_SEVERAL_ROWS = 0.7  # so many outputs a row has at most, where several rows judge one
_EACH = 3  # so many rows a rater has at least, on average, from which what is about the rater is told


def items_of(
    frame: pd.DataFrame, profiles: Sequence[Profile], said: Columns, long: Long | None
) -> dict[str, tuple[str, str]]:
    """Return the column that repeats with its input (``item``), the one that never does (``id``), and why.

    Parameters
    ----------
    frame, profiles, said
        The table, its columns that are nothing else, and what is known of it.
    long
        What repeats, where inputs stand in several rows.

    Examples
    --------
    >>> import pandas as pd
    >>> from rainbow.datasets.mapping.contents.profile import profile_of
    >>> table = pd.DataFrame({"nr": [1, 1, 2, 2], "id": [*"abcd"], "mr": ["m", "m", "n", "n"]})
    >>> profiles = [profile_of(name, table[name].tolist()) for name in ("nr", "id")]
    >>> {name: role for name, (role, _) in items_of(table, profiles, Columns.of(mr="mr"), None).items()}
    {'nr': 'item', 'id': 'id'}
    """
    several = len(said.output) > 1 or said.compares
    free = [p for p in profiles if p.kind in ("number", "names") and len(p.texts) == len(p.rows) and p.name in frame]
    free = [p for p in free if p.name not in (said.item, said.id) and not (said.mr and "hit" in words_of(p.name))]
    named = {p.name: _is_named(p) for p in free}
    item = long.item if long else None
    free.sort(key=lambda p: (p.name != item, not named[p.name], _of_judgements(p), p.distinct == len(p.texts)))
    found: dict[str, tuple[str, str]] = {}
    for p in free if not said.item else ():
        numbered = named[p.name] or p.name == item or are_links(p.texts) or _numbers_inputs(frame, p, said, long)
        repeats = several or 1 < p.distinct < len(p.texts)
        one = _one_input(frame, p.name, said, _NEARLY_ALL if named[p.name] else 1.0)
        if numbered and repeats and one and not _names_outputs(frame, p, said):
            why = "by its name" if several and named[p.name] else "its values repeat, each with one input"
            found[p.name] = "item", why
            break
    for p in free if not (said.id or several) else ():
        numbered = p.counts_rows and role_by_name(p.name) is None
        if p.name not in found and p.distinct == len(p.texts) and (named[p.name] or numbered):
            found[p.name] = "id", "by its name: no value repeats" if named[p.name] else "numbers that follow each other"
            break
    return found


def twice(cells: pd.Series[Any]) -> int | None:
    """Return the first row, counted from 1, whose cell stands in one before, too; None where there is none.

    Examples
    --------
    >>> import pandas as pd
    >>> twice(pd.Series(["a", "b", "a"])), twice(pd.Series(["a", "b"]))
    (3, None)
    """
    again = cells.map(repr).duplicated().to_numpy().nonzero()[0]
    return int(again[0]) + 1 if len(again) else None


def _is_named(profile: Profile) -> bool:
    """Return whether a column is called as what names inputs or rows, or as an input of which a name stands there."""
    return role_by_name(profile.name) in ("item", "input")


def _of_judgements(profile: Profile) -> bool:
    return any_of(words_of(profile.name), _JUDGEMENTS)


def _numbers_inputs(frame: pd.DataFrame, profile: Profile, said: Columns, long: Long | None) -> bool:
    """Return whether a column whose name says nothing has a number, or a name, of its own for each input."""
    numbers = sorted({*profile.numbers})
    follow = bool(numbers) and any(numbers == [*range(first, first + len(numbers))] for first in (0, 1))
    role = role_by_name(profile.name)
    about = [column for column in (said.mr, *said.references[:1]) if column in frame]
    several = said.compares or len(said.output) > 1
    inputs = frame[about[0]].map(repr).nunique() if about and (long or several) else 0
    if several:
        once = profile.distinct == len(frame)
        repeats = _one_set(frame, profile.name, said) or (not once and profile.distinct == inputs > _FEW)
        return not role and ((follow and once) or repeats)
    if role not in (None, "meta"):
        return False
    exactly = profile.distinct == inputs and (follow or not role)
    return inputs > _FEW and (exactly or (follow and not role and profile.distinct >= inputs))


def _one_set(frame: pd.DataFrame, name: str, said: Columns) -> bool:
    """Return whether each value of a column that repeats stands with one set of outputs."""
    values = frame[name].map(repr)
    sets = frame[list(said.output)].map(repr).groupby(values).nunique()
    return values.nunique() < len(values) and int(sets.max().max()) == 1


def _one_input(frame: pd.DataFrame, name: str, said: Columns, share: float) -> bool:
    """Return whether so many values of a column stand with one input; if few repeat, with the same references, too."""
    values = frame[name].map(repr)
    often = said.mr in frame and values.nunique() <= _OFTEN * len(values)  # a single one may be a mistake
    about = [said.mr] if often else [column for column in (said.mr, *said.references) if column in frame]
    if not about and values.nunique() > _OFTEN * len(values):
        return said.compares or len(said.output) > 1
    texts = [frame.loc[~frame[column].map(_is_empty), column] for column in about]
    return all((column.map(repr).groupby(values).nunique() <= 1).mean() >= share for column in texts)


def _is_empty(cell: Any) -> bool:
    return is_missing(cell) or (isinstance(cell, str) and not cell)


def _names_outputs(frame: pd.DataFrame, profile: Profile, said: Columns) -> bool:
    """Return whether each value stands with one output, of which an input has several."""
    if said.mr not in frame or len(said.output) != 1 or profile.distinct <= frame[said.mr].map(repr).nunique():
        return False
    return bool(frame[said.output[0]].map(repr).groupby(frame[profile.name].map(repr)).nunique().max() == 1)


def rater_of(frame: pd.DataFrame, rest: Sequence[Profile], said: Columns) -> tuple[str | None, str]:
    """Return the column that says who judged, and why; ``#`` where outputs repeat and no column of the rest does."""
    if named := next((profile.name for profile in rest if _is_rater(frame, profile, said)), None):
        return named, "by its name: a row for each judgement"
    about = [name for name in (said.item or said.mr, said.system, *said.output) if name in frame]
    marked = said.compares or any(profile.is_mark for profile in rest)
    whole = len({*about}) == 3 and marked and EACH_ROW not in said.ignored
    if not whole or (frame[about].map(repr).groupby(about).size() > 1).mean() < _NEARLY_ALL:
        return None, ""
    for profile in rest:
        criteria = 2 * sum(role_by_name(text) == "rating" for text in profile.texts) > len(profile.texts)
        few = 2 * profile.distinct <= len(profile.texts) == len(profile.rows)
        role = role_by_name(profile.name)
        fits = (profile.kind == "names" and role in (None, "item")) or (profile.kind, role) == ("number", "item")
        if few and fits and not criteria and profile.name != said.item and _judges(frame, profile.name, said):
            return profile.name, "outputs stand in several rows, each with another name here"
    return (None, "") if said.compares else (EACH_ROW, "outputs stand in several rows: a judgement each")


def about_raters(frame: pd.DataFrame, rest: Sequence[Profile], rater: str | None) -> dict[str, str]:
    """Return the columns of numbers, and words for them, that are about raters and not about outputs, and why.

    Examples
    --------
    >>> import pandas as pd
    >>> from rainbow.datasets.mapping.contents.profile import profile_of
    >>> cells = {"who": [*"KKKLLL"], "age": [31] * 3 + [19] * 3, "no": [1, 2, 3, 2, 3, 1], "mark": [3, 3, 4, 2, 5, 5]}
    >>> about_raters(pd.DataFrame(cells), [profile_of(name, cells[name]) for name in cells], "who")
    {'age': 'the same in all rows of a rater', 'no': 'it counts the rows of a rater'}
    """
    found: dict[str, str] = {}
    raters = frame[rater].map(str) if rater in frame else frame.index
    several = 2 <= raters.nunique() <= len(frame) / _EACH
    for profile in [p for p in rest if several and p.is_mark and p.name in frame and p.name != rater]:
        if frame[profile.name].map(str).groupby(raters).nunique().max() == 1:
            found[profile.name] = "the same in all rows of a rater"
        elif len(profile.numbers) == len(frame):
            parts = [part for _, part in frame.assign(number=profile.numbers).groupby(raters)["number"]]
            whole = all(part.is_monotonic_increasing or part.max() - part.min() + 1 == len(part) for part in parts)
            if whole and all(part.is_unique for part in parts):
                found[profile.name] = "it counts the rows of a rater"
    return found


def about_inputs(frame: pd.DataFrame, rest: Sequence[Profile], said: Columns) -> dict[str, str]:
    """Return the columns of marks that are the same for all outputs of an input, where others are not, and why."""
    item = said.item or said.mr
    if item not in frame or len(said.output) != 1 or said.output[0] not in frame:
        return {}
    inputs, outputs = frame[item].map(repr), frame[said.output[0]].map(repr)
    several = outputs.groupby(inputs).nunique()
    if len(several) < _EACH or (several > 1).mean() < _NEARLY_ALL:
        return {}
    marks = [p for p in rest if p.name in frame and p.distinct > 1 and (p.whole_marks or p.scale)]
    marks = [p for p in marks if role_by_name(p.name) not in ("score", "meta")]
    same = [p.name for p in marks if frame[p.name].map(str).groupby(inputs).nunique().max() == 1]
    return dict.fromkeys(same if len(same) < len(marks) else (), "the same for all outputs of an input")


def _is_rater(frame: pd.DataFrame, profile: Profile, said: Columns) -> bool:
    named = words_of(profile.name)[-1:] in (["id"], ["index"], ["no"]) or _judges(frame, profile.name, said)
    return (
        (role_by_name(profile.name) == "rater" or all(_ADDRESS.fullmatch(text.strip()) for text in profile.texts))
        and profile.kind in ("names", "number")
        and (profile.kind == "names" or named)
        and len(profile.texts) == len(profile.rows)
        and not re.search(r"\.\d+\.", profile.name)  # of one of several raters of a row
    )


def _judges(frame: pd.DataFrame, name: str, said: Columns) -> bool:
    """Return whether outputs stand in several rows, each with another value of this column."""
    about = [*dict.fromkeys(name for name in (said.mr, said.system, *said.output) if name in frame)]
    if len(said.output) != 1 + said.compares or name not in frame:
        return False
    outputs = frame[about].map(repr).drop_duplicates()
    judged = frame[[*about, name]].map(repr).duplicated()
    return len(outputs) <= _SEVERAL_ROWS * len(frame) and judged.mean() <= _AGAIN
