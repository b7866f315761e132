"""LEPOR and hLEPOR factors: length, word order, precision and recall against a reference."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter, defaultdict, deque
from collections.abc import Mapping, Sequence
from operator import neg
from typing import NamedTuple

from rainbow.text.tokens import Tokens

_Key = tuple[str, ...]  # (word,), or (word, side, neighbour)


class LeporFactors(NamedTuple):
    """Factors that LEPOR multiplies and hLEPOR averages, each in [0, 1], 1 for equal sentences."""

    length: float  # enhanced length penalty, ``exp(1 - longer / shorter)`` over the numbers of tokens
    order: float
    precision: float  # aligned words per hypothesis token
    recall: float  # aligned words per reference token

    def harmonic(self, alpha: float = 9.0, beta: float = 1.0) -> float:
        """Return the harmonic mean of recall and precision, weighted `alpha` to `beta`; 0 if unaligned."""
        return _harmonic_mean((alpha, self.recall), (beta, self.precision))


def lepor(
    hypothesis: Tokens, references: Sequence[Tokens], *, alpha: float = 9.0, beta: float = 1.0, context: int = 2
) -> float:
    """Return LEPOR of a hypothesis in [0, 1], the best over the references; higher is better.

    Source: Han, A. L. F., Wong, D. F. and Chao, L. S. (2012). LEPOR: a robust evaluation metric for machine translation
    with augmented factors. COLING 2012: Posters.
    """
    _check_texts(hypothesis, references, alpha, beta)
    scores = []
    for reference in references:
        factors = lepor_factors(hypothesis, reference, context)
        scores.append(factors.length * factors.order * factors.harmonic(alpha, beta))
    return max(scores)


def hlepor(
    hypothesis: Tokens,
    references: Sequence[Tokens],
    *,
    alpha: float = 9.0,
    beta: float = 1.0,
    weights: tuple[float, float, float] = (2.0, 1.0, 7.0),
    context: int = 2,
) -> float:
    """Return hLEPOR of a hypothesis in [0, 1], the best over the references; higher is better.

    Source: Han, A. L. F., Wong, D. F., Chao, L. S., He, L., Lu, Y., Xing, J. and Zeng, X. (2013). Language-independent
    model for machine translation evaluation with reinforced factors. MT Summit XIV.
    """
    _check_texts(hypothesis, references, alpha, beta, *weights)
    scores = []
    for reference in references:
        factors = lepor_factors(hypothesis, reference, context)
        terms = (factors.length, factors.order, factors.harmonic(alpha, beta))
        scores.append(_harmonic_mean(*zip(weights, terms, strict=True)))
    return max(scores)


def lepor_factors(hypothesis: Tokens, reference: Tokens, context: int = 2) -> LeporFactors:
    """Return the LEPOR factors of one pair of token sequences; all 0 if either is empty."""
    if not hypothesis or not reference:
        return LeporFactors(0.0, 0.0, 0.0, 0.0)
    ours, theirs = len(hypothesis), len(reference)
    pairs = [(i, j) for i, j in enumerate(align_words(hypothesis, reference, context)) if j is not None]
    shift = sum(abs((i + 1) / ours - (j + 1) / theirs) for i, j in pairs)
    return LeporFactors(
        length=math.exp(1 - max(ours, theirs) / min(ours, theirs)),
        order=math.exp(-shift / ours),
        precision=len(pairs) / ours,
        recall=len(pairs) / theirs,
    )


def align_words(hypothesis: Tokens, reference: Tokens, context: int = 2) -> list[int | None]:
    """Return for every hypothesis token the position of its aligned reference token, or None."""
    spread = {word: context for word, count in Counter(reference).items() if count > 1}
    free: dict[_Key, list[int]] = defaultdict(list)
    # Descending positions: entries are mostly taken from the end of a list, where deletion is cheap.
    for j in reversed(range(len(reference))):
        for key in _token_keys(reference, j, spread):
            free[key].append(j)
    aligned: list[int | None] = []
    for i in range(len(hypothesis)):
        plain, *in_context = _token_keys(hypothesis, i, spread)
        if not free.get(plain):
            aligned.append(None)
            continue
        lists = [free[key] for key in in_context if free.get(key)] or [free[plain]]
        j = min(_nearest_position(positions, i) for positions in lists)[1]
        aligned.append(j)
        for key in _token_keys(reference, j, spread):
            del free[key][bisect_left(free[key], -j, key=neg)]
    return aligned


def _token_keys(tokens: Tokens, i: int, spread: Mapping[str, int]) -> list[_Key]:
    """Return the lookup keys of a token: the token, then the token with each neighbour."""
    word = tokens[i]
    keys: list[_Key] = [(word,)]
    if context := spread.get(word):
        keys += ((word, "left", neighbour) for neighbour in set(tokens[max(0, i - context) : i]))
        keys += ((word, "right", neighbour) for neighbour in set(tokens[i + 1 : i + 1 + context]))
    return keys


def _nearest_position(falling: list[int], i: int) -> tuple[int, int]:
    """Return the distance and value of the position nearest to i."""
    k = bisect_left(falling, -i, key=neg)
    return min((abs(j - i), j) for j in falling[max(0, k - 1) : k + 1])


def published_lepor(hypothesis: Tokens, reference: Tokens) -> float:
    """Return LEPOR in [0, 1] as the 2012 program computed it for Novikova et al. (2017).

    Source: Novikova, J., Dušek, O., Cercas Curry, A. and Rieser, V. (2017). Why we need new evaluation metrics for NLG.
    EMNLP.
    """
    _check_texts(hypothesis, [reference], 1.0)
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
    length = math.exp(1 - max(ours, theirs) / min(ours, theirs))
    return length * math.exp(-shift / ours) * 2 * matches / (ours + theirs)


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


def _check_texts(hypothesis: Tokens, references: Sequence[Tokens], *weights: float) -> None:
    if not references:
        raise ValueError("no reference: give one or more")
    if isinstance(references, str) or any(isinstance(tokens, str) for tokens in (hypothesis, *references)):
        raise ValueError("a string was passed instead of tokens: split the hypothesis and every reference first")
    if min(weights) <= 0:
        raise ValueError(f"weights must be positive, got {weights}")
