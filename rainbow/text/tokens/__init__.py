"""Texts as tokens, as each tool splits them."""

from collections.abc import Callable, Sequence

__all__ = ["Tokenizer", "Tokens"]

Tokens = Sequence[str]
Tokenizer = Callable[[str], Tokens]
