"""Meaning representations: read them, compare them, and find what a text says of them."""

from rainbow.meaning.formats import FORMATS, parse, read
from rainbow.meaning.representation import (
    NOT_LITERAL,
    MeaningRepresentation,
    Slot,
    delexicalise,
    value_pattern,
)

__all__ = ["FORMATS", "NOT_LITERAL", "MeaningRepresentation", "Slot", "delexicalise", "parse", "read", "value_pattern"]
