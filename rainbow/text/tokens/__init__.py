"""Tokenizers, one per reference tool."""

from collections.abc import Callable, Sequence

__all__ = ["Tokenizer", "Tokens"]

Tokens = Sequence[str]
Tokenizer = Callable[[str], Tokens]
