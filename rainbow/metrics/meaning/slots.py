"""Slots of the meaning representation that an output realises, omits or adds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from rainbow.base.arrays import FloatArray
from rainbow.meaning import MeaningRepresentation
from rainbow.meaning.compiled_realisation import known_values, slot_shares
from rainbow.meaning.realisation import NO_VALUES, ValueInventory
from rainbow.metrics.contract.base import Column, Metric
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.contract.registry import register
from rainbow.text.words.stem_fingerprint import stem_fingerprint


@register
@dataclass(frozen=True)
class Slots(Metric):
    """Shares of slots that an output realises, omits or repeats, and the number of added facts.

    Source: The four kinds of error are those of the slot error rate in Dušek, O., Novikova, J. and Rieser, V. (2020).
    Evaluating the state-of-the-art of end-to-end natural language generation: the E2E NLG challenge. Computer Speech &
    Language 59.
    """

    statistics: ValueInventory | None = None

    name = "slots"
    plain = "Which facts of the input the output says, leaves out, says twice, or invents."
    group = "meaning"
    columns = (
        Column(
            "slots_realised",
            True,
            0.0,
            1.0,
            short="facts said",
            plain="Which share of the facts of the input the output says.",
        ),
        Column(
            "slots_missing",
            False,
            0.0,
            1.0,
            short="facts left out",
            plain="Which share of the facts of the input the output leaves out, or says otherwise.",
        ),
        Column(
            "slots_repeated",
            False,
            0.0,
            1.0,
            short="facts said twice",
            plain="Which share of the facts of the input the output says more than once.",
        ),
        Column(
            "slots_invented",
            False,
            0.0,
            short="facts invented",
            plain="How many facts the output states that the input does not have.",
        ),
    )
    needs = frozenset({"mr"})
    surface_only = True
    reads_slots = True
    undefined = "the meaning representation has no slot"

    def fit(self, batch: Batch) -> Self:
        pairs = dict.fromkeys((meaning, batch.references[row]) for row, meaning in enumerate(batch.meanings) if meaning)
        return replace(self, statistics=known_values(pairs))

    def compute(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        meanings = [_require_meaning(batch, row) for row in rows]
        return slot_shares(meanings, [batch.outputs[row] for row in rows], self.statistics or NO_VALUES, batch.threads)

    def resources(self) -> dict[str, str]:
        return {"stems": f"snowball-english {stem_fingerprint()}"}


def _require_meaning(batch: Batch, row: int) -> MeaningRepresentation:
    if (meaning := batch.meanings[row]) is None:
        raise ValueError("there is no meaning representation: score rows that have one")
    return meaning
