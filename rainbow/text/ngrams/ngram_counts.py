"""N-gram counts of texts, and the counts that two texts share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

LONGEST = 4  # tokens: the highest order that BLEU, ROUGE-N and CIDEr look at

Ngram = tuple[str, ...]
NgramCounts = tuple[Mapping[Ngram, int], ...]


def ngram_counts(tokens: Sequence[str], longest: int = LONGEST) -> NgramCounts:
    """Count the n-grams of a text: entry n - 1 maps n-grams of length n to counts."""
    return tuple(
        Counter(zip(*(tokens[start:] for start in range(order)), strict=False)) for order in range(1, longest + 1)
    )


def clipped_matches(output: Mapping[Ngram, int], references: Sequence[Mapping[Ngram, int]]) -> int:
    """Return the number of matching n-grams, clipped at the largest count in any one reference."""
    if len(references) == 1:
        common = output.keys() & references[0].keys()
        return sum(min(output[ngram], references[0][ngram]) for ngram in common)
    matches = 0
    for ngram, count in output.items():
        if allowed := max([reference.get(ngram, 0) for reference in references], default=0):
            matches += min(count, allowed)
    return matches


def max_counts(texts: Sequence[NgramCounts]) -> NgramCounts:
    """Return the largest count of every n-gram in any one text."""
    if len(texts) == 1:
        return texts[0]
    merged: list[dict[Ngram, int]] = []
    for orders in zip(*texts, strict=True):
        most: Counter[Ngram] = Counter()
        for counts in orders:
            most |= Counter(counts)
        merged.append(dict(most))
    return tuple(merged)
