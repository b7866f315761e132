"""Document frequencies of n-grams and the weights derived from them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any, Self

from rainbow.base.corpus_statistics import ByCollection, CompiledCounts, Statistics
from rainbow.text.ngrams.ngram_counts import Ngram, NgramCounts


@dataclass(frozen=True, eq=False, repr=False)
class CollectionFrequencies(Statistics):
    """Document frequencies of one collection of texts."""

    documents: int  # how many documents were counted
    counts: Mapping[Ngram, int]  # the number of documents with each n-gram, where that is two or more

    def __post_init__(self) -> None:
        if not isinstance(self.counts, CompiledCounts):
            object.__setattr__(self, "counts", MappingProxyType(dict(self.counts)))

    @cached_property
    def _weights(self) -> dict[Ngram, float]:
        return {ngram: math.log(self.documents) - math.log(count) for ngram, count in self.counts.items()}

    def weight(self, ngram: Ngram) -> float:
        """Return the inverse document frequency ``log(documents) - log(max(1, count))``, natural logarithms."""
        return self._weights.get(ngram, math.log(self.documents))

    def to_json(self) -> dict[str, Any]:
        """Return the content as JSON-serialisable data; n-grams are space-separated tokens."""
        return {
            "documents": self.documents,
            "ngrams": {" ".join(ngram): count for ngram, count in sorted(self.counts.items())},
        }

    def content(self) -> bytes:
        """Return the content as JSON with sorted keys."""
        written = self.counts.source.json() if isinstance(self.counts, CompiledCounts) else b""
        return b'{"documents": %d, "ngrams": %b}' % (self.documents, written) if written else super().content()

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Create frequencies from the data of :meth:`to_json`."""
        documents = int(data["documents"])
        counts = {tuple(ngram.split(" ")): int(count) for ngram, count in data["ngrams"].items()}
        if documents < 1 or any(not 1 <= count <= documents for count in counts.values()):
            raise ValueError(f"every count must be between 1 and the {documents} documents")
        return cls(documents, counts)


class DocumentFrequencies(ByCollection[CollectionFrequencies]):
    """Document frequencies of several collections, by collection name."""

    part = CollectionFrequencies

    @classmethod
    def count(cls, documents: Mapping[str, Iterable[Sequence[NgramCounts]]]) -> Self:
        """Count the documents of each collection that contain an n-gram."""
        parts = {}
        for name, sets in documents.items():
            counts, size = Counter[Ngram](), 0
            for texts in sets:
                counts.update({ngram for orders in texts for order in orders for ngram in order})
                size += bool(texts)
            if size:
                several = {ngram: count for ngram, count in counts.items() if count > 1}
                parts[name] = CollectionFrequencies(size, several)
        return cls(parts)
