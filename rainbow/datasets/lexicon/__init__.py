"""Words in column names, and features of names."""

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


def remove_accents(name: str) -> str:
    """Return a name without accents."""
    letters = unicodedata.normalize("NFKD", name.translate(_LETTERS))
    return unicodedata.normalize("NFC", "".join(letter for letter in letters if not unicodedata.combining(letter)))


@lru_cache(maxsize=4096)
def split_name(name: str) -> tuple[str, ...]:
    """Return the lower-cased words of a column name; two that name a metric are joined."""
    words: list[str] = []
    for part in _PARTS.findall(remove_accents(bare_name(name))):
        both = words[-1] + part.lower() if words else ""
        words[-1:] = [both] if both in read_lexicon()["score"] else [*words[-1:], part.lower()]
    return tuple(words)


@cache
def read_lexicon() -> dict[str, frozenset[str]]:
    """Return the words of each class."""
    text = files("rainbow.datasets.lexicon").joinpath("lexicon.toml").read_text(encoding="utf-8")
    return {name: frozenset(words.split()) for name, words in tomllib.loads(text).items()}


@cache
def _class_stems() -> dict[str, tuple[str, ...]]:
    return {name: tuple(word[:-1] for word in words if word.endswith("-")) for name, words in read_lexicon().items()}


@lru_cache(maxsize=8192)
def word_classes(word: str) -> frozenset[str]:
    """Return the lexicon classes of a word, ignoring trailing digits."""
    forms = {word, word.rstrip("0123456789")}
    result = {name for name, words in read_lexicon().items() if words & (forms if name != "score" else {word})}
    if bare := word.rstrip("0123456789"):
        result |= {name for name, stems in _class_stems().items() if stems and bare.startswith(stems)}
    return frozenset(result)


def has_word_class(name: str, *classes: str) -> bool:
    """Return whether any word of the name belongs to one of these classes."""
    return any(not word_classes(word).isdisjoint(classes) for word in split_name(name))


@lru_cache(maxsize=4096)
def name_features(name: str) -> FloatArray:
    """Return features of a name, shape (width,): word classes, flags, hashed character n-grams."""
    words = split_name(name) or ("",)
    kinds = list(read_lexicon())
    of_words = [word_classes(word) for word in words]
    whole = re.sub(r"\W+", "_", remove_accents(bare_name(name))).strip("_").lower()
    flags: list[float] = [
        *(any(kind in results for results in of_words) for kind in kinds),
        *(kind in of_words[-1] for kind in kinds),
        *(kind in of_words[0] for kind in kinds),
        *(whole in read_lexicon()[kind] for kind in kinds),
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


def is_quality_name(name: str) -> bool:
    """Return whether a name says what is measured, and so which direction is better."""
    whole = re.sub(r"\W+", "_", remove_accents(bare_name(name))).strip("_").lower()
    return (
        has_word_class(name, "score", "rating", "fault", "lower_is_better", "quality_noun")
        or whole in read_lexicon()["score"]
    )


def is_human_written(name: str) -> bool:
    """Return whether a name says that the texts are written by people."""
    return any(word.startswith(_class_stems()["people"]) for word in split_name(name))


ROLE_CLASSES = ("score", "reference", "output", "rater", "system", "rating", "input", "item", "meta")


def role_by_name(name: str) -> str | None:
    """Return the role suggested by a name alone: the class of its last classified word."""
    words = split_name(name)
    if words[-1:] in (("id",), ("ids",), ("idx",), ("index",)) and len(words) > 1:
        return next((role for role in ("rater", "system") if has_word_class(name, role)), "item")
    for word in reversed(words):
        if result := next((role for role in ROLE_CLASSES if role in word_classes(word)), None):
            return result
    return None
