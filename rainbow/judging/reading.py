"""From an answer to a mark, or to the reason why there is none: nothing is guessed."""

from __future__ import annotations

import json
import math
import re
from typing import Any, NamedTuple

from rainbow.judging.judge import Criterion

NO_LOGPROBS = "the server gave no probabilities (logprobs)"
_ODD_LOGPROBS = "the probabilities (logprobs) are not as they should be"
_ROUNDING = 0.01  # by which probabilities may add up to more than 1
MOST_TOKENS = 10**7  # no question and answer have more: a server that says so is not believed
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w]|\.\d)")


class Mark(NamedTuple):
    """A mark, or NaN and the reason why there is none."""

    value: float
    reason: str | None = None


def parsed(text: str) -> Any:
    r"""Return what an answer says; None for one that is JSON and nested too deeply to be read."""
    try:
        found = json.loads(text)
        json.dumps(found, ensure_ascii=False).encode()
    except RecursionError:
        return None
    return found


def mark_of(answer: Any, criterion: Criterion) -> Mark:
    """Return the mark that an answer gives."""
    choices = _in(answer, "choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = _in(choice, "message")
    if not isinstance(message, dict):
        return _none("the answer is not as a chat completion should be")
    if message.get("refusal") or _in(choice, "finish_reason") == "content_filter":
        return _none("the server refused to answer")
    if criterion.read == "logprobs":
        return _weighted(_in(choice, "logprobs"), criterion)
    text = message.get("content")
    if not isinstance(text, str | None):
        return _none("the answer is no text")
    if not (text or "").strip():
        return _none("the answer is empty")
    return _from_object(str(text), criterion) if criterion.read == "json" else _from_text(str(text), criterion)


def used_tokens(answer: Any) -> int | None:
    """Return how many tokens a question and its answer had; None where the server does not say, or cannot be right."""
    return counted(answer, "total_tokens")


def counted(answer: Any, name: str) -> int | None:
    """Return a number of tokens that a server counted, as :func:`used_tokens` does."""
    count = _in(_in(answer, "usage"), name)
    return int(count) if _is_number(count) and 0 <= count <= MOST_TOKENS else None


def _in(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else None


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _none(reason: str) -> Mark:
    return Mark(math.nan, reason)


def _weighted(logprobs: Any, criterion: Criterion) -> Mark:
    """Return the mean of all marks, weighted by their probabilities as the first token."""
    tokens = _in(logprobs, "content")
    first = tokens[0] if isinstance(tokens, list) and tokens else {"top_logprobs": tokens}
    top = _in(first, "top_logprobs")
    if isinstance(first, dict) and top in (None, []) and isinstance(logprobs, dict | None):
        return _none(NO_LOGPROBS)
    said = [_chance(entry) for entry in top] if isinstance(top, list) else [None]
    known = [each for each in said if each is not None]
    if len(known) < len(said) or math.fsum(chance for _, chance in known) > 1 + _ROUNDING:
        return _none(_ODD_LOGPROBS)
    marks = [(criterion.marks[token], chance) for token, chance in known if token in criterion.marks]
    mass = math.fsum(chance for _, chance in marks)
    if not mass:
        return _none("no mark is among the most probable tokens")
    if mass < criterion.least_mass:
        return _none(f"marks have less than {criterion.least_mass:g} of the probability")
    return Mark(math.fsum(value * chance for value, chance in marks) / mass)


def _chance(entry: Any) -> tuple[str, float] | None:
    """Return a token and its probability; None where one of them is missing or no such thing."""
    token, logprob = _in(entry, "token"), _in(entry, "logprob")
    if not isinstance(token, str) or not _is_number(logprob) or not logprob <= _ROUNDING:  # NaN is not
        return None
    return token.strip(), math.exp(max(logprob, -1000.0))


def _from_object(text: str, criterion: Criterion) -> Mark:
    """Return the mark in the JSON object that an answer holds, whatever stands around it."""
    try:
        found = json.loads(text[text.index("{") : text.rindex("}") + 1])
    except (ValueError, RecursionError):
        return _none("the answer holds no JSON object")
    mark = _in(found, "mark")
    if _is_number(mark) and not criterion.template.pairs:
        return _on_scale(mark, criterion)
    return _from_text(mark, criterion) if isinstance(mark, str) else _none("the answer has no mark")


def _from_text(text: str, criterion: Criterion) -> Mark:
    """Return the one mark that a text names; several different ones in its last line are no mark."""
    last = (text.strip().splitlines() or [""])[-1]
    if criterion.template.pairs:
        found = {criterion.marks[letter] for letter in re.findall(r"\b[AB]\b", last)}
    else:
        unscaled = re.sub(rf"(/|\bout of|\bof)\s*{criterion.scale[1]:g}\b", " ", last)
        found = {float(number) for number in _NUMBER.findall(unscaled)}
    if len(found) != 1:
        return _none("the answer has several marks" if found else "the answer has no mark")
    (value,) = found
    return Mark(value) if criterion.template.pairs else _on_scale(value, criterion)


def _on_scale(value: float, criterion: Criterion) -> Mark:
    low, high = criterion.scale
    return Mark(float(value)) if low <= value <= high else _none("the mark is not on the scale")
