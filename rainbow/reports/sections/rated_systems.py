"""Systems: means, tests, and metrics that distinguish them."""

from __future__ import annotations

from functools import partial
from shlex import quote
from typing import Any

from rainbow.reports.figures.dot_plots import TEST, system_differences
from rainbow.reports.grid import (
    ARROWS,
    Cell,
    Column,
    Grid,
    Row,
    colour_class,
    empty_cell,
    metric_row,
    significance_stars,
)
from rainbow.reports.metric_order import order_by_agreement
from rainbow.reports.number_format import (
    format_count,
    format_fixed,
    format_interval,
    format_p_value,
    format_percent,
    format_precise,
)
from rainbow.reports.saved.saved_analysis import PUBLISHED, Part, SavedAnalysis
from rainbow.reports.section import Figure, Section
from rainbow.reports.sections.preferences import preference_grid

# A dataset and two systems.
SystemPair = tuple[str, str, str]

# Asks least of the data: no distribution is assumed.
RANDOMISATION = "approximate randomisation"


def section(saved: SavedAnalysis) -> Section:
    """Return means per system and tested differences."""
    tests = saved.tables["system_differences"]
    pairs: list[SystemPair] = list(dict.fromkeys(zip(tests["dataset"], tests["first"], tests["second"], strict=True)))
    data = {
        "means": _means_grid(saved, pairs),
        "pairs": pairs,
        "preferences": preference_grid(saved),
        "soft": _soft_grid(saved) if pairs else None,
        "compared": saved.compared,
        "page": saved.page,
        "command": _systems_command(saved),
    }
    return Section("systems", "Systems", data, [_difference_figure(saved)] if pairs else [])


def _systems_command(saved: SavedAnalysis) -> str:
    """Return the command that makes the page on whole systems."""
    dataset = saved.name.removesuffix(f"-{PUBLISHED}")
    return f"rainbow systems {quote(dataset)}" + (" --as-published" if dataset != saved.name else "")


def _difference_figure(saved: SavedAnalysis) -> Figure:
    return Figure(
        "system-differences",
        "Differences of mean ratings of systems over common items, with 95 % intervals (paired t).",
        "Forest plot of differences between systems; numbers in the next table.",
        partial(system_differences, saved),
    )


def _means_grid(saved: SavedAnalysis, pairs: list[SystemPair]) -> Grid:
    means = saved.lookup("systems", "dataset", "system", "column")
    paired, randomised = (
        saved.lookup("system_differences", "dataset", "first", "second", "column", test=test)
        for test in (TEST, RANDOMISATION)
    )
    systems = list(dict.fromkeys(key[:2] for key in means))
    rows = []
    for column in [*saved.ratings, *order_by_agreement(saved)]:
        cells = [_mean_cell(saved, means[(*system, column)]) for system in systems]
        cells += [
            _difference_cell(saved, paired.get((*pair, column)), randomised.get((*pair, column))) for pair in pairs
        ]
        is_metric = column in saved.metrics
        rows.append(metric_row(saved, column, cells) if is_metric else Row(column, "rating", ARROWS[True], cells))
    heads = [Column(saved.label(Part(*system)), f"mean of {Part(*system).label}") for system in systems]
    heads += [_pair_head(saved, pair) for pair in pairs]
    spans = [("mean (standard deviation)", len(systems))] + ([("difference", len(pairs))] if pairs else [])
    return Grid("means", "Mean ratings and scores of every system", spans, heads, rows, corner="rating or metric")


def _pair_head(saved: SavedAnalysis, pair: SystemPair) -> Column:
    dataset, first, second = pair
    label = f"{first} − {second}"
    title = f"difference on {dataset}, {first} minus {second}"
    return Column(f"{dataset} · {label}" if len(saved.datasets) > 1 else label, title)


def _mean_cell(saved: SavedAnalysis, line: Any) -> Cell:
    subject = f"{line.column}, {line.system} on {line.dataset}"
    if line.mean != line.mean:
        return empty_cell(f"{subject}: {line.reason}")
    tip = f"{subject}: mean {format_precise(line.mean)}, sd {format_precise(line.sd)}, n = {format_count(line.n)}"
    return Cell(
        saved.number("systems", line.Index, "mean", format_precise), tip=tip, note=f"({format_precise(line.sd)})"
    )


def _difference_cell(saved: SavedAnalysis, paired: Any, randomised: Any) -> Cell:
    if paired is None or paired.difference != paired.difference:
        return empty_cell(str(paired.reason) if paired else "not tested")
    p = randomised.p if randomised else paired.p
    tip = (
        f"{paired.column}, {paired.first} minus {paired.second}: {format_precise(paired.difference)}, "
        f"{format_interval(paired.low, paired.high, format_precise)}; p = {format_p_value(paired.p)} ({TEST}), "
        f"{format_p_value(p)} ({RANDOMISATION})"
    )
    number = saved.number("system_differences", paired.Index, "difference", format_precise)
    return Cell(number, mark=significance_stars(p, len(saved.metrics) + len(saved.ratings)), tip=tip)


def _soft_grid(saved: SavedAnalysis) -> Grid:
    """Return the soft pairwise accuracy of each metric."""
    lines = saved.lookup("soft_pairwise_accuracy", "dataset", "rating", "metric")
    parts = [(dataset, rating) for dataset in saved.datasets for rating in saved.ratings]
    rows = [
        metric_row(saved, metric, [_soft_cell(saved, lines.get((*part, metric))) for part in parts])
        for metric in order_by_agreement(saved)
    ]
    columns = [Column(rating, f"{dataset}, {rating}") for dataset, rating in parts]
    spans = [(dataset, len(saved.ratings)) for dataset in saved.datasets] if len(saved.datasets) > 1 else []
    return Grid("soft", "Soft pairwise accuracy over systems, %", spans, columns, rows)


def _soft_cell(saved: SavedAnalysis, line: Any) -> Cell:
    if line is None or line.soft_accuracy != line.soft_accuracy:
        return empty_cell(str(line.reason) if line else "not measured")
    number = saved.number(
        "soft_pairwise_accuracy", line.Index, "soft_accuracy", lambda value: format_fixed(100 * value, 1)
    )
    tip = (
        f"{line.metric} and {line.rating}, {format_count(line.system_pairs)} pairs of systems: soft "
        f"{format_percent(line.soft_accuracy)}, order only {format_percent(line.pairwise_accuracy)}"
    )
    return Cell(number, colour_class(line.soft_accuracy - 0.5, 0.5), tip=tip)
