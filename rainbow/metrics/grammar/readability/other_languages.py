"""Surface counts in other languages than English, with the hyphenation points of pyphen as syllable boundaries.

A word is whatever blanks separate; its syllables are counted without punctuation and digits, as textstat does.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from rainbow.base.caching import cache_by_size
from rainbow.base.fingerprint import file_sha256
from rainbow.metrics.grammar.readability.surface_counts import POLYSYLLABLE, SurfaceCounts
from rainbow.text.languages.detection import LANGUAGES, UNSPACED, languages_with

if TYPE_CHECKING:
    import regex
    from pyphen import Pyphen


class ReadingEase(NamedTuple):
    """Constants of a reading-ease formula of the form of Flesch's, for an output of one sentence."""

    constant: float
    per_word: float
    per_syllable: float  # per mean number of syllables of a word

    def score(self, counts: SurfaceCounts) -> float:
        """Return the reading ease; NaN without a word."""
        words = counts.lettered_words or math.nan
        return self.constant - self.per_word * words - self.per_syllable * counts.syllables / words


# Amstad (1978), Fernández Huerta (1959), Kandel and Moles (1958), Franchina and Vacca (1986), Douma (1960) and
# Oborneva (2006), with the constants of textstat.
READING_EASE: Mapping[str, ReadingEase] = MappingProxyType(
    {
        "de": ReadingEase(180, 1, 58.5),
        "es": ReadingEase(206.84, 1.02, 60.0),
        "fr": ReadingEase(207, 1.015, 73.6),
        "it": ReadingEase(217, 1.3, 60.0),
        "nl": ReadingEase(206.835, 0.93, 77),
        "ru": ReadingEase(206.835, 1.3, 60.1),
    }
)
# Languages with an alphabet that pyphen has hyphenation patterns for.
HYPHENATED = languages_with("hyphenation")
SPACED = frozenset(LANGUAGES) - UNSPACED
_PATTERNS = {"no": "nb"}  # name of the patterns, where it is not the code


@cache
def counter(language: str) -> WordCounter:
    """Return the counter of a language, one object per language."""
    return WordCounter(language)


class WordCounter:
    """Counts characters, words and syllables of texts in a language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._hyphenation = _hyphenation(language) if language in HYPHENATED else None
        self._syllables = cache_by_size(1 << 20)(self._count_syllables)

    def count(self, text: str) -> SurfaceCounts:
        """Count one text; the syllables are 0 if pyphen has no patterns for the language."""
        words = _patterns()["digits"].sub(" ", text.lower()).split()
        lettered = [letters for word in words if (letters := _patterns()["other"].sub("", word))]
        syllables = [self._syllables(word) for word in lettered] if self._hyphenation else []
        return SurfaceCounts(
            characters=len(_patterns()["character"].findall(text)),
            words=len(text.split()),
            lettered_words=len(lettered),
            syllables=sum(syllables),
            polysyllables=sum(number >= POLYSYLLABLE for number in syllables),
        )

    def _count_syllables(self, word: str) -> int:
        return len(self._hyphenation.positions(word)) + 1 if self._hyphenation else 0


def _hyphenation(language: str) -> Pyphen:
    from pyphen import Pyphen

    return Pyphen(lang=_PATTERNS.get(language, language))


@cache
def hyphenation_digest(language: str) -> str:
    """Return the first 12 digits of the SHA-256 of the hyphenation patterns of a language."""
    from pyphen import LANGUAGES as FILES

    return file_sha256(Path(FILES[_PATTERNS.get(language, language)]))[:12]


@cache
def _patterns() -> dict[str, regex.Pattern[str]]:
    import regex

    patterns = {"digits": r"\d+", "other": r"[^\p{L}\p{M}]+", "character": r"[\p{L}\p{M}\p{N}'’]"}
    return {name: regex.compile(pattern) for name, pattern in patterns.items()}
