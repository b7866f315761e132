"""Error spans that annotators marked in an output, kept as JSON in one column of a corpus."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from rainbow.base.formatting import format_count

ERROR_SPANS = "error_spans"  # the column; spans of each annotator of an output
ERROR_SCORE = "error_score"  # the rating: minus the weights of an annotator's spans
MOST_KINDS = 12  # severities or categories that a summary counts


class ErrorSpan(NamedTuple):
    """A marked error; `start` and `end` are characters, equal for an error without a position in the text."""

    start: int
    end: int
    category: str = ""
    severity: str = ""

    @property
    def has_position(self) -> bool:
        """Whether the error marks characters of the output."""
        return self.end > self.start


def format_spans(spans: Mapping[str, Sequence[ErrorSpan]]) -> str:
    """Return the spans of each annotator as JSON; an annotator without spans found no error."""
    return json.dumps({annotator: [*map(list, own)] for annotator, own in spans.items()}, ensure_ascii=False)


def join_annotators(
    outputs: Sequence[Hashable], annotators: Sequence[str], spans: Sequence[Sequence[ErrorSpan] | None]
) -> list[str]:
    """Return for each annotation the spans of all annotators of its output, who are numbered in order from 1."""
    numbers: dict[str, str] = {}
    joined: dict[Hashable, dict[str, Sequence[ErrorSpan]]] = {}
    for output, annotator, own in zip(outputs, annotators, spans, strict=True):
        if own is not None:
            joined.setdefault(output, {})[numbers.setdefault(annotator, str(len(numbers) + 1))] = own
    return [format_spans(joined[output]) if output in joined else "" for output in outputs]


def parse_spans(cell: Any) -> dict[str, list[ErrorSpan]]:
    """Return the spans of each annotator of an output; empty for anything else."""
    try:
        data = json.loads(cell)
        spans = {str(annotator): [ErrorSpan(*span) for span in own] for annotator, own in data.items()}
    except (TypeError, ValueError, AttributeError):
        return {}
    known = all(isinstance(place, int) for own in spans.values() for span in own for place in span[:2])
    return spans if known else {}


def summarise_spans(source: str, cells: Iterable[str]) -> str:
    """Return how many outputs, annotators and spans a source has, from the JSON of each output."""
    outputs = [parse_spans(cell) for cell in cells]
    annotations = [own for output in outputs for own in output.values()]
    annotators = len({annotator for output in outputs for annotator in output})
    spans = [span for own in annotations for span in own]
    counts = Counter(span.severity or span.category or "unnamed" for span in spans)
    kinds = ", ".join(f"{kind} {number}" for kind, number in counts.most_common(MOST_KINDS))
    return (
        f"error spans of {source}: {format_count(len(outputs), 'output')}, {format_count(annotators, 'annotator')}, "
        f"{format_count(len(annotations), 'annotation')} ({sum(not own for own in annotations)} without an error), "
        f"{format_count(len(spans), 'span')}{': ' * bool(kinds)}{kinds}"
    )
