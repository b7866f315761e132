"""Meaning representations: parsing, comparison, and their realisation in texts."""

from rainbow.meaning.formats import FORMATS, parse_meaning, parse_if_structured
from rainbow.meaning.representation import (
    NOT_LITERAL,
    MeaningRepresentation,
    Slot,
    delexicalise,
    value_pattern,
)

__all__ = ["FORMATS", "NOT_LITERAL", "MeaningRepresentation", "Slot", "delexicalise", "parse_meaning", "parse_if_structured", "value_pattern"]
