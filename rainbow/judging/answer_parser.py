"""Parsing of answers into ratings, without guessing."""

from __future__ import annotations

import json
import math
import re
from typing import Any, NamedTuple

from rainbow.judging.judge import Criterion

NO_LOGPROBS = "the server returned no probabilities (logprobs)"
_ODD_LOGPROBS = "the probabilities (logprobs) are malformed"
_ROUNDING = 0.01  # by which probabilities may add up to more than 1
MOST_TOKENS = 10**7  # no question and answer have more: a server that says so is not believed
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w]|\.\d)")


class ParsedRating(NamedTuple):
    """A rating, or NaN and the reason why there is none."""

    value: float
    reason: str | None = None


def parse_answer(text: str) -> Any:
    r"""Return the parsed answer; None if its JSON is nested too deeply."""
    try:
        data = json.loads(text)
        json.dumps(data, ensure_ascii=False).encode()
    except RecursionError:
        return None
    return data


def parse_mark(answer: Any, criterion: Criterion) -> ParsedRating:
    """Return the rating in an answer."""
    choices = _get_field(answer, "choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = _get_field(choice, "message")
    if not isinstance(message, dict):
        return _no_mark("the response is not a valid chat completion")
    if message.get("refusal") or _get_field(choice, "finish_reason") == "content_filter":
        return _no_mark("the server refused to answer")
    if criterion.read == "logprobs":
        return _expected_mark(_get_field(choice, "logprobs"), criterion)
    text = message.get("content")
    if not isinstance(text, str | None):
        return _no_mark("the answer is not text")
    if not (text or "").strip():
        return _no_mark("the answer is empty")
    return _mark_from_json(str(text), criterion) if criterion.read == "json" else _mark_from_text(str(text), criterion)


def used_tokens(answer: Any) -> int | None:
    """Return the tokens of a request and its answer; None if unknown or implausible."""
    return token_count(answer, "total_tokens")


def token_count(answer: Any, name: str) -> int | None:
    """Return a token count of the server, as :func:`used_tokens` does."""
    count = _get_field(_get_field(answer, "usage"), name)
    return int(count) if _is_number(count) and 0 <= count <= MOST_TOKENS else None


def _get_field(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else None


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _no_mark(reason: str) -> ParsedRating:
    return ParsedRating(math.nan, reason)


def _expected_mark(logprobs: Any, criterion: Criterion) -> ParsedRating:
    """Return the mean of all possible ratings weighted by first-token probability."""
    tokens = _get_field(logprobs, "content")
    first = tokens[0] if isinstance(tokens, list) and tokens else {"top_logprobs": tokens}
    top = _get_field(first, "top_logprobs")
    if isinstance(first, dict) and top in (None, []) and isinstance(logprobs, dict | None):
        return _no_mark(NO_LOGPROBS)
    probabilities = [_token_probability(entry) for entry in top] if isinstance(top, list) else [None]
    known = [each for each in probabilities if each is not None]
    if len(known) < len(probabilities) or math.fsum(chance for _, chance in known) > 1 + _ROUNDING:
        return _no_mark(_ODD_LOGPROBS)
    marks = [(criterion.marks[token], chance) for token, chance in known if token in criterion.marks]
    mass = math.fsum(chance for _, chance in marks)
    if not mass:
        return _no_mark("no rating is among the most probable tokens")
    if mass < criterion.least_mass:
        return _no_mark(f"ratings have less than {criterion.least_mass:g} of the probability")
    return ParsedRating(math.fsum(value * chance for value, chance in marks) / mass)


def _token_probability(entry: Any) -> tuple[str, float] | None:
    """Return a token and its probability; None if either is invalid."""
    token, logprob = _get_field(entry, "token"), _get_field(entry, "logprob")
    if not isinstance(token, str) or not _is_number(logprob) or not logprob <= _ROUNDING:  # NaN is not
        return None
    return token.strip(), math.exp(max(logprob, -1000.0))


def _mark_from_json(text: str, criterion: Criterion) -> ParsedRating:
    """Return the rating in the JSON object inside an answer."""
    try:
        data = json.loads(text[text.index("{") : text.rindex("}") + 1])
    except (ValueError, RecursionError):
        return _no_mark("the answer contains no JSON object")
    mark = _get_field(data, "mark")
    if _is_number(mark) and not criterion.template.pairs:
        return _check_scale(mark, criterion)
    return _mark_from_text(mark, criterion) if isinstance(mark, str) else _no_mark("the answer contains no rating")


def _mark_from_text(text: str, criterion: Criterion) -> ParsedRating:
    """Return the only rating named in a text; different ones in the last line are an error."""
    last = (text.strip().splitlines() or [""])[-1]
    if criterion.template.pairs:
        matches = {criterion.marks[letter] for letter in re.findall(r"\b[AB]\b", last)}
    else:
        unscaled = re.sub(rf"(/|\bout of|\bof)\s*{criterion.scale[1]:g}\b", " ", last)
        matches = {float(number) for number in _NUMBER.findall(unscaled)}
    if len(matches) != 1:
        return _no_mark("the answer contains several ratings" if matches else "the answer contains no rating")
    (value,) = matches
    return ParsedRating(value) if criterion.template.pairs else _check_scale(value, criterion)


def _check_scale(value: float, criterion: Criterion) -> ParsedRating:
    low, high = criterion.scale
    return ParsedRating(float(value)) if low <= value <= high else _no_mark("the rating is not on the scale")
