"""Misspellings in other languages than English, by a word list, parts of contractions and elided vowels."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache

from rainbow.metrics.grammar.misspellings.spelling import read_word_list

_WORD = re.compile(r"[^\W_]+(['’]?)")
_VOWELS = "aeiou"
_MARKS = re.compile("[\u0640\u064b-\u0652\u0670]")  # Arabic vowel signs, which lists and most texts leave out


@dataclass(frozen=True)
class Spelling:
    """The spelling of a language; its methods are tokenisers."""

    language: str

    def words(self, text: str) -> list[str]:
        """Return the words of a text in lower case; an apostrophe ends a word."""
        return [word.rstrip("'’") for word in self._parts(text)]

    def misspelled(self, text: str) -> list[str]:
        """Return the misspelled words of a text in lower case, in order and with repetitions."""
        return [word.rstrip("'’") for word in self._parts(text) if not self.is_word(word)]

    def is_word(self, word: str) -> bool:
        """Return whether a word is listed, has a digit or one letter, or lacks a vowel before its apostrophe."""
        known, bare = _word_set(self.language), word.rstrip("'’")
        if bare in known or len(bare) < 2 or any(character.isdigit() for character in bare):
            return True
        return bare != word and any(bare + vowel in known for vowel in _VOWELS)

    def _parts(self, text: str) -> list[str]:
        composed = unicodedata.normalize("NFC", text)
        return [match[0] for match in _WORD.finditer(_MARKS.sub("", composed).lower())]


@cache
def _word_set(language: str) -> frozenset[str]:
    return frozenset(read_word_list(language))


@cache
def spelling(language: str) -> Spelling:
    """Return the spelling of a language, one object per language."""
    return Spelling(language)
