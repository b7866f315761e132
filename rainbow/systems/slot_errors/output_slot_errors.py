"""Slot errors of every output."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rainbow.base.lazy import pd
from rainbow.corpus import Corpus
from rainbow.meaning import MeaningRepresentation
from rainbow.meaning.compiled_realisation import known_values
from rainbow.meaning.domains import find_domain
from rainbow.meaning.realisation import ValueInventory, realisation
from rainbow.meaning.slot_values import Realisation
from rainbow.stats.tidy_tables import tidy_table
from rainbow.text.words.mentions import mention_words

# Gives what an output says of a meaning representation, with the values that count as added.
Reading = Callable[[MeaningRepresentation, str, ValueInventory], Realisation]

ERRORS = ("missing", "wrong", "repeated", "added")
COLUMNS = ("id", "dataset", "system", "item", "method", "slots", *ERRORS, "reason")


def read_output(meaning: MeaningRepresentation, output: str, inventory: ValueInventory) -> Realisation:
    """Return what an output realises of a meaning representation."""
    return realisation(meaning, mention_words(output), inventory)


def utterance_slot_errors(corpus: Corpus, *, reading: Reading = read_output) -> pd.DataFrame:
    """Return the number of slot errors of each kind for every output."""
    if not any(corpus.meanings):
        raise ValueError("no row has a meaning representation with slots: slot errors need the column mr")
    inventory = _value_inventory(corpus)
    lines = [
        {name: row[name] for name in ("id", "dataset", "system", "item")}
        | (_no_slots(row["mr"]) if meaning is None else _count_errors(meaning, row["output"], inventory, reading))
        for meaning, row in zip(corpus.meanings, corpus.frame.to_dict("records"), strict=True)
    ]
    return tidy_table(lines, COLUMNS).astype(dict.fromkeys(("slots", *ERRORS), float))


def _no_slots(mr: str, reason: str = "no meaning representation") -> dict[str, Any]:
    reason = "the meaning representation is free text: no slots" if mr.strip() else reason
    return dict.fromkeys(("method", "slots", *ERRORS)) | {"reason": reason}


def _count_errors(
    meaning: MeaningRepresentation, output: str, inventory: ValueInventory, reading: Reading
) -> dict[str, Any]:
    if not meaning.slots:
        return _no_slots("", "the meaning representation has no slot")
    states, repeated, invented = reading(meaning, output, inventory)
    return {
        "method": "patterns" if find_domain(meaning) else "values",
        "slots": len(states),
        "missing": states.count("missing"),
        "wrong": states.count("wrong"),
        "repeated": repeated,
        "added": invented,
        "reason": None,
    }


def _value_inventory(corpus: Corpus) -> ValueInventory:
    """Return the values that references mention only when the input requests them; empty for domains with patterns."""
    pairs = dict.fromkeys(
        (meaning, references)
        for meaning, references in zip(corpus.meanings, corpus.frame["references"], strict=True)
        if meaning is not None and references and not find_domain(meaning)
    )
    return known_values(pairs)
