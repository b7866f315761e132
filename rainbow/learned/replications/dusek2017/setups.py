"""Training data of each setup (S1 to S6) and condition (C1 to C3), and the test rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.base.downloads import locate_file
from rainbow.corpus import Corpus
from rainbow.datasets import load_dataset
from rainbow.datasets.emnlp2017.references import read_bagel
from rainbow.datasets.emnlp2017.source_files import REFERENCES
from rainbow.learned.replications.dusek2017.fabrication import HIGH, Source, fabricate_errors, lower_ratings
from rainbow.meaning import MeaningRepresentation
from rainbow.metrics.contract.views import Views
from rainbow.text.words.mentions import phrase_key

Setup = Literal["S1", "S2", "S3", "S4", "S5", "S6"]
Condition = Literal["folds", "domain-C1", "domain-C2", "domain-C3", "system-C1", "system-C2", "system-C3"]

SETUPS: dict[Setup, str] = {
    "S1": "the rated outputs",
    "S2": "plus errors in them",
    "S3": "plus references of training inputs, with errors",
    "S4": "plus the training texts of RNNLG, with errors",
    "S5": "plus references of test inputs, with errors",
    "S6": "plus all human-written texts of these datasets, with errors",
}
CONDITIONS: dict[Condition, str] = {
    "folds": "five folds over all rows: three for training, one for model selection, one for testing",
    **{
        f"{what}-{name}": f"{said}, tested on the rest of {inside}"  # type: ignore[misc]
        for what, inside in (("domain", "sfhotel"), ("system", "LOLS"))
        for name, said in (
            ("C1", f"100 rows of {inside} for training, 100 for model selection"),
            ("C2", f"rows outside {inside} for training and model selection, three to one"),
            ("C3", f"100 rows of {inside} and all rows outside it for training, 100 for model selection"),
        )
    },
}

MEANING = "meaning"
TEXTS = ("delexicalised", MEANING)
EMPTY_VALUE = "none"  # placeholder for a slot without a value
RATING = "quality"
SEED = 2017  # of folds and errors: the seeds of the runs are those of the networks
PARTS, INSIDE = 5, 100


class Fold(NamedTuple):
    """Row positions of a fold; rows with fabricated errors come first in training."""

    train: IntArray
    dev: IntArray
    test: IntArray
    fabricated: IntArray  # the training rows whose outputs and references errors are put into


class Instances(NamedTuple):
    """Training data of a network: rated rows, then fabricated ones (group -1)."""

    texts: dict[str, list[str]]
    ratings: FloatArray
    groups: IntArray
    held: IntArray  # where the rows stand by which the best pass is chosen

    def __len__(self) -> int:
        return len(self.ratings) - len(self.held)


class Study:
    """The rows of the study and the human-written texts."""

    def __init__(self) -> None:
        self.corpus = load_dataset("emnlp2017")
        self.learned = self.corpus.frame[list(self.corpus.ratings)].to_numpy(float)
        self.place = self.corpus.ratings.index(RATING)
        self.ratings = self.learned[:, self.place]

    def folds(self, condition: Condition) -> list[Fold]:
        """Return the folds of a condition: five, or one."""
        rng = np.random.default_rng(SEED)
        if condition == "folds":
            return list(self._deal_five(rng))
        what, name = condition.split("-")
        frame = self.corpus.frame
        inside = (frame["dataset"] == "sfhotel" if what == "domain" else frame["system"] == "LOLS").to_numpy()
        own, others = rng.permutation(np.flatnonzero(inside)), rng.permutation(np.flatnonzero(~inside))
        train, dev, test = own[:INSIDE], own[INSIDE : 2 * INSIDE], own[2 * INSIDE :]
        if name == "C2":
            chosen = len(others) // 4
            train, dev = others[chosen:], others[:chosen]
        elif name == "C3":
            train = np.concatenate([train, others])
        return [Fold(train, dev, test, train)]

    def _deal_five(self, rng: np.random.Generator) -> Iterator[Fold]:
        """Assign distinct pairs of input and output to five parts."""
        rows = list(zip(self.corpus.frame["mr"].tolist(), self.corpus.frame["output"].tolist(), strict=True))
        pairs: dict[tuple[str, str], list[int]] = {}
        for place, pair in enumerate(rows):
            pairs.setdefault(pair, []).append(place)
        groups = list(pairs.values())
        order = [row for number in rng.permutation(len(groups)) for row in groups[number]]
        numbers = {row: place * PARTS // len(order) for place, row in enumerate(order)}
        # A pair on the border of two parts belongs to the first part.
        part = np.array([numbers[pairs[pair][0]] for pair in rows])
        for test in range(PARTS):
            dev, *train = ((test + step) % PARTS for step in range(1, PARTS))
            yield Fold(
                np.flatnonzero(np.isin(part, train)),
                np.flatnonzero(part == dev),
                np.flatnonzero(part == test),
                np.flatnonzero(part == train[0]),
            )

    def instances(self, setup: Setup, condition: Condition, fold: Fold) -> Instances:
        """Return the training instances of a network, and the rows that select the best pass."""
        rows = np.concatenate([fold.train, fold.dev])
        texts = {name: [column[row] for row in rows] for name, column in self.texts.items()}
        sources = list(self._sources(setup, condition, fold))
        made = fabricate_errors(sources, TEXTS, SEED)
        at = np.array([source.row for source in sources], dtype=int)
        rated = np.where(at[:, None] >= 0, self.learned[at], HIGH)
        made_up = lower_ratings(rated[made.sources], made.errors)
        return Instances(
            {name: texts[name] + made.texts[name] for name in TEXTS},
            np.concatenate([self.learned[rows], made_up]),
            np.concatenate([np.arange(len(rows)), np.full(len(made_up), -1)]),
            np.arange(len(fold.train), len(rows)),
        )

    def _sources(self, setup: Setup, condition: Condition, fold: Fold) -> Iterator[Source]:
        """Return the texts in which errors are inserted."""
        if setup == "S1":
            return
        columns = [self.texts[name] for name in TEXTS]
        yield from (Source(tuple(c[row] for c in columns), int(row)) for row in fold.fabricated)
        if setup == "S2":
            return
        known = {self.corpus.frame["dataset"].iloc[row] for row in fold.train} if "domain" in condition else set()
        if setup in ("S3", "S4"):
            yield from self._references(fold.fabricated)
        else:
            yield from self._references(np.arange(len(self.corpus)))
            known = set()
        if setup != "S3":
            yield from (
                source
                for split, source in self._human_texts
                if (not known or source.dataset in known) and (split == "train" or setup == "S6")
            )

    def _references(self, rows: Sequence[int] | IntArray) -> Iterator[Source]:
        """Return the distinct pairs of an input and a reference of these rows."""
        references = self.corpus.view("delexicalised").references
        mrs, meanings = self.corpus.frame["mr"].tolist(), self.texts[MEANING]
        distinct = {(mrs[row], text.lower()): meanings[row] for row in rows for text in references[row]}
        yield from (Source((text, meaning)) for (_, text), meaning in distinct.items())

    @cached_property
    def texts(self) -> dict[str, list[str]]:
        """Delexicalised outputs and their inputs."""
        return _encoder_texts(self.corpus)

    @cached_property
    def _human_texts(self) -> list[tuple[str, Source]]:
        """Human-written training texts with their split, from RNNLG and BAGEL."""
        rnnlg = load_dataset("rnnlg")
        bagel = read_bagel(locate_file(REFERENCES["bagel"]))
        further = Corpus.from_texts(
            [utterance.text for utterance in bagel], inputs=[str(utterance.meaning) for utterance in bagel]
        )
        places = [*zip(rnnlg.frame["split"], rnnlg.frame["dataset"], strict=True), *[("valid", "bagel")] * len(further)]
        texts = [pair for corpus in (rnnlg, further) for pair in zip(*_encoder_texts(corpus).values(), strict=True)]
        return [(split, Source(pair, dataset=dataset)) for (split, dataset), pair in zip(places, texts, strict=True)]


def _encoder_texts(corpus: Corpus) -> dict[str, list[str]]:
    """Return the encoder inputs: delexicalised outputs, and inputs in words."""
    views = Views.from_corpus(corpus)
    meanings = [_verbalise(meaning) if meaning else "" for meaning in views.get("surface").meanings]
    return {"delexicalised": list(views.get("delexicalised").outputs), MEANING: meanings}


def _verbalise(meaning: MeaningRepresentation) -> str:
    """Return the act and the name and value of each slot, in order, as words."""
    statements = (
        f"{phrase_key(slot.name)} {slot.placeholder if slot.literal else phrase_key(slot.value) or EMPTY_VALUE}"
        for slot in meaning.slots
    )
    return " ".join([meaning.act, *statements]).lower()
