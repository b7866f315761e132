"""Good texts for sampled inputs of a corpus, and their scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.corpus import COLUMNS, Corpus

STANDARDS = ("worst", "median", "best")


class ComparisonTexts(NamedTuple):
    """Sampled inputs of a corpus and the scores of good texts for each.

    Shapes: scores (inputs, 3).
    """

    inputs: Corpus  # a row of each input
    scores: FloatArray  # of the worst, the median and the best text for each input, shape (inputs, 3)
    compared_with: str  # what these texts are: ``references``, ``rated outputs`` or ``outputs``


class _Text(NamedTuple):
    """A good text with its row and the other references."""

    row: int
    output: str
    references: tuple[str, ...]


def score_comparison_texts(
    score: Callable[[Corpus], FloatArray], corpus: Corpus, inputs: int, seed: int
) -> ComparisonTexts:
    """Sample inputs of a corpus and score each reference against the others."""
    referenced = any(text.strip() for texts in corpus.frame["references"] for text in texts)
    ratings = None
    if corpus.ratings and not referenced:
        ratings = corpus.frame[list(corpus.ratings)].rank().mean(axis=1).to_numpy(float)
    groups = list(_input_rows(corpus, referenced, ratings))
    if not groups:
        raise ValueError("search needs a reference or an output for each input")
    drawn = [groups[place] for place in sorted(Random(seed).sample(range(len(groups)), min(inputs, len(groups))))]
    texts = [[entry for row in rows for entry in _good_texts(corpus, row, referenced)] for rows in drawn]
    every = [entry for entries in texts for entry in entries]
    frame = corpus.frame.iloc[[text.row for text in every]][list(COLUMNS)]
    frame = frame.assign(id=list(map(str, range(len(every)))), output=[text.output for text in every])
    frame["references"] = [text.references for text in every]
    scores = score(Corpus(frame, mr_format=corpus.mr_format))
    ends = np.cumsum([len(entries) for entries in texts])[:-1]
    rated = [None if ratings is None else ratings[rows] for rows in drawn]
    three = [_quantile_texts(result, order) for result, order in zip(np.split(scores, ends), rated, strict=True)]
    pool = "references" if referenced else "outputs" if ratings is None else "rated outputs"
    return ComparisonTexts(corpus.take([rows[0] for rows in drawn]), np.array(three), pool)


def _input_rows(corpus: Corpus, referenced: bool, ratings: FloatArray | None) -> Iterator[list[int]]:
    """Return the representative rows of every input: one with references, else all with outputs."""
    usable = np.array([any(map(str.strip, texts)) for texts in corpus.frame["references"]])
    if not referenced:
        usable = np.array([bool(text.strip()) for text in corpus.frame["output"]])
        usable &= True if ratings is None else ~np.isnan(ratings)
    for numbers in corpus.frame.groupby(["dataset", "item"], sort=False).indices.values():
        rows = np.asarray(numbers)
        if kept := rows[usable[rows]].tolist():
            yield kept[:1] if referenced else kept


def _good_texts(corpus: Corpus, row: int, referenced: bool) -> list[_Text]:
    line = corpus.frame.iloc[row]
    if not referenced:
        return [_Text(row, line["output"], line["references"])]
    good = list(dict.fromkeys(text for text in line["references"] if text.strip()))
    return [_Text(row, text, tuple(other for other in good if other != text)) for text in good]


def _quantile_texts(scores: FloatArray, ratings: FloatArray | None) -> FloatArray:
    """Return the positions of the worst, median and best text by rating or score."""
    if ratings is not None:
        order = np.argsort(ratings, kind="stable")
        return scores[order[[0, (len(order) - 1) // 2, -1]]]
    known = scores[~np.isnan(scores)]
    return np.array([known.min(), np.median(known), known.max()]) if len(known) else np.full(3, np.nan)
