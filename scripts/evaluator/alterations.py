"""Alterations of a text whose kind and extent are known because they are made here.

A text is a list of words, each with the space before it. Every alteration returns the new words, how many *content
words* it took away and put in, how many words it moved, and whether what remains still follows from the text before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

WORD = re.compile(r"\s*(?:\w+(?:[.,:'’-]\w+)*|[^\w\s])")
_FUNCTION_WORDS = """
a an the of in on at to for from by with and or but as is are was were be been being it its this that these those
he she they his her their i you we there which who whom whose has have had do does did will would can could may
also so than then into about s t
"""
_FUNCTION = frozenset(_FUNCTION_WORDS.split())
_VERB_WORDS = "is are was were has have had can could will would does did may should"
_VERBS = frozenset(_VERB_WORDS.split())
_DENIALS = frozenset({"not", "never", "no", "n't"})
_LONGEST_PHRASE = 8


class Altered(NamedTuple):
    """What became of a text."""

    words: list[str]
    taken: int = 0  # content words that are gone
    added: int = 0  # content words that are new
    moved: int = 0  # words that stand elsewhere or twice
    follows: bool = True  # whether the text before entails this one


class Donors(NamedTuple):
    """Words and phrases of other texts of the same kind."""

    texts: Sequence[list[str]]
    words: Mapping[str, Sequence[str]]  # by kind: number, name or other


def words_of(text: str) -> list[str]:
    """Return words and punctuation marks, in order."""
    return WORD.findall(f" {text.strip()}")


def text_of(words: Sequence[str]) -> str:
    """Return words as a text."""
    return "".join(words).strip()


def plain(word: str) -> str:
    """Return a word without the space before it, in lower case."""
    return word.strip().lower()


def is_word(word: str) -> bool:
    """Return whether it is a word, and not a mark of punctuation."""
    return word.strip()[0].isalnum()


def is_content(word: str) -> bool:
    """Return whether a word carries meaning of its own."""
    return is_word(word) and plain(word) not in _FUNCTION


def content(words: Sequence[str]) -> int:
    """Return the number of content words."""
    return sum(map(is_content, words))


def donors(texts: Sequence[str]) -> Donors:
    """Return what texts lend to each other."""
    lists = [words_of(text) for text in texts]
    words = sorted({word for each in lists for word in each[1:] if is_content(word)})
    kinds = {kind: [word for word in words if _kind(word) == kind] for kind in ("number", "name", "other")}
    return Donors(lists, kinds)


def _kind(word: str) -> str:
    first = word.strip()[0]
    return "number" if first.isdigit() else "name" if first.isupper() else "other"


def _phrase(words: Sequence[str], rng: np.random.Generator, longest: int = _LONGEST_PHRASE) -> tuple[int, int]:
    """Return the beginning and end of a phrase, at a mark of punctuation if one is near."""
    start = int(rng.integers(len(words)))
    end = min(len(words), start + 1 + int(rng.integers(longest)))
    marks = [place for place in range(start + 1, end) if not is_word(words[place])]
    return start, marks[0] if marks and rng.random() < 0.5 else end


def delete(words: list[str], _: Donors, rng: np.random.Generator) -> Altered:
    """Take a phrase away; without a denial in it, what is left follows."""
    start, end = _phrase(words, rng)
    gone = words[start:end]
    return Altered(words[:start] + words[end:], content(gone), follows=not _DENIALS & {*map(plain, gone)})


def insert(words: list[str], lent: Donors, rng: np.random.Generator) -> Altered:
    """Put in a phrase of another text."""
    other = lent.texts[rng.integers(len(lent.texts))] or [" more"]
    start, end = _phrase(other, rng)
    place = int(rng.integers(len(words) + 1))
    return Altered(words[:place] + other[start:end] + words[place:], 0, content(other[start:end]), follows=False)


def replace(words: list[str], lent: Donors, rng: np.random.Generator) -> Altered:
    """Put another word of the same kind (number, name, other) in the place of a content word."""
    places = [place for place, word in enumerate(words) if is_content(word)]
    marked = [place for place in places if _kind(words[place]) != "other"]
    if not places:
        return Altered(words)
    place = int(rng.choice(marked if marked and rng.random() < 0.6 else places))
    word = words[place].strip()
    alike = lent.words[_kind(word)]
    if word.isdecimal() and rng.random() < 0.5:
        new = str(max(0, int(word[:9]) + int(rng.choice([-10, -2, -1, 1, 2, 5, 10, 100]))))
    else:
        new = alike[rng.integers(len(alike))].strip() if alike else word
    changed = int(new.lower() != word.lower())
    new = words[place].replace(word, new)
    return Altered([*words[:place], new, *words[place + 1 :]], changed, changed, follows=not changed)


def deny(words: list[str], _: Donors, rng: np.random.Generator) -> Altered:
    """Turn a statement into its opposite."""
    denied = [place for place, word in enumerate(words) if plain(word) in _DENIALS]
    if denied:
        place = int(rng.choice(denied))
        return Altered(words[:place] + words[place + 1 :], 1, 0, follows=False)
    verbs = [place for place, word in enumerate(words) if plain(word) in _VERBS]
    if not verbs:
        return Altered(words)
    place = int(rng.choice(verbs)) + 1
    return Altered([*words[:place], " not", *words[place:]], 0, 1, follows=False)


def exchange(words: list[str], _: Donors, rng: np.random.Generator) -> Altered:
    """Exchange two names or numbers: every word is still there, and the statement is wrong."""
    places = [place for place, word in enumerate(words) if place and is_content(word) and _kind(word) != "other"]
    if len({words[place] for place in places}) < 2:
        return Altered(words)
    first, second = sorted(rng.choice(places, 2, replace=False).tolist())
    if words[first] == words[second]:
        return Altered(words)
    new = [*words]
    new[first], new[second] = new[second], new[first]
    return Altered(new, 1, 1, follows=False)


def move(words: list[str], _: Donors, rng: np.random.Generator) -> Altered:
    """Move a phrase elsewhere."""
    start, end = _phrase(words, rng, 4)
    left = words[:start] + words[end:]
    place = int(rng.integers(len(left) + 1))
    return Altered(left[:place] + words[start:end] + left[place:], moved=(end - start) * (place != start))


def shuffle(words: list[str], _: Donors, rng: np.random.Generator) -> Altered:
    """Shuffle a stretch of words, or all of them."""
    length = max(3, int(len(words) * rng.uniform(0.2, 1.0)))
    start = int(rng.integers(max(1, len(words) - length + 1)))
    part = words[start : start + length]
    mixed = [part[place] for place in rng.permutation(len(part))]
    moved = sum(one != other for one, other in zip(part, mixed, strict=True))
    return Altered(words[:start] + mixed + words[start + length :], moved=moved)


def repeat(words: list[str], _: Donors, rng: np.random.Generator) -> Altered:
    """Say a phrase twice."""
    start, end = _phrase(words, rng, 5)
    return Altered(words[:end] + words[start:end] + words[end:], moved=end - start)


def drop_function_words(words: list[str], _: Donors, rng: np.random.Generator) -> Altered:
    """Leave articles, auxiliaries and the like out: the content stays, the grammar goes."""
    gone = {place for place, word in enumerate(words) if plain(word) in _FUNCTION and rng.random() < 0.4}
    return Altered([word for place, word in enumerate(words) if place not in gone], moved=len(gone))


ALTERATIONS: tuple[tuple[Callable[[list[str], Donors, np.random.Generator], Altered], float], ...] = (
    (delete, 0.22),
    (insert, 0.16),
    (replace, 0.24),
    (deny, 0.08),
    (exchange, 0.06),
    (move, 0.08),
    (shuffle, 0.07),
    (repeat, 0.04),
    (drop_function_words, 0.05),
)


def alter(words: list[str], lent: Donors, rng: np.random.Generator, times: int) -> Altered:
    """Return a text after a number of alterations, one after the other."""
    kinds, shares = zip(*ALTERATIONS, strict=True)
    total = Altered(words)
    for kind in rng.choice(len(kinds), times, p=np.array(shares) / sum(shares)):
        new = kinds[kind](total.words, lent, rng)
        if not new.words:
            continue
        total = Altered(
            new.words,
            total.taken + new.taken,
            total.added + new.added,
            total.moved + new.moved,
            total.follows and new.follows,
        )
    return total
