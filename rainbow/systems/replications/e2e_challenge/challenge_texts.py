"""Texts of the E2E NLG Challenge as prepared for its textual measures.

The paper names the tokenizer (MorphoDiTa) and says that names were delexicalised. That texts were mended first, and
that names were also found with letters wrong, was seen by giving its script texts and looking at what it made of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import find_spec

from rapidfuzz.distance import Indel

from rainbow.meaning import MeaningRepresentation
from rainbow.text.tokens import Tokenizer
from rainbow.text.tokens.cased_tokens import cased_tokens
from rainbow.text.tokens.folding import fold_text

# Gives how many tokens, from the first on, are a value; 0 if they are not.
Matcher = Callable[[Sequence[str], Sequence[str]], int]

_HYPHEN_APART = re.compile(
    r"(?:(?<=\bnon) - |(?<=\btake) - (?=away\b)|(?<=\w) - (?=(?:friendly|priced|star)\b)"
    r"|(?:(?<=\bhigh)|(?<=\blight)|(?<=\blow)|(?<=\bmedium)|(?<=\bmid)) - (?=(?:range|price|cost)\b))"
    r"(?=[\w-]+(?:\s|$))"
)
# Not behind a digit: "in £20-25. it is".
_SENTENCE_START = re.compile(r"(^|[^\d\s] ?\. )([a-z])")

# Words that may be missing from a name or added to it; "The" is one.
_FILLERS = frozenset([",", "'s", "and", "in", "of", "or", "restaurant", "the", "to"])
# Letters that may be missing or too many in a word of a name; one that is another is both.
_MAX_EDITS = 2


def challenge_tokens(text: str, meaning: MeaningRepresentation | None) -> list[str]:
    """Return the delexicalised tokens of a text as the challenge computed them."""
    tokens = published_tokens(repair_text(text))
    return tokens if meaning is None else delexicalised_tokens(tokens, meaning)


def repair_text(text: str) -> str:
    """Return a text with some hyphenated words rejoined and sentences capitalised."""
    return _SENTENCE_START.sub(lambda start: start[1] + start[2].upper(), _HYPHEN_APART.sub("-", text))


def published_tokens(text: str) -> list[str]:
    """Return MorphoDiTa's English tokens if installed, else those of :func:`cased_tokens`."""
    return list(_tokenizer()(text))


def delexicalised_tokens(tokens: Sequence[str], meaning: MeaningRepresentation) -> list[str]:
    """Return the tokens with all slot values replaced by placeholders, longest values first."""
    results = list(tokens)
    for slot in sorted(meaning.slots, key=lambda slot: -len(slot.value)):
        value = published_tokens(slot.value)
        for matcher in (_match_exact, _match_folded, _match_misspelt):
            results = _replace_value(results, value, f"X-{slot.name}", matcher)
    return results


def _replace_value(tokens: Sequence[str], value: Sequence[str], placeholder: str, matcher: Matcher) -> list[str]:
    results: list[str] = []
    place = 0
    while place < len(tokens):
        taken = matcher(tokens[place:], value)
        results.append(placeholder if taken else tokens[place])
        place += taken or 1
    return results


def _match_exact(tokens: Sequence[str], value: Sequence[str]) -> int:
    return len(value) if tokens[: len(value)] == value else 0


def _match_folded(tokens: Sequence[str], value: Sequence[str]) -> int:
    return _match_exact([fold_text(token) for token in tokens[: len(value)]], [fold_text(word) for word in value])


def _match_misspelt(tokens: Sequence[str], value: Sequence[str]) -> int:
    place = 0
    for number, word in enumerate(map(fold_text, value)):
        if word not in _FILLERS:
            # No name takes along short words before one that it begins with itself.
            while number and place < len(tokens) and fold_text(tokens[place]) in _FILLERS:
                place += 1
            if place == len(tokens) or Indel.distance(fold_text(tokens[place]), word) > _MAX_EDITS:
                return 0
            place += 1
    return place


@cache
def _tokenizer() -> Tokenizer:
    if find_spec("ufal") is None or find_spec("ufal.morphodita") is None:
        return cased_tokens
    from ufal.morphodita import Forms, Tokenizer, TokenRanges

    tokenizer, forms, ranges = Tokenizer.newEnglishTokenizer(), Forms(), TokenRanges()

    def tokens(text: str) -> list[str]:
        tokenizer.setText(text)
        results: list[str] = []
        while tokenizer.nextSentence(forms, ranges):
            results += list(forms)
        return results

    return tokens
