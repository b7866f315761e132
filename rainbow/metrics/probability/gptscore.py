"""How probable a pretrained language model finds an output for its meaning representation."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any, NamedTuple, Self

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.base.statistics import Statistics
from rainbow.meaning import read
from rainbow.metrics.contract.base import Column, Metric, MissingResourceError
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.contract.registry import register
from rainbow.programs.smollm2 import LONGEST, MODEL, Continuation, log_probabilities, missing_smollm2
from rainbow.text.tokens.punctuation import ptb_words

__all__ = ["Demonstrations", "GPTScore"]

LONGEST_EXAMPLE = 1000  # characters: the model reads 8,192 tokens in all


class Demonstration(NamedTuple):
    """A meaning representation, a reference for it, and the item that has both."""

    meaning: str
    reference: str
    item: str


@dataclass(frozen=True, eq=False, repr=False)
class Demonstrations(Statistics):
    """Examples of how people say meaning representations."""

    examples: tuple[Demonstration, ...]

    @classmethod
    def chosen(cls, batch: Batch, number: int) -> Self:
        """Return examples of all acts in turn, with different slots; the order of rows does not matter."""
        by_meaning = {example.meaning: example for example in sorted(_demonstrations(batch), reverse=True)}
        by_act: dict[str, dict[frozenset[str], Demonstration]] = {}
        for text in sorted(by_meaning, key=lambda text: hashlib.sha256(text.encode("utf-8", "replace")).digest()):
            act, names = _kind(text)
            by_act.setdefault(act, {}).setdefault(names, by_meaning[text])
        acts = sorted(by_act.values(), key=lambda examples: (-len(examples), min(examples.values())))
        turns = zip_longest(*(examples.values() for examples in acts))
        return cls(tuple(example for turn in turns for example in turn if example)[:number])

    def prompt(self, meaning: str, item: str) -> str:
        """Return the examples one below the other, without those for this meaning representation or item."""
        told = [example for example in self.examples if example.meaning != meaning and example.item != item]
        return "".join(f"{_written_out(example.meaning)}\n{example.reference}\n" for example in told)

    def to_json(self) -> list[list[str]]:
        """Return the examples as lists."""
        return [list(example) for example in self.examples]

    @classmethod
    def from_json(cls, data: Any) -> Self:
        """Make the examples that :meth:`to_json` gave."""
        if not all(isinstance(entry, list) and len(entry) == 3 for entry in data):
            raise ValueError("an example is not a meaning representation, a reference and an item")
        return cls(tuple(Demonstration(*map(str, entry)) for entry in data))


@register
@dataclass(frozen=True)
class GPTScore(Metric):
    """Mean natural-log probability of an output's tokens for its meaning representation, by SmolLM2.

    The model, pretrained on English at large, reads some meaning representations, each with a reference of the
    corpus below it, then that of the row; and says how probable every token of the output is after all that. So
    `gptscore` tells at once how fluent the output is, how far it says what it is to say, and whether in the manner of
    the corpus. Up to 0; higher is better. No reference of a row's own item, or for the same meaning representation, is
    among what is read.

    NaN for an output without a word, and for one that with its meaning representation is longer than 1,000 tokens.
    ``rainbow fetch smollm2`` brings the model (93 MB), which needs ``pip install 'rainbow-nlg[neural]'``.

    Parameters
    ----------
    examples
        How many meaning representations with references are read first.
    statistics
        Those chosen on a corpus.

    References
    ----------
    Fu, J., Ng, S.-K., Jiang, Z. and Liu, P. (2024). GPTScore: evaluate as you desire. NAACL.
    Yuan, W., Neubig, G. and Liu, P. (2021). BARTScore: evaluating generated text as text generation. NeurIPS.

    Examples
    --------
    >>> mr = "inform(name='the inn',price=cheap)"
    >>> batch = Batch(["the inn is cheap", "cheap inn the is"], [["the inn is cheap"]] * 2, [mr] * 2)
    >>> GPTScore().fit(batch).score(batch).round(1).tolist()  # doctest: +SKIP
    [[-3.5], [-5.3]]
    """

    examples: int = 12
    statistics: Demonstrations | None = None

    name = "gptscore"
    plain = "How probable a pretrained language model finds the output for its input, after a few examples."
    group = "language-model"
    columns = (Column("gptscore", True, -math.inf, 0.0, short="probable to a pretrained model"),)
    needs = frozenset({"mr", "neural"})
    surface_only = True
    undefined = f"the output has no word, or with its meaning representation more than {LONGEST:,} tokens"

    @classmethod
    def unavailable(cls) -> str | None:
        return missing_smollm2()

    def fit(self, batch: Batch) -> Self:
        return replace(self, statistics=Demonstrations.chosen(batch, self.examples))

    def compute(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        """Return the mean, shape (rows, 1).

        Raises
        ------
        MissingResourceError
            If the model is missing; the message says what to do.
        ValueError
            If it is not fitted.
        """
        if lacking := missing_smollm2():
            raise MissingResourceError(f"{self.name}: {lacking}")
        if self.statistics is None:
            raise ValueError("gptscore is not fitted: call fit(batch) first")
        words = batch.prepared(ptb_words)
        asked = {row: _continuation(self.statistics, batch, row) for row in rows if words[row]}
        together = sorted(set(asked.values()))  # those with the same prompt
        logs = dict(zip(together, log_probabilities(together), strict=True))
        return np.array([[_mean(logs[asked[row]] if row in asked else None)] for row in rows])

    def resources(self) -> Mapping[str, str]:
        return {"model": MODEL, "longest": f"{LONGEST}/{LONGEST_EXAMPLE}"}


def _demonstrations(batch: Batch) -> Iterator[Demonstration]:
    """Return a reference for every row that has one and a meaning representation, the background's rows as well."""
    for row, (mr, item) in enumerate(zip(batch.mrs, batch.items, strict=True)):
        if mr and batch.references[row]:
            example = Demonstration(_told(batch, row), _line(batch.references[row][0]), item)
            if len(example.meaning) + len(example.reference) <= LONGEST_EXAMPLE:
                yield example
    if batch.background is not None:
        yield from _demonstrations(batch.background)


def _told(batch: Batch, row: int) -> str:
    """Return a row's meaning representation in one notation; free text as it is."""
    return str(batch.meanings[row] or batch.mrs[row])


def _kind(text: str) -> tuple[str, frozenset[str]]:
    """Return the act and the names of the slots of a meaning representation; free text is a kind of its own."""
    meaning = read(text)
    return ("", frozenset({text})) if meaning is None else (meaning.act, frozenset(slot.name for slot in meaning.slots))


def _written_out(text: str) -> str:
    """Return a meaning representation in words: the model knows those, and not our brackets and quotation marks."""
    meaning = read(text)
    if meaning is None:
        return " ".join(text.split())
    names = (f"{slot.subject} {slot.name}".strip() for slot in meaning.slots)
    said = (f"{name} = {slot.value}" if slot.value else name for name, slot in zip(names, meaning.slots, strict=True))
    return re.sub("_", " ", f"{meaning.act}: {', '.join(said)}")


def _continuation(demonstrations: Demonstrations, batch: Batch, row: int) -> Continuation:
    meaning = _told(batch, row)
    prompt = demonstrations.prompt(meaning, batch.items[row])
    return Continuation(prompt, f"{_written_out(meaning)}\n", _line(batch.outputs[row]))


def _line(text: str) -> str:
    return " ".join(text.split()) + "\n"


def _mean(logs: Sequence[float] | None) -> float:
    return math.fsum(logs) / len(logs) if logs else math.nan
