"""What a cell holds, whatever it is written as: a text, an input, a mark."""

from __future__ import annotations

import json
import math
import re
from ast import literal_eval
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rainbow.corpus.corpus_table import parse_number
from rainbow.text.tokens.folding import fold_text

if TYPE_CHECKING:
    pass


# Under which key an object holds the text of an answer.
_TEXTS = ("text", "content", "output", "generated_text", "message")
# A chat as one text.
_TURN = re.compile(r"\n\n(?:Human|Assistant): ?")


def is_missing(value: Any) -> bool:
    """Return whether a cell holds nothing: None or NaN."""
    return value is None or (isinstance(value, float) and math.isnan(value)) or type(value).__name__ == "NAType"


def text_of(value: Any) -> Any:
    """Return the text of an output: of a list the first, of a chat the last, of nothing the empty text."""
    if is_missing(value):
        return ""
    if isinstance(value, str):
        return _turns(value)[-1] if _is_transcript(value) else _only_text(value)
    if isinstance(value, Mapping):
        return next((text_of(value[key]) for key in _TEXTS if key in value), value)
    if is_list(value):
        return text_of(value[-1 if _is_chat(value) else 0]) if len(value) else ""
    return value


def _only_text(text: str) -> str:
    """Return the text that is the only one of a list that is written out; all else as it is."""
    entries = written_list(text) or ()
    return entries[0] if len(entries) == 1 else text


def written_list(text: str) -> list[str] | None:
    """Return the texts in a list, as JSON or Python writes it; None where this is no such list."""
    for read in (json.loads, literal_eval) if text.lstrip().startswith("[") else ():
        try:
            texts = read(text.strip())
        except (ValueError, SyntaxError, MemoryError, RecursionError):  # it is a text that begins so
            continue
        if isinstance(texts, list) and all(isinstance(entry, str) for entry in texts):
            return texts
    return None


def input_of(value: Any) -> Any:
    """Return the text of an input: of an object or of triples their JSON, of a dialogue its turns in lines."""
    if isinstance(value, Mapping):
        return json.dumps(value, ensure_ascii=False, default=_listed)
    if is_list(value):
        entries = [entry for entry in value if not is_missing(entry)]
        if not entries:
            return ""
        if len(entries) == 1 and is_list(entries[0]) and len(entries[0]) != 3:
            return input_of(entries[0])  # lm-evaluation-harness: [["prompt", {...}]]
        if _is_chat(entries):
            asked = entries[:-1] if len(entries) > 1 and entries[-1]["role"] == "assistant" else entries
            return "\n".join(str(text_of(entry)) for entry in asked)
        if entries and isinstance(entries[0], str):
            return "\n".join(entry for entry in entries if isinstance(entry, str))
        nested = all(isinstance(entry, Mapping) or is_list(entry) for entry in entries)
        return json.dumps(entries, ensure_ascii=False, default=_listed) if nested else value
    if isinstance(value, str) and _is_transcript(value):
        return "\n".join(_turns(value)[:-1])
    return text_of(value)


def folded(value: Any) -> str:
    """Return what a cell says, to be compared: in lower case, numbers without a point."""
    return "" if is_missing(value) else str(text_of(value)).strip().casefold().removesuffix(".0")


def spelled(value: Any) -> Any:
    """Return a number, or true or false, as it is written; all else as it is."""
    if not isinstance(value, (bool, int, float, np.bool_, np.number)):
        return value
    return json.dumps(value.item() if isinstance(value, np.generic) else value)


def name_of(value: Any) -> Any:
    """Return the name of a row, an input or a system, which may be written as a number."""
    value = text_of(value)
    if isinstance(value, (int, float, np.number)) and not isinstance(value, bool):
        return str(int(value)) if float(value).is_integer() else str(value)
    return value


def plain_of(value: Any) -> Any:
    """Return a cell of a column that nothing is made of: lists and objects as JSON, all else as it is."""
    nested = isinstance(value, Mapping) or is_list(value)
    return json.dumps(value, ensure_ascii=False, default=_listed) if nested else value


def mark_of(value: Any, scale: Sequence[str] = (), decimal: str | None = None) -> Any:
    """Return the number that a mark stands for, NaN where there is none; what cannot be read stays as it is."""
    if not isinstance(value, str):
        return math.nan if is_missing(value) else value
    text = value.strip()
    if text.casefold() in scale:
        return 1.0 + list(scale).index(text.casefold())
    number = parse_number(text.replace(",", ".") if decimal == "," else text)
    if number is None and scale and fold_text(text) in (plain := [fold_text(word) for word in scale]):  # "SI" for "sí"
        return 1.0 + plain.index(fold_text(text))
    return value if number is None else number


def only_of(value: Any) -> Any:
    """Return the entry of a list of one, None for an empty list, and any other cell as it is."""
    return (value[0] if len(value) else None) if is_list(value) and len(value) < 2 else value


def _is_chat(value: Any) -> bool:
    """Return whether these are the messages of a chat."""
    return len(value) > 0 and all(isinstance(entry, Mapping) and "role" in entry for entry in value)


def is_chat(cells: Sequence[Any]) -> bool:
    """Return whether each of these cells holds the messages of a chat."""
    return bool(cells) and all(
        _is_transcript(cell) if isinstance(cell, str) else is_list(cell) and _is_chat(cell) for cell in cells
    )


def _is_transcript(text: str) -> bool:
    """Return whether a text is a chat, with an answer at its end."""
    return text.startswith("\n\nHuman:") and "\n\nAssistant:" in text


def _turns(text: str) -> list[str]:
    return [turn.strip() for turn in _TURN.split(text)[1:]]


def is_list(value: Any) -> bool:
    """Return whether a cell holds a list, an array among them."""
    return isinstance(value, (list, tuple)) or type(value).__name__ == "ndarray"


def has_lists(cells: Iterable[Any]) -> bool:
    """Return whether some of these cells hold lists: looked at by their kinds, which are few."""
    return any(issubclass(kind, (list, tuple)) or kind.__name__ == "ndarray" for kind in {*map(type, cells)})


def _listed(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else str(value)
