"""Information weights of n-grams in reference texts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from rainbow.base.corpus_statistics import CompiledCounts, Statistics
from rainbow.text.ngrams.ngram_counts import Ngram, ngram_counts
from rainbow.text.tokens import Tokens

ORDER = 5  # longest n-gram of NIST as mteval computes it
MAX_NGRAM_LENGTH = 99  # no order beyond it is read from a file


@dataclass(frozen=True, eq=False, repr=False)
class InformationWeights(Statistics):
    """Information weights of n-grams, counted in reference segments; see :meth:`fit`."""

    counts: Mapping[Ngram, int]  # how often each n-gram of up to `order` tokens occurs in the segments
    total: int  # number of tokens in the segments
    order: int = ORDER  # length of the longest n-grams

    @classmethod
    def fit(cls, segments: Iterable[Tokens], order: int = ORDER) -> Self:
        """Return the weights from reference segments, counting repeated segments repeatedly."""
        if order < 1:
            raise ValueError(f"order must be at least 1, got {order}")
        counts: Counter[Ngram] = Counter()
        total = 0
        for segment in segments:
            if isinstance(segment, str):
                raise ValueError("a string was passed instead of tokens: split every segment first")
            total += len(segment)
            for results in ngram_counts(segment, order):
                counts.update(results)
        return cls(dict(counts), total, order)

    def information(self, ngram: Ngram) -> float:
        """Return the information of an n-gram in bits; unseen n-grams count as seen once."""
        before = self.counts.get(ngram[:-1], 1) if len(ngram) > 1 else max(self.total, 1)
        return math.log2(before / self.counts.get(ngram, 1))

    def to_json(self) -> dict[str, Any]:
        """Return the weights as plain lists and numbers for JSON, equal for equal weights."""
        return {
            "order": self.order,
            "total": self.total,
            "counts": [[list(ngram), count] for ngram, count in sorted(self.counts.items())],
        }

    def content(self) -> bytes:
        """Return the weights as JSON with sorted keys."""
        if not isinstance(self.counts, CompiledCounts):
            return super().content()
        return b'{"counts": %b, "order": %d, "total": %d}' % (self.counts.source.json(), self.order, self.total)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the weights from :meth:`to_json` data."""
        try:
            counts = {tuple(map(str, ngram)): int(count) for ngram, count in data["counts"]}
            order = int(data["order"])
            if any(len(ngram) > order for ngram in counts) or order > MAX_NGRAM_LENGTH:
                raise ValueError(f"an order of {order} does not fit these n-grams")
            return cls(counts, int(data["total"]), order)
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError("these are not information weights: pass the result of to_json()") from error
