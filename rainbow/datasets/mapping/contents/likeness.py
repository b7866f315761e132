"""How alike the texts of columns are: those about one input share words, those about different inputs do not."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from rainbow.datasets.mapping.contents.profile import Profile
from rainbow.datasets.shapes.cells import text_of

__all__ = ["LOOKED_AT", "about_as_long", "about_one_input", "likeness"]

LOOKED_AT = 60  # rows whose words are compared
_ALIKE = 0.12  # of their words two texts about one input share at least, more than two about different inputs do


def likeness(profile: Profile, others: Sequence[Profile]) -> float:
    """Return the share of words that texts have in common with those of other columns in their rows."""
    rows = [pair for other in others for pair in list(zip(profile.rows, other.rows, strict=True))[:LOOKED_AT]]
    return sum(_shared(_words(one), _words(other)) for one, other in rows) / max(len(rows), 1)


def about_as_long(one: Profile, other: Profile, times: float) -> bool:
    """Return whether texts have not so many times as many words as others; yes where that is not known, as of lists.

    Examples
    --------
    >>> from rainbow.datasets.mapping.contents.profile import profile_of
    >>> name, text = profile_of("name", ["Zizzi"]), profile_of("text", ["Zizzi is an inn"])
    >>> about_as_long(name, text, 2), about_as_long(name, text, 4)
    (False, True)
    """
    return not (one.words and other.words) or max(one.words, other.words) <= times * min(one.words, other.words)


def about_one_input(profiles: Sequence[Profile]) -> bool:
    """Return whether texts in one row share more words than those of different rows, in each column and another.

    Examples
    --------
    >>> from rainbow.datasets.mapping.contents.profile import profile_of
    >>> one = profile_of("a", ["an inn in Ely", "two bars in Soma", "no food at all"])
    >>> other = profile_of("b", ["Ely has an inn", "bars: two in Soma", "there is no food"])
    >>> about_one_input([one, other]), round(likeness(one, [other]), 2)
    (True, 0.64)
    """
    first, *others = profiles
    return all(_closer(first, other) for other in others)


def _closer(one: Profile, other: Profile) -> bool:
    cells = [(text_of(a), text_of(b)) for a, b in zip(one.rows, other.rows, strict=True)]
    filled = [pair for pair in cells if all(pair)]
    both = [*{str(pair): pair for pair in filled}.values()][:LOOKED_AT]  # rows may repeat, with a mark each
    if 2 * len(filled) < len(cells) or sum(str(a).strip() == str(b).strip() for a, b in both) > 0.5 * len(both):
        return False  # gaps, or one is the other once more
    rows = len(both)
    if rows < 3:  # too few to tell
        return one.kind == other.kind
    first, second = ([_words(pair[side]) for pair in both] for side in (0, 1))
    here = [_shared(a, b) for a, b in zip(first, second, strict=True)]
    apart = [_shared(a, b) for a, b in zip(first, second[1:] + second[:1], strict=True)]
    return sum(here) / rows > max(_ALIKE, 1.2 * sum(apart) / rows)


def _words(text: object) -> Counter[str]:
    return Counter(re.findall(r"\w+", str(text).lower()))


def _shared(one: Counter[str], other: Counter[str]) -> float:
    return (one & other).total() / max((one | other).total(), 1)
