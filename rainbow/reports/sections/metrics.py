"""Metrics against ratings: every correlation, the best of every group, and intervals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from rainbow.metrics.contract.facts import plain_sentence
from rainbow.reports.candidate_notes import candidate_notes
from rainbow.reports.figures.dots import forest
from rainbow.reports.grid import (
    SIGNIFICANT,
    Cell,
    Column,
    Grid,
    Row,
    correlation_cell,
    empty,
    limit_of,
    metric_row,
    stars,
)
from rainbow.reports.number import count, p_value
from rainbow.reports.order import by_agreement
from rainbow.reports.saved.saved_analysis import ALL, Part, Saved
from rainbow.reports.section import Figure, Section

# Where correlations within items stand: a column beside the parts.
WITHIN = "within items"


class Place(NamedTuple):
    """A column of the heat table."""

    rating: str
    part: Part
    level: str


def section(saved: Saved) -> Section:
    """Return the correlations of metrics with ratings as a heat table, a table of the best, and a forest plot."""
    shown = by_agreement(saved)
    data = {
        "correlations": _correlations(saved, "correlations", shown),
        "further": _correlations(saved, "further", [name for name in saved.metrics if name not in shown]),
        "glossary": {name: says for name in saved.metrics if (says := plain_sentence(name))},
        "best": _best(saved),
        "clusters": list(_clusters(saved)),
    }
    drawn = saved.rows("correlations", level="pooled", **saved.whole.wanted)["r"].notna().any()
    return Section("metrics", "Metrics against ratings", data, [_figure(saved)] if drawn else [])


def _figure(saved: Saved) -> Figure:
    return Figure(
        "forest",
        "Spearman correlation of every metric with each rating over all outputs, with 95 % intervals; dashed lines "
        "mark the ceiling. A metric for which lower is better agrees with people where its correlation is negative.",
        "Forest plot of the correlations of metrics with ratings; the numbers are in the table above.",
        partial(forest, saved),
        inside=False,
    )


def _places(saved: Saved) -> Iterator[Place]:
    for rating in saved.ratings:
        yield from (Place(rating, part, "pooled") for part in saved.parts)
        yield Place(rating, Part(ALL, ALL), "item")


def _label(saved: Saved, place: Place) -> str:
    return WITHIN if place.level == "item" else saved.label(place.part)


def _correlations(saved: Saved, name: str, metrics: Sequence[str]) -> Grid:
    table = saved.tables["correlations"]
    limit = limit_of(table.loc[table["level"] == "pooled", "r"])
    places = list(_places(saved))
    columns = [_column(saved, place, limit) for place in places]
    notes = candidate_notes(saved)
    rows = [
        metric_row(saved, metric, [column[metric] for column in columns])._replace(note=notes.get(metric, ""))
        for metric in metrics
    ]
    heads = [Column(_label(saved, place), f"{place.rating}, {_label(saved, place)}") for place in places]
    spans = [(rating, len(places) // len(saved.ratings)) for rating in saved.ratings]
    return Grid(name, "Spearman correlation of metrics with ratings", spans, heads, rows, limit)


def _column(saved: Saved, place: Place, limit: float) -> dict[str, Cell]:
    """Return the cell of every metric in a column."""
    rating, part, level = place
    lines = saved.lookup("correlations", "metric", rating=rating, level=level, **part.wanted)
    tests = sum(line.r == line.r for line in lines.values())
    where = f"{rating}, {_label(saved, place)}"
    return {
        metric: correlation_cell(saved, "correlations", line, limit, f"{metric} and {where}", stars(line.p, tests))
        for metric, line in lines.items()
    }


def _best(saved: Saved) -> Grid:
    """Return the paper's table 3: the best metric of each group for every rating and part."""
    lines = saved.lookup("best_metrics", "dataset", "system", "rating", "group", level="pooled")
    limit = limit_of(line.r for line in lines.values())
    rows = []
    for group in dict.fromkeys(saved.tables["best_metrics"]["group"]):
        for rating in saved.ratings:
            cells = [_best_cell(saved, lines.get((*part, rating, group)), limit) for part in saved.parts]
            rows.append(Row(rating, group, ("", ""), cells))
    columns = [Column(saved.label(part), saved.label(part)) for part in saved.parts]
    return Grid("best", "The best metric of each group", [], columns, rows, limit, corner="rating")


def _best_cell(saved: Saved, line: Any, limit: float) -> Cell:
    if line is None or line.r != line.r:
        return empty("no metric of the group has a correlation here")
    subject, mark = f"{line.metric}, best of {count(line.candidates)}", "*" if line.p_selected < SIGNIFICANT else ""
    cell = correlation_cell(saved, "best_metrics", line, limit, subject, mark)
    luck = p_value(line.p_selected)
    note = f"{line.metric}, p {luck if luck[0] == '<' else '= ' + luck}"
    return cell._replace(tip=f"{cell.tip}; p times candidates {line.p_selected:.2g}", note=note)


def _clusters(saved: Saved) -> Iterator[tuple[str, str, list[str]]]:
    """Return for every rating the first metric, and those that are not significantly worse."""
    for rating in saved.ratings:
        lines = saved.rows("metric_clusters", rating=rating, **saved.whole.wanted)
        if lines.empty:  # there is one metric
            continue
        lines = lines.sort_values("rank")
        first, *others = list(lines.loc[lines["cluster"] == 1, "metric"]) or [""]
        if first:
            yield rating, first, others
