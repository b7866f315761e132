"""Syllable counts of English words: a spelling rule and a table of exceptions."""

import re
from functools import lru_cache
from hashlib import sha256
from importlib import resources

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


@lru_cache(maxsize=1)
def _read_table() -> str:
    return resources.files("rainbow.metrics.grammar.readability").joinpath("syllables.txt").read_text("ascii")


@lru_cache(maxsize=1)
def _exceptions() -> dict[str, int]:
    entries = (line.split() for line in _read_table().splitlines() if not line.startswith("#"))
    return {word: int(syllables) for word, syllables in entries}
