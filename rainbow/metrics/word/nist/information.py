"""NIST: n-grams shared with references, weighted by the information they carry among reference texts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Self

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.base.statistics import Statistics
from rainbow.text.ngrams.ngram_counts import Ngram, NgramCounts, most_counts, ngram_counts
from rainbow.text.tokens import Tokens

__all__ = [
    "InformationWeights",
    "corpus_nist",
    "length_penalty",
    "mteval_tokens",
    "nist",
    "nist_lengths",
    "nist_of_sums",
    "nist_published",
    "nist_statistics",
    "quoted",
]

ORDER = 5  # longest n-gram of NIST as mteval computes it
LONGEST = 99  # no order beyond it is read from a file
HALVING_RATIO = 2 / 3  # length ratio at which the length penalty is one half
_BETA = math.log(2) / math.log(HALVING_RATIO) ** 2


@dataclass(frozen=True, eq=False, repr=False)
class InformationWeights(Statistics):
    """The information that n-grams carry, counted in reference segments; make it with :meth:`fit`.

    ``information(w1 .. wn) = log2(count(w1 .. wn-1) / count(w1 .. wn))`` in bits; the count before the first word is
    the number of tokens.

    Attributes
    ----------
    counts
        How often each n-gram of up to `order` tokens occurs in the segments.
    total
        Number of tokens in the segments.
    order
        Length of the longest n-grams.

    Examples
    --------
    >>> weights = InformationWeights.fit([["a", "cheap", "pub"], ["a", "nice", "cafe", "."]])
    >>> round(weights.information(("a",)), 3), weights.information(("a", "nice"))
    (1.807, 1.0)
    >>> InformationWeights.from_json(weights.to_json()) == weights
    True
    """

    counts: Mapping[Ngram, int]
    total: int
    order: int = ORDER

    @classmethod
    def fit(cls, segments: Iterable[Tokens], order: int = ORDER) -> Self:
        """Return the weights that these reference segments imply; a segment given twice counts twice.

        Raises
        ------
        ValueError
            If a segment is a string instead of tokens, or `order` is below 1.
        """
        if order < 1:
            raise ValueError(f"order must be 1 or more, got {order}")
        counts: Counter[Ngram] = Counter()
        total = 0
        for segment in segments:
            _check(segment)
            total += len(segment)
            for n in range(1, order + 1):
                counts.update(_ngrams(segment, n))
        return cls(dict(counts), total, order)

    def information(self, ngram: Ngram) -> float:
        """Return the information of an n-gram in bits, from 0 up; one that never occurred counts as if it had once."""
        before = self.counts.get(ngram[:-1], 1) if len(ngram) > 1 else max(self.total, 1)
        return math.log2(before / self.counts.get(ngram, 1))

    def to_json(self) -> dict[str, Any]:
        """Return the weights as plain lists and numbers that JSON can hold, the same for equal weights."""
        return {
            "order": self.order,
            "total": self.total,
            "counts": [[list(ngram), count] for ngram, count in sorted(self.counts.items())],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the weights that :meth:`to_json` wrote.

        Raises
        ------
        ValueError
            If the data are none that :meth:`to_json` writes.
        """
        try:
            counts = {tuple(map(str, ngram)): int(count) for ngram, count in data["counts"]}
            order = int(data["order"])
            if any(len(ngram) > order for ngram in counts) or order > LONGEST:
                raise ValueError(f"an order of {order} does not go with these n-grams")
            return cls(counts, int(data["total"]), order)
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError("these are no information weights: pass what to_json() gave") from error


def nist(hypothesis: Tokens, references: Sequence[Tokens], weights: InformationWeights) -> float:
    """Return the NIST score of one hypothesis, from 0 up, higher is better.

    ``NIST = penalty * sum over n of (information of the shared n-grams / number of the hypothesis's n-grams)``, for n
    from 1 to the order of the weights, with the :func:`length_penalty` of the hypothesis's length over the mean length
    of the references. An n-gram is shared as often as it occurs in the hypothesis, but at most as often as in the one
    reference that has it most often. An order that is longer than the hypothesis adds nothing. 0 for an empty
    hypothesis. The score of a text that equals its reference depends on the weights and has no fixed maximum.

    Parameters
    ----------
    hypothesis
        Tokens, usually those of :func:`mteval_tokens`.
    references
        One or more sequences of tokens.
    weights
        The information of n-grams, counted in a set of references: usually those of all rows. NIST of a text depends on
        that set, so scores under different weights cannot be compared.

    Raises
    ------
    ValueError
        If there is no reference or a string stands where tokens belong.

    References
    ----------
    Doddington, G. (2002). Automatic evaluation of machine translation quality using n-gram co-occurrence statistics.
    HLT. The details are those of the program mteval-v13a.

    Examples
    --------
    >>> references = [["a", "cheap", "pub", "."], ["a", "nice", "cafe", "."]]
    >>> round(nist(["a", "cheap", "pub"], references, InformationWeights.fit(references)), 4)
    2.2339
    """
    return _score([_segment(hypothesis, references, weights)])


def corpus_nist(
    hypotheses: Sequence[Tokens], references: Sequence[Sequence[Tokens]], weights: InformationWeights
) -> float:
    """Return the NIST score of a whole set of hypotheses, which is not the mean of their scores; from 0 up.

    As for :func:`nist`, with numerators and denominators summed over all hypotheses. The length penalty sees the mean
    length of all hypotheses over the mean length of all references, rows with many references counting for more.

    Parameters
    ----------
    hypotheses, references
        For every row the tokens of the hypothesis and its references, each a sequence of tokens.
    weights
        As for :func:`nist`.

    Raises
    ------
    ValueError
        If the two are empty or of different lengths, a row has no reference, or a string stands where tokens belong.

    Examples
    --------
    >>> references = [[["a", "cheap", "pub"]], [["a", "nice", "cafe"], ["the", "cafe"]]]
    >>> weights = InformationWeights.fit(text for texts in references for text in texts)
    >>> round(corpus_nist([["a", "pub"], ["a", "nice", "cafe"]], references, weights), 4)
    2.6858
    """
    if not hypotheses or len(hypotheses) != len(references):
        raise ValueError(f"{len(hypotheses)} hypotheses, {len(references)} sets of references: give one set for each")
    rows = zip(hypotheses, references, strict=True)
    return _score([_segment(hypothesis, texts, weights) for hypothesis, texts in rows])


def length_penalty(ratio: float) -> float:
    """Return NIST's factor for short texts: ``exp(-beta ln(ratio)^2)``, 1 from ratio 1 up, one half at two thirds.

    Examples
    --------
    >>> length_penalty(1.2), round(length_penalty(2 / 3), 12), length_penalty(0.0)
    (1.0, 0.5, 0.0)
    """
    return float(_penalties(np.array(ratio)))


def _penalties(ratios: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(ratios > 0, np.exp(-_BETA * np.log(np.minimum(ratios, 1.0)) ** 2), 0.0)


def mteval_tokens(text: str, *, lowercase: bool = True) -> list[str]:
    """Split a text into the tokens of mteval-v13a (sacrebleu's tokenizer 13a), lower-cased as that program does.

    Examples
    --------
    >>> mteval_tokens("It's a 3.5-star pub, &quot;Zazou&quot;.")
    ["it's", 'a', '3.5', '-', 'star', 'pub', ',', '"', 'zazou', '"', '.']
    """
    return _mteval_tokenizer()(text.lower() if lowercase else text).split()


def quoted(tokens: Tokens) -> list[str]:
    """Put the tokens of a text between quotation marks, as the texts were when NIST was computed for publication.

    Examples
    --------
    >>> quoted(["a", "pub"])
    ['"', 'a', 'pub', '"']
    """
    return ['"', *tokens, '"']


def nist_published(hypothesis: Tokens, references: Sequence[Tokens], weights: InformationWeights) -> float:
    """Return NIST as it was computed for the column NIST of Novikova et al. (2017), from 0 up.

    The formula of :func:`nist` on the tokens of :func:`mteval_tokens`, with two differences, found by fitting the
    column: only the LAST reference counts, and each text stands between quotation marks, which match like words.

    Parameters
    ----------
    hypothesis, references
        As for :func:`nist`.
    weights
        Those of the last reference of every input of the same data set and system, each :func:`quoted`.

    Examples
    --------
    >>> references = [["the", "pub"], ["a", "cheap", "pub", "."]]
    >>> round(nist_published(["a", "pub"], references, InformationWeights.fit([quoted(references[-1])])), 4)
    1.2091
    """
    return nist(quoted(hypothesis), [quoted(tokens) for tokens in references[-1:]], weights)


def nist_statistics(
    output: NgramCounts, most: NgramCounts, length: int, lengths: Sequence[int], weights: InformationWeights
) -> list[float]:
    """Return what a segment adds to the NIST score of its corpus: numbers whose sums :func:`nist_of_sums` takes.

    Parameters
    ----------
    output
        The n-grams of the output, up to the order of the weights.
    most
        How often the references allow each n-gram (:func:`rainbow.text.ngrams.ngram_counts.most_counts`).
    length, lengths
        Tokens of the output and of each reference.
    weights
        The information of n-grams.

    Returns
    -------
    list of float
        For every n the information of the shared n-grams, for every n the number of the output's n-grams, then the
        output's length, 1 for the output, the length of all its references, their number.

    Examples
    --------
    >>> weights = InformationWeights.fit([["a", "cheap", "pub"]], order=1)
    >>> pub = ngram_counts(["pub"], 1)
    >>> [round(number, 3) for number in nist_statistics(pub, pub, 1, [1], weights)]
    [1.585, 1, 1, 1, 1, 1]
    """
    information = [_shared_information(output[n], most[n], weights) for n in range(weights.order)]
    return [*information, *nist_lengths(length, lengths, weights.order)]


def nist_lengths(length: int, lengths: Sequence[int], order: int = ORDER) -> list[int]:
    """Return those numbers of :func:`nist_statistics` that follow from lengths: all after the information."""
    return [*(max(length - n, 0) for n in range(order)), length, 1, sum(lengths), len(lengths)]


def nist_of_sums(sums: FloatArray) -> FloatArray:
    """Return the NIST score of corpora from the sums of their segments' statistics; from 0 up, higher is better.

    The formula of :func:`corpus_nist`.

    Parameters
    ----------
    sums
        Shape (..., 2 * order + 4), as :func:`nist_statistics` orders them.

    Returns
    -------
    ndarray
        Shape (...).

    Examples
    --------
    >>> nist_of_sums(np.array([1.5, 1, 2, 1, 3, 1])).item()
    0.75
    """
    order = (sums.shape[-1] - 4) // 2
    length, outputs, reference_length, references = np.moveaxis(sums[..., -4:], -1, 0)
    mean_information = (sums[..., :order] / np.maximum(sums[..., order : 2 * order], 1)).sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = (length / outputs) / (reference_length / references)
    return np.asarray(mean_information * _penalties(ratio))


def _segment(hypothesis: Tokens, references: Sequence[Tokens], weights: InformationWeights) -> list[float]:
    if not references:
        raise ValueError("there is no reference: give one or more")
    _check(references, hypothesis, *references)
    counts, *others = (ngram_counts(tokens, weights.order) for tokens in (hypothesis, *references))
    lengths = [len(tokens) for tokens in references]
    return nist_statistics(counts, most_counts(others), len(hypothesis), lengths, weights)


def _score(segments: Sequence[Sequence[float]]) -> float:
    return float(nist_of_sums(np.array(segments, dtype=float).sum(axis=0)))


def _shared_information(output: Mapping[Ngram, int], most: Mapping[Ngram, int], weights: InformationWeights) -> float:
    shared = (ngram for ngram in output if ngram in most)
    return sum(min(output[ngram], most[ngram]) * weights.information(ngram) for ngram in shared)


def _ngrams(tokens: Tokens, n: int) -> Iterator[Ngram]:
    return zip(*(tokens[start:] for start in range(n)), strict=False)


def _check(*token_sequences: object) -> None:
    if any(isinstance(tokens, str) for tokens in token_sequences):
        raise ValueError("a string stands where tokens belong: split the hypothesis and every reference first")


@lru_cache(maxsize=1)
def _mteval_tokenizer() -> Callable[[str], str]:
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    tokenizer: Callable[[str], str] = Tokenizer13a()  # type: ignore[no-untyped-call]
    return tokenizer
