"""Misspellings by word lists: in English with rules of British spelling, in other languages with elided vowels."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container
from dataclasses import dataclass
from functools import cache

from rainbow.base.caching import cache_by_size
from rainbow.base.fingerprint import fingerprint
from rainbow.text.languages.detection import ENGLISH
from rainbow.text.tokens.folding import fold_text

# Of their running words, at most 9 % are unknown (`python -m benchmarks.word_lists`); Basque could not be measured.
WELL_LISTED = frozenset({"ar", "de", "en", "fr", "it", "lv", "nl", "pt"})


@cache
def word_list_fingerprint(language: str) -> str:
    """Return a fingerprint of a word list, equal for pyspellchecker releases with equal words."""
    return fingerprint(read_word_list(language))


@cache
def read_word_list(language: str) -> list[str]:
    """Return the words of a language, in order."""
    from spellchecker import SpellChecker

    return sorted(SpellChecker(language=language, distance=1).word_frequency.dictionary)


_TOKEN = re.compile(r"['’]?[^\W_]+(?:['’][^\W_]+)*")
_CLITIC = re.compile(r"(?:n't|'(?:s|m|d|re|ve|ll))$")
_BRITISH = (
    (re.compile(r"our"), "or"),
    (re.compile(r"(?<=[bt])re(?=s?$)"), "er"),
    (re.compile(r"(?<=[bt])red$"), "ered"),
    (re.compile(r"(?<=..[iy])s(?=(?:e[drs]?|ers|ing)$|ation)"), "z"),
)


def misspelled_stems(text: str) -> list[str]:
    """Return the :func:`stems` of all misspelled words of a text."""
    return [_stem(token) for token in _tokens(text) if not _is_word(token)]


def stems(text: str) -> list[str]:
    """Return the words of a text in lower case, without accents, possessives and contracted verbs."""
    return [_stem(token) for token in _tokens(text)]


def _tokens(text: str) -> list[str]:
    # Composed, because a combining accent of its own would end the token.
    matches: list[str] = _TOKEN.findall(text if text.isascii() else unicodedata.normalize("NFC", text))
    return [token if _CLITIC.fullmatch(fold_text(token)) else token.lstrip("'’") for token in matches]


def _stem(token: str) -> str:
    return _CLITIC.sub("", fold_text(token))


@cache_by_size(1 << 20)
def _is_word(token: str) -> bool:
    word, stem = fold_text(token), _stem(token)
    return word in _word_list() or stem in _word_list() or is_accepted_by_rule(stem)


def is_accepted_by_rule(stem: str) -> bool:
    """Return whether an unlisted word is valid: one letter, with a digit, or British spelling."""
    if len(stem) < 2 or any(character.isdigit() for character in stem):
        return True
    return any(new in _word_list() for new in _american_spellings(stem))


def _american_spellings(word: str) -> list[str]:
    return [pattern.sub(spelling, word) for pattern, spelling in _BRITISH]


@cache
def _word_list() -> Container[str]:
    return frozenset(word if word.isascii() else fold_text(word) for word in read_word_list(ENGLISH))


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
