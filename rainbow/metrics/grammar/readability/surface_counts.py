"""Surface counts of English texts: characters, words and syllables, by a spelling rule and a table of exceptions."""

import math
import re
from functools import cache
from hashlib import sha256
from importlib import resources
from typing import NamedTuple

from rainbow.base.caching import cache_by_size
from rainbow.text.tokens.folding import fold_text

_NOT_LETTERS = re.compile(r"[^a-z]+")
_VOWELS = re.compile(r"[aeiouy]+")
_ING_AFTER_VOWEL = re.compile(r"(?<=[aeiouy])ing$")
_SYLLABIC_L = re.compile(r"(?<=[bcdfghjkmnpqstvwxz])le[sd]?$")
_SILENT_E = re.compile(
    r"(?<![tde])ed$ | (?<![aeiouyscxzgh])es$ | (?<=.)e(?=(?:ly|ness|less|ments?|ful(?:ly)?)$)", re.VERBOSE
)


@cache_by_size(1 << 20)
def count_syllables(word: str) -> int:
    """Count the syllables of an English word, by the exception table or `syllables_by_rule`."""
    letters = _NOT_LETTERS.sub("", fold_text(word))
    return _exceptions().get(letters) or syllables_by_rule(letters)


def syllables_by_rule(word: str) -> int:
    """Count the syllables of an English word from its spelling, as runs of vowel letters."""
    stem, suffixes = _ING_AFTER_VOWEL.subn("", word)
    if not suffixes:
        stem, suffixes = _SYLLABIC_L.subn("", word)
    if not suffixes:
        stem = _SILENT_E.sub("", word)
        if stem.endswith("e") and _VOWELS.search(stem, 0, len(stem) - 1):
            stem = stem[:-1]
    runs = len(_VOWELS.findall(stem)) + suffixes
    return runs or int(_VOWELS.search(word) is not None)


def table_digest() -> str:
    """Return the first 12 digits of the SHA-256 of the exception table."""
    return sha256(_read_table().encode()).hexdigest()[:12]


@cache
def _read_table() -> str:
    return resources.files("rainbow.metrics.grammar.readability").joinpath("syllables.txt").read_text("ascii")


@cache
def _exceptions() -> dict[str, int]:
    entries = (line.split() for line in _read_table().splitlines() if not line.startswith("#"))
    return {word: int(syllables) for word, syllables in entries}


POLYSYLLABLE = 3  # syllables from which a word counts as polysyllabic

_LETTERS = b"abcdefghijklmnopqrstuvwxyz"
_DIGITS = b"0123456789"
_BLANKS = b" \t\n\r\v\f"
_SEPARATORS = b"\x1c\x1d\x1e\x1f"  # str.split() takes these four for blanks, bytes.split() does not
_NOT_CHARACTERS = bytes(set(range(128)) - set(_LETTERS + _DIGITS + b"'"))
_NOT_WORDS = bytes(set(range(128)) - set(_LETTERS + _DIGITS + _BLANKS + _SEPARATORS))
_TO_BLANKS = bytes.maketrans(_DIGITS + _SEPARATORS, b" " * len(_DIGITS + _SEPARATORS))


class SurfaceCounts(NamedTuple):
    """Counts of one text."""

    characters: int  # letters a to z, digits and apostrophes (len)
    words: int  # whatever blanks separate, numbers and free-standing punctuation included (wps)
    lettered_words: int  # words that are left once digits are blanks and punctuation is deleted
    syllables: int  # syllables of the lettered words (sps)
    polysyllables: int  # lettered words of three syllables or more (pol)

    @property
    def reading_ease(self) -> float:
        """Flesch reading ease (RE), ``206.835 - 1.015 W - 84.6 S / W`` for S syllables in W lettered words."""
        return 206.835 - 1.015 * self.lettered_words - 84.6 * (self.syllables / (self.lettered_words or math.nan))

    def measures(self, reading_ease: float) -> tuple[float, ...]:
        """Return reading ease, counts, and their ratios to the words; NaN without a word."""
        words = self.words or math.nan
        syllables, long = self.syllables, self.polysyllables
        by_word = self.characters / words, syllables / words, long / words
        return reading_ease, self.characters, by_word[0], self.words, syllables, by_word[1], long, by_word[2]


def count_surface(text: str) -> SurfaceCounts:
    """Count the characters, words and syllables of one text, in linear time."""
    plain = _to_ascii(text)
    words = plain.translate(_TO_BLANKS, _NOT_WORDS).decode().split()
    syllables = [count_syllables(word) for word in words]
    return SurfaceCounts(
        characters=len(plain.translate(None, _NOT_CHARACTERS)),
        words=len(text.split()),
        lettered_words=len(words),
        syllables=sum(syllables),
        polysyllables=sum(number >= POLYSYLLABLE for number in syllables),
    )


def _to_ascii(text: str) -> bytes:
    folded = fold_text(text)
    if not folded.isascii():
        folded = " ".join(folded.split())  # blanks beyond ASCII would vanish and join two words
    return folded.encode("ascii", "ignore")
