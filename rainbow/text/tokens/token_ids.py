"""Token IDs for the compiled kernels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from rainbow.base.native import compiled
from rainbow.text.tokens import Tokenizer
from rainbow.text.tokens.ptb import ptb_parts, ptb_tokens
from rainbow.text.tokens.punctuation import ptb_words

# They look across some blanks, which the kernels know.
PTB: tuple[Tokenizer, ...] = (ptb_tokens, ptb_parts, ptb_words)


def encode_tokens(
    tokenizer: Tokenizer, texts: Sequence[str], base: compiled.Vocabulary | None = None
) -> compiled.Texts:
    """Return the tokens of texts as integer IDs for the kernels."""
    return _compiled_tokenizer(tokenizer).encode(texts, compiled.Vocabulary(base))


@lru_cache(maxsize=64)
def _compiled_tokenizer(tokenizer: Tokenizer) -> compiled.Tokenizer:
    return compiled.Tokenizer(tokenizer, "ptb" if tokenizer in PTB else "blanks")
