"""Columns that nothing is made of: why, and what would say otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import quote

from rainbow.datasets.mapping.contents.names import is_rank, role_by_name
from rainbow.datasets.mapping.contents.profile import Profile, correlation
from rainbow.datasets.shapes.cells import text_of

__all__ = ["lengths_in", "otherwise", "why_unused"]

_FEWEST = 10  # rows
_THE_SAME = 0.97  # correlation


def lengths_in(profiles: Sequence[Profile], output: Profile) -> list[str]:
    """Return the columns that say how long the outputs are, in words or letters, whatever they are called.

    Examples
    --------
    >>> from rainbow.datasets.mapping.contents.profile import profile_of
    >>> texts = profile_of("text", ["a bar" + " again" * times for times in range(12)])
    >>> lengths_in([profile_of("Wörter", list(range(2, 14))), profile_of("quality", [1, 4, 3] * 4)], texts)
    ['Wörter']
    """
    texts = [str(text_of(cell)) for cell in output.rows]
    lengths = [[float(len(text.split())) for text in texts], [float(len(text)) for text in texts]]
    whole = [p for p in profiles if len(p.numbers) == len(texts) >= _FEWEST]
    told = [p.name for length in lengths for p in whole if correlation(p.numbers, length) > _THE_SAME]
    return list(dict.fromkeys(told))


def why_unused(profile: Profile | None) -> str:
    """Return why nothing is made of a column; None is one that could not be looked at."""
    if profile is None or profile.kind == "empty":
        return "every cell is empty"
    if profile.distinct == 1:
        return "every cell is the same"
    role = role_by_name(profile.name)
    if is_rank(profile.name):
        return "ranks, but not of the systems here"
    if role == "meta":
        return "by its name, nothing that a score or rating is"
    if role == "item":
        return "a name that nothing here needs"
    if role == "rating" and profile.kind == "names":
        return "words of no scale that is known"
    return {"number": "numbers: neither marks nor a score by name", "names": "names, of what is not known"}.get(
        profile.kind, "not known"
    )


def otherwise(name: str, profile: Profile | None) -> str:
    """Return the options that make something of it."""
    if profile is not None and is_rank(name):
        return f"--rating {quote(f'{name}:lower')}, --score {quote(f'{name}:lower')}"
    if profile is not None and profile.is_mark:
        return f"--rating {quote(name)}, --score {quote(f'{name}:higher')}"
    if profile is None or profile.kind != "names":
        return ""
    shown = quote(name)
    return f"--rating {shown} --scale 'worst<…<best'" if role_by_name(name) == "rating" else f"--system {shown}"
