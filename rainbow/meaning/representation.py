"""Meaning representations: parse them, find their values in a text, and delexicalise it."""

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

__all__ = ["MeaningRepresentation", "Slot", "delexicalise", "parse"]

# Values that say whether or that nothing is asked for: no text ever shows them word by word.
NOT_LITERAL = frozenset({"yes", "no", "true", "false", "none", "dont_care", "dontcare", "don't care", ""})

_NO_LETTER = re.compile(r"[\s_-]*+")
# Nothing that was matched is given back (`++`, `*+`): the time grows with the text and not with its square.
_ACT = re.compile(r"\s*+\??(?P<act>\w++)\s*+\((?P<slots>.*)\)\s*+", re.DOTALL)
_NAME = re.compile(r"\s*+(?P<name>\w++)\s*+(?P<given>=\s*+(?P<quote>['\"])?)?")
_CLOSING = re.compile(r"['\"](?=\s*+(?:[,;]|$))")
_BARE = re.compile(r"[^,;]*+")
_END = re.compile(r"\s*+(?:[,;]|$)")
_ATTRIBUTE = re.compile(r"\s*+(?P<name>[^\[\],]++)\[(?P<value>[^\]]*+)\]\s*+(?:,|$)")


class Slot(NamedTuple):
    """One slot of a meaning representation: what is said (`name`) and as what (`value`)."""

    name: str
    value: str
    quoted: bool = False

    def __str__(self) -> str:
        if self.quoted:
            return f"{self.name}='{self.value}'"
        return f"{self.name}={self.value}" if self.value else self.name

    @property
    def literal(self) -> bool:
        """Whether a text can show the value word by word (`yes`, `none` and the like, or blanks alone, it cannot)."""
        return _is_literal(self.value)

    @property
    def placeholder(self) -> str:
        """The one token that stands for the value in a delexicalised text."""
        return "X" + re.sub(r"[^a-z]", "", self.name.lower())


@lru_cache(maxsize=65536)
def _is_literal(value: str) -> bool:
    return value.lower() not in NOT_LITERAL and not _NO_LETTER.fullmatch(value)


class MeaningRepresentation(NamedTuple):
    """What an output is to say: a dialogue act and its slots, in order.

    Examples
    --------
    >>> str(parse('inform(name="the grand",area=soma, near)'))
    "inform(name='the grand',area=soma,near)"
    """

    act: str
    slots: tuple[Slot, ...]

    def __str__(self) -> str:
        return f"{self.act}({','.join(map(str, self.slots))})"


def parse(text: str) -> MeaningRepresentation:
    """Parse a meaning representation written as a dialogue act or as E2E attributes.

    Parameters
    ----------
    text
        ``act(slot=value,slot='a value';slot="a value")``, with an optional question mark before the act, or
        ``slot[value], slot[value]``, whose act is ``inform``.

    Raises
    ------
    ValueError
        If the text is neither.

    Examples
    --------
    >>> parse("inform(name='the grand',area=soma)").slots
    (Slot(name='name', value='the grand', quoted=True), Slot(name='area', value='soma', quoted=False))
    >>> parse("name[Blue Spice], eatType[coffee shop]").act
    'inform'
    """
    return _parse(text)


@lru_cache(maxsize=65536)
def _parse(text: str) -> MeaningRepresentation:
    if act := _ACT.fullmatch(text):
        return MeaningRepresentation(act["act"].lower(), _slots(act["slots"], text))
    return MeaningRepresentation("inform", _attributes(text))


def _slots(text: str, whole: str) -> tuple[Slot, ...]:
    closing = {quote: [match.start() for match in _CLOSING.finditer(text) if match[0] == quote] for quote in "'\""}
    slots, position, stop = [], 0, len(text.rstrip())
    while position < stop:
        name = _NAME.match(text, position)
        value, quoted, after = _value(text, name, closing) if name else ("", False, position)
        end = _END.match(text, after)
        if name is None or end is None:
            raise _unreadable(whole, text[position:])
        slots.append(Slot(name["name"].lower(), value, quoted))
        position = end.end()
    return tuple(slots)


def _value(text: str, name: re.Match[str], closing: Mapping[str, Sequence[int]]) -> tuple[str, bool, int]:
    """Return the value behind a slot's name, whether it stands in quotes, and where it ends."""
    if name["given"] is None:
        return "", False, name.end()
    if quote := name["quote"]:
        place = bisect_left(closing[quote], name.end())
        if place < len(closing[quote]):
            end = closing[quote][place]
            return text[name.end() : end], True, end + 1
    bare = _BARE.match(text, name.start("quote") if quote else name.end())
    return ("", False, name.end()) if bare is None else (bare[0].strip(), False, bare.end())


def _attributes(text: str) -> tuple[Slot, ...]:
    slots, position = [], 0
    while position < len(text):
        match = _ATTRIBUTE.match(text, position)
        if match is None:
            raise _unreadable(text, text[position:])
        slots.append(Slot(match["name"].strip().lower(), match["value"].strip()))
        position = match.end()
    if not slots:
        raise _unreadable(text, text)
    return tuple(slots)


def _unreadable(whole: str, rest: str) -> ValueError:
    return ValueError(
        f"cannot read the meaning representation {whole!r} at {rest[:40]!r}: "
        "write it as act(slot=value,slot='two words') or as slot[value], slot[value]"
    )


def value_pattern(value: str) -> str:
    """Return the regular expression that finds a value in a text.

    Case, blanks, hyphens and underscores are left out of account (``citycentre`` is found in "City centre"),
    the value must stand on its own, and a plural s may follow it.

    Examples
    --------
    >>> bool(re.search(value_pattern("citycentre"), "in the City Centre"))
    True
    >>> bool(re.search(value_pattern("inn"), "for dinner"))
    False
    """
    return _STANDING_ALONE.format(_letters(value))


_STANDING_ALONE = r"(?i:(?<!\w){}(?=s?(?!\w)))"


def _letters(value: str) -> str:
    return r"[\s_-]?".join(map(re.escape, re.sub(r"[\s_-]", "", value)))


@lru_cache(maxsize=65536)
def _literal_slots(meaning: MeaningRepresentation) -> tuple[re.Pattern[str], tuple[str, ...]]:
    """Compile one expression over all literal values, longest first; group k stands for placeholder k."""
    slots = sorted({s.value.lower(): s for s in reversed(meaning.slots) if s.literal}.values(), key=_longest_first)
    # Whether a word begins is asked once for all values: most places in a text are out of the question.
    expression = _STANDING_ALONE.format("(?:" + "|".join(f"({_letters(slot.value)})" for slot in slots) + ")")
    return re.compile(expression), tuple(slot.placeholder for slot in slots)


def _longest_first(slot: Slot) -> tuple[int, str]:
    return -len(slot.value), slot.value


def delexicalise(text: str, meaning: MeaningRepresentation | None) -> str:
    """Replace the values of a meaning representation, where there is one, by placeholders, one token per slot name.

    Values are found as by :func:`value_pattern`, longest first; a value that several slots share takes the
    placeholder of the first. `yes`, `no`, `none` and `dont_care` stay, as no text shows them word by word.

    Examples
    --------
    >>> delexicalise("The Grand is near soma.", parse("inform(name='the grand',near=soma)"))
    'Xname is near Xnear.'
    """
    if meaning is None:
        return text
    expression, placeholders = _literal_slots(meaning)
    return text if not placeholders else expression.sub(lambda match: placeholders[(match.lastindex or 1) - 1], text)
