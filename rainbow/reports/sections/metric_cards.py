"""A card per metric: what it measures, needs, costs, how well it agrees with people, and what it does not see."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rainbow.audit.audit import BLIND, weakness_sentence
from rainbow.metrics.contract.metric_card import MetricCard, metric_card
from rainbow.reports.grid import Column, Grid, Measure, metric_row
from rainbow.reports.number_format import format_percent
from rainbow.reports.saved.saved_analysis import SavedAnalysis

SEEN = Measure(
    "falls",
    "percent",
    "{metric} falls for {falls:percent} of {n:.0f} texts, {named}, {interval:fixed}",
    absent="{metric}: fewer than ten scores of such texts",
    centre=0,
)


class Card(NamedTuple):
    """A metric, what it measures, and further facts by their label."""

    name: str
    measures: str
    facts: dict[str, str]


class MetricCards(NamedTuple):
    """The cards of a page, and the table of what each metric sees."""

    cards: list[Card]
    seen: Grid | None


def metric_cards(saved: SavedAnalysis) -> MetricCards:
    """Return a card for each metric with a definition."""
    known = [card for name in saved.metrics if (card := metric_card(name))]
    cards = [Card(card.column, card.measures, {k: v for k, v in _facts(saved, card) if v}) for card in known]
    return MetricCards(cards, _seen_grid(saved))


def _facts(saved: SavedAnalysis, card: MetricCard) -> Iterator[tuple[str, str]]:
    yield "Range", card.values
    yield "Needs", card.needs
    cost = saved.lookup("metric_costs", "metric").get(card.column)
    yield "Cost", cost.text("{microseconds:precise} microseconds per output") if cost else ""
    yield "Agreement with people", ", ".join(_agreements(saved, card.column))
    yield "Worse texts", weakness_sentence(saved.rows("metric_weaknesses", metric=card.column))
    yield "Source", card.source


def _agreements(saved: SavedAnalysis, name: str) -> Iterator[str]:
    """Yield the correlation of a column with each rating, with its interval."""
    lines = saved.lookup("correlations", "rating", metric=name, level="pooled", **saved.all_outputs.filters)
    for line in lines.values():
        if line.r == line.r:
            yield line.text("{rating} {r:fixed} ({range:fixed})")


def _seen_grid(saved: SavedAnalysis) -> Grid | None:
    """Return the share of worse texts of each kind for which each metric falls; None if not measured."""
    lines = saved.lookup("metric_weaknesses", "metric", "kind")
    kinds = list(dict.fromkeys(kind for _, kind in lines))
    audited = {metric for metric, _ in lines}
    names = [name for name in saved.metrics if name in audited]
    if not names:
        return None
    rows = [
        metric_row(saved, name, [SEEN.cell(lines.get((name, kind)), metric=name, named=_label(kind)) for kind in kinds])
        for name in names
    ]
    columns = [Column(_label(kind), f"worse texts: {_label(kind)}") for kind in kinds]
    caption = f"Worse texts for which a metric falls; below {format_percent(BLIND)} it is not reliable"
    return Grid("seen", caption, columns, rows)


def _label(kind: str) -> str:
    return kind.replace("-", " ")
