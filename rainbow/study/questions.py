"""Questions about outputs, their answer scales, and answers as raters return them."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

RatingKind = Literal["scale", "magnitude", "pairs", "errors"]
KINDS: tuple[RatingKind, ...] = get_args(RatingKind)

ERROR_KINDS = ("wrong fact", "missing fact", "added fact", "grammar", "wording")
# Points that an error costs, as in MQM.
SEVERITIES = {"minor": 1, "major": 5}
LONGEST_SPAN = 1 << 20  # characters
# Questions and scale (1 to 6) of Novikova et al. (2017).
_TEXTS = {
    "informativeness": "Does the text give all the useful information in the input?",
    "naturalness": "Could the text have been written by a native speaker?",
    "quality": "How do you judge the overall quality of the text: is it correct, fluent and easy to read?",
}
_KIND_TEXTS = {
    "scale": "How good is the text: {name}?",
    "magnitude": "The first text is worth 100. How much is the second worth: {name}?",
    "pairs": "Which text is better: {name}?",
    "errors": "Mark every error in the text: {name}.",
}


@dataclass(frozen=True)
class Question:
    """A question that raters answer about each output or pair.

    Parameters
    ----------
    name : str
        Column of the answers.
    kind : {"scale", "magnitude", "pairs", "errors"}
        ``scale``: an integer from `low` to `high`. ``magnitude``: any positive number, relative to a reference worth
        100. ``pairs``: the better of two outputs for an input, or a tie. ``errors``: spans with kind and severity.
    low, high : int
        Ends of a scale.
    low_end, high_end : str
        Labels of the ends.
    text : str
        Question as displayed.
    error_kinds : tuple of str
        Kinds of errors.

    Raises
    ------
    ValueError
        If the kind is unknown, or a scale has fewer than two points.

    Examples
    --------
    >>> Question.parse("quality").to_string(), Question.parse("fluency=0-100").high, Question.parse("x=pairs").kind
    ('quality=1-6', 100, 'pairs')
    """

    name: str
    kind: RatingKind = "scale"
    low: int = 1
    high: int = 6
    low_end: str = "very bad"
    high_end: str = "very good"
    text: str = ""
    error_kinds: tuple[str, ...] = ERROR_KINDS

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[^\W\d][\w -]*", self.name):
            raise ValueError(f"invalid rating name {self.name!r}: use a word, e.g. quality")
        if self.kind not in KINDS:
            raise ValueError(f"rating {self.name}: unknown kind {self.kind!r}: choose from {', '.join(KINDS)}")
        if not (isinstance(self.low, int) and isinstance(self.high, int) and self.low < self.high):
            raise ValueError(
                f"rating {self.name}: scale from {self.low} to {self.high}: give two integers, the lower first"
            )

    @classmethod
    def parse(cls, specification: str) -> Question:
        """Parse ``NAME`` (1 to 6), ``NAME=0-100``, ``NAME=magnitude``, ``NAME=pairs`` or ``NAME=errors``.

        Raises
        ------
        ValueError
            If the format is none of these.
        """
        name, _, kind = specification.partition("=")
        scale = re.fullmatch(r"(\d+)-(\d+)", kind or "1-6")
        if not scale and kind not in KINDS[1:]:
            raise ValueError(
                f"invalid rating {specification!r}: write {name}=1-6, or another scale, magnitude, pairs or errors"
            )
        marks = {"low": int(scale[1]), "high": int(scale[2])} if scale else {}
        known = "scale" if scale else kind
        text = _TEXTS.get(name, "") if scale else ""
        return cls(name, known, text=text or _KIND_TEXTS[known].format(name=name), **marks)  # type: ignore[arg-type]

    def to_string(self) -> str:
        """Return the question as text that :meth:`parse` accepts."""
        return f"{self.name}={f'{self.low}-{self.high}' if self.kind == 'scale' else self.kind}"

    def shown(self) -> dict[str, Any]:
        """Return the settings of the question for ``study.toml``."""
        names = {"scale": ("low", "high", "low_end", "high_end"), "errors": ("error_kinds",)}.get(self.kind, ())
        result = {name: getattr(self, name) for name in ("name", "kind", "text", *names)}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in result.items()}

    @property
    def is_pairs(self) -> bool:
        """Whether two outputs are shown at once."""
        return self.kind == "pairs"

    @property
    def marks(self) -> list[str]:
        """Points of a scale short enough for buttons; empty otherwise."""
        few = self.kind == "scale" and self.high - self.low < 10
        return [str(mark) for mark in range(self.low, self.high + 1)] if few else []

    @property
    def ends(self) -> str:
        """Labels of the scale endpoints."""
        return f"{self.low}: {self.low_end}, {self.high}: {self.high_end}"

    def value(self, answer: Any, length: int = LONGEST_SPAN) -> float:
        """Return an answer as a number, higher is better; errors count below 0.

        Parameters
        ----------
        answer : number, str or list
            A number or its digits. For errors, a list of `start`, `end` (characters), `kind`, `severity`, or its JSON.
        length : int
            Number of characters of the text.

        Raises
        ------
        ValueError
            If the answer is invalid.

        Examples
        --------
        >>> Question.parse("quality").value("5"), Question.parse("preference=pairs").value(0.5)
        (5.0, 0.5)
        >>> Question.parse("errors=errors").value([{"start": 0, "end": 3, "kind": "grammar", "severity": "major"}])
        -5.0
        """
        if self.kind == "errors":
            try:
                spans = json.loads(answer or "[]") if isinstance(answer, str) else answer
            except json.JSONDecodeError:
                spans = None
            if not isinstance(spans, list) or not all(isinstance(span, Mapping) for span in spans):
                raise ValueError(f"{answer!r:.40} is not a list of errors")
            return -float(sum(error_penalty(span, self.error_kinds, length) for span in spans))
        try:
            value = float(answer)
        except (TypeError, ValueError):
            raise ValueError(f"{answer!r:.40} is not a number") from None
        allowed = {
            "scale": value == int(value) and self.low <= value <= self.high if math.isfinite(value) else False,
            "magnitude": math.isfinite(value) and value > 0,
            "pairs": value in (0, 0.5, 1),
        }
        if isinstance(answer, bool) or not allowed[self.kind]:
            wanted = {"magnitude": "a positive number", "pairs": "1, 0 or 0.5"}
            raise ValueError(f"{answer!r:.40} is not {wanted.get(self.kind, f'from {self.low} to {self.high}')}")
        return value


def error_penalty(span: Mapping[str, Any], kinds: tuple[str, ...], length: int = LONGEST_SPAN) -> int:
    """Return the penalty of an error: 1 if minor, 5 if major."""
    start, end = span.get("start"), span.get("end")
    whole = isinstance(start, int) and isinstance(end, int)
    if not whole or not 0 <= start < end <= length:  # type: ignore[operator]
        raise ValueError(f"an error from {start!r} to {end!r} is outside the text")
    if span.get("kind") not in kinds or span.get("severity") not in SEVERITIES:
        raise ValueError(f"unknown kind or severity of an error: {span.get('severity')!r}, {span.get('kind')!r}")
    return SEVERITIES[str(span["severity"])]


class Answer(NamedTuple):
    """An answer."""

    rater: str
    task: str
    rating: str
    value: Any  # as it is written
    seconds: float  # how long the task was seen; NaN where that is not known
    at: float  # when it was given (milliseconds since 1970), 0 where that is not known: of two answers the later counts
    order: int | None = None  # the how manieth task of the rater it is; None where that is as in the design


class File(NamedTuple):
    """A returned file."""

    study: str  # the name of the study that it is of; empty where it does not say
    answers: Iterator[Answer]  # its content
    edited: bool = False  # whether it is not as it was saved
    own_lists: bool = True  # whether raters have the lists of the design


def belonging_study(names: Iterable[str]) -> str:
    """Return the study of tasks named ``STUDY-TASK``; all of them, if several."""
    return ", ".join(sorted({str(name).partition("-")[0] for name in names}))
