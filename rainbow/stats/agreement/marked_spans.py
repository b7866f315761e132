"""Spans that annotators marked in texts: arrays, and pairs of annotations of the same text."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray, Random
from rainbow.stats.agreement.rating_matrix import item_draws_interval


class MarkedSpans(NamedTuple):
    """Annotations, one per text and annotator, and their spans.

    Shapes: texts, annotators, lengths (annotations,), owners, starts, ends, labels (spans,).
    """

    texts: IntArray  # number of the text of each annotation
    annotators: IntArray  # who made it
    lengths: IntArray  # characters of the text
    owners: IntArray  # annotation of each span
    starts: IntArray  # its first character
    ends: IntArray  # the character after its last one
    labels: IntArray  # its category; equal for all if categories do not matter

    @property
    def sizes(self) -> IntArray:
        """Characters of each span."""
        return self.ends - self.starts


class SpanAgreement(NamedTuple):
    """An agreement measure of annotators on spans."""

    estimate: float  # NaN if it is not defined
    low: float
    high: float
    chance: float  # its expected value if the spans were placed at random
    n_items: int  # texts with at least two annotators
    n_pairs: int  # pairs of annotations of the same text
    reason: str | None


def annotation_pairs(texts: IntArray) -> tuple[IntArray, IntArray]:
    """Return all pairs of annotations of the same text, as two arrays of annotations."""
    order = np.argsort(texts, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(texts[order])) + 1)
    places = [np.triu_indices(len(group), 1) for group in groups]
    left = [group[first] for group, (first, _) in zip(groups, places, strict=True)]
    right = [group[second] for group, (_, second) in zip(groups, places, strict=True)]
    return np.concatenate([*left, np.zeros(0, int)]), np.concatenate([*right, np.zeros(0, int)])


def undefined_reason(spans: MarkedSpans) -> str | None:
    """Return why no agreement is defined, or None."""
    if not len(annotation_pairs(spans.texts)[0]):
        return "no output has two annotators"
    return None if len(spans.owners) else "no span has a position in its output"


def undefined_span_agreement(reason: str) -> SpanAgreement:
    """Return an agreement without a value, with the reason."""
    return SpanAgreement(math.nan, math.nan, math.nan, math.nan, 0, 0, reason)


def ratio_agreement(
    parts: FloatArray,
    wholes: FloatArray,
    texts: IntArray,
    convert: Callable[[FloatArray], FloatArray],
    chance: float,
    *,
    resamples: int,
    rng: Random,
) -> SpanAgreement:
    """Return an agreement that is a function of a ratio of sums over pairs; texts are resampled for the interval.

    Shapes: parts, wholes, texts (pairs,).
    """
    known, codes = np.unique(texts, return_inverse=True)
    sums = [np.bincount(codes, values, len(known)) for values in (parts, wholes)]

    def ratio(weights: FloatArray) -> FloatArray:
        with np.errstate(invalid="ignore", divide="ignore"):
            return convert((weights @ sums[0]) / (weights @ sums[1]))

    if not sums[1].any():
        return undefined_span_agreement("no annotator of these outputs marked a span")
    low, high = item_draws_interval(ratio, len(known), confidence=0.95, resamples=resamples, rng=rng)
    estimate = float(ratio(np.ones((1, len(known))))[0])
    return SpanAgreement(estimate, low, high, chance, len(known), len(texts), None)
