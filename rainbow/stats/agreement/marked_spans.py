"""Spans that annotators marked in texts, and their character F1: how much of what they marked both marked.

A character that an annotator marked twice counts twice. For the chance level, the spans of each annotation are placed
at random in the same text.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from rainbow.base.arrays import BoolArray, FloatArray, IntArray, Random
from rainbow.stats.agreement.rating_matrix import bootstrap_items


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
    [interval] = bootstrap_items(ratio, len(known), resamples=resamples, rng=rng)
    return SpanAgreement(*interval, chance, len(known), len(texts), None)


PLACEMENTS = 10  # random placements of all spans for the chance level


def span_f1(spans: MarkedSpans, *, resamples: int = 1000, rng: Random = None) -> SpanAgreement:
    """Return the character F1 over all pairs of annotations; characters agree if they have the same label.

    Source: Kasner et al. (2025), factgenie, ``iaa/f1.py`` ("hard" and "soft").
    """
    if reason := undefined_reason(spans):
        return undefined_span_agreement(reason)
    drawn = np.random.default_rng(rng)
    left, right = annotation_pairs(spans.texts)
    marked = marked_characters(spans, left, right)
    randomly = [overlaps(_place_randomly(spans, drawn), left, right).sum() for _ in range(PLACEMENTS)]
    chance = float(2 * np.mean(randomly) / marked.sum()) if marked.any() else np.nan
    both = overlaps(spans, left, right)
    texts = spans.texts[left]
    return ratio_agreement(2 * both, marked, texts, lambda f1: f1, chance, resamples=resamples, rng=drawn)


def marked_characters(spans: MarkedSpans, left: IntArray, right: IntArray) -> FloatArray:
    """Return how many characters both annotations of each pair marked in sum."""
    own = np.bincount(spans.owners, spans.sizes, len(spans.texts))
    return np.asarray(own[left] + own[right])


def overlaps(spans: MarkedSpans, left: IntArray, right: IntArray) -> FloatArray:
    """Return how many characters both annotations of each pair marked with the same label."""
    result = np.zeros(len(left))
    for label in np.unique(spans.labels):
        own = spans.labels == label
        has = np.bincount(spans.owners[own], minlength=len(spans.texts)) > 0
        pairs = np.flatnonzero(has[left] & has[right])
        result[pairs] += _overlaps_of_label(spans, own, left[pairs], right[pairs])
    return result


def _overlaps_of_label(spans: MarkedSpans, own: BoolArray, left: IntArray, right: IntArray) -> FloatArray:
    offsets = np.concatenate([[0], np.cumsum(spans.lengths)])
    changes = np.zeros(offsets[-1] + 1, dtype=np.int32)
    base = offsets[spans.owners[own]]
    np.add.at(changes, base + spans.starts[own], 1)
    np.add.at(changes, base + spans.ends[own], -1)
    times = np.cumsum(changes, dtype=np.int32)
    lengths = spans.lengths[left]
    pair = np.repeat(np.arange(len(left)), lengths)
    within = np.arange(len(pair)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    both = np.minimum(times[offsets[left][pair] + within], times[offsets[right][pair] + within])
    return np.bincount(pair, both, len(left)).astype(float)


def _place_randomly(spans: MarkedSpans, rng: np.random.Generator) -> MarkedSpans:
    """Return the spans at random positions of their texts."""
    starts = rng.integers(0, spans.lengths[spans.owners] - spans.sizes + 1)
    return spans._replace(starts=starts, ends=starts + spans.sizes)
