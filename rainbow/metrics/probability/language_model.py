"""Probability of an output under an n-gram model of the references for other inputs."""

from __future__ import annotations

import math
from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Any, NamedTuple, Self

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.base.native import compiled, kernels
from rainbow.metrics.contract.base import Metric, make_columns
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.contract.registry import register
from rainbow.text.ngrams.kneser_ney import KneserNey
from rainbow.text.tokens.punctuation import ptb_words

RARE = math.log(1 / 1000)
UNSEEN = 3  # words, at most the order of the model


@register
@dataclass(frozen=True)
class LanguageModel(Metric):
    """Probability of an output's words, the effect of their context, and the least probable word.

    The model is an interpolated Kneser-Ney n-gram model (:class:`rainbow.text.ngrams.kneser_ney.KneserNey`) of the
    references, one set per item, as PTB tokens without punctuation. References of a row's own item are removed exactly
    (except from the discounts). So inputs without a reference have a score too.

    Let p be the log probability of a word given the preceding words, b given the following words (a backward model),
    and f its unigram log probability (natural logarithms). The end of the sentence counts as a word.

    - `lm_mean`, `lm_min`: mean and minimum of p;
    - `lm_rare`: share of words with p < log(1/1000);
    - `lm_unigram`: mean of f;
    - `slor`, `slor_median`, `slor_min`: mean, median and minimum of p - f;
    - `back_min`, `back_slor_min`: minimum of b and of b - f;
    - `lm_unseen`: n-grams of three words in the output that no other reference has.

    The mean of p - f is SLOR, the syntactic log-odds ratio. It corrects for rare words: above 0, the word is more
    probable in its context than on average.

    NaN for an output without a word, and if there is no reference of another item.

    Parameters
    ----------
    order : int
        Length of the longest n-grams. Correlations with ratings hardly differ from 3 to 5.
    statistics : KneserNey, optional
        Fitted model.

    References
    ----------
    Kneser, R. and Ney, H. (1995). Improved backing-off for m-gram language modeling. ICASSP.
    Chen, S. F. and Goodman, J. (1999). An empirical study of smoothing techniques for language modeling.
    Computer Speech & Language 13(4).
    Pauls, A. and Klein, D. (2012). Large-scale syntactic language modeling with treelets. ACL: SLOR.
    Lau, J. H., Clark, A. and Lappin, S. (2017). Grammaticality, acceptability, and probability: a probabilistic view of
    linguistic knowledge. Cognitive Science 41(5): SLOR and the lowest ratio of a word, against human judgements.

    Examples
    --------
    >>> batch = Batch(["a cheap inn", "inn cheap a"], [["a cheap pub"], ["a cheap inn", "a pub"]])
    >>> LanguageModel(order=2).fit(batch).score(batch).round(2)[:, :5].tolist()
    [[-0.58, -1.12, 0.0, -1.62, 1.05], [-2.24, -3.15, 0.0, -1.88, -0.37]]
    """

    order: int = 5
    statistics: KneserNey | None = None

    name = "language-model"
    plain = "Probability of the word sequence of the output, from a model of the references of other inputs."
    group = "language-model"
    compares_words = True
    tokens = "ptb without punctuation"
    columns = make_columns(
        {
            ("lm_mean", True, -math.inf, 0.0, "likely words"): (
                "Mean log probability of each word of the output given the words before it."
            ),
            ("lm_min", True, -math.inf, 0.0, "least likely word"): (
                "Log probability of the least likely word given the words before it."
            ),
            ("lm_rare", False, 0.0, 1.0, "share of unlikely words"): (
                "Share of words that are unlikely given the words before them."
            ),
            ("lm_unigram", None, -math.inf, 0.0, "common words"): (
                "How common the words of the output are in the references, whatever their order."
            ),
            ("slor", True, -math.inf, math.inf, "likely order"): (
                "How likely the word order is, corrected for how common the words are."
            ),
            ("slor_median", True, -math.inf, math.inf, "likely word order, median"): (
                "Median version of slor: a single odd word does not lower it."
            ),
            ("slor_min", True, -math.inf, math.inf, "oddest position"): (
                "How unlikely the oddest word is in its position, corrected for how common it is."
            ),
            ("back_min", True, -math.inf, 0.0, "least likely word, backwards"): (
                "Log probability of the least likely word given the words after it."
            ),
            ("back_slor_min", True, -math.inf, math.inf, "oddest position, backwards"): (
                "How unlikely the oddest word is given the words after it, corrected for how common it is."
            ),
            ("lm_unseen", False, 0.0, math.inf, "unseen word pairs"): (
                "Number of adjacent word pairs that occur in no reference of another input."
            ),
        }
    )
    undefined = "the output has no word, or the language model has no references of other items"

    def fit(self, batch: Batch) -> Self:
        return replace(self, statistics=KneserNey.fit(_references_by_item(batch), self.order))

    def compute(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        if self.statistics is None:
            raise ValueError("the language model is not fitted: call fit(batch) first")
        logs = (_compiled_logs if kernels() else _python_logs)(self.statistics, batch, rows)
        scores = np.full((len(batch), len(self.columns)), math.nan)
        if logs is not None:
            summaries = compiled.probability_summaries if kernels() else _text_scores
            scores[logs.rows] = summaries(*logs[1:], RARE, min(UNSEEN, self.order))
        return scores[list(rows)]


def _references_by_item(batch: Batch) -> dict[str, list[list[str]]]:
    """Return the distinct reference sets of every item and of the background inputs."""
    sets = _distinct_sets(batch)
    if batch.background is not None:
        # An item's references are excluded from its scores, so they must not return under another name.
        known = set(batch.mrs) - {""}
        for item, tokens in _distinct_sets(batch.background, known).items():
            sets.setdefault(f"background {item}", {}).update(tokens)
    return {item: [tokens for texts in distinct.values() for tokens in texts] for item, distinct in sets.items()}


def _distinct_sets(batch: Batch, without: Container[str] = ()) -> dict[str, dict[tuple[str, ...], list[list[str]]]]:
    """Return the tokenised reference sets of every item, excluding some meaning representations."""
    prepared = batch.references.tokens(ptb_words)
    sets: dict[str, dict[tuple[str, ...], list[list[str]]]] = {}
    for row, item in enumerate(batch.items):
        if batch.references[row] and batch.mrs[row] not in without:
            sets.setdefault(item, {}).setdefault(batch.references[row], prepared[row])
    return sets


class _LogProbabilities(NamedTuple):
    """Log probabilities of words and text ends given the left context, the right context, and alone."""

    rows: IntArray
    lengths: IntArray
    after: FloatArray
    before: FloatArray
    alone: FloatArray
    known: IntArray


def _python_logs(model: KneserNey, batch: Batch, rows: Sequence[int]) -> _LogProbabilities | None:
    outputs, items = batch.preprocess(ptb_words), batch.items
    scored = (row for row in rows if outputs[row] and not model.is_empty(without=items[row]))
    parts = [_row_logs(model, row, outputs[row], items[row]) for row in scored]
    return _LogProbabilities(*map(np.concatenate, zip(*parts, strict=True))) if parts else None


def _row_logs(model: KneserNey, row: int, tokens: Sequence[str], item: str) -> _LogProbabilities:
    # Reversed to text order; the last value is that of the start of the sentence.
    backwards = model.backward_model.log_probabilities(tokens[::-1], item)
    return _LogProbabilities(
        np.array([row]),
        np.array([len(tokens) + 1]),
        np.array(model.log_probabilities(tokens, item)),
        np.array([*backwards[-2::-1], backwards[-1]]),
        np.array(model.unigrams.log_probabilities(tokens, item)),
        np.array(model.known_ngram_lengths(tokens, item)),
    )


def _compiled_logs(model: KneserNey, batch: Batch, rows: Sequence[int]) -> _LogProbabilities | None:
    """Return the same from the compiled kernel, removing each item's counts once for its rows."""
    counts, places = model.cached(_compiled_model)
    texts = batch.encoded(ptb_words, rows).outputs
    without = np.array([places.get(item, -1) for item in batch.items], dtype=np.int32)
    empty = {place for place in set(without.tolist()) if counts.is_all(place)}
    chosen = np.array([row for row in rows if texts.length(row) and without[row] not in empty], dtype=np.int32)
    if not len(chosen):
        return None
    lengths = np.array([texts.length(row) + 1 for row in chosen], dtype=np.int32)
    return _LogProbabilities(chosen, lengths, *counts.logs(texts, chosen, without[chosen], batch.threads))


def _compiled_model(model: KneserNey) -> tuple[compiled.LanguageModel, dict[str, int]]:
    """Return the compiled model, and the index of each of its documents."""
    return model.compiled(), {name: place for place, (name, _) in enumerate(model.documents)}


def _text_scores(lengths: IntArray, *values_and_limits: Any) -> FloatArray:
    """Return the columns of every text."""
    *values, rare, unseen = values_and_limits
    parts = [slice(end - length, end) for end, length in zip(lengths.cumsum(), lengths, strict=True)]
    return np.array([_text_score([value[part].tolist() for value in values], rare, unseen) for part in parts])


def _text_score(values: Sequence[list[float]], rare: float, unseen: int) -> tuple[float, ...]:
    after, before, alone, known = values
    gains = [value - frequency for value, frequency in zip(after, alone, strict=True)]
    return (
        _mean(after),
        min(after),
        sum(value < rare for value in after) / len(after),
        _mean(alone),
        _mean(gains),
        median(gains),
        min(gains),
        min(before),
        min(value - frequency for value, frequency in zip(before, alone, strict=True)),
        # Only the start of the sentence precedes the first word.
        sum(length < unseen for length in known[1:]),
    )


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)
