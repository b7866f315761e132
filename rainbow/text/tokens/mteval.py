"""Tokens of mteval-v13a and v14, the scorers of the NIST evaluations."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache


def mteval_tokens(text: str) -> list[str]:
    """Return the lower-cased tokens of mteval-v13a (sacrebleu's tokenizer 13a)."""
    return _tokenizer()(text.lower()).split()


def international_tokens(text: str) -> list[str]:
    """Return the lower-cased tokens of mteval-v14 for any language (sacrebleu's tokenizer intl)."""
    return _international_tokenizer()(text.lower()).split()


@lru_cache(maxsize=1)
def _tokenizer() -> Callable[[str], str]:
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    tokenizer: Callable[[str], str] = Tokenizer13a()  # type: ignore[no-untyped-call]
    return tokenizer


@lru_cache(maxsize=1)
def _international_tokenizer() -> Callable[[str], str]:
    from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International

    tokenizer: Callable[[str], str] = TokenizerV14International()  # type: ignore[no-untyped-call]
    return tokenizer
