"""Descriptions of metrics, read from their docstrings."""

from __future__ import annotations

import inspect
import re
from typing import NamedTuple

from rainbow.metrics.contract.base import Metric
from rainbow.metrics.contract.registry import all_columns, find

# Prefixes of the learned score next to metrics, and of its metric's columns.
LEARNED, _FAST = "rainbow_", "fast_"

# The headings of a docstring that end its text.
_HEADING = re.compile(r"^(\w[\w ]*)\n-{3,}$", re.MULTILINE)


class MetricDescription(NamedTuple):
    """Description of a metric from its docstring."""

    plain: str  # one sentence for whoever does not know the metric
    definition: str  # the computation, in paragraphs
    sources: list[str]  # publications that it is from, one each


def describe_metric(metric: type[Metric]) -> MetricDescription:
    """Return the description of a metric from its docstring."""
    parts = _HEADING.split(inspect.cleandoc(metric.__doc__ or ""))
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    entries = re.split(r"\n\s*\n|\n(?=\S[^\n]*\(\d{4}\))", sections.get("References", "").strip())
    sources = [" ".join(entry.split()) for entry in entries if entry.strip()]
    text = parts[0].strip()
    return MetricDescription(metric.plain or text.split("\n", 1)[0], text, sources)


def plain_sentence(column: str) -> str:
    """Return what a column measures in plain words; an empty string for an unknown column."""
    own = re.sub(f"^{LEARNED}", _FAST, column)
    known = all_columns().get(own)
    return (known[0].plain or describe_metric(find(own)).plain) if known else ""


def short_name(column: str) -> str:
    """Return the chart label of a column; its own name if no metric defines one."""
    if column.startswith(LEARNED):
        return column.replace(LEARNED, "learned score: ")
    known = all_columns().get(column)
    return (known[0].short if known else "") or column
