"""LEPOR and hLEPOR."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter, defaultdict, deque
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from operator import neg
from typing import Any, NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.base.native import compiled, kernels
from rainbow.metrics.contract.base import Metric, make_columns
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.contract.reference_tool import Tool, differs_by_text, score_rows
from rainbow.metrics.contract.registry import register
from rainbow.text.tokens import Tokens
from rainbow.text.tokens.ptb import ptb_tokens


def _hlepor_scores(batch: Batch) -> FloatArray:
    score = import_hlepor().single_hlepor_score

    def best(output: str, references: Sequence[str]) -> float:
        tokens = " ".join(ptb_tokens(output))
        texts = [" ".join(ptb_tokens(reference)) for reference in references]
        return max(float(score(text, tokens, separate_punctuation=False)) for text in texts)

    return score_rows(best, batch)


def import_hlepor() -> Any:
    """Import hLepor without nltk's sentence splitter and type hints, which it does not need here."""
    import sys
    from types import SimpleNamespace
    from unittest.mock import patch

    subscripted = type("NDArray", (), {"__class_getitem__": classmethod(lambda cls, _: cls)})
    hints: Any = SimpleNamespace(NDArray=subscripted)
    missing = "nptyping" not in sys.modules
    sys.modules.setdefault("nptyping", hints)
    try:
        with patch("nltk.download"):
            from hlepor import hlepor as module
    finally:  # only this module: others imported meanwhile cannot be imported twice
        if missing:
            del sys.modules["nptyping"]
    return module


def _has_repeated_word(text: str) -> bool:
    return len({*ptb_tokens(text)}) < len(ptb_tokens(text))


@register
@dataclass(frozen=True)
class Lepor(Metric):
    """LEPOR and hLEPOR: length, word order, precision and recall combined, best over references.

    LEPOR is the product of the factors (:func:`rainbow.metrics.word.lepor.lepor_factors`), hLEPOR their weighted
    harmonic mean. Both are between 0 and 1, higher is better.

    Parameters
    ----------
    alpha, beta : float
        Positive weights of recall and of precision.
    weights : tuple of float
        Positive weights in hLEPOR of length, word order, and the mean of precision and recall.
    as_published : bool
        Compute the column LEPOR as the program of 2012 does: FIRST reference only, split at spaces.

    References
    ----------
    Han, A. L. F., Wong, D. F. and Chao, L. S. (2012). LEPOR: a robust evaluation metric for machine translation with
    augmented factors. COLING 2012: Posters.

    Han, A. L. F. et al. (2013). Language-independent model for machine translation evaluation with reinforced factors.
    MT Summit XIV.

    Examples
    --------
    >>> Lepor().score(Batch(["x is a cheap pub near y"], [["x is a pub near y", "near y"]])).round(4).tolist()
    [[0.8075, 0.9514]]
    """

    alpha: float = 9.0
    beta: float = 1.0
    weights: tuple[float, float, float] = (2.0, 1.0, 7.0)
    as_published: bool = False

    name = "lepor"
    plain = "Whether the output has the words of a reference, in its order and at its length, as one number."
    group = "word"
    columns = make_columns(
        {
            ("LEPOR", True, 0.0, 1.0, "words, order and length"): plain,
            ("hLEPOR", True, 0.0, 1.0, "words, order and length, weighted"): (
                "The same as LEPOR, but word matches count more than order and length."
            ),
        }
    )
    needs = frozenset({"references"})
    compares_words = True
    tokens = "ptb"
    tools = (
        Tool(
            "hLepor",
            ("hLEPOR",),
            _hlepor_scores,
            "the hLepor package aligns repeated words differently",
            differs_by_text(_has_repeated_word),
        ),
    )

    def __post_init__(self) -> None:
        if min(weights := (self.alpha, self.beta, *self.weights)) <= 0:
            raise ValueError(f"weights must be positive, got {weights}")

    def compute(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        values = self._compute_scores(batch, rows)
        if self.as_published:
            values[:, 0] = [
                published_lepor(batch.outputs[row].lower().split(), batch.references[row][0].lower().split())
                for row in rows
            ]
        return values

    def _compute_scores(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        if kernels():
            texts = batch.encoded(ptb_tokens, rows)
            return compiled.lepor(*texts, self.alpha, self.beta, self.weights, batch.threads)
        pairs = batch.pairs(rows, ptb_tokens)
        return np.array([lepor_scores(*tokens, self.alpha, self.beta, self.weights) for tokens in pairs])


CONTEXT = 2  # neighbours on either side that identify an occurrence of a repeated word
_Key = tuple[str, ...]  # (word,), or (word, side, neighbour)


class LeporFactors(NamedTuple):
    """Factors that LEPOR multiplies and hLEPOR averages, each in [0, 1], 1 for equal sentences."""

    length: float  # enhanced length penalty, ``exp(1 - longer / shorter)`` over the numbers of tokens
    order: float
    precision: float  # aligned words per hypothesis token
    recall: float  # aligned words per reference token


def lepor_scores(
    hypothesis: Tokens, references: Sequence[Tokens], alpha: float, beta: float, weights: Sequence[float]
) -> tuple[float, float]:
    """Return LEPOR and hLEPOR of a hypothesis in [0, 1], each the best over the references."""
    scores = []
    for reference in references:
        length, order, precision, recall = lepor_factors(hypothesis, reference)
        harmonic = _harmonic_mean((alpha, recall), (beta, precision))
        hlepor = _harmonic_mean(*zip(weights, (length, order, harmonic), strict=True))
        scores.append((length * order * harmonic, hlepor))
    return max(lepor for lepor, _ in scores), max(hlepor for _, hlepor in scores)


def lepor_factors(hypothesis: Tokens, reference: Tokens) -> LeporFactors:
    """Return the LEPOR factors of one pair of token sequences; all 0 if either is empty."""
    if not hypothesis or not reference:
        return LeporFactors(0.0, 0.0, 0.0, 0.0)
    ours, theirs = len(hypothesis), len(reference)
    pairs = [(i, j) for i, j in enumerate(align_words(hypothesis, reference)) if j is not None]
    shift = sum(abs((i + 1) / ours - (j + 1) / theirs) for i, j in pairs)
    return LeporFactors(
        length=_length_penalty(ours, theirs),
        order=math.exp(-shift / ours),
        precision=len(pairs) / ours,
        recall=len(pairs) / theirs,
    )


def _length_penalty(ours: int, theirs: int) -> float:
    return math.exp(1 - max(ours, theirs) / min(ours, theirs))


def align_words(hypothesis: Tokens, reference: Tokens) -> list[int | None]:
    """Return for every hypothesis token the position of its aligned reference token, or None."""
    repeated = {word for word, count in Counter(reference).items() if count > 1}
    free: dict[_Key, list[int]] = defaultdict(list)
    # Descending positions: entries are mostly taken from the end of a list, where deletion is cheap.
    for j in reversed(range(len(reference))):
        for key in _token_keys(reference, j, repeated):
            free[key].append(j)
    aligned: list[int | None] = []
    for i in range(len(hypothesis)):
        plain, *in_context = _token_keys(hypothesis, i, repeated)
        if not free.get(plain):
            aligned.append(None)
            continue
        lists = [free[key] for key in in_context if free.get(key)] or [free[plain]]
        j = min(_nearest_position(positions, i) for positions in lists)[1]
        aligned.append(j)
        for key in _token_keys(reference, j, repeated):
            del free[key][bisect_left(free[key], -j, key=neg)]
    return aligned


def _token_keys(tokens: Tokens, i: int, repeated: Set[str]) -> list[_Key]:
    """Return the lookup keys of a token: the token, then the token with each neighbour."""
    word = tokens[i]
    keys: list[_Key] = [(word,)]
    if word in repeated:
        keys += ((word, "left", neighbour) for neighbour in set(tokens[max(0, i - CONTEXT) : i]))
        keys += ((word, "right", neighbour) for neighbour in set(tokens[i + 1 : i + 1 + CONTEXT]))
    return keys


def _nearest_position(falling: list[int], i: int) -> tuple[int, int]:
    """Return the distance and value of the position nearest to i."""
    k = bisect_left(falling, -i, key=neg)
    return min((abs(j - i), j) for j in falling[max(0, k - 1) : k + 1])


def published_lepor(hypothesis: Tokens, reference: Tokens) -> float:
    """Return LEPOR in [0, 1] as the 2012 program computed it for Novikova et al. (2017)."""
    positions: dict[str, list[int]] = defaultdict(list)
    for j, word in enumerate(reference):
        positions[word].append(j)
    matches = _count_published_matches(hypothesis, positions)
    if not matches:
        return 0.0
    ours, theirs = len(hypothesis), len(reference)
    shift = sum(
        abs((i + 1) / ours - (_published_position(hypothesis, reference, i, positions[word]) + 1) / theirs)
        for i, word in enumerate(hypothesis)
        if word in positions
    )
    return _length_penalty(ours, theirs) * math.exp(-shift / ours) * 2 * matches / (ours + theirs)


def _count_published_matches(hypothesis: Tokens, positions: Mapping[str, list[int]]) -> int:
    free = {word: deque(places) for word, places in positions.items()}
    taken: set[str] = set()  # every beginning of the digits of a taken position
    matches = 0
    for word in hypothesis:
        queue = free.get(word)
        while queue and str(queue[0]) in taken:
            queue.popleft()
        if queue:
            digits = str(queue.popleft())
            taken.update(digits[:k] for k in range(1, len(digits) + 1))
            matches += 1
    return matches


def _published_position(hypothesis: Tokens, reference: Tokens, i: int, places: list[int]) -> int:
    if i == 0:
        offsets = (1, 2)
    elif i + 2 >= len(hypothesis):
        offsets = (-1, -2)
    else:
        return places[0]
    ours = _neighbour_words(hypothesis, i, offsets)
    shared = (j for j in places if ours & _neighbour_words(reference, j, offsets))
    return next(shared, min(places, key=lambda j: abs(j - i)))


def _neighbour_words(tokens: Tokens, i: int, offsets: tuple[int, int]) -> set[str]:
    # Places before the first token count from the end.
    return {tokens[i + offset] for offset in offsets if -len(tokens) <= i + offset < len(tokens)}


def _harmonic_mean(*weighted: tuple[float, float]) -> float:
    """Return the weighted harmonic mean of (weight, value) pairs; 0 if a value is 0."""
    if not all(value for _, value in weighted):
        return 0.0
    return sum(weight for weight, _ in weighted) / sum(weight / value for weight, value in weighted)
