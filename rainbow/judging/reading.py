"""From an answer to a mark, or to the reason why there is none: nothing is guessed."""

from __future__ import annotations

import json
import math
import re
from typing import Any, NamedTuple

from rainbow.judging.judge import Criterion

__all__ = ["NO_LOGPROBS", "Mark", "mark_of", "used_tokens"]

NO_LOGPROBS = "the server gave no probabilities (logprobs)"
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w]|\.\d)")


class Mark(NamedTuple):
    """A mark, or NaN and the reason why there is none."""

    value: float
    reason: str | None = None


def mark_of(answer: dict[str, Any], criterion: Criterion) -> Mark:
    """Return the mark that an answer gives.

    Parameters
    ----------
    answer
        As a server sends it (chat completions).
    criterion
        What was asked, and how the answer is read.

    Examples
    --------
    >>> from pathlib import Path
    >>> from rainbow.judging.template import Template
    >>> criterion = Criterion("mark", Template.find("quality", Path()), read="text")
    >>> answers = ("4 out of 6", "between 4 and 5", "7", "It is good.")
    >>> [mark_of({"choices": [{"message": {"content": text}}]}, criterion).value for text in answers]
    [4.0, nan, nan, nan]
    """
    choices = answer.get("choices") or [{}]
    choice, message = choices[0], choices[0].get("message") or {}
    if message.get("refusal") or choice.get("finish_reason") == "content_filter":
        return _none("the server refused to answer")
    if criterion.read == "logprobs":
        return _weighted(choice, criterion)
    text = str(message.get("content") or "").strip()
    if not text:
        return _none("the answer is empty")
    return _from_object(text, criterion) if criterion.read == "json" else _from_text(text, criterion)


def used_tokens(answer: dict[str, Any]) -> int | None:
    """Return how many tokens a question and its answer had; None where the server does not say.

    Examples
    --------
    >>> used_tokens({"usage": {"total_tokens": 12}}), used_tokens({})
    (12, None)
    """
    used = (answer.get("usage") or {}).get("total_tokens")
    return int(used) if isinstance(used, (int, float)) else None


def _none(reason: str) -> Mark:
    return Mark(math.nan, reason)


def _weighted(choice: dict[str, Any], criterion: Criterion) -> Mark:
    """Return the mean of all marks, weighted by their probabilities as the first token."""
    tokens = (choice.get("logprobs") or {}).get("content") or [{}]
    top = tokens[0].get("top_logprobs")
    if not top:
        return _none(NO_LOGPROBS)
    said = [(str(entry["token"]).strip(), math.exp(entry["logprob"])) for entry in top]
    marks = [(criterion.marks[token], chance) for token, chance in said if token in criterion.marks]
    mass = math.fsum(chance for _, chance in marks)
    if not marks:
        return _none("no mark is among the most probable tokens")
    if mass < criterion.least_mass:
        return _none(f"marks have less than {criterion.least_mass:g} of the probability")
    return Mark(math.fsum(value * chance for value, chance in marks) / mass)


def _from_object(text: str, criterion: Criterion) -> Mark:
    """Return the mark in the JSON object that an answer holds, whatever stands around it."""
    try:
        found = json.loads(text[text.index("{") : text.rindex("}") + 1])
    except ValueError:
        return _none("the answer holds no JSON object")
    mark = found.get("mark") if isinstance(found, dict) else None
    if isinstance(mark, bool) or not isinstance(mark, (int, float, str)):
        return _none("the answer has no mark")
    return _from_text(str(mark), criterion)


def _from_text(text: str, criterion: Criterion) -> Mark:
    """Return the one mark that a text names; several different ones in its last line are no mark."""
    if criterion.template.pairs:
        found = {criterion.marks[letter] for letter in re.findall(r"\b[AB]\b", text.splitlines()[-1])}
    else:
        low, high = criterion.scale
        last = re.sub(rf"(/|\bout of|\bof)\s*{high:g}\b", " ", text.splitlines()[-1])
        found = {float(number) for number in _NUMBER.findall(last)}
    if len(found) != 1:
        return _none("the answer has several marks" if found else "the answer has no mark")
    (value,) = found
    if not criterion.template.pairs and not low <= value <= high:
        return _none("the mark is not on the scale")
    return Mark(value)
