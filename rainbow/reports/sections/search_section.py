"""Nonsense texts that a score ranks above human-written ones."""

from __future__ import annotations

from typing import Any

from rainbow.reports.grid import Column, Grid, Measure, Row
from rainbow.reports.number_format import format_precise
from rainbow.reports.saved.saved_analysis import SavedAnalysis
from rainbow.reports.section import Section

# Found texts that are shown of each metric: those that people would wonder about first.
SHOWN = 10

THAN = ("worst", "median", "best")

SHARE = Measure(
    "above",
    "percent",
    "{metric}, {strategy} search: {n:count} inputs",
    note="{range:percent}",
    reason="no input has both scores",
)


def section(saved: SavedAnalysis) -> Section:
    """Return how often found texts beat good ones, with examples; nothing without a search."""
    if "audit_search" not in saved.tables:
        return Section("search", "Robustness to nonsense", {})
    table = saved.tables["audit_found"]
    data = {
        "compared_with": " or ".join(dict.fromkeys(table["compared_with"])),
        "shares": _share_grid(saved),
        "found": {metric: _found_texts(saved, metric) for metric in dict.fromkeys(table["metric"])},
    }
    return Section("search", "Robustness to nonsense", data)


def _share_grid(saved: SavedAnalysis) -> Grid:
    lines = saved.lookup("audit_search", "metric", "strategy", "baseline")
    rows = [
        Row(metric, [SHARE.cell(lines[metric, strategy, baseline]) for baseline in THAN], strategy)
        for metric, strategy in dict.fromkeys((metric, strategy) for metric, strategy, _ in lines)
    ]
    columns = [
        Column(f"above the {baseline}", f"inputs whose found text scores above the {baseline} good text")
        for baseline in THAN
    ]
    caption = "Share of inputs for which the search found a text that scores above good texts"
    return Grid("search-shares", caption, columns, rows, corner="metric", second="search")


def _found_texts(saved: SavedAnalysis, metric: str) -> list[dict[str, Any]]:
    """Return the found texts of a metric that beat most good ones."""
    table = saved.rows("audit_found", metric=metric)
    above = table[[f"above_{baseline}" for baseline in THAN]].sum(axis=1)
    rows = above[above > 0].sort_values(ascending=False, kind="stable").index[:SHOWN]
    return [
        {
            **{name: table[name][row] for name in ("strategy", "mr", "text")},
            "score": saved.number("audit_found", row, "score", format_precise),
            "good_scores": [saved.number("audit_found", row, baseline, format_precise) for baseline in THAN],
        }
        for row in rows
    ]
