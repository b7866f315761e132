"""Dialogue acts, `act(slot=value)`, and attributes, `slot[value], slot[value]`."""

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


def parse_act(text: str) -> MeaningRepresentation | None:
    """Return a dialogue act; None if the text is not one."""
    act = _ACT.fullmatch(text)
    slots = _parse_slots(act["slots"]) if act else None
    return None if act is None or slots is None else MeaningRepresentation(act["act"].lower(), slots)


def parse_attributes(text: str) -> MeaningRepresentation | None:
    """Return attributes with bracketed values as an inform act; None if the text is not such a list."""
    slots, position = [], 0
    while match := _ATTRIBUTE.match(text, position):
        slots.append(Slot(match["name"].strip().lower(), match["value"].strip()))
        position = match.end()
    return MeaningRepresentation("inform", tuple(slots)) if slots and position == len(text) else None


def _parse_slots(text: str) -> tuple[Slot, ...] | None:
    closing = {quote: [match.start() for match in _CLOSING.finditer(text) if match[0] == quote] for quote in "'\""}
    slots, position, stop = [], 0, len(text.rstrip())
    while position < stop:
        name = _NAME.match(text, position)
        value, quoted, after = _parse_value(text, name, closing) if name else ("", False, position)
        end = _END.match(text, after)
        if name is None or end is None:
            return None
        slots.append(Slot(name["name"].lower(), value, quoted))
        position = end.end()
    return tuple(slots)


def _parse_value(text: str, name: re.Match[str], closing: Mapping[str, Sequence[int]]) -> tuple[str, bool, int]:
    """Return the value after a slot's name, whether it is quoted, and its end."""
    if name["given"] is None:
        return "", False, name.end()
    if quote := name["quote"]:
        place = bisect_left(closing[quote], name.end())
        if place < len(closing[quote]):
            end = closing[quote][place]
            return text[name.end() : end], True, end + 1
    bare = _BARE.match(text, name.start("quote") if quote else name.end())
    return ("", False, name.end()) if bare is None else (bare[0].strip(), False, bare.end())
