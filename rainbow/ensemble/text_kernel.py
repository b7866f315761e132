"""How alike two outputs are in their words and characters: a tf-idf kernel."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rainbow.metrics.base import FloatArray
from rainbow.text.ptb import ptb_tokens

if TYPE_CHECKING:
    from sklearn.feature_extraction.text import CountVectorizer

__all__ = ["TextKernel", "Units"]

Units = Literal["words", "characters"]

# One to three words, without punctuation; two to five characters of a word and the blanks beside it, with it.
_NGRAMS: dict[Units, dict[str, Any]] = {
    "words": {"analyzer": "word", "token_pattern": r"\S+", "ngram_range": (1, 3)},
    "characters": {"analyzer": "char_wb", "ngram_range": (2, 5)},
}


class TextKernel:
    """Cosine of the n-gram counts of texts, damped by the logarithm, n-grams weighing more that few texts have.

    Fitted, it holds the n-grams and their weights, and no text.

    Parameters
    ----------
    units
        ``words`` or ``characters``; letters are lower-cased.
    texts, weights
        The texts to fit on, and how much each counts, shape (n,).

    Examples
    --------
    >>> texts = ["A cheap inn.", "A pub."]
    >>> kernel = TextKernel("words", texts, np.ones(2))
    >>> (kernel.vectors(["a cheap inn", "a zoo"]) @ kernel.vectors(texts).T).toarray().round(2).tolist()
    [[1.0, 0.14], [0.3, 0.45]]
    """

    def __init__(self, units: Units, texts: Sequence[str], weights: FloatArray) -> None:
        self.units: Units = units
        self.ngrams = _ngrams_of(units, texts)
        counts = self._counts(texts)
        # As if one more text had every n-gram; so no weight is infinite.
        self.rarity = np.log((1 + weights.sum()) / (1 + weights @ (counts > 0))) + 1

    def vectors(self, texts: Sequence[str]) -> Any:
        """Give the weighted counts, a sparse matrix (texts, n-grams); each row has length 1, or 0 without n-grams."""
        from scipy.sparse import diags_array
        from sklearn.preprocessing import normalize

        counts = self._counts(texts)
        if not counts.nnz:
            return counts
        counts.data = 1 + np.log(counts.data)
        return normalize((counts @ diags_array(self.rarity)).tocsr(), copy=False)

    def _counts(self, texts: Sequence[str]) -> Any:
        from scipy.sparse import csr_array

        if not self.ngrams:
            return csr_array((len(texts), 0))
        places: dict[str, int] = {}
        rows = [places.setdefault(text, len(places)) for text in texts]
        counts = csr_array(self._counter.transform(_prepared(self.units, list(places))), dtype=np.float64)
        return counts if len(places) == len(rows) else counts[rows]

    @cached_property
    def _counter(self) -> CountVectorizer:
        from sklearn.feature_extraction.text import CountVectorizer

        places = {ngram: place for place, ngram in enumerate(self.ngrams)}
        return CountVectorizer(vocabulary=places, **_NGRAMS[self.units])

    def __getstate__(self) -> dict[str, Any]:
        # One text, as n-grams hold no line break: in a file it takes a tenth of the room of an array of strings.
        return {"units": self.units, "ngrams": "\n".join(self.ngrams), "rarity": self.rarity}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, ngrams=tuple(state["ngrams"].split("\n")) if state["ngrams"] else ())


def _ngrams_of(units: Units, texts: Sequence[str]) -> tuple[str, ...]:
    """Give the different n-grams of all texts, sorted."""
    from sklearn.feature_extraction.text import CountVectorizer

    analyse = CountVectorizer(**_NGRAMS[units]).build_analyzer()
    return tuple(sorted({ngram for text in _prepared(units, list(dict.fromkeys(texts))) for ngram in analyse(text)}))


def _prepared(units: Units, texts: Sequence[str]) -> list[str]:
    return [" ".join(ptb_tokens(text)) for text in texts] if units == "words" else list(texts)
