"""Meaning representations: read them, compare them, and find what a text says of them."""

from rainbow.meaning.representation import (
    NOT_LITERAL,
    MeaningRepresentation,
    Slot,
    delexicalise,
    parse,
    value_pattern,
)

__all__ = ["NOT_LITERAL", "MeaningRepresentation", "Slot", "delexicalise", "parse", "value_pattern"]
