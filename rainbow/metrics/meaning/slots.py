"""Slots of the meaning representation that an output realises, omits or adds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.meaning import MeaningRepresentation
from rainbow.meaning.compiled_realisation import known_values, slot_shares
from rainbow.meaning.inflected_mentions import mentioned_shares, said_slots
from rainbow.meaning.realisation import NO_VALUES, ValueInventory
from rainbow.metrics.contract.base import ENGLISH_ONLY, Metric, make_columns
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.contract.registry import register
from rainbow.text.languages.detection import ENGLISH, UNSPACED
from rainbow.text.words.mentions import stem_fingerprint

_UNSAID = "the references do not show that the values of its slots are said as the input has them"


@register
@dataclass(frozen=True)
class Slots(Metric):
    """Shares of slots that an output realises, omits or repeats, and the number of added facts.

    - `slots_realised`: share of the slots of the meaning representation whose value is realised;
    - `slots_missing`: share of slots that are not mentioned;
    - `slots_repeated`: share of slots mentioned more often than in the meaning representation;
    - `slots_invented`: number of numbers, placeholders and known values not in the input.

    A value is realised by any of these:

    - its words, with any spacing (:func:`rainbow.text.words.mentions.find_mentions`), longest values first, so that the
      restaurant *Marnee Thai* does not realise Thai food;
    - all its words in any order and inflection ("moderately priced", "cheap or expensive" for `expensive or cheap`);
    - half of a compound ("by the river" for `riverside`);
    - a synonym ("low-priced" for `cheap`).

    If several slots share a value (BAGEL's ``X``), as many slots are realised as there are mentions. `yes`, `no`,
    `none`, `dont_care` and a question without a value are realised by a mention of the topic of the slot ("Wi-Fi" for
    `has_internet`): `no` in a negated clause, `none` with a negation anywhere, `yes` without a nearby negation,
    `dont_care` with words of indifference. Otherwise they are wrong, neither realised nor missing. The negation of a
    no-match act does not negate slots. A general slot is realised by a specific one (`type` by `eattype`).

    Invented facts are words with a digit that are in no value, surplus ``X`` placeholders, and values of other meaning
    representations. The latter count only if, in the references used for fitting, at least nine of ten mentions have
    the value in the meaning representation ("Italian", but not "restaurant"); without references none count.

    E2E NLG Challenge inputs are detected by their attributes (`eatType`, `familyFriendly` ...) and matched by a lexicon
    of wordings for each value (:mod:`rainbow.meaning.domains.e2e_realisation`): "20-25 pounds", "child-free", "a pub".
    Invented facts are then attributes that were not requested, and values in addition to the right one. Triples and
    tables are read as facts (:mod:`rainbow.meaning.facts`): names, dates and numbers in any format.

    In other inputs, paraphrases by other words are not detected ("sushi" for Japanese food, "under £20" for
    `less than £20`). Shares are NaN if the meaning representation has no slot or is free text. Accuracy: docs/slots.md.

    **In other languages** only the realised and missing shares are defined. A value is realised if all its numbers
    occur (in any format; of a date, the year and the day) and three quarters of the letters of its words, each in a
    form that begins with the same letters (60 % of the longer word, at least three). Slots count if at least half of
    the references that were fitted mention their values, so that values that are worded, translated or transliterated
    are left out.

    Parameters
    ----------
    statistics : ValueInventory, optional
        Fitted inventory of values.
    language : str
        Code of the language of the outputs.

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
    language: str = ENGLISH

    name = "slots"
    plain = "Which facts of the input the output states, omits, repeats or invents."
    group = "meaning"
    columns = (
        *make_columns(
            {
                ("slots_realised", True, 0.0, 1.0, "slot coverage"): (
                    "Share of the facts of the input that the output states."
                ),
                ("slots_missing", False, 0.0, 1.0, "omitted slots"): (
                    "Share of the facts of the input that the output omits or states wrongly."
                ),
            }
        ),
        *make_columns(
            {
                ("slots_repeated", False, 0.0, 1.0, "repeated slots"): (
                    "Share of the facts of the input that the output states more than once."
                ),
                ("slots_invented", False, 0.0, math.inf, "invented slots"): (
                    "Number of facts in the output that are not in the input."
                ),
            },
            ENGLISH_ONLY,
        ),
    )
    needs = frozenset({"mr"})
    surface_only = True
    reads_slots = True
    undefined = "the meaning representation has no slot"

    def fit(self, batch: Batch) -> Self:
        pairs = dict.fromkeys((meaning, batch.references[row]) for row, meaning in enumerate(batch.meanings) if meaning)
        if self.language != ENGLISH:
            return replace(self, statistics=ValueInventory((), said_slots(pairs, self.language not in UNSPACED)))
        return replace(self, statistics=known_values(pairs))

    def compute(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        meanings = [_require_meaning(batch, row) for row in rows]
        if self.language != ENGLISH:
            said, is_spaced = {*(self.statistics or NO_VALUES).said}, self.language not in UNSPACED
            shares = [
                mentioned_shares(meaning, batch.outputs[row], said, is_spaced)
                for row, meaning in zip(rows, meanings, strict=True)
            ]
            return np.array(shares, dtype=float)
        return slot_shares(meanings, [batch.outputs[row] for row in rows], self.statistics or NO_VALUES, batch.threads)

    def reasons(self, batch: Batch, values: FloatArray) -> dict[tuple[int, int], str]:
        found = super().reasons(batch, values)
        if self.language == ENGLISH:
            return found
        return {place: _UNSAID if reason == self.undefined else reason for place, reason in found.items()}

    def resources(self) -> dict[str, str]:
        if self.language != ENGLISH:
            return {}
        return {"stems": f"snowball-english {stem_fingerprint()}"}


def _require_meaning(batch: Batch, row: int) -> MeaningRepresentation:
    if (meaning := batch.meanings[row]) is None:
        raise ValueError("there is no meaning representation: score rows that have one")
    return meaning
