"""A card per metric: what it measures, needs, costs, how well it agrees with people, and what it does not see."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

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


def metric_cards(saved: SavedAnalysis) -> dict[str, Any]:
    """Return a card for each metric with a definition, and the table of what each metric sees."""
    known = [card for name in saved.metrics if (card := metric_card(name))]
    cards = [
        {"name": card.column, "measures": card.measures, "facts": {k: v for k, v in _facts(saved, card) if v}}
        for card in known
    ]
    return {"cards": cards, "seen": _seen_grid(saved)}


def _facts(saved: SavedAnalysis, card: MetricCard) -> Iterator[tuple[str, str]]:
    yield "Range", card.values
    yield "Needs", card.needs
    cost = saved.lookup("metric_costs", "metric").get(card.column)
    yield "Cost", cost.text("{microseconds:precise} microseconds per output") if cost else ""
    lines = saved.lookup("correlations", "rating", metric=card.column, level="pooled", **saved.all_outputs.filters)
    agreements = [line.text("{rating} {r:fixed} ({range:fixed})") for line in lines.values() if line.r == line.r]
    yield "Agreement with people", ", ".join(agreements)
    yield "Worse texts", weakness_sentence(saved.rows("metric_weaknesses", metric=card.column))
    yield "Source", card.source


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
