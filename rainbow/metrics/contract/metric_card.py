"""The card of a column: what it measures, needs and ranges over."""

from __future__ import annotations

import re
from typing import NamedTuple

from rainbow.metrics.contract.base import Metric
from rainbow.metrics.contract.metric_description import LEARNED, describe_metric, plain_sentence
from rainbow.metrics.contract.registry import all_columns, find

# Prefix of the columns of the learned score's metric.
_FAST = "fast_"

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
    known, _ = all_columns()[name]
    metric = find(name)
    sources = describe_metric(metric).sources
    return MetricCard(
        column,
        plain_sentence(column),
        describe_needs(metric, known.name),
        f"{value_range(known.low, known.high)}, {DIRECTIONS[known.higher_is_better]}",
        sources[0] if sources else "",
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
