"""The slot errors of every output."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rainbow.corpus import Corpus
from rainbow.meaning import MeaningRepresentation
from rainbow.meaning.domains.e2e_realisation import is_e2e
from rainbow.meaning.realisation import ValueInventory, collect_values, realisation
from rainbow.stats.tidy import tidy
from rainbow.systems.replications.e2e_challenge.challenge_slot_errors import challenge_realisation
from rainbow.text.words.mentions import words

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["COLUMNS", "ERRORS", "utterance_slot_errors"]

ERRORS = ("missing", "wrong", "repeated", "added")
COLUMNS = ("id", "dataset", "system", "item", "method", "slots", *ERRORS, "reason")


def utterance_slot_errors(corpus: Corpus, *, as_published: bool = False) -> pd.DataFrame:
    """Return for every output how many slots of its meaning representation it gets wrong, and in what way.

    Meaning representations of the E2E NLG Challenge are looked for by patterns of what people say for each value
    (:mod:`rainbow.meaning.domains.e2e_wordings`), all others by their values (:mod:`rainbow.meaning.realisation`), as
    in the metric `slots`; there, values of other meaning representations count as added if the references say them
    only when asked.

    Parameters
    ----------
    corpus
        A row per output, with meaning representations.
    as_published
        Read outputs for E2E as the challenge's own script did, which knew fewer wordings.

    Returns
    -------
    DataFrame
        A row per output: columns `id`, `dataset`, `system`, `item`, `method` (`patterns` or `values`), `slots` (their
        number), `missing` (not spoken of), `wrong` (said with another value), `repeated`, `added` (what the meaning
        representation does not have), and `reason`: why there are no numbers, else None.

    Raises
    ------
    ValueError
        If no row has a meaning representation.

    Examples
    --------
    >>> corpus = Corpus.of(["Zizzi is a cheap pub."], mrs=["name[Zizzi], eatType[pub], area[riverside]"])
    >>> utterance_slot_errors(corpus)[["slots", "missing", "wrong", "repeated", "added"]].values.tolist()
    [[3.0, 1.0, 0.0, 0.0, 1.0]]
    """
    if not any(corpus.meanings):
        raise ValueError("no row has a meaning representation: slot errors need a column mr")
    inventory = _inventory(corpus)
    lines = [
        {name: row[name] for name in ("id", "dataset", "system", "item")}
        | _errors(meaning, row["output"], inventory, as_published)
        for meaning, row in zip(corpus.meanings, corpus.frame.to_dict("records"), strict=True)
    ]
    return tidy(lines, COLUMNS).astype(dict.fromkeys(("slots", *ERRORS), float))


def _errors(
    meaning: MeaningRepresentation | None, output: str, inventory: ValueInventory, as_published: bool
) -> dict[str, Any]:
    if meaning is None or not meaning.slots:
        reason = "there is no meaning representation" if meaning is None else "the meaning representation has no slot"
        return dict.fromkeys(("slots", *ERRORS)) | {"method": None, "reason": reason}
    by_patterns = is_e2e(meaning)
    if by_patterns and as_published:
        states, repeated, invented = challenge_realisation(output, meaning)
    else:
        states, repeated, invented = realisation(meaning, words(output), inventory)
    return {
        "method": "patterns" if by_patterns else "values",
        "slots": len(states),
        "missing": states.count("missing"),
        "wrong": states.count("wrong"),
        "repeated": repeated,
        "added": invented,
        "reason": None,
    }


def _inventory(corpus: Corpus) -> ValueInventory:
    """Return the values that references say only where they are asked for; none of E2E, whose patterns need none."""
    pairs = dict.fromkeys(
        (meaning, references)
        for meaning, references in zip(corpus.meanings, corpus.frame["references"], strict=True)
        if meaning is not None and references and not is_e2e(meaning)
    )
    return collect_values((meaning, [words(text) for text in references]) for meaning, references in pairs)
