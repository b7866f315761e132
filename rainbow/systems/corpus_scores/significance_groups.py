"""Groups of systems without significant differences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from string import ascii_lowercase


def significance_groups(systems: Sequence[str], different: Iterable[tuple[str, str]]) -> list[str]:
    """Return the group letters of each system; systems that share a letter do not differ."""
    places = {system: place for place, system in enumerate(systems)}
    ends = [len(systems)] * len(systems)
    for one, other in different:
        first, last = sorted((places[one], places[other]))
        ends[: first + 1] = [min(end, last) for end in ends[: first + 1]]
    runs = [(start, end) for start, end in enumerate(ends) if start == 0 or end > ends[start - 1]]
    return [
        " ".join(_group_letters(number) for number, (start, end) in enumerate(runs) if start <= place < end)
        for place in range(len(systems))
    ]


def _group_letters(number: int) -> str:
    first, last = divmod(number, len(ascii_lowercase))
    return (ascii_lowercase[first - 1] if first else "") + ascii_lowercase[last]
