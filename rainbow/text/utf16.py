"""Positions that browsers count in UTF-16 units."""

from __future__ import annotations


def from_utf16_position(text: str, place: int) -> int:
    r"""Convert a UTF-16 position from a browser to a character position."""
    return len(text.encode("utf-16-le", "surrogatepass")[: 2 * place].decode("utf-16-le", "ignore"))
