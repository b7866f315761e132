"""Fabricated errors: texts made worse word by word, with ratings that nobody gave (Dušek et al. 2017)."""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from random import Random
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from rainbow.base.arrays import BoolArray, FloatArray, IntArray
from rainbow.corpus import Corpus
from rainbow.learned.protocols.groups import folded_text
from rainbow.metrics.contract.views import Views
from rainbow.text.words.words_and_marks import text_words

if TYPE_CHECKING:
    from rainbow.learned.training.features import Features

__all__ = ["ERRORS", "KINDS", "UNRATED", "Fabricated", "Kind", "Rule", "Scale", "Source"]
__all__ += ["allowed", "fabricated", "lowered", "scale_of", "sources_of", "with_errors", "word_drawer"]

Kind = Literal["outputs", "references", "background"]
Rule = Literal["paper", "code"]

KINDS: dict[Kind, str] = {
    "outputs": "the outputs, rated as they are",
    "references": "the references of the outputs' inputs, taken for the best there is",
    "background": "the references of further inputs, likewise",
}

# How many errors the copies of a text have; the first is the text itself.
ERRORS = (0, 1, 2, 3, 4)
# What is left as it is where there are other words.
UNTOUCHED = frozenset(["!", "?", ",", ":", ".", "the", "a", "an"])
TRIES = 100
# A scale has so many steps of which an error costs one: that from 1 to 6 has five.
STEPS = 5


class Scale(NamedTuple):
    """The ends of the scale of every rating, shape (ratings,)."""

    low: FloatArray
    high: FloatArray


# Of texts that nobody rated.
UNRATED = Scale(np.array([1.0]), np.array([6.0]))


class Source(NamedTuple):
    """A text that errors are put into, and what of a corpus it may be learned with."""

    texts: tuple[str, ...]  # as the learner reads them, the output first
    row: int  # of the corpus that it is an output or a reference of; -1 for a text of the background
    dataset: str  # of the background, empty where it is not known
    folded: str  # by this it is told from outputs that are held out
    rated: bool  # whether the row's rating is its own; else it counts as the best there is


class Fabricated(NamedTuple):
    """Sources and their copies with errors."""

    texts: dict[str, list[str]]
    sources: IntArray  # the place of each one's source
    errors: IntArray  # how many were put into it


def sources_of(corpus: Corpus, kinds: Iterable[Kind], features: Features) -> list[Source]:
    """Return the texts of a corpus that errors can be put into, of these kinds in this order."""
    made: dict[Kind, Callable[[], Iterator[Source]]] = {
        "outputs": lambda: _outputs(corpus, features),
        "references": lambda: _references(corpus, features, in_background=False),
        "background": lambda: _references(corpus, features, in_background=True),
    }
    return [source for kind in kinds for source in made[kind]() if text_words(source.texts[0])]


def _outputs(corpus: Corpus, features: Features) -> Iterator[Source]:
    texts = zip(*features.texts_of(Views.of(corpus)).values(), strict=True)
    for row, (read, output) in enumerate(zip(texts, corpus.frame["output"].tolist(), strict=True)):
        yield Source(read, row, "", folded_text(output), rated=True)


def _references(corpus: Corpus, features: Features, in_background: bool) -> Iterator[Source]:
    """Give every reference as if it were an output."""
    given = corpus.background if in_background else corpus
    if given is None:
        return
    columns = ["dataset", "mr", "references"]
    rows = list(enumerate(given.frame[columns].itertuples(index=False, name=None)))
    said = [(row, dataset, mr, text) for row, (dataset, mr, texts) in rows for text in texts]
    views = Views.of_texts([text for *_, text in said], mrs=[mr for *_, mr, _ in said])
    read = zip(*features.texts_of(views).values(), strict=True)
    for (row, dataset, _, text), texts in zip(said, read, strict=True):
        own, name = (-1, dataset) if in_background else (row, "")
        yield Source(texts, own, name, folded_text(text), rated=False)


def fabricated(sources: Sequence[Source], columns: Sequence[str], seed: int = 2017) -> Fabricated:
    """Return every source and four copies of it, with one to four errors in its first text.

    What is drawn for a text depends on the seed, on its texts, and on the words of all sources, by which words are
    drawn.

    Examples
    --------
    >>> source = Source(("xname is a cheap inn .", "inform name"), 0, "", "", rated=True)
    >>> made = fabricated([source], ["delexicalised", "input"], seed=1)
    >>> for text, errors in zip(made.texts["delexicalised"], made.errors):
    ...     print(errors, text)
    0 xname is a cheap inn .
    1 xname is is a cheap inn .
    2 xname is a a . inn .
    3 xname . is a cheap inn .
    4 . xname is is a cheap inn .
    """
    drawn = word_drawer(Counter(word for source in sources for word in text_words(source.texts[0])))
    texts: list[tuple[str, ...]] = []
    for source in sources:
        told = "\0".join((str(seed), *source.texts))
        rng = Random(told.encode("utf-8", "surrogatepass"))
        words = text_words(source.texts[0])
        texts += ((" ".join(with_errors(words, count, rng, drawn)), *source.texts[1:]) for count in ERRORS)
    by_column = zip(*texts, strict=True) if texts else ((),) * len(columns)
    return Fabricated(
        {name: list(column) for name, column in zip(columns, by_column, strict=True)},
        np.repeat(np.arange(len(sources)), len(ERRORS)),
        np.tile(ERRORS, len(sources)),
    )


def with_errors(words: Sequence[str], count: int, rng: Random, drawn: Callable[[Random], str]) -> list[str]:
    """Return words with so many errors put into them one after the other.

    A word is taken out (never the last one), said twice, said again elsewhere, has another one before it, or another
    in its place; a punctuation mark or an article is left alone where there is another word. Words may bring the blanks
    before them along.

    Examples
    --------
    >>> with_errors(["an", "inn"], 1, Random(3), lambda rng: "pub")
    ['an', 'pub']
    """
    made = list(words)
    for _ in range(count):
        place = rng.randrange(len(made))
        for _ in range(TRIES):
            if made[place].strip().lower() not in UNTOUCHED:
                break
            place = rng.randrange(len(made))
        kinds = _ERRORS if len(made) > 1 else _ERRORS[1:]
        rng.choice(kinds)(made, place, rng, drawn)
    return made


_Error = Callable[[list[str], int, Random, Callable[[Random], str]], None]


def _remove(words: list[str], place: int, rng: Random, drawn: Callable[[Random], str]) -> None:
    del words[place]


def _double(words: list[str], place: int, rng: Random, drawn: Callable[[Random], str]) -> None:
    words.insert(place, words[place])


def _repeat(words: list[str], place: int, rng: Random, drawn: Callable[[Random], str]) -> None:
    words.insert(rng.randrange(len(words) + 1), words[place])


def _insert(words: list[str], place: int, rng: Random, drawn: Callable[[Random], str]) -> None:
    words.insert(place, _other(words[place], rng, drawn))


def _replace(words: list[str], place: int, rng: Random, drawn: Callable[[Random], str]) -> None:
    words[place] = _other(words[place], rng, drawn)


_ERRORS: tuple[_Error, ...] = (_remove, _double, _repeat, _insert, _replace)


def _other(word: str, rng: Random, drawn: Callable[[Random], str]) -> str:
    """Draw another word than this; it may be this one where there is hardly another."""
    found = drawn(rng)
    for _ in range(TRIES):
        if found != word:
            break
        found = drawn(rng)
    return found


def word_drawer(counts: Mapping[str, int]) -> Callable[[Random], str]:
    """Return what draws a word, as often as it occurs and once more."""
    words = sorted(counts)
    sums = list(accumulate(counts[word] + 1 for word in words))
    return lambda rng: words[bisect(sums, rng.randrange(sums[-1]))]


def scale_of(ratings: FloatArray) -> Scale:
    """Return the lowest and the highest of ratings (n, ratings)."""
    return Scale(ratings.min(axis=0), ratings.max(axis=0))


def lowered(ratings: FloatArray, errors: IntArray, scale: Scale, rule: Rule = "paper") -> FloatArray:
    """Return what texts with errors are taken to be rated, shape (n, ratings).

    Every error costs a fifth of the scale, a mark of the usual six. A text with a rating of half a mark from the best
    or better has two marks less than the best with its first error (Dušek et al. 2017, section 3.3). Their code has no
    text with an error above that, and takes a mark for each from the rating itself (`rule` is ``code``).

    Parameters
    ----------
    ratings
        Those of the texts without errors, shape (n, ratings).
    errors
        How many each has, shape (n,).
    scale, rule
        The ends of the ratings, and which rule.

    Examples
    --------
    >>> rated, errors = np.array([[6.0], [5.5], [4.5]]), np.array([1, 2, 2])
    >>> [lowered(rated, errors, UNRATED, rule).ravel().tolist() for rule in ("paper", "code")]
    [[4.0, 3.0, 2.5], [4.0, 3.5, 2.5]]
    """
    low, high = scale
    mark, count = (high - low) / STEPS, errors[:, None]
    below = ratings - count * mark
    if rule == "code":
        worse = np.minimum(below, high - 2 * mark)
    else:
        worse = np.where(ratings >= high - mark / 2, high - (count + 1) * mark, below)
    made: FloatArray = np.where(count > 0, np.maximum(worse, low), ratings)
    return made


def allowed(sources: Sequence[Source], rows: IntArray, datasets: Sequence[str], outputs: Sequence[str]) -> BoolArray:
    """Return which sources may be learned with the rows of a corpus: they tell nothing of those held out.

    A source must belong to one of the rows (one of the background to one of their datasets, where it has one), and
    must not say what an output that is held out says.

    Parameters
    ----------
    rows
        The positions of the rows that are learned from.
    datasets, outputs
        Of all rows of the corpus: the dataset, and the output as :func:`folded_text` has it.
    """
    taken = set(rows.tolist())
    known = {"", *(datasets[row] for row in taken)}
    held = {text for row, text in enumerate(outputs) if row not in taken}
    return np.array(
        [
            (source.row in taken if source.row >= 0 else source.dataset in known) and source.folded not in held
            for source in sources
        ],
        dtype=bool,
    )
