"""What every reader of error spans returns: the annotations of one file, and what is wrong with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rainbow.corpus.error_spans import ErrorSpan
from rainbow.text.utf16 import from_utf16_position

SEVERITIES = ("neutral", "minor", "major", "critical")
NO_POSITION = 0, 0
UNPLACED = "counted without a position"  # of a span whose position is wrong


class Annotation(NamedTuple):
    """An output as one annotator saw it; no spans means that no error was found."""

    annotator: str
    about: Mapping[str, Any]  # columns of the output: `output`, and `system`, `item`, `mr` ... if known
    spans: tuple[ErrorSpan, ...]
    ratings: Mapping[str, float] = {}  # further ratings of the same annotator


@dataclass
class Export:
    """The annotations of an export."""

    tool: str
    has_recipe: bool = False  # whether files without any span have other ratings, read by a recipe
    annotations: list[Annotation] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)  # rows and spans that could not be read as they are
    skipped: Counter[str] = field(default_factory=Counter)  # rows that are no outputs, by kind


def locate(output: str, start: Any, end: Any, marked: str = "") -> tuple[int, int] | None:
    """Return the characters of a span, counted in UTF-16 units or characters; None if its text differs."""
    if not (isinstance(start, int) and isinstance(end, int)):
        return None
    browser = from_utf16_position(output, max(start, 0)), from_utf16_position(output, max(end, 0))
    places = [browser, (start, end)] if marked else [browser]
    inside = 0 <= start < end
    fits = (place for place in places if inside and place[1] <= len(output) and output[slice(*place)] == marked)
    if marked:
        return next(fits, None)
    return browser if inside and end <= len(output.encode("utf-16-le", "surrogatepass")) // 2 else None


def split_labels(labels: Iterable[Any]) -> tuple[str, str]:
    """Return category and severity of labels such as ``Major``, ``Fluency`` or ``major, Fluency``."""
    categories, severity = [], ""
    for label in map(str, labels):
        first, _, rest = label.partition(", ")
        if first.casefold() in SEVERITIES:
            severity, label = first.casefold(), rest
        if label:
            categories.append(label)
    return "/".join(categories), severity
