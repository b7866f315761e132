"""What a metric or a column measures, needs and ranges over, from docstrings and declarations."""

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
    card = metric_card(column)
    return card.measures if card else ""


def short_name(column: str) -> str:
    """Return the chart label of a column; its own name if no metric defines one."""
    if column.startswith(LEARNED):
        return column.replace(LEARNED, "learned score: ")
    known = all_columns().get(column)
    return (known[0].short if known else "") or column


# Needs in words; the others are packages and programs, which are named as they are.
_NEEDS = {"mr": "inputs", "java": "Java", "neural": "a neural network"}
_INTERNAL = {"named"}  # computed only by name

DIRECTIONS = {True: "higher is better", False: "lower is better", None: "no better direction"}


class MetricCard(NamedTuple):
    """What is known about a column before it is measured."""

    column: str
    measures: str  # one sentence
    needs: str
    values: str  # range and direction
    source: str  # first publication; empty if none is named


def metric_card(column: str) -> MetricCard | None:
    """Return the card of a column; None for a column that no metric defines."""
    name = re.sub(f"^{LEARNED}", _FAST, column)
    if name not in all_columns():
        return None
    (known, _), metric = all_columns()[name], find(name)
    description = describe_metric(metric)
    return MetricCard(
        column,
        known.plain or description.plain,
        describe_needs(metric, known.name),
        f"{value_range(known.low, known.high)}, {DIRECTIONS[known.higher_is_better]}",
        next(iter(description.sources), ""),
    )


def describe_needs(metric: type[Metric], column: str = "") -> str:
    """Return what a metric needs, or one of its columns, in words."""
    needs = " and ".join(_NEEDS.get(need, need) for need in sorted(metric.needs - _INTERNAL)) or "the output alone"
    others = len(metric.languages_of(column)) - 1
    if others < 0:
        return needs
    return f"{needs}, in English or {others} other languages" if others else f"{needs}, in English"


def value_range(low: float, high: float) -> str:
    """Return the lowest and highest value of a column in words."""
    return f"{low:.4g} to {high:.4g}".replace("-inf", "-∞").replace("inf", "∞")
