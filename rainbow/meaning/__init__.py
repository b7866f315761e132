"""Meaning representations: parsing, comparison, and their realisation in texts."""

from rainbow.meaning.formats import FORMATS, parse_if_structured, parse_meaning
from rainbow.meaning.representation import NOT_LITERAL, MeaningRepresentation, Slot, delexicalise, value_pattern

__all__ = [
    "FORMATS",
    "NOT_LITERAL",
    "MeaningRepresentation",
    "Slot",
    "delexicalise",
    "parse_if_structured",
    "parse_meaning",
    "value_pattern",
]
