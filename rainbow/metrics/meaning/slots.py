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

    =============== ============================================================================== ======
    column          what it is                                                                     better
    =============== ============================================================================== ======
    slots_realised  slots whose value is said, as a share of the slots of the meaning              higher
                    representation
    slots_missing   slots that are not spoken of at all                                            lower
    slots_repeated  slots said more often than the meaning representation has their value             lower
    slots_invented  how many numbers, placeholders and known values are said that it does not have lower
    =============== ============================================================================== ======

    A value is said where its words stand, however they are spaced (:func:`rainbow.text.words.mentions.find_mentions`;
    longer values first, so that the restaurant *Marnee Thai* does not say that the food is Thai), or where all its
    words stand in any order and inflection ("moderately priced", "cheap or expensive" for `expensive or cheap`), or
    where half of a compound does ("by the river" for `riverside`), or other words of the same meaning ("low-priced"
    for `cheap`). Of a value that several slots share (BAGEL's ``X``) as many are realised as it stands there. `yes`,
    `no`, `none`, `dont_care` and a question without a value are said by speaking of what the slot is about ("Wi-Fi"
    for `has_internet`): `no` in a clause with a negation, `none` with a negation anywhere, `yes` without one close
    by, `dont_care` with words of indifference; otherwise they are wrong, neither realised nor missing. The negation
    of an act of no match is its own, and denies no slot. A general slot is realised by a special one (`type` by
    `eattype`).

    Invented are words with a digit that are in no value, an ``X`` too many, and values of other meaning
    representations that no value of this one has. Of the latter only those count that the references fitted on say
    where the meaning representation has them in nine mentions of ten ("restaurant" is said unasked; "Italian" is not);
    without references none do.

    Meaning representations of the E2E NLG Challenge are told by their attributes (`eatType`, `familyFriendly` ...), and
    looked for by the wordings that people use for each value (:mod:`rainbow.meaning.domains.e2e_realisation`): "20-25
    pounds", "child-free", "a pub". There, invented are attributes that are not asked for and values beside the right
    one.

    Triples and tables are read as facts (:mod:`rainbow.meaning.facts`): names, dates and numbers in whatever form.

    Of others, paraphrases by other words are not caught ("sushi" for Japanese food, "under £20" for `less than £20`).
    The shares are NaN where the meaning representation has no slot, or is free text. What is read and how often it is
    right: docs/slots.md.

    Parameters
    ----------
    statistics
        The fitted inventory of values.

    References
    ----------
    The four kinds of error are those of the slot error rate in Dušek, O., Novikova, J. and Rieser, V. (2020).
    Evaluating the state-of-the-art of end-to-end natural language generation: the E2E NLG challenge. Computer Speech &
    Language 59.

    Examples
    --------
    >>> mr = "inform(name='the inn',food=thai,dogs_allowed=no,phone=555)"
    >>> texts = ["The Inn serves Thai food, no dogs.", "the inn by the inn allows dogs, call 777"]
    >>> batch = Batch(texts, inputs=[mr, mr])
    >>> Slots().fit(batch).score(batch).tolist()
    [[0.75, 0.25, 0.0, 0.0], [0.25, 0.5, 0.25, 1.0]]
    """

    statistics: ValueInventory | None = None

    name = "slots"
    plain = "Which facts of the input the output states, omits, repeats or invents."
    group = "meaning"
    columns = (
        Column(
            "slots_realised",
            True,
            0.0,
            1.0,
            short="stated facts",
            plain="Share of the facts of the input that the output states.",
        ),
        Column(
            "slots_missing",
            False,
            0.0,
            1.0,
            short="omitted facts",
            plain="Share of the facts of the input that the output omits or states wrongly.",
        ),
        Column(
            "slots_repeated",
            False,
            0.0,
            1.0,
            short="repeated facts",
            plain="Share of the facts of the input that the output states more than once.",
        ),
        Column(
            "slots_invented",
            False,
            0.0,
            short="invented facts",
            plain="Number of facts in the output that are not in the input.",
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
