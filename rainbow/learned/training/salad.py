"""Sentences and word salad, to be told from one another: of several kinds, and what a search finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from rainbow.audit.climbing import EDITS
from rainbow.audit.search import domain_words, search
from rainbow.base.arrays import FloatArray, IntArray
from rainbow.corpus import COLUMNS, Corpus
from rainbow.learned.learner.kernel_ridge import VECTOR_TEXT, RankKernelRidge
from rainbow.learned.learner.vectors import vectors_of_ngrams
from rainbow.learned.training.corruption import made_up_words
from rainbow.learned.training.features import Features

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Salad"]

# So many outputs and as many references are sentences, and for so many inputs there is salad of every kind: more made
# no difference. Of a small corpus as many as it has.
SENTENCES, SALADS = 600, 150
# So often, for so many inputs and with so many texts for each, what is taken for a sentence is searched for.
ROUNDS, SEARCHED, EVALUATIONS = 3, 30, 30 * EDITS

SHORTEST, LONGEST = 4, 20  # words of salad that no text is behind
REPEATED = 0.25  # of the words of a text, in salad that says them again and again


class Salad(NamedTuple):
    """Features of texts, whether each is a sentence, and the row of the corpus that its input is of."""

    table: pd.DataFrame
    sentence: NDArray[np.bool_]
    originals: IntArray

    @classmethod
    def of(cls, corpus: Corpus, features: Features, seed: int) -> Self:
        """Return sentences and salad for inputs of a corpus; no rating is looked at.

        In each of :data:`ROUNDS` a search (:func:`rainbow.audit.search.search`) looks for texts that what was learned
        so far takes for sentences; they are salad in the next.
        """
        rng = Random(seed)
        told = [*_sentences(corpus, rng), *_salads(corpus, rng)]
        salad = cls(*_computed(corpus, features, told))
        for number in range(ROUNDS):
            salad = salad.searched(corpus, features, seed + number)
        return salad

    def searched(self, corpus: Corpus, features: Features, seed: int) -> Self:
        """Return these texts with those that a search finds to be taken for sentences."""
        learner = self.learner(features.columns, features.texts, np.arange(len(corpus)))

        def score(texts: Corpus) -> FloatArray:
            table = features.table(texts)
            read = {name: table[name].tolist() for name in features.texts}
            return learner.predict(table[list(features.columns)].to_numpy(float), read)[:, 0]

        found = search(score, corpus, inputs=SEARCHED, evaluations=EVALUATIONS, seed=seed)
        rows = _first_rows(corpus)
        lines = zip(found["dataset"], found["item"], found["found"], strict=True)
        told = [_Told(rows[dataset, item], text, False) for dataset, item, text in lines]
        return self._with(*_computed(corpus, features, told))

    def learner(self, columns: Sequence[str], texts: Sequence[str], rows: IntArray) -> RankKernelRidge:
        """Learn to tell sentences (1) from salad (0) by these columns and texts, for the inputs of these rows."""
        among = np.isin(self.originals, rows)
        table, known = self.table[among], self.sentence[among].astype(float)
        vectors = vectors_of_ngrams() if VECTOR_TEXT in texts else None
        scores, read = table[list(columns)].to_numpy(float), {name: table[name].tolist() for name in texts}
        return RankKernelRidge(scores, read, known[:, None], np.ones(len(known)), vectors)

    def _with(self, table: pd.DataFrame, sentence: NDArray[np.bool_], originals: IntArray) -> Self:
        import pandas as pd

        return self._replace(
            table=pd.concat([self.table, table], ignore_index=True),
            sentence=np.concatenate([self.sentence, sentence]),
            originals=np.concatenate([self.originals, originals]),
        )


class _Told(NamedTuple):
    """A text for the input of a row, and whether it is a sentence."""

    row: int
    text: str
    sentence: bool


def _computed(
    corpus: Corpus, features: Features, told: Sequence[_Told]
) -> tuple[pd.DataFrame, NDArray[np.bool_], IntArray]:
    rows = np.array([one.row for one in told], dtype=np.intp)
    frame = corpus.frame.iloc[rows][list(COLUMNS)]
    frame = frame.assign(id=[str(place) for place in range(len(told))], output=[one.text for one in told])
    table = features.table(Corpus(frame, mr_format=corpus.mr_format)).reset_index(drop=True)
    return table, np.array([one.sentence for one in told]), rows


def _first_rows(corpus: Corpus) -> dict[tuple[str, str], int]:
    """Return for every input, by dataset and item, its first row."""
    inputs = list(zip(corpus.frame["dataset"], corpus.frame["item"], strict=True))
    return dict(zip(reversed(inputs), range(len(inputs) - 1, -1, -1), strict=True))


def _sentences(corpus: Corpus, rng: Random) -> Iterator[_Told]:
    """Return outputs, and references of different inputs."""
    outputs = [(row, text) for row, text in enumerate(corpus.frame["output"]) if text.strip()]
    references = [
        (row, rng.choice(texts))
        for row in _first_rows(corpus).values()
        if (texts := corpus.frame["references"].iloc[row])
    ]
    for found in (outputs, references):
        yield from (_Told(row, text, True) for row, text in rng.sample(found, min(SENTENCES, len(found))))


class _Domain(NamedTuple):
    """The words of a dataset, each as often as it is said, and for each those that follow it."""

    words: list[str]
    followers: dict[str, list[str]]


def _salads(corpus: Corpus, rng: Random) -> Iterator[_Told]:
    """Return salad of every kind for inputs drawn at random, of the words of their dataset or of a text for them."""
    followers: dict[str, list[str]] = {}
    said = [text.split() for texts in corpus.frame["references"] for text in texts]
    for words in said or [text.split() for text in corpus.frame["output"]]:
        for word, other in pairwise(words):
            followers.setdefault(word, []).append(other)
    domains = {dataset: _Domain(words, followers) for dataset, words in domain_words(corpus).items() if words}
    columns = [corpus.frame[name].tolist() for name in ("dataset", "references", "output")]
    rows = [row for row, dataset in enumerate(columns[0]) if dataset in domains]
    for row in rng.sample(rows, min(SALADS, len(rows))):
        dataset, references, output = (column[row] for column in columns)
        text = rng.choice(references or (output,)).split()
        yield from (_Told(row, " ".join(kind(text, domains[dataset], rng)), False) for kind in _KINDS)


def _random_words(text: list[str], domain: _Domain, rng: Random) -> list[str]:
    return [rng.choice(domain.words) for _ in range(rng.randint(SHORTEST, LONGEST))]


def _pieces(text: list[str], domain: _Domain, rng: Random) -> list[str]:
    """Return pieces of two to four words that may follow one another, pieces in any order."""
    length, salad = rng.randint(SHORTEST, LONGEST), list[str]()
    while len(salad) < length:
        salad.append(rng.choice(domain.words))
        for _ in range(rng.randint(1, 3)):
            salad += [rng.choice(following)] if (following := domain.followers.get(salad[-1])) else []
    return salad


def _shuffled(text: list[str], domain: _Domain, rng: Random) -> list[str]:
    return rng.sample(text, len(text))


def _repeated(text: list[str], domain: _Domain, rng: Random) -> list[str]:
    """Return the text with some of its words said up to four times."""
    often = [1 + (rng.random() < REPEATED) * rng.randint(1, 3) for _ in text]
    return [word for word, times in zip(text, often, strict=True) for _ in range(times)]


def _made_up(text: list[str], domain: _Domain, rng: Random) -> list[str]:
    return made_up_words(" ".join(text), rng).split()


_KINDS: tuple[Callable[[list[str], _Domain, Random], list[str]], ...] = (
    _random_words,
    _pieces,
    _shuffled,
    _repeated,
    _made_up,
)
