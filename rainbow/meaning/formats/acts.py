"""Dialogue acts, `act(slot=value,slot='two words')`, and attributes, `slot[value], slot[value]`."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence

from rainbow.meaning.representation import MeaningRepresentation, Slot

# Nothing that was matched is given back (`++`, `*+`): the time grows with the text and not with its square.
_ACT = re.compile(r"\s*+\??(?P<act>\w++)\s*+\((?P<slots>.*)\)\s*+", re.DOTALL)
_NAME = re.compile(r"\s*+(?P<name>\w++)\s*+(?P<given>=\s*+(?P<quote>['\"])?)?")
_CLOSING = re.compile(r"['\"](?=\s*+(?:[,;]|$))")
_BARE = re.compile(r"[^,;]*+")
_END = re.compile(r"\s*+(?:[,;]|$)")
_ATTRIBUTE = re.compile(r"\s*+(?P<name>[^\[\],]++)\[(?P<value>[^\]]*+)\]\s*+(?:,|$)")


def read_act(text: str) -> MeaningRepresentation | None:
    """Return a dialogue act; None if the text is none."""
    act = _ACT.fullmatch(text)
    slots = _slots(act["slots"]) if act else None
    return None if act is None or slots is None else MeaningRepresentation(act["act"].lower(), slots)


def read_attributes(text: str) -> MeaningRepresentation | None:
    """Return attributes with their values in brackets, as what is to be told; None if the text is not such a list."""
    slots, position = [], 0
    while match := _ATTRIBUTE.match(text, position):
        slots.append(Slot(match["name"].strip().lower(), match["value"].strip()))
        position = match.end()
    return MeaningRepresentation("inform", tuple(slots)) if slots and position == len(text) else None


def _slots(text: str) -> tuple[Slot, ...] | None:
    closing = {quote: [match.start() for match in _CLOSING.finditer(text) if match[0] == quote] for quote in "'\""}
    slots, position, stop = [], 0, len(text.rstrip())
    while position < stop:
        name = _NAME.match(text, position)
        value, quoted, after = _value(text, name, closing) if name else ("", False, position)
        end = _END.match(text, after)
        if name is None or end is None:
            return None
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
