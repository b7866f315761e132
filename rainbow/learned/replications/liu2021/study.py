"""Data of the study: pairs of an output and one of its references, and their splits."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.datasets import load_dataset
from rainbow.learned.protocols.calibration import rating_points
from rainbow.learned.protocols.groups import STRICT, assign_folds, folded_text, iter_folds, row_groups
from rainbow.learned.replications.training import Tell

Split = Literal[
    "paper",
    "seen-75",
    "seen-50",
    "seen-25",
    "seen-0",
    "by-text",
    "by-item-and-text",
    "leave-one-system-out",
    "leave-one-dataset-out",
]

SPLITS: dict[Split, str] = {
    "paper": "random pairs: 80 % for training, 10 % for model selection, 10 % for testing, as in the paper",
    **{
        f"seen-{share}": (f"the same, but only {share} % of the test texts may occur in training")  # type: ignore[misc]
        for share in (75, 50, 25, 0)
    },
    "by-text": "texts held out wherever they occur",
    "by-item-and-text": "inputs held out with all inputs that share a text with them",
    "leave-one-system-out": "one system held out at a time",
    "leave-one-dataset-out": "one dataset held out at a time",
}
POINTS = np.arange(1, 7)

SEED = 2017  # of the folds that are not the paper's
DEV_GROUP_STEP = 9  # one group in this many is for model selection (not given in the paper)


class Instances(NamedTuple):
    """Instances to classify: the text, one reference, its class and the corpus row."""

    outputs: list[str]
    references: list[str]
    labels: IntArray
    rows: IntArray

    def __len__(self) -> int:
        return len(self.rows)

    def take(self, places: IntArray) -> Instances:
        """Return these instances only."""
        outputs, references = ([own[place] for place in places] for own in (self.outputs, self.references))
        return Instances(outputs, references, self.labels[places], self.rows[places])


class Fold(NamedTuple):
    """Training, dev and test instances of a method; dev instances only select the pass."""

    train: Instances
    dev: Instances
    test: Instances


class Setting(NamedTuple):
    """Settings of a method, without its fold."""

    seed: int
    tell: Tell
    units: int = 64  # of the LSTM
    layers: int = 1  # of the LSTM
    device: str = "auto"  # cpu, cuda, or auto: cuda where there is one


class RatedPairs:
    """The 2017 outputs with one rating."""

    def __init__(self, rating: str = "naturalness") -> None:
        self.rating = rating
        self.corpus = load_dataset("emnlp2017")
        self.rated: FloatArray = self.corpus.frame[rating].to_numpy(float)
        self.items = row_groups(self.corpus.frame, "by-item")

    @cached_property
    def pairs(self) -> Instances:
        """Distinct pairs of output and reference, with the median rating over their rows."""
        rows: dict[tuple[str, str], list[int]] = {}
        for row, output, reference in self._iterate_pairs():
            rows.setdefault((output, reference), []).append(row)
        medians = rating_points([np.median(self.rated[own]) for own in rows.values()]).astype(int)
        firsts = np.array([own[0] for own in rows.values()])
        return Instances([pair[0] for pair in rows], [pair[1] for pair in rows], medians, firsts)

    @cached_property
    def instances(self) -> Instances:
        """Every row with each of its references."""
        rows, outputs, references = zip(*self._iterate_pairs(), strict=True)
        places = np.array(rows)
        labels = rating_points(self.rated).astype(int)[places]
        return Instances(list(outputs), list(references), labels, places)

    def _iterate_pairs(self) -> Iterator[tuple[int, str, str]]:
        frame = self.corpus.frame
        for row, (output, references) in enumerate(zip(frame["output"], frame["references"], strict=True)):
            for reference in dict.fromkeys(references):
                yield row, output, reference

    def folds(self, split: Split, seed: int, choosing: bool = False) -> Iterator[Fold]:
        """Return the folds of a split; only the paper's split depends on the seed."""
        if is_paper_split(split):
            yield self._paper_fold(split, seed)
            return
        frame, groups = self.corpus.frame, row_groups(self.corpus.frame, STRICT)
        for train, test in iter_folds(assign_folds(frame, split, seed=SEED)):
            dev = train[groups[train] % DEV_GROUP_STEP == 0] if choosing else train[:0]
            parts = [np.isin(self.instances.rows, rows) for rows in (np.setdiff1d(train, dev), dev, test)]
            yield Fold(*(self.instances.take(np.flatnonzero(part)) for part in parts))

    def _paper_fold(self, split: Split, seed: int) -> Fold:
        rng = np.random.default_rng(seed)
        drawn = rng.permutation(len(self.pairs))
        tenth = len(drawn) // 10
        test, dev, train = drawn[:tenth], drawn[tenth : 2 * tenth], drawn[2 * tenth :]
        if split != "paper":
            folded = np.array(list(map(folded_text, self.pairs.outputs)))
            texts = rng.permutation(np.unique(folded[test]))
            hidden = texts[round(len(texts) * int(split.removeprefix("seen-")) / 100) :]
            train, dev = (own[~np.isin(folded[own], hidden)] for own in (train, dev))
        return Fold(*(self.pairs.take(own) for own in (train, dev, test)))


def is_paper_split(split: Split) -> bool:
    """Return whether this is the paper's split, possibly with hidden texts, which tests pairs."""
    return split == "paper" or split.startswith("seen-")
