"""The texts of the E2E NLG Challenge as its textual measures were computed on them, as far as the print tells.

What is here was found by comparing counts with tables 9 and 10 of Dušek et al. (2020). The paper names the tokenizer
(MorphoDiTa) and says that names were delexicalised; it does not say that three systems' outputs were repaired first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import find_spec

from rainbow.meaning import MeaningRepresentation
from rainbow.systems.textual.tokens import cased_tokens

__all__ = ["delexicalised_tokens", "published_tokens", "repaired"]

Tokenizer = Callable[[str], list[str]]
Same = Callable[[str, str], bool]

# Letters that a word has at least for its neighbours by one letter to be taken for it.
_MISSPELT = 4

# Outputs in lower case get the capitals of their sentences, but not behind a digit: "in £20-25. it is".
_SENTENCE_START = re.compile(r"(?:^|(?<=[^\d][.!?] ))[a-z]")
_REPAIRS: dict[str, Callable[[str], str]] = {
    "Adapt": lambda text: text.replace(" - ", "-"),
    "Sheff1": lambda text: text.replace(" - ", "- "),
    "TR1": lambda text: _SENTENCE_START.sub(lambda start: start[0].upper(), text),
}


def repaired(text: str, system: str) -> str:
    """Give a system's output as it was before it was measured: three systems' hyphens or capitals were changed.

    Examples
    --------
    >>> repaired("the inn is cheap. it is near x.", "TR1")
    'The inn is cheap. It is near x.'
    >>> repaired("it is cheap", "another system")
    'it is cheap'
    """
    return _REPAIRS.get(system, str)(text)


def published_tokens(text: str) -> list[str]:
    """Give MorphoDiTa's English tokens, where it is installed; else those of :func:`cased_tokens`.

    They differ in 44 of the 17,923 texts of the challenge, mostly in quotes: "The Mill'" keeps its quote there.

    Examples
    --------
    >>> published_tokens("It's a family-friendly inn.")
    ['It', "'s", 'a', 'family-friendly', 'inn', '.']
    """
    return _tokenizer()(text)


def delexicalised_tokens(tokens: Sequence[str], meaning: MeaningRepresentation) -> list[str]:
    """Give the tokens with the values of all slots as placeholders, one token each.

    A value is looked for as it is written; where that is nowhere, in other capitals; where that is nowhere, with
    words of four letters or more that differ by one letter ("Crown Plaza Hotel", "The Phoenixs").

    Examples
    --------
    >>> from rainbow.meaning import parse
    >>> meaning = parse("name[The Mill], near[Crowne Plaza Hotel]")
    >>> delexicalised_tokens("the Mill is near Crown Plaza Hotel .".split(), meaning)
    ['X-name', 'is', 'near', 'X-near', '.']
    """
    found = list(tokens)
    for slot in meaning.slots:
        value = published_tokens(slot.value)
        attempts = (_replaced(found, value, f"X-{slot.name}", same) for same in (_equal, _alike, _misspelt))
        found = next((tokens for tokens in attempts if value and tokens != found), found)
    return found


def _replaced(tokens: list[str], value: list[str], placeholder: str, same: Same) -> list[str]:
    found, place = list(tokens), 0
    while place + len(value) <= len(found):
        if all(map(same, found[place : place + len(value)], value)):
            found[place : place + len(value)] = [placeholder]
        place += 1
    return found


def _equal(word: str, other: str) -> bool:
    return word == other


def _alike(word: str, other: str) -> bool:
    return word.lower() == other.lower()


def _misspelt(word: str, other: str) -> bool:
    """Say whether two words are equal but for one letter that is another, too many or missing."""
    word, other = sorted((word.lower(), other.lower()), key=len)
    if word == other:
        return True
    if len(word) < _MISSPELT or len(other) - len(word) > 1:
        return False
    start = next((place for place, pair in enumerate(zip(word, other, strict=False)) if len(set(pair)) > 1), len(word))
    return other[start + 1 :] in {word[start:], word[start + 1 :]}


@cache
def _tokenizer() -> Tokenizer:
    if find_spec("ufal") is None or find_spec("ufal.morphodita") is None:
        return cased_tokens
    from ufal.morphodita import Forms, Tokenizer, TokenRanges

    tokenizer, forms, ranges = Tokenizer.newEnglishTokenizer(), Forms(), TokenRanges()

    def tokens(text: str) -> list[str]:
        tokenizer.setText(text)
        found: list[str] = []
        while tokenizer.nextSentence(forms, ranges):
            found += list(forms)
        return found

    return tokens
