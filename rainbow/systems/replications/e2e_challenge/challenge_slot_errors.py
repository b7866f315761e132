"""Slot errors as the script of the E2E NLG Challenge counted them."""

from __future__ import annotations

from collections import Counter

from rainbow.meaning import MeaningRepresentation
from rainbow.meaning.domains.e2e_realisation import is_e2e
from rainbow.meaning.domains.e2e_wordings import FAMILY_FRIENDLY
from rainbow.meaning.realisation import ValueInventory
from rainbow.meaning.slot_states import Realisation, State
from rainbow.systems.replications.e2e_challenge.challenge_wordings import values_the_challenge_read
from rainbow.systems.slot_errors.per_utterance import read


def challenge_reading(meaning: MeaningRepresentation, output: str, inventory: ValueInventory) -> Realisation:
    """Return what an output says, for :func:`rainbow.systems.slot_errors.slot_errors`: table 12 as it was printed."""
    return challenge_realisation(output, meaning) if is_e2e(meaning) else read(meaning, output, inventory)


def challenge_realisation(text: str, meaning: MeaningRepresentation) -> Realisation:
    """Return what a text says of a meaning representation, as the challenge's script saw it.

    Source: Dušek, O., Novikova, J. and Rieser, V. (2020). Evaluating the state-of-the-art of end-to-end natural
    language generation: the E2E NLG challenge. Computer Speech & Language 59. Table 12. The script is an early version
    of the `slot_error.py` of Dušek, O., Howcroft, D. and Rieser, V. (2019). Semantic noise matters for neural natural
    language generation. INLG.
    """
    asked = [(slot.name, slot.value.lower()) for slot in meaning.slots]
    said = Counter(values_the_challenge_read(text, set(asked)))
    times = {pair: count if pair == (FAMILY_FRIENDLY, "no") else 1 for pair, count in said.items()}
    others: Counter[str] = Counter()
    for (attribute, value), count in times.items():
        others[attribute] += 0 if (attribute, value) in asked else count
    states: list[State] = []
    repeated = 0
    for attribute, value in asked:
        if (attribute, value) in times:
            states.append("realised")
            repeated += times[attribute, value] - 1
        elif others[attribute]:
            states.append("wrong")
            others[attribute] -= 1
        else:
            states.append("missing")
    return Realisation(tuple(states), repeated, others.total())
