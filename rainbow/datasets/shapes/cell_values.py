"""Cell values in any notation: texts, inputs and ratings."""

from __future__ import annotations

import json
import math
import re
from ast import literal_eval
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from rainbow.corpus.corpus_table import parse_number
from rainbow.text.tokens.folding import fold_text

# Under which key an object holds the text of an answer.
TEXT_KEYS = ("text", "content", "output", "generated_text", "message")
# A chat as one text.
_TURN = re.compile(r"\n\n(?:Human|Assistant): ?")


def is_missing(value: Any) -> bool:
    """Return whether a cell is None or NaN."""
    return value is None or (isinstance(value, float) and math.isnan(value)) or type(value).__name__ == "NAType"


def output_text(value: Any) -> Any:
    """Return the text of an output: the first text of a list, the last of a chat; several objects unchanged."""
    if is_missing(value):
        return ""
    if isinstance(value, str):
        return _split_turns(value)[-1] if _is_transcript(value) else _unwrap_written_list(value)
    if isinstance(value, Mapping):
        return next((output_text(value[key]) for key in TEXT_KEYS if key in value), value)
    if is_list(value) and not (len(value) > 1 and isinstance(value[0], Mapping) and not _is_message_list(value)):
        return output_text(value[-1 if _is_message_list(value) else 0]) if len(value) else ""
    return value


def _unwrap_written_list(text: str) -> str:
    """Return the only text of a written list; other values unchanged."""
    entries = parse_written_list(text) or ()
    return entries[0] if len(entries) == 1 else text


def parse_written_list(text: str) -> list[str] | None:
    """Return the texts of a JSON or Python list, or None."""
    for read in (json.loads, literal_eval) if text.lstrip().startswith("[") else ():
        try:
            texts = read(text.strip())
        except (ValueError, SyntaxError, MemoryError, RecursionError):  # it is a text that begins so
            continue
        if isinstance(texts, list) and all(isinstance(entry, str) for entry in texts):
            return texts
    return None


def input_text(value: Any) -> Any:
    """Return the text of an input: objects and triples as JSON, dialogue turns as lines."""
    if isinstance(value, Mapping):
        return json.dumps(value, ensure_ascii=False, default=_as_plain)
    if is_list(value):
        entries = [entry for entry in value if not is_missing(entry)]
        if not entries:
            return ""
        if len(entries) == 1 and is_list(entries[0]) and len(entries[0]) != 3:
            return input_text(entries[0])  # lm-evaluation-harness: [["prompt", {...}]]
        if _is_message_list(entries):
            asked = entries[:-1] if len(entries) > 1 and entries[-1]["role"] == "assistant" else entries
            return "\n".join(str(output_text(entry)) for entry in asked)
        if entries and isinstance(entries[0], str):
            return "\n".join(entry for entry in entries if isinstance(entry, str))
        nested = all(isinstance(entry, Mapping) or is_list(entry) for entry in entries)
        return json.dumps(entries, ensure_ascii=False, default=_as_plain) if nested else value
    if isinstance(value, str) and _is_transcript(value):
        return "\n".join(_split_turns(value)[:-1])
    return output_text(value)


def fold_cell(value: Any) -> str:
    """Return a cell for comparison: lower-cased, whole numbers without decimal point."""
    return "" if is_missing(value) else str(output_text(value)).strip().casefold().removesuffix(".0")


def format_scalar(value: Any) -> Any:
    """Return a number or boolean as written; other values unchanged."""
    if not isinstance(value, (bool, int, float, np.bool_, np.number)):
        return value
    return json.dumps(value.item() if isinstance(value, np.generic) else value)


def cell_name(value: Any) -> Any:
    """Return the name of a row, an input or a system, which may be a number."""
    value = output_text(value)
    if isinstance(value, (int, float, np.number)) and not isinstance(value, bool):
        return str(int(value)) if float(value).is_integer() else str(value)
    return value


def plain_cell(value: Any) -> Any:
    """Return lists and objects as JSON; other cells unchanged."""
    nested = isinstance(value, Mapping) or is_list(value)
    return json.dumps(value, ensure_ascii=False, default=_as_plain) if nested else value


def rating_value(value: Any, scale: Sequence[str] = (), decimal: str | None = None) -> Any:
    """Return the number of a rating, NaN if missing; unreadable values unchanged."""
    if not isinstance(value, str):
        return math.nan if is_missing(value) else value
    text = value.strip()
    if text.casefold() in scale:
        return 1.0 + list(scale).index(text.casefold())
    number = parse_number(text.replace(",", ".") if decimal == "," else text)
    if number is None and scale and fold_text(text) in (plain := [fold_text(word) for word in scale]):  # "SI" for "sí"
        return 1.0 + plain.index(fold_text(text))
    return value if number is None else number


def unwrap_list(value: Any) -> Any:
    """Return the entry of a one-element list, None for an empty list; other cells unchanged."""
    return (value[0] if len(value) else None) if is_list(value) and len(value) < 2 else value


def _is_message_list(value: Any) -> bool:
    """Return whether these are the messages of a chat."""
    return len(value) > 0 and all(isinstance(entry, Mapping) and "role" in entry for entry in value)


def are_chats(cells: Sequence[Any]) -> bool:
    """Return whether each of these cells holds the messages of a chat."""
    return bool(cells) and all(
        _is_transcript(cell) if isinstance(cell, str) else is_list(cell) and _is_message_list(cell) for cell in cells
    )


def _is_transcript(text: str) -> bool:
    """Return whether a text is a chat that ends with an answer."""
    return text.startswith("\n\nHuman:") and "\n\nAssistant:" in text


def _split_turns(text: str) -> list[str]:
    return [turn.strip() for turn in _TURN.split(text)[1:]]


def is_list(value: Any) -> bool:
    """Return whether a cell holds a list or an array."""
    return isinstance(value, (list, tuple)) or type(value).__name__ == "ndarray"


def has_lists(cells: Iterable[Any]) -> bool:
    """Return whether some of these cells hold lists, checking only their distinct types."""
    return any(issubclass(kind, (list, tuple)) or kind.__name__ == "ndarray" for kind in {*map(type, cells)})


def _as_plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else str(value)
