"""Character F1 of the spans of two annotators: how much of what they marked both marked.

A character that an annotator marked twice counts twice. For the chance level, the spans of each annotation are placed
at random in the same text.
"""

from __future__ import annotations

import numpy as np

from rainbow.base.arrays import BoolArray, FloatArray, IntArray, Random
from rainbow.stats.agreement.marked_spans import (
    MarkedSpans,
    SpanAgreement,
    annotation_pairs,
    ratio_agreement,
    undefined_reason,
    undefined_span_agreement,
)

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
