"""Tokens of mteval-v13a, the scorer of the NIST evaluations."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache


def mteval_tokens(text: str) -> list[str]:
    """Return the lower-cased tokens of mteval-v13a (sacrebleu's tokenizer 13a)."""
    return _tokenizer()(text.lower()).split()


@lru_cache(maxsize=1)
def _tokenizer() -> Callable[[str], str]:
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    tokenizer: Callable[[str], str] = Tokenizer13a()  # type: ignore[no-untyped-call]
    return tokenizer
