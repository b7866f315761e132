"""Verbal rating scales: common scales, degrees of one adjective, good and bad."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from importlib.resources import files

from rainbow.datasets.lexicon import remove_accents

_WORDS = tomllib.loads(files("rainbow.datasets.lexicon").joinpath("scales.toml").read_text(encoding="utf-8"))
GRADED = ("n", "i", "p", "c")  # no answer, incorrect, partly, correct: what Inspect's scorers write
_SCALES = (*(tuple(scale.split("<")) for scale in _WORDS["usual"]), GRADED)
_MAX_WORDS = 100  # different words


def _value_by_word(kind: str) -> dict[str, float]:
    return {word: float(value) for value, words in _WORDS[kind].items() for word in words.split("|")}


_DEGREES, _GOOD, _EXTENT = map(_value_by_word, ("degrees", "quality", "extent"))
_PLAIN = 2.5  # the value of a word without a degree
_MIDDLE = re.compile(r"neutra?l?|neutr[eoa]|neutraal|neither.*|so-so|undecided|unsure|mixed")
_WRONG = {"wrong": "right", "falsch": "richtig", "faux": "vrai", "falso": "vero", "fout": "goed"}
_WRONG |= {"different": "similar"}
_WHOLLY = {"identical": "completely similar"}  # one word for a degree
_OPPOSITE = re.compile(r"^(?:un|in|im|ir|dis|des|on)(?P<word>\w{3,})")
_YES = frozenset(["yes", "ja", "oui", "si", "sim", "tak"])
_NO = frozenset(["no", "nein", "non", "nee", "nao", "nie", "nej"])


def detect_scale(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the words of a rating scale, worst first; empty if the cells are not a scale."""
    labels = Counter(text.strip().casefold() for text in texts)
    if not 2 <= len(labels) <= _MAX_WORDS:
        return ()
    known = {scale: sum(labels[word] for word in scale) for scale in _SCALES}
    fitting = [scale for scale, count in known.items() if count >= 0.9 * len(texts)]
    best = min(fitting, key=lambda scale: (-known[scale], len(scale)), default=())
    if {*labels} <= {*best}:
        return best
    values = {word: _word_value(word) for word in labels}
    known_words = [word for word, value in values.items() if value is not None]
    if sum(labels[word] for word in known_words) >= 0.9 * len(texts):  # a slip or two say nothing
        values = {word: values[word] for word in known_words}
    # All words on a scale of their own come before most of the words on a usual one.
    return (
        _sort_words(_degree_values(labels))
        or _sort_words(values)
        or _sort_words(_extent_values(labels))
        or _three_point_scale(labels)
        or best
    )


def _sort_words(values: dict[str, float | None]) -> tuple[str, ...]:
    """Return at least three words sorted by value; empty if values are missing or tied."""
    known = {word: value for word, value in values.items() if value is not None}
    whole = len(known) == len(values) == len({*known.values()}) > 2
    return tuple(sorted(known, key=lambda word: known[word])) if whole else ()


def _degree_values(labels: Iterable[str]) -> dict[str, float | None]:
    """Return the values of degrees of one adjective, e.g. "very unnatural" to "natural"."""
    plain = {word: remove_accents(word) for word in labels}
    middle = [word for word, text in plain.items() if _MIDDLE.fullmatch(text)]
    parts = {word: _split_degree(text) for word, text in plain.items() if word not in middle}
    adjectives = {adjective for _, adjective in parts.values()}
    result: dict[str, float | None] = dict.fromkeys(middle, 0.0)
    of = set()
    for word, (degree, adjective) in parts.items():
        opposite = _WRONG.get(adjective) or _OPPOSITE.sub(r"\g<word>", adjective)
        if opposite in adjectives and opposite != adjective and degree is not None:
            degree, adjective = -degree, opposite
        result[word] = degree
        of.add(adjective)
    return result if len(of) == 1 else {}


def _split_degree(text: str) -> tuple[float | None, str]:
    """Return the value of a degree and its adjective; None if it is not a degree."""
    degree, _, adjective = _WHOLLY.get(text, text).rpartition(" ")
    return (_DEGREES.get(degree) if degree else _PLAIN), adjective


def _word_value(text: str) -> float | None:
    """Return how positive a word is, adjusted for its degree; None for unknown words."""
    if _MIDDLE.fullmatch(text):
        return 0.0
    degree, adjective = _split_degree(remove_accents(text))
    value = _GOOD.get(adjective)
    if value is None or degree is None:
        return None
    return -value if degree == _DEGREES["not"] else value * (1 + (degree - _PLAIN) / 4)


def _extent_values(labels: Iterable[str]) -> dict[str, float | None]:
    """Return the values of extents, e.g. "yes, completely" and "only in part"."""
    plain = {word: remove_accents(word) for word in labels}
    return {word: _EXTENT.get(text, _EXTENT.get(text.rpartition(", ")[2])) for word, text in plain.items()}


def _three_point_scale(labels: Iterable[str]) -> tuple[str, ...]:
    """Return no, one word in between, and yes; empty for other words."""
    words = {word: remove_accents(word) for word in labels}
    no, yes = ([word for word, plain in words.items() if plain in known] for known in (_NO, _YES))
    other = [word for word in words if word not in (*no, *yes)]
    return (no[0], other[0], yes[0]) if len(no) == len(yes) == len(other) == 1 else ()
