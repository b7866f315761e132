"""Notations of meaning representations and their detection."""

from __future__ import annotations

from collections.abc import Callable

from rainbow.base.caching import cache_by_size
from rainbow.meaning.formats.acts import parse_act, parse_attributes
from rainbow.meaning.formats.table_formats import parse_table
from rainbow.meaning.formats.triples import parse_triples
from rainbow.meaning.representation import MeaningRepresentation

__all__ = ["FORMATS", "parse_if_structured", "parse_meaning"]

_READERS: dict[str, Callable[[str], MeaningRepresentation | None]] = {
    "act": parse_act,
    "attributes": parse_attributes,
    "triples": parse_triples,
    "table": parse_table,
}
# Notations by name, and how each is written.
FORMATS = {
    "act": "act(slot=value,slot='two words')",
    "attributes": "slot[value], slot[value]",
    "triples": "subject | predicate | object && subject | predicate | object, a JSON list of them, or WebNLG's XML",
    "table": '{"slot": "value"}, a Markdown table, or slot: value | slot: value',
    "text": "any text, which is not parsed",
}


def check_format(format: str | None) -> None:
    """Raise ValueError if the name of a notation is unknown; None is any notation."""
    if format is not None and format not in FORMATS:
        raise ValueError(f"unknown format {format!r} of meaning representations: choose from {', '.join(FORMATS)}")


def parse_if_structured(text: str, format: str | None = None) -> MeaningRepresentation | None:
    """Return the parsed meaning representation; None for free text."""
    check_format(format)
    result = _try_readers(text, format)
    if result is None and format not in (None, "text"):
        raise ValueError(
            f"cannot read the meaning representation {text!r:.60} as {format}: write it as {FORMATS[format or '']}"
        )
    return result


def parse_meaning(text: str, format: str | None = None) -> MeaningRepresentation:
    """Return the parsed meaning representation in any known notation."""
    result = parse_if_structured(text, format)
    if result is None:
        written = " or ".join(FORMATS[name] for name in _READERS)
        raise ValueError(f"cannot read the meaning representation {text!r:.60}: write it as {written}")
    return result


@cache_by_size(1 << 20)
def _try_readers(text: str, format: str | None) -> MeaningRepresentation | None:
    chosen = [_READERS[format]] if format in _READERS else [] if format else _READERS.values()
    return next((result for reader in chosen if (result := reader(text)) is not None), None)
