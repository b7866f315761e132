"""The words in the name of a column, and features of them."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from functools import cache, lru_cache
from importlib.resources import files
from zlib import crc32

import numpy as np

from rainbow.base.arrays import FloatArray

BUCKETS = 512  # of hashed character n-grams
NGRAMS = (3, 4, 5)
_LETTERS = str.maketrans({"ł": "l", "Ł": "L", "ß": "ss", "ø": "o", "°": "o"})
_PARTS = re.compile(r"[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+|[^\W\d_]+")
_PLATFORM = re.compile(r"^(Input|Answer|data|fields)\.|^(INPUT|OUTPUT):")  # prefixes of crowdsourcing platforms
_SCALE = re.compile(r"\([^\W\d]+ ?/ ?[^\W\d]+\)$|/ ?\d+$|\(?\b\d+ ?(?:-|\u2013|to|bis|a|à) ?\d+\)?$|\(\d.*\d.*\)$")
_FLAGS: tuple[re.Pattern[str], ...] = tuple(
    map(re.compile, (r"\?", r"\d$", r"^Input\.|^INPUT:", r"^Answer\.|^OUTPUT:", r"\.\d+(\.|$)", r"\.", r"^[A-Z]", r" "))
)


def bare_name(name: str) -> str:
    """Return the name of a column without the prefix of a crowdsourcing platform."""
    return _PLATFORM.sub("", name)


def without_accents(name: str) -> str:
    """Return a name in plain letters."""
    letters = unicodedata.normalize("NFKD", name.translate(_LETTERS))
    return unicodedata.normalize("NFC", "".join(letter for letter in letters if not unicodedata.combining(letter)))


@lru_cache(maxsize=4096)
def words_of(name: str) -> tuple[str, ...]:
    """Return the words of a column's name in lower case; two that name a metric together are one."""
    words: list[str] = []
    for part in _PARTS.findall(without_accents(bare_name(name))):
        both = words[-1] + part.lower() if words else ""
        words[-1:] = [both] if both in lexicon()["score"] else [*words[-1:], part.lower()]
    return tuple(words)


@cache
def lexicon() -> dict[str, frozenset[str]]:
    """Return the words of each class."""
    text = files("rainbow.datasets.lexicon").joinpath("lexicon.toml").read_text(encoding="utf-8")
    return {name: frozenset(words.split()) for name, words in tomllib.loads(text).items()}


@cache
def _stems() -> dict[str, tuple[str, ...]]:
    return {name: tuple(word[:-1] for word in words if word.endswith("-")) for name, words in lexicon().items()}


@lru_cache(maxsize=8192)
def classes_of(word: str) -> frozenset[str]:
    """Return the classes of the lexicon that a word belongs to, with or without digits at its end."""
    forms = {word, word.rstrip("0123456789")}
    found = {name for name, words in lexicon().items() if words & (forms if name != "score" else {word})}
    if bare := word.rstrip("0123456789"):
        found |= {name for name, stems in _stems().items() if stems and bare.startswith(stems)}
    return frozenset(found)


def says(name: str, *classes: str) -> bool:
    """Return whether a word of the name belongs to one of these classes."""
    return any(not classes_of(word).isdisjoint(classes) for word in words_of(name))


@lru_cache(maxsize=4096)
def name_features(name: str) -> FloatArray:
    """Return features of a name, shape (width,): classes of its words, flags, hashed character n-grams."""
    words = words_of(name) or ("",)
    kinds = list(lexicon())
    of_words = [classes_of(word) for word in words]
    whole = re.sub(r"\W+", "_", without_accents(bare_name(name))).strip("_").lower()
    flags: list[float] = [
        *(any(kind in found for found in of_words) for kind in kinds),
        *(kind in of_words[-1] for kind in kinds),
        *(kind in of_words[0] for kind in kinds),
        *(whole in lexicon()[kind] for kind in kinds),
        *(pattern.search(name) is not None for pattern in _FLAGS),
        _SCALE.search(name.strip()) is not None,
        "id" in words[-1:] or words[0] == "id",
        len(whole) < 3,
        min(len(words), 8) / 4,
    ]
    hashed = np.zeros(BUCKETS)
    text = f" {' '.join(words)} "
    for size in NGRAMS:
        for place in range(len(text) - size + 1):
            hashed[crc32(text[place : place + size].encode()) % BUCKETS] = 1.0
    return np.concatenate([np.array(flags, dtype=float), hashed])


def names_a_quality(name: str) -> bool:
    """Return whether a name says what is measured, and so in which direction."""
    whole = re.sub(r"\W+", "_", without_accents(bare_name(name))).strip("_").lower()
    return says(name, "score", "rating", "fault", "lower_is_better", "quality_noun") or whole in lexicon()["score"]


def people_wrote(name: str) -> bool:
    """Return whether a name says that people wrote this."""
    return any(word.startswith(_stems()["people"]) for word in words_of(name))


ROLE_CLASSES = ("score", "reference", "output", "rater", "system", "rating", "input", "item", "meta")


def role_by_name(name: str) -> str | None:
    """Return what the name alone says that a column holds: the class of the last word that has one."""
    words = words_of(name)
    if words[-1:] in (("id",), ("ids",), ("idx",), ("index",)) and len(words) > 1:
        return next((role for role in ("rater", "system") if says(name, role)), "item")
    for word in reversed(words):
        if found := next((role for role in ROLE_CLASSES if role in classes_of(word)), None):
            return found
    return None
