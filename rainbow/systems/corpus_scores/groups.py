"""Groups of systems that do not differ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from string import ascii_lowercase

__all__ = ["groups"]


def groups(systems: Sequence[str], apart: Iterable[tuple[str, str]]) -> list[str]:
    """Return for each system the letters of its groups: systems that share a letter do not differ.

    A group is a run of systems, in their order, of which no two differ; only runs that no other contains are named.
    "Not different" does not carry over (a = b and b = c, yet a > c), so that a system may be in several.

    Parameters
    ----------
    systems
        In the order of their scores.
    apart
        Pairs of systems that differ significantly, in any order.

    Returns
    -------
    list of str
        Letters from a on, ``a b`` for a system in two groups; after z come aa, ab ...

    Examples
    --------
    >>> groups(["x", "y", "z"], [("x", "z")])
    ['a', 'a b', 'b']
    """
    places = {system: place for place, system in enumerate(systems)}
    ends = [len(systems)] * len(systems)
    for one, other in apart:
        first, last = sorted((places[one], places[other]))
        ends[: first + 1] = [min(end, last) for end in ends[: first + 1]]
    runs = [(start, end) for start, end in enumerate(ends) if start == 0 or end > ends[start - 1]]
    return [
        " ".join(_letters(number) for number, (start, end) in enumerate(runs) if start <= place < end)
        for place in range(len(systems))
    ]


def _letters(number: int) -> str:
    first, last = divmod(number, len(ascii_lowercase))
    return (ascii_lowercase[first - 1] if first else "") + ascii_lowercase[last]
