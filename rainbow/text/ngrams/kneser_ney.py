"""Interpolated Kneser-Ney language models that can leave out any one document exactly."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from sys import intern
from typing import Any, NamedTuple, Self

from rainbow.base.corpus_statistics import CompiledCounts, Statistics
from rainbow.base.native import compiled, kernels

Sentence = tuple[str, ...]
Gram = tuple[str, ...]

# ASCII's "start of text" and "end of text": no tokeniser makes words of them, while "<s>" may stand in a text.
START, END = "\x02", "\x03"

LONGEST = 99  # tokens

# Documents whose counts are kept once they were taken out: rows of one input mostly stand close together or come again.
REMEMBERED = 1024

# KenLM's fallback if a discount cannot be estimated because no n-gram occurs once or twice.
FALLBACK_DISCOUNT = 0.5


class _Level(NamedTuple):
    """Counts of n-grams of one length, with the total and number of types per context."""

    grams: Mapping[Gram, int]
    totals: Mapping[Gram, int]
    kinds: Mapping[Gram, int]


NOTHING = _Level({}, {}, {})


@dataclass(frozen=True, eq=False, repr=False)
class KneserNey(Statistics):
    r"""An interpolated Kneser-Ney n-gram model of named documents; immutable.

    Source: Kneser, R. and Ney, H. (1995). Improved backing-off for m-gram language modeling. ICASSP. Chen, S. F. and
    Goodman, J. (1999). An empirical study of smoothing techniques for language modeling. Computer Speech & Language
    13(4).
    """

    order: int  # the length of the longest n-grams, 1 to 99
    counts: Mapping[Gram, int]
    documents: tuple[tuple[str, tuple[Sentence, ...]], ...] = ()
    _removals: dict[str, tuple[_Level, ...]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        if not 1 <= self.order <= LONGEST:
            raise ValueError(f"order is {self.order}: the order of a language model is 1 to {LONGEST}")
        if isinstance(self.counts, CompiledCounts):
            return
        for gram, count in self.counts.items():
            whole = len(gram) < self.order and (gram[0], gram[-1]) == (START, END)
            if count < 1 or not (len(gram) == self.order or whole):
                raise ValueError(f"{gram} counts {count}: counts start at 1, for n-grams of length {self.order}")

    @classmethod
    def fit(cls, documents: Mapping[str, Iterable[Sequence[str]]], order: int = 3) -> Self:
        """Fit the model to documents of tokenised sentences; empty sentences are ignored."""
        kept = tuple(
            (name, tuple(tuple(map(intern, sentence)) for sentence in sentences if sentence))
            for name, sentences in sorted(documents.items())
        )
        if kernels() and 1 <= order <= LONGEST:
            return cls(order, CompiledCounts(_compiled_model(order, kept, {})), kept)
        return cls(order, _count_longest((sentence for _, sentences in kept for sentence in sentences), order), kept)

    def counts_only(self) -> Self:
        """Return the model without its documents: equal probabilities, but nothing can be left out."""
        return type(self)(self.order, self.counts)

    def portable(self) -> Self:
        """Return the counts alone, enough to score new inputs."""
        return self.counts_only()

    def log_probabilities(self, sentence: Sequence[str], without: str | None = None) -> list[float]:
        """Return the natural log probability of every token and of the end of the sentence."""
        removal = self._removal(without)
        tokens = (START, *sentence, END)
        reach = self.order - 1
        return [
            math.log(self._probability(tokens[i], tokens[max(0, i - reach) : i], removal))
            for i in range(1, len(tokens))
        ]

    def known_ngram_lengths(self, sentence: Sequence[str], excluded: str | None = None) -> list[int]:
        """Return, for every token and the end, the length of the longest known n-gram ending there."""
        removal = self._removal(excluded)
        tokens = (START, *sentence, END)
        lengths = []
        for end in range(2, len(tokens) + 1):
            before, length = tokens[max(0, end - self.order) : end], 0
            for level, removed in zip(self._levels, removal, strict=True):
                gram = before[-length - 1 :]
                if length == len(before) or level.grams.get(gram, 0) == removed.grams.get(gram, 0):
                    break
                length += 1
            lengths.append(length)
        return lengths

    def probability(self, word: str, context: Sequence[str] = (), without: str | None = None) -> float:
        """Return the probability of a word given the preceding words."""
        kept = min(len(context), self.order - 1)
        return self._probability(word, tuple(context)[len(context) - kept :], self._removal(without))

    def vocabulary(self, without: str | None = None) -> set[str]:
        """Return the known words, including the end of the sentence (`END`)."""
        removed = self._removal(without)[0].grams
        return {gram[0] for gram, count in self._levels[0].grams.items() if count > removed.get(gram, 0)}

    def document(self, name: str | None) -> tuple[Sentence, ...]:
        """Return the sentences of a document; empty if the document is unknown."""
        return () if name is None else self._sentences.get(name, ())

    def compiled(self) -> compiled.LanguageModel:
        """Return the model in the form of the compiled kernels; the order of documents is unchanged."""
        if isinstance(self.counts, CompiledCounts):
            made: compiled.LanguageModel = self.counts.source
            return made
        return _compiled_model(self.order, self.documents, {} if self.documents else dict(self.counts))

    def is_empty(self, without: str | None = None) -> bool:
        """Return whether no sentence is left."""
        return self._occurrence_counts[0].get((END,), 0) == len(self.document(without))

    @cached_property
    def unigrams(self) -> KneserNey:
        """Unigram model of the same documents."""
        return KneserNey(1, self._occurrence_counts[0], self.documents)

    @cached_property
    def backward_model(self) -> KneserNey:
        """Model of the reversed sentences of the same documents."""
        if self.order == 1:
            return self
        turned = tuple((name, tuple(sentence[::-1] for sentence in sentences)) for name, sentences in self.documents)
        marks = {START: END, END: START}
        counts = {tuple(marks.get(word, word) for word in reversed(gram)): n for gram, n in self.counts.items()}
        return KneserNey(self.order, counts, turned)

    def _probability(self, word: str, context: Gram, removal: tuple[_Level, ...]) -> float:
        levels, discounts = self._levels, self._discounts
        probability = 1 / (levels[0].kinds.get((), 0) - removal[0].kinds.get((), 0) + 1)
        for length in range(len(context) + 1):
            level, removed, discount = levels[length], removal[length], discounts[length]
            history = context[len(context) - length :]
            total = level.totals.get(history, 0) - removed.totals.get(history, 0)
            if not total:
                break
            gram = (*history, word)
            count = level.grams.get(gram, 0) - removed.grams.get(gram, 0)
            kinds = level.kinds[history] - removed.kinds.get(history, 0)
            probability = ((count - discount if count else 0) + discount * kinds * probability) / total
        return probability

    @cached_property
    def _occurrence_counts(self) -> tuple[Counter[Gram], ...]:
        """Counts of the n-grams of each length in all documents."""
        return _count_occurrences(self.counts, self.order)

    @cached_property
    def _levels(self) -> tuple[_Level, ...]:
        return tuple(_context_sums(grams, grams) for grams in self._continuation_counts)

    @cached_property
    def _continuation_counts(self) -> tuple[Counter[Gram], ...]:
        """Kneser-Ney counts of the n-grams of each length."""
        return _subtract_counts(self._occurrence_counts, self._occurrence_counts)

    @cached_property
    def _discounts(self) -> tuple[float, ...]:
        return tuple(_estimate_discount(grams.values()) for grams in self._continuation_counts)

    @cached_property
    def _sentences(self) -> dict[str, tuple[Sentence, ...]]:
        return dict(self.documents)

    def _removal(self, name: str | None) -> tuple[_Level, ...]:
        """Return the counts to subtract to leave a document out."""
        if name is None or name not in self._sentences:
            return (NOTHING,) * self.order
        if name not in self._removals:
            if len(self._removals) >= REMEMBERED:
                self._removals.pop(next(iter(self._removals)))
            own = _count_occurrences(_count_longest(self._sentences[name], self.order), self.order)
            counts = _subtract_counts(own, self._occurrence_counts)
            self._removals[name] = tuple(
                _context_sums(grams, level.grams) for grams, level in zip(counts, self._levels, strict=True)
            )
        return self._removals[name]

    def to_json(self) -> dict[str, Any]:
        """Return the model as JSON-serialisable data: order and documents, or counts without documents."""
        if self.documents:
            documents = {name: [list(sentence) for sentence in texts] for name, texts in self.documents}
            return {"order": self.order, "documents": documents}
        return {"order": self.order, "counts": _to_trie(self.counts)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Create the model from the data of :meth:`to_json`."""
        try:
            if "documents" in data:
                return cls.fit(data["documents"], data["order"])
            return cls(data["order"], dict(_from_trie(data["counts"])))
        except (AttributeError, KeyError, TypeError) as error:
            raise ValueError("invalid counts of a language model: pass the result of to_json()") from error


def _compiled_model(
    order: int, documents: Sequence[tuple[str, tuple[Sentence, ...]]], extra: dict[Gram, int]
) -> compiled.LanguageModel:
    return compiled.LanguageModel(order, [sentences for _, sentences in documents], extra, START, END)


def _count_longest(sentences: Iterable[Sentence], order: int) -> Counter[Gram]:
    """Count the n-grams of this length in padded sentences; shorter sentences count whole."""
    counts: Counter[Gram] = Counter()
    for sentence in sentences:
        tokens = (START, *sentence, END)
        # The start mark is context only.
        counts.update(tokens[i : i + order] for i in range(order == 1, max(1, len(tokens) - order + 1)))
    return counts


def _count_occurrences(longest: Mapping[Gram, int], order: int) -> tuple[Counter[Gram], ...]:
    """Return the counts of n-grams of each length from the counts of the longest ones."""
    levels = [Counter({gram: count for gram, count in longest.items() if len(gram) == n}) for n in range(1, order + 1)]
    for shorter, longer in zip(levels[-2::-1], levels[:0:-1], strict=True):
        for gram, count in longer.items():
            shorter[gram[:-1]] += count
            # The end of a sentence starts no longer n-gram.
            if gram[-1] == END:
                shorter[gram[1:]] += count
    levels[0].pop((START,), None)
    return tuple(levels)


def _to_trie(counts: Mapping[Gram, int]) -> dict[str, Any]:
    """Return counts nested by word, so that common prefixes are stored once."""
    root: dict[str, Any] = {}
    for gram, count in sorted(counts.items()):
        words = root
        for word in gram[:-1]:
            words = words.setdefault(word, {})
        words[gram[-1]] = count
    return root


def _from_trie(nested: Mapping[str, Any], before: Gram = ()) -> Iterator[tuple[Gram, int]]:
    for word, entry in nested.items():
        gram = (*before, intern(word))
        if type(entry) is int:
            yield gram, entry
        else:
            yield from _from_trie(entry, gram)


def _subtract_counts(part: Sequence[Counter[Gram]], total: Sequence[Counter[Gram]]) -> tuple[Counter[Gram], ...]:
    """Return the Kneser-Ney counts that are lost without part of the documents."""
    counts = []
    for shorter, longer, all_longer in zip(part, part[1:], total[1:], strict=False):
        owed = Counter(gram[1:] for gram, count in longer.items() if count == all_longer[gram])
        owed.update({gram: count for gram, count in shorter.items() if gram[0] == START})
        counts.append(owed)
    return (*counts, part[-1])


def _context_sums(grams: Mapping[Gram, int], whole: Mapping[Gram, int]) -> _Level:
    """Sum counts by context; a type is lost only if no occurrence remains."""
    totals: Counter[Gram] = Counter()
    kinds: Counter[Gram] = Counter()
    for gram, count in grams.items():
        totals[gram[:-1]] += count
        kinds[gram[:-1]] += count == whole[gram]
    return _Level(grams, totals, kinds)


def _estimate_discount(counts: Iterable[int]) -> float:
    of_counts = Counter(counts)
    once, twice = of_counts[1], of_counts[2]
    return once / (once + 2 * twice) if once and twice else FALLBACK_DISCOUNT
