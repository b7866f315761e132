"""The tokens of mteval-v13a, the program of NIST's evaluations."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache


def mteval_tokens(text: str) -> list[str]:
    """Split a text into the tokens of mteval-v13a (sacrebleu's tokenizer 13a), lower-cased as that program does."""
    return _tokenizer()(text.lower()).split()


@lru_cache(maxsize=1)
def _tokenizer() -> Callable[[str], str]:
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    tokenizer: Callable[[str], str] = Tokenizer13a()  # type: ignore[no-untyped-call]
    return tokenizer
