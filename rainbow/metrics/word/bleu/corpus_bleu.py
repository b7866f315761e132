"""BLEU of whole corpora: what a segment contributes, and the score that the sums of all contributions have."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.text.ngrams.ngram_counts import LONGEST, NgramCounts, clipped_matches

__all__ = ["bleu_lengths", "bleu_of_sums", "bleu_statistics", "nearest_length"]


def nearest_length(length: int, lengths: Iterable[int]) -> int:
    """Return the length of the reference that is nearest to a length; of two equally near ones, the shorter.

    Examples
    --------
    >>> nearest_length(4, [7, 5, 3])
    3
    """
    return min(lengths, key=lambda other: (abs(other - length), other))


def bleu_statistics(output: NgramCounts, most: NgramCounts, length: int, lengths: Sequence[int]) -> list[float]:
    """Return what a segment adds to the BLEU of its corpus: 10 numbers, whose sums :func:`bleu_of_sums` takes.

    Parameters
    ----------
    output
        The n-grams of the output, up to four tokens or more.
    most
        How often the references allow each n-gram (:func:`rainbow.text.ngrams.ngram_counts.most_counts`).
    length, lengths
        Tokens of the output and of each reference.

    Returns
    -------
    list of float
        Clipped matches for n = 1 to 4, n-grams for n = 1 to 4, the output's length, the nearest reference's length.

    Examples
    --------
    >>> from rainbow.text.ngrams.ngram_counts import ngram_counts
    >>> output, reference = "the inn is cheap".split(), "the inn is not cheap".split()
    >>> bleu_statistics(ngram_counts(output), ngram_counts(reference), 4, [5])
    [4, 2, 1, 0, 4, 3, 2, 1, 4, 5]
    """
    matches = [clipped_matches(output[order], [most[order]]) for order in range(LONGEST)]
    return [*matches, *bleu_lengths(length, lengths)]


def bleu_lengths(length: int, lengths: Sequence[int]) -> list[int]:
    """Return those numbers of :func:`bleu_statistics` that follow from lengths: all after the matches."""
    return [*(max(length - order, 0) for order in range(LONGEST)), length, nearest_length(length, lengths)]


def bleu_of_sums(sums: FloatArray) -> FloatArray:
    """Return BLEU-4 of corpora, between 0 and 1, higher is better, from the sums of their segments' statistics.

    ``exp(min(0, 1 - r / c)) * (p_1 p_2 p_3 p_4) ** (1 / 4)``, where p_n is the share of the outputs' n-grams that
    match, c the length of all outputs and r that of the nearest references. 0 where an order has no match: nothing is
    smoothed.

    Parameters
    ----------
    sums
        Shape (..., 10), as :func:`bleu_statistics` orders them.

    Returns
    -------
    ndarray
        Shape (...).

    References
    ----------
    Papineni, K., Roukos, S., Ward, T. and Zhu, W.-J. (2002). BLEU: a method for automatic evaluation of machine
    translation. ACL.

    Examples
    --------
    >>> bleu_of_sums(np.array([4.0, 3, 2, 1, 4, 3, 2, 1, 4, 5])).round(3).item()
    0.779
    """
    matches, ngrams = sums[..., :LONGEST], sums[..., LONGEST : 2 * LONGEST]
    length, nearest = sums[..., -2], sums[..., -1]
    with np.errstate(divide="ignore", invalid="ignore"):
        logarithms = np.log(matches / ngrams).mean(axis=-1)
        scores = np.exp(np.minimum(0, 1 - nearest / length) + logarithms)
    return np.where((matches > 0).all(axis=-1), scores, 0.0)
