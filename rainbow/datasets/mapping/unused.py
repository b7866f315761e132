"""Columns that nothing is made of: why, and what would say otherwise."""

from __future__ import annotations

from shlex import quote

from rainbow.datasets.mapping.contents.names import is_rank, role_by_name
from rainbow.datasets.mapping.contents.profile import Profile

__all__ = ["otherwise", "why_unused"]


def why_unused(profile: Profile | None) -> str:
    """Return why nothing is made of a column; None is one that could not be looked at."""
    if profile is None or profile.kind == "empty":
        return "every cell is empty"
    if profile.distinct == 1:
        return "every cell is the same"
    role = role_by_name(profile.name)
    if is_rank(profile.name):
        return "ranks, of which less is better: turn them round, or take them as a score"
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
        return f"--score {quote(name)}:lower"
    if profile is not None and profile.is_mark:
        return f"--rating {name}, --score {name}:higher"
    if profile is None or profile.kind != "names":
        return ""
    shown = quote(name)
    return f"--rating {shown} --scale 'worst<…<best'" if role_by_name(name) == "rating" else f"--system {shown}"
