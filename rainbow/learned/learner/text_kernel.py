"""tf-idf kernel on the word and character n-grams of texts."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache
from sys import intern
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rainbow.base.arrays import FloatArray
from rainbow.base.caching import cache_by_size
from rainbow.base.native import compiled, kernels
from rainbow.learned.learner.contract import array_check, check_fields
from rainbow.text.tokens.ptb import ptb_parts
from rainbow.text.tokens.token_ids import encode_tokens

Units = Literal["words", "characters"]


# Lengths of n-grams: one to three words without punctuation; two to five characters of a word and its adjacent blanks,
# with punctuation.
_LENGTHS: dict[Units, tuple[int, int]] = {"words": (1, 3), "characters": (2, 5)}

# Longer n-grams and character n-grams are left out if the texts with them weigh less than this in total, relative to
# the heaviest text (at most 1): they occur only in corrupted copies, which are as many as outputs. Words are kept,
# because familiarity depends on them.
MIN_NGRAM_WEIGHT = 0.5


class TextKernel:
    """Cosine of the log-damped tf-idf n-gram counts of texts.

    Shapes: texts, weights (n,).
    """

    def __init__(self, units: Units, texts: Sequence[str], weights: FloatArray) -> None:
        self.units: Units = units
        weighing = _ngram_weights(units, texts, weights)
        least = MIN_NGRAM_WEIGHT * min(1.0, weights.max(initial=0.0))
        self.ngrams = tuple(
            sorted(
                ngram
                for ngram, weight in weighing.items()
                if weight >= least or (units == "words" and " " not in ngram)
            )
        )
        present = np.array([weighing[ngram] for ngram in self.ngrams])
        # One imaginary text with every n-gram keeps all weights finite.
        self.rarity = np.log((1 + weights.sum()) / (1 + present)) + 1

    def vectors(self, texts: Sequence[str]) -> Any:
        """Return weighted counts as a sparse matrix (texts, n-grams) of unit rows; 0 without n-grams."""
        from scipy.sparse import csr_array

        written = _normalise_texts(self.units, texts)
        rows = {text: self._text_values(text) for text in written}  # equal texts once
        ends = np.cumsum([0, *(len(rows[text][0]) for text in written)])
        places, result = (
            np.concatenate([np.zeros(0, kind), *(rows[text][part] for text in written)])
            for part, kind in enumerate((np.int32, np.float64))
        )
        return csr_array((result, places, ends), shape=(len(written), len(self.ngrams)))

    def weighted_sums(self, texts: Sequence[str], coefficients: FloatArray) -> FloatArray:
        """Return the text vectors times coefficients (n-grams, ratings), shape (texts, ratings)."""
        if kernels():
            return self._compiled.sums(_encode_texts(self.units, tuple(texts)), coefficients)
        sums: FloatArray = self.vectors(texts) @ coefficients
        return sums

    def known_share(self, texts: Sequence[str]) -> FloatArray:
        """Return the share of each text's words seen in training, shape (texts,); 0 without words."""
        if self.units != "words":
            raise ValueError(f"the units are {self.units}: only words have a known share")
        if kernels():
            return self._compiled.known(_encode_texts(self.units, tuple(texts)))[:, 0]
        known = self._places
        shares = [[word in known for word in text.split()] for text in _normalise_texts(self.units, texts)]
        return np.array([sum(share) / max(1, len(share)) for share in shares])

    def _text_values(self, text: str) -> tuple[NDArray[np.int32], FloatArray]:
        """Return the indices of a text's n-grams, in descending order, and their weights."""
        known = self._places
        counts = {
            known[ngram]: count for ngram, count in zip(*_count_ngrams(self.units, text), strict=True) if ngram in known
        }
        places = sorted(counts, reverse=True)
        weights: FloatArray = np.array([1 + math.log(counts[place]) for place in places]) * self.rarity[places]
        # Added one by one, as the compiled twin does it: the bits of a sum depend on its order.
        length = math.sqrt((weights * weights).cumsum()[-1]) if len(weights) else 0.0
        return np.array(places, dtype=np.int32), weights / length if length > 0 else weights

    @cached_property
    def _places(self) -> dict[str, int]:
        return {ngram: place for place, ngram in enumerate(self.ngrams)}

    @cached_property
    def _compiled(self) -> compiled.TextKernel:
        lengths = _LENGTHS[self.units]
        return compiled.TextKernel(list(self.ngrams), self.rarity, self.units == "words", *lengths)

    def check(self) -> None:
        """Raise ValueError unless this is a valid fitted kernel."""
        # The n-grams are strings: what makes the kernel splits one long string.
        check_fields(
            self,
            TextKernel,
            units=_check_units,
            ngrams=_check_unique,
            rarity=lambda rarity, name: array_check(len(self.ngrams))(rarity, name),
        )

    def __getstate__(self) -> dict[str, Any]:
        # One text, as n-grams hold no line break: in a file it takes a tenth of the room of an array of strings.
        return {"units": self.units, "ngrams": "\n".join(self.ngrams), "rarity": self.rarity}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, ngrams=tuple(state["ngrams"].split("\n")) if state["ngrams"] else ())


def _check_units(units: Any, name: str) -> None:
    if units not in tuple(_LENGTHS):
        raise ValueError(f"{name} of a text kernel is {units!r}, not {' or '.join(_LENGTHS)}")


def _check_unique(ngrams: Any, name: str) -> None:
    if len(set(ngrams)) < len(ngrams):
        raise ValueError("an n-gram is listed twice")


# Words are the tokenizer's tokens.
_WORDS: dict[Units, Callable[[str], list[str]]] = {"words": ptb_parts, "characters": lambda text: text.lower().split()}


def _normalise_texts(units: Units, texts: Sequence[str]) -> list[str]:
    """Return the texts in lower case with single spaces between words."""
    return [" ".join(_WORDS[units](text)) for text in texts]


@lru_cache(maxsize=8)  # a model has several kernels of the same texts
def _encode_texts(units: Units, texts: tuple[str, ...]) -> compiled.Texts:
    return encode_tokens(_WORDS[units], texts)


def _ngram_weights(units: Units, texts: Sequence[str], weights: FloatArray) -> dict[str, float]:
    """Return the total weight of the texts that contain each n-gram, counting equal texts once."""
    different: defaultdict[str, float] = defaultdict(float)
    for text, weight in zip(_normalise_texts(units, texts), weights.tolist(), strict=True):
        different[text] += weight
    weighing: defaultdict[str, float] = defaultdict(float)
    for text, weight in different.items():
        for ngram in _count_ngrams(units, text)[0]:
            weighing[ngram] += weight
    return weighing


@cache_by_size(1 << 22)  # folds and ratings meet the same texts again
def _count_ngrams(units: Units, text: str) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Return the n-grams of a text and their counts."""
    counts = Counter(map(intern, _list_ngrams(units, text)))
    return tuple(counts), tuple(counts.values())


def _list_ngrams(units: Units, text: str) -> Iterator[str]:
    """Return the n-grams of a text, with repetitions."""
    shortest, longest = _LENGTHS[units]
    words = text.split(" ") if text else []
    if units == "words":
        for length in range(shortest, longest + 1):
            yield from (" ".join(words[i : i + length]) for i in range(len(words) - length + 1))
        return
    for word in words:
        padded = f" {word} "
        # A word that is no longer than the n-grams is one itself, once.
        for length in range(shortest, min(longest, len(padded)) + 1):
            yield from (padded[i : i + length] for i in range(len(padded) - length + 1))
