"""The compiled kernels, where they are there and wanted."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib import import_module
from types import ModuleType
from typing import Any

from rainbow.text.ptb import ptb_tokens
from rainbow.text.punctuation import ptb_words

__all__ = ["compiled_kernels", "encode", "kernels"]

Tokenizer = Callable[[str], Sequence[str]]


def kernels() -> ModuleType | None:
    """Give the module of compiled kernels; None where it was not built, or the environment says RAINBOW_NATIVE=0.

    Whoever asks for a kernel has a twin in Python that gives the same numbers and takes its place.

    Examples
    --------
    >>> compiled = kernels()
    >>> compiled is None or "texts" in compiled.Texts.__doc__.lower()
    True
    """
    return None if os.environ.get("RAINBOW_NATIVE") == "0" else compiled_kernels()


@lru_cache(maxsize=1)
def compiled_kernels() -> ModuleType | None:
    """Give the module of compiled kernels, wanted or not; None where it was not built."""
    try:
        return import_module("rainbow._native")
    except ImportError:
        return None


def encode(compiled: ModuleType, tokenizer: Tokenizer, texts: Sequence[str], base: Any = None) -> Any:
    """Give the tokens of texts as numbers, for the kernels.

    Parameters
    ----------
    compiled
        What :func:`kernels` gave.
    tokenizer
        :func:`rainbow.text.ptb.ptb_tokens`, :func:`rainbow.text.punctuation.ptb_words`, or a tokenizer that never
        looks across a blank: what it is told of a word once, it is not asked again.
    texts
        Any number of texts.
    base
        The vocabulary of other texts, whose numbers hold here too; it is not changed.

    Examples
    --------
    >>> compiled = kernels()
    >>> compiled is None or encode(compiled, str.split, ["a b", "b"]).words(1) == ["b"]
    True
    """
    return _tokenizer(compiled, tokenizer).encode(texts, compiled.Vocabulary(base))


@lru_cache(maxsize=64)
def _tokenizer(compiled: ModuleType, tokenizer: Tokenizer) -> Any:
    return compiled.Tokenizer(tokenizer, "ptb" if tokenizer in (ptb_tokens, ptb_words) else "blanks")
