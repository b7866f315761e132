"""The tokenisers of sacrebleu, by its names for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from rainbow.text.tokens.alphanumeric import alphanumeric_tokens
from rainbow.text.tokens.mteval import mteval_tokens
from rainbow.text.tokens.ptb import ptb_tokens
from rainbow.text.tokens.punctuation import ptb_words

# These leave scripts without spaces as they are; the others split them.
BETWEEN_SPACES = ("13a", "intl")
TOKENISERS = (*BETWEEN_SPACES, "zh", "char", "ja-mecab", "ko-mecab", "flores101", "flores200")


def tokenise(name: str, texts: Sequence[str]) -> tuple[str, ...]:
    """Return lower-cased texts with blanks between the tokens of a tokeniser; ValueError if it cannot be loaded."""
    tokeniser = _load(name)
    return tuple(" ".join(tokeniser(text.lower()).split()) for text in texts)


@cache
def _load(name: str) -> Callable[[str], str]:
    from sacrebleu.metrics.bleu import BLEU

    try:
        tokeniser: Callable[[str], str] = BLEU(tokenize=name).tokenizer
    except (ImportError, RuntimeError, OSError) as error:
        raise ValueError(f"sacrebleu's tokeniser {name} cannot be loaded: {' '.join(str(error).split())}") from None
    return tokeniser


def lower_cased_words(text: str) -> list[str]:
    """Return the whitespace-separated words, lower-cased."""
    return text.lower().split()


# Tokenisers of the metrics, which leave texts that are split already as they are.
_REPLACED = frozenset({alphanumeric_tokens, mteval_tokens, ptb_tokens, ptb_words})


def tokeniser_of_split_texts(tokeniser: Callable[[str], Sequence[str]]) -> Callable[[str], Sequence[str]]:
    """Return the tokeniser for texts whose tokens are separated by blanks."""
    return lower_cased_words if tokeniser in _REPLACED else tokeniser
