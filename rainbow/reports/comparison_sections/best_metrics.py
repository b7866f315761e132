"""The best metric of each group on every dataset."""

from __future__ import annotations

from typing import Any

from rainbow.reports.comparison_sections.datasets import Datasets
from rainbow.reports.grid import SIGNIFICANT, Cell, Column, Grid, Row, colour_limit, correlation_cell, empty_cell
from rainbow.reports.saved.saved_analysis import SavedAnalysis
from rainbow.reports.section import Section


def section(datasets: Datasets) -> Section:
    """Return a table with a column per dataset and a row per rating and group."""
    results = [
        saved.lookup("best_metrics", "rating", "group", level="pooled", dataset=saved.all_outputs.dataset, system="all")
        for saved in datasets.saved
    ]
    limit = colour_limit(line.r for lines in results for line in lines.values())
    rows = []
    for group in dict.fromkeys(key[1] for lines in results for key in lines):
        for rating in datasets.ratings:
            best = (lines.get((rating, group)) for lines in results)
            cells = [_best_cell(saved, line, limit) for saved, line in zip(datasets.saved, best, strict=True)]
            rows.append(Row(rating, group, ("", ""), cells))
    columns = [Column(name, name) for name in datasets.names]
    caption = f"The best metric of each group on {datasets.all_of_them} datasets"
    grid = Grid("best", caption, [], columns, rows, limit, corner="rating")
    return Section("comparison-best", "Best of each group", {"grid": grid})


def _best_cell(saved: SavedAnalysis, line: Any, limit: float) -> Cell:
    if line is None or line.r != line.r:
        return empty_cell("no metric of the group has a correlation here")
    mark = "*" if line.p_selected < SIGNIFICANT else ""
    cell = correlation_cell(saved, "best_metrics", line, limit, f"{line.metric}, {saved.name}", mark)
    return cell._replace(note=line.metric)
