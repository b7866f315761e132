"""A bigram model of word classes, independent of topic."""

from __future__ import annotations

import hashlib
import json
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from rainbow.base.caching import cache_by_size
from rainbow.text.ngrams.kneser_ney import KneserNey

TABLE = Path(__file__).with_name("class_bigrams.json")

# Rare words are classified by their ending; the first match counts.
ENDINGS = ("ing", "ed", "ly", "tion", "ment", "ness", "er", "al", "ive", "ous", "ity", "s", "y", "e")
STEM = 3  # letters before the ending, at least
CAPITALISED, NUMBER, OTHER = "<Name>", "<number>", "<word>"

_TOKEN = re.compile(r"\w+(?:['’-]\w+)*|[^\w\s]")


class ClassBigrams(NamedTuple):
    """A bigram model of word classes, the words that form their own class, and a digest."""

    model: KneserNey
    common: frozenset[str]
    digest: str


@cache
def load_class_bigrams() -> ClassBigrams:
    """Return the model shipped with the package (`scripts/make_class_bigrams.py`)."""
    content = TABLE.read_bytes()
    data = json.loads(content)
    digest = hashlib.sha256(content).hexdigest()[:12]
    return ClassBigrams(KneserNey.from_json(data["model"]), frozenset(data["common"]), digest)


def class_tokens(text: str) -> list[str]:
    """Return the classes of the words and punctuation marks of a text."""
    return token_classes(text, load_class_bigrams().common)


def token_classes(text: str, common: frozenset[str]) -> list[str]:
    """Return the class of each word of a text, independent of its context."""
    return [_token_class(token, common) for token in _TOKEN.findall(text)]


@cache_by_size(1 << 20)
def _token_class(token: str, common: frozenset[str]) -> str:
    lower = token.lower()
    if lower in common or not any(map(str.isalnum, token)):
        return lower
    if any(map(str.isdigit, token)):
        return NUMBER
    if token[0].isupper():
        return CAPITALISED
    ending = next((end for end in ENDINGS if lower.endswith(end) and len(lower) >= len(end) + STEM), None)
    return f"<-{ending}>" if ending else OTHER
