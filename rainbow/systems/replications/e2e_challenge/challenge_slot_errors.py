"""Slot errors as counted by the script of the E2E NLG Challenge."""

from __future__ import annotations

from collections import Counter

from rainbow.meaning import MeaningRepresentation
from rainbow.meaning.domains.e2e_realisation import is_e2e
from rainbow.meaning.domains.e2e_wordings import FAMILY_FRIENDLY
from rainbow.meaning.realisation import ValueInventory
from rainbow.meaning.slot_values import Realisation, State
from rainbow.systems.replications.e2e_challenge.challenge_wordings import challenge_values
from rainbow.systems.slot_errors.output_slot_errors import read_output


def read_challenge_output(meaning: MeaningRepresentation, output: str, inventory: ValueInventory) -> Realisation:
    """Return what an output realises, as in the printed table 12."""
    return challenge_realisation(output, meaning) if is_e2e(meaning) else read_output(meaning, output, inventory)


def challenge_realisation(text: str, meaning: MeaningRepresentation) -> Realisation:
    """Return what a text realises of a meaning representation, as the challenge's script does.

    Source: Dušek, O., Novikova, J. and Rieser, V. (2020). Evaluating the state-of-the-art of end-to-end natural
    language generation: the E2E NLG challenge. Computer Speech & Language 59. Table 12. The script is an early version
    of the `slot_error.py` of Dušek, O., Howcroft, D. and Rieser, V. (2019). Semantic noise matters for neural natural
    language generation. INLG.
    """
    asked = [(slot.name, slot.value.lower()) for slot in meaning.slots]
    said = Counter(challenge_values(text, set(asked)))
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
