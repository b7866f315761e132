"""Systems: their means, tests of their differences, and which metrics would have told them apart."""

from __future__ import annotations

from functools import partial
from shlex import quote
from typing import Any

from rainbow.reports.figures.dots import TEST, system_differences
from rainbow.reports.grid import ARROWS, Cell, Column, Grid, Row, coloured, empty, metric_row, stars
from rainbow.reports.number import count, fixed, interval, p_value, percent, precise
from rainbow.reports.order import by_agreement
from rainbow.reports.saved.saved_analysis import PUBLISHED, Part, Saved
from rainbow.reports.section import Figure, Section
from rainbow.reports.sections.preferred import preferences

# A dataset and two systems.
SystemPair = tuple[str, str, str]

# Asks least of the data: no distribution is assumed.
RANDOMISATION = "approximate randomisation"


def section(saved: Saved) -> Section:
    """Return means of ratings and metrics for every system, and differences with their tests."""
    tests = saved.tables["system_differences"]
    pairs: list[SystemPair] = list(dict.fromkeys(zip(tests["dataset"], tests["first"], tests["second"], strict=True)))
    data = {
        "means": _means(saved, pairs),
        "pairs": pairs,
        "preferences": preferences(saved),
        "soft": _soft(saved) if pairs else None,
        "compared": saved.compared,
        "page": saved.page,
        "command": _command(saved),
    }
    return Section("systems", "Systems", data, [_figure(saved)] if pairs else [])


def _command(saved: Saved) -> str:
    """Return what makes the page on whole systems."""
    dataset = saved.name.removesuffix(f"-{PUBLISHED}")
    return f"rainbow systems {quote(dataset)}" + (" --as-published" if dataset != saved.name else "")


def _figure(saved: Saved) -> Figure:
    return Figure(
        "system-differences",
        "Differences of the mean ratings of systems over the items that both have, with 95 % intervals (paired t).",
        "Forest plot of differences between systems; the numbers are in the table that follows.",
        partial(system_differences, saved),
    )


def _means(saved: Saved, pairs: list[SystemPair]) -> Grid:
    means = saved.lookup("systems", "dataset", "system", "column")
    paired, randomised = (
        saved.lookup("system_differences", "dataset", "first", "second", "column", test=test)
        for test in (TEST, RANDOMISATION)
    )
    systems = list(dict.fromkeys(key[:2] for key in means))
    rows = []
    for column in [*saved.ratings, *by_agreement(saved)]:
        cells = [_mean(saved, means[(*system, column)]) for system in systems]
        cells += [_difference(saved, paired.get((*pair, column)), randomised.get((*pair, column))) for pair in pairs]
        is_metric = column in saved.metrics
        rows.append(metric_row(saved, column, cells) if is_metric else Row(column, "rating", ARROWS[True], cells))
    heads = [Column(saved.label(Part(*system)), f"mean of {Part(*system).label}") for system in systems]
    heads += [_pair_head(saved, pair) for pair in pairs]
    spans = [("mean (standard deviation)", len(systems))] + ([("difference", len(pairs))] if pairs else [])
    return Grid("means", "Means of ratings and metrics for every system", spans, heads, rows, corner="rating or metric")


def _pair_head(saved: Saved, pair: SystemPair) -> Column:
    dataset, first, second = pair
    label = f"{first} − {second}"
    title = f"difference on {dataset}, {first} minus {second}"
    return Column(f"{dataset} · {label}" if len(saved.datasets) > 1 else label, title)


def _mean(saved: Saved, line: Any) -> Cell:
    subject = f"{line.column}, {line.system} on {line.dataset}"
    if line.mean != line.mean:
        return empty(f"{subject}: {line.reason}")
    tip = f"{subject}: mean {precise(line.mean)}, sd {precise(line.sd)}, n = {count(line.n)}"
    return Cell(saved.number("systems", line.Index, "mean", precise), tip=tip, note=f"({precise(line.sd)})")


def _difference(saved: Saved, paired: Any, randomised: Any) -> Cell:
    if paired is None or paired.difference != paired.difference:
        return empty(str(paired.reason) if paired else "not tested")
    p = randomised.p if randomised else paired.p
    tip = (
        f"{paired.column}, {paired.first} minus {paired.second}: {precise(paired.difference)}, "
        f"{interval(paired.low, paired.high, precise)}; p = {p_value(paired.p)} ({TEST}), "
        f"{p_value(p)} ({RANDOMISATION})"
    )
    number = saved.number("system_differences", paired.Index, "difference", precise)
    return Cell(number, mark=stars(p, len(saved.metrics) + len(saved.ratings)), tip=tip)


def _soft(saved: Saved) -> Grid:
    """Return how surely each metric tells systems apart as people do."""
    lines = saved.lookup("soft_pairwise_accuracy", "dataset", "rating", "metric")
    parts = [(dataset, rating) for dataset in saved.datasets for rating in saved.ratings]
    rows = [
        metric_row(saved, metric, [_soft_cell(saved, lines.get((*part, metric))) for part in parts])
        for metric in by_agreement(saved)
    ]
    columns = [Column(rating, f"{dataset}, {rating}") for dataset, rating in parts]
    spans = [(dataset, len(saved.ratings)) for dataset in saved.datasets] if len(saved.datasets) > 1 else []
    return Grid("soft", "Soft pairwise accuracy over systems, %", spans, columns, rows)


def _soft_cell(saved: Saved, line: Any) -> Cell:
    if line is None or line.soft_accuracy != line.soft_accuracy:
        return empty(str(line.reason) if line else "not measured")
    number = saved.number("soft_pairwise_accuracy", line.Index, "soft_accuracy", lambda value: fixed(100 * value, 1))
    tip = (
        f"{line.metric} and {line.rating}, {count(line.system_pairs)} pairs of systems: soft "
        f"{percent(line.soft_accuracy)}, order alone {percent(line.pairwise_accuracy)}"
    )
    return Cell(number, coloured(line.soft_accuracy - 0.5, 0.5), tip=tip)
