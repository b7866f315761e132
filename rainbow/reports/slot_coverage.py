"""Slot coverage of every output, for highlighting in the browser of outputs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rainbow.base.lazy import pd
from rainbow.meaning import MeaningRepresentation, parse_if_structured
from rainbow.meaning.compiled_realisation import known_values
from rainbow.meaning.realisation import realisation
from rainbow.text.words.mentions import mention_words


def slot_coverage(scores: pd.DataFrame) -> dict[str, Any]:
    """Return the slots of every meaning representation, and a letter per slot and output."""
    meanings = {mr: meaning for mr in dict.fromkeys(scores["mr"]) if mr and (meaning := _parse_mr(mr))}
    pairs = zip(scores["mr"], scores["references"], strict=True)
    known = dict.fromkeys((meanings[mr], tuple(texts)) for mr, texts in pairs if mr in meanings)
    return {
        "slots": {mr: [[slot.name, slot.value] for slot in meaning.slots] for mr, meaning in meanings.items()},
        "said": [
            _coverage_letters(meanings, mr, text) for mr, text in zip(scores["mr"], scores["output"], strict=True)
        ],
        "values": list(known_values(known).values),
    }


def _parse_mr(mr: str) -> MeaningRepresentation | None:
    try:
        return parse_if_structured(mr)
    except ValueError:  # of a notation that was named when it was scored
        return None


def _coverage_letters(meanings: Mapping[str, MeaningRepresentation], mr: str, text: str) -> str:
    if mr not in meanings:
        return ""
    return "".join(state[0] for state in realisation(meanings[mr], mention_words(text)).states)
