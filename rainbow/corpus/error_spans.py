"""Error spans that annotators marked in an output, kept as JSON in one column of a corpus."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

ERROR_SPANS = "error_spans"  # the column; spans of each annotator of an output
ERROR_SCORE = "error_score"  # the rating: minus the weights of an annotator's spans


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


def parse_spans(cell: Any) -> dict[str, list[ErrorSpan]]:
    """Return the spans of each annotator of an output; empty for anything else."""
    try:
        data = json.loads(cell)
        spans = {str(annotator): [ErrorSpan(*span) for span in own] for annotator, own in data.items()}
    except (TypeError, ValueError, AttributeError):
        return {}
    known = all(isinstance(place, int) for own in spans.values() for span in own for place in span[:2])
    return spans if known else {}
