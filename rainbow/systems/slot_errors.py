"""Slots that systems omit, get wrong, repeat or add, and slot error rates."""

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
CLASSES = ("ok_percent", "added_percent", "missed_percent", "added_and_missed_percent")
SYSTEM_COLUMNS = ("dataset", "system", "method", "outputs", "slots", *ERRORS, *CLASSES, "slot_error_rate_percent")


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


def system_slot_errors(corpus: Corpus, *, reading: Reading = read_output) -> pd.DataFrame:
    """Return the slot error rate and the slot error counts of every system.

    Source: Reed, L., Oraby, S. and Walker, M. (2018). Can neural generators for dialogue learn sentence planning and
    discourse structuring? INLG. Dušek, O., Novikova, J. and Rieser, V. (2020). Evaluating the state-of-the-art of
    end-to-end natural language generation: the E2E NLG challenge. Computer Speech & Language 59. Table 12.
    """
    return sum_slot_errors(utterance_slot_errors(corpus, reading=reading))


def sum_slot_errors(utterances: pd.DataFrame) -> pd.DataFrame:
    """Return :func:`system_slot_errors` from the table of :func:`utterance_slot_errors`."""
    counted = utterances[utterances["reason"].isna()]
    groups = counted.groupby(["dataset", "system"], sort=False)
    return tidy_table(
        (_system_line(str(dataset), str(system), rows) for (dataset, system), rows in groups), SYSTEM_COLUMNS
    )


def _system_line(dataset: str, system: str, rows: pd.DataFrame) -> dict[str, Any]:
    sums = {name: int(rows[name].sum()) for name in ("slots", *ERRORS)}
    missed, added = rows["missing"] + rows["wrong"] > 0, rows["added"] + rows["wrong"] > 0
    classes = (~missed & ~added, added & ~missed, missed & ~added, missed & added)
    return {
        "dataset": dataset,
        "system": system,
        "method": ", ".join(sorted(set(rows["method"]))),
        "outputs": len(rows),
        **sums,
        **{name: 100 * float(result.mean()) for name, result in zip(CLASSES, classes, strict=True)},
        "slot_error_rate_percent": 100 * sum(sums[name] for name in ERRORS) / sums["slots"],
    }
