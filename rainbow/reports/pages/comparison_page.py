"""The page that compares datasets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rainbow.base.lazy import pd
from rainbow.reports.comparison_sections import changes, correlations
from rainbow.reports.comparison_sections.changes import Change
from rainbow.reports.comparison_sections.datasets import Datasets
from rainbow.reports.embedding import embed_tables, script_json
from rainbow.reports.grid import SIGNIFICANT, Cell, Column, Grid, Row, colour_limit, correlation_cell, empty_cell
from rainbow.reports.number_format import format_count
from rainbow.reports.overview.page_verdicts import page_verdicts
from rainbow.reports.pages.page import Page, make_page
from rainbow.reports.pages.provenance import provenance_section
from rainbow.reports.saved.saved_analysis import SavedAnalysis
from rainbow.reports.saved.saved_tables import SavedRow
from rainbow.reports.section import Section
from rainbow.reports.sections.metrics_section import candidate_reasons

TABLES = ("correlations", "best_metrics", "ceilings")  # offered for download


def make_comparison(saved: Sequence[SavedAnalysis], workers: int | None = 1) -> Page:
    """Return one page on several datasets; the first is the baseline."""
    names = [entry.name for entry in saved]
    if len({*names}) < max(2, len(names)):
        raise ValueError(f"{names[-1]} cannot be compared with itself: name another dataset")
    ratings, metrics = (
        [name for name in own[0] if all(name in other for other in own)]
        for own in ([entry.ratings for entry in saved], [entry.metrics for entry in saved])
    )
    if not ratings or not metrics:
        what = "rating" if metrics else "metric"
        raise ValueError(f"{', '.join(names)} have no common {what}: name datasets with the same ratings and metrics")
    datasets = Datasets([replace(entry, prefix=f"{entry.name}/") for entry in saved], ratings, metrics)
    result = [changes.find_change(datasets, entry) for entry, _ in datasets.others]
    sections = [_answer(datasets, result), correlations.section(datasets), _best_metrics(datasets)]
    if any(change.shared.inputs for change in result):
        sections.insert(1, changes.section(datasets, result))
    files = ((f"{own.name}: {file.name}", file.sha256) for own in datasets.saved for file in own.files)
    command, tables = f"rainbow report --compare {' '.join(names)}", downloadable_tables(datasets)
    sections.append(provenance_section([command], {}, tables, files))
    facts = " · ".join(f"{entry.name}: {format_count(len(entry.scores))} outputs" for entry in saved)
    scripts = {"tables-data": embed_tables(tables), "browser-data": script_json(None)}
    title = f"{', '.join(names[:-1])} and {names[-1]}"
    return make_page("-and-".join(entry.page for entry in saved), title, facts, sections, scripts, workers)


def downloadable_tables(datasets: Datasets) -> dict[str, pd.DataFrame]:
    """Return the tables behind the page, with the dataset in their names."""
    return {f"{saved.name}-{name}.csv": saved.tables[name] for saved in datasets.saved for name in TABLES}


def _best_metrics(datasets: Datasets) -> Section:
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
            rows.append(Row(rating, cells, group))
    columns = [Column(name, name) for name in datasets.names]
    caption = f"The best metric of each group on {datasets.all_of_them} datasets"
    grid = Grid("best", caption, columns, rows, limit, corner="rating")
    return Section("comparison-best", "Best of each group", {"grid": grid})


def _best_cell(saved: SavedAnalysis, line: SavedRow | None, limit: float) -> Cell:
    if line is None or line.r != line.r:
        return empty_cell("no metric of the group has a correlation here")
    mark = "*" if line.p_selected < SIGNIFICANT and not candidate_reasons(saved, line.rating)[line.metric] else ""
    cell = correlation_cell(line, limit, f"{line.metric}, {saved.name}", mark)
    return cell._replace(note=line.metric)


def _answer(datasets: Datasets, changes: Sequence[Change]) -> Section:
    """Return the verdict on each rating per dataset, and `changes` in words."""
    sides = [{ruling.rating: ruling for ruling in page_verdicts(saved)} for saved in datasets.saved]
    data = {
        "names": datasets.names,
        "rulings": [(rating, [side[rating] for side in sides]) for rating in datasets.ratings],
        "told": [_common_verdict(rating, [side[rating].metric for side in sides]) for rating in datasets.ratings],
        "changes": changes,
    }
    return Section("comparison-answer", "Answer", data)


def _common_verdict(rating: str, metrics: Sequence[str]) -> str:
    """Return a sentence on whether one metric can be used for all datasets."""
    chosen = [metric for metric in metrics if metric]
    if not chosen:
        return f"For {rating}, no metric can be used on any of these datasets."
    if len(chosen) < len(metrics):
        return f"For {rating}, a metric can be used on {len(chosen)} of these {len(metrics)} datasets."
    if len({*chosen}) == 1:
        return f"For {rating}, {chosen[0]} can be used on all of these datasets."
    return f"For {rating}, every dataset has a usable metric, but not the same one."
