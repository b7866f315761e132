"""Corpus metrics per system, with significance tests."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

from rainbow.reports.figures.dot_plots import corpus_metrics
from rainbow.reports.grid import ARROWS, SIGNIFICANT, Cell, Column, Grid, Measure, Row, colour_class, empty_cell
from rainbow.reports.number_format import Number, format_count, format_interval, format_precise, format_range
from rainbow.reports.saved.saved_systems import ComparedDataset, SavedSystems
from rainbow.reports.saved.saved_tables import SavedRow
from rainbow.reports.section import Figure, Section, block_section
from rainbow.systems.corpus_scores.segment_sums import AVERAGE, system_columns

AMONG_BEST = "="
# More are easier to find in a matrix.
FEW_PAIRS = 6

_MEANINGS = {
    AVERAGE: "mean of BLEU, NIST / 10, METEOR, ROUGE-L and CIDEr / 10",
    "BLEU": "corpus BLEU-4 (mteval-v13a), 0 to 1",
    "NIST": "corpus NIST-5 (mteval-v13a), from 0",
    "METEOR": "corpus METEOR 1.5, 0 to 1",
    "ROUGE-L": "mean ROUGE-L of the outputs, 0 to 1",
    "CIDEr": "mean CIDEr-D of the outputs, 0 to 10, printed as CIDEr by the tools of MS-COCO and E2E",
    "CIDEr_cosine": "mean CIDEr of the outputs as originally defined, 0 to 10",
    "TER": "edits per reference word",
    "chrF++": "corpus chrF++, 0 to 100",
}

DIFFERENCE = Measure(
    "difference",
    "precise",
    "{named}, {first} minus {second}: {difference:precise}, {interval:precise} (paired bootstrap), p = "
    "{p_randomisation:p} (approximate randomisation), after Holm's correction {p_randomisation_holm:p}, {n:count} "
    "inputs",
    reason="{first} minus {second}: {reason}",
)


def section(saved: SavedSystems) -> Section:
    """Return every metric of every system with interval, and tests of all pairs."""
    blocks = [
        {
            "part": part,
            "figure": _average_figure(saved, part),
            "scores": _score_grid(saved, part),
            "differences": _difference_grids(saved, part),
        }
        for part in saved.parts
    ]
    return block_section(
        "systems-metrics", "Corpus metrics", blocks, resamples=format_count(saved.summary["resamples"])
    )


def _average_figure(saved: SavedSystems, part: ComparedDataset) -> Figure:
    return Figure(
        f"corpus-metrics{part.suffix}",
        f"Normalised average of every system{part.where}, with 95 % intervals (bootstrap over inputs). "
        "Systems that share a letter do not differ significantly.",
        "Forest plot of the normalised average; numbers in the next table.",
        partial(corpus_metrics, saved.rows("corpus_metrics", **part.filters)),
    )


def _score_grid(saved: SavedSystems, part: ComparedDataset) -> Grid:
    table = saved.rows("corpus_metrics", **part.filters)
    metrics = metric_columns(saved)
    among_best = {metric: _best_group(saved, part, metric) for metric in metrics}
    rows = [
        Row(system, [_score_cell(saved, row, metric, system in among_best[metric]) for metric in metrics], str(letters))
        for row, system, letters in zip(table.index, table["system"], table["groups"], strict=True)
    ]
    columns = [metric_column(metric) for metric in metrics]
    caption = f"Corpus metrics with 95 % intervals{part.where}"
    return Grid(f"corpus-metrics{part.suffix}", caption, columns, rows, corner="system", second="groups")


def _score_cell(saved: SavedSystems, row: Any, metric: str, among_best: bool) -> Cell:
    number = saved.number("corpus_metrics", row, metric, format_precise)
    line = saved.tables["corpus_metrics"].loc[row]
    if number.raw == "":
        return empty_cell(f"{metric} of {line['system']} could not be computed: see the notes")
    low, high = line[f"{metric}_low"], line[f"{metric}_high"]
    detail = f"{number.text}, {format_interval(low, high, format_precise)}, {format_count(line['n'])} inputs"
    tip = f"{plain_name(metric)} of {line['system']}: {detail}"
    mark = AMONG_BEST if among_best else ""
    return Cell(number, mark=mark, tip=tip, note=format_range(low, high, format_precise))


def _best_group(saved: SavedSystems, part: ComparedDataset, metric: str) -> set[str]:
    """Return the best system by a metric and those not significantly different."""
    table = saved.rows("corpus_metrics", **part.filters).set_index("system")[metric].dropna()
    if table.empty:
        return set()
    best = str(table.idxmax() if higher_is_better(metric) else table.idxmin())
    lines = saved.rows("corpus_metric_differences", metric=metric, **part.filters)
    like = lines[lines["p_randomisation_holm"] >= SIGNIFICANT]
    return {best, *like.loc[like["first"] == best, "second"], *like.loc[like["second"] == best, "first"]}


def _difference_grids(saved: SavedSystems, part: ComparedDataset) -> list[Grid]:
    """Return a matrix per metric, or one table if there are few pairs."""
    metrics = metric_columns(saved)
    lines = saved.lookup("corpus_metric_differences", "metric", "first", "second", **part.filters)
    pairs = [key[1:] for key in lines if key[0] == AVERAGE]
    if len(pairs) > FEW_PAIRS:
        return [_difference_matrix(saved, part, metric) for metric in metrics]
    limits = {metric: _colour_limit(lines[metric, *pair].difference for pair in pairs) for metric in metrics}
    rows = [
        Row(" − ".join(pair), [_difference_cell(lines[metric, *pair], limits[metric]) for metric in metrics])
        for pair in pairs
    ]
    columns = [metric_column(metric) for metric in metrics]
    return [Grid(f"differences{part.suffix}", f"Differences{part.where}", columns, rows, corner="systems")]


def _difference_matrix(saved: SavedSystems, part: ComparedDataset, metric: str) -> Grid:
    lines = saved.lookup("corpus_metric_differences", "first", "second", metric=metric, **part.filters)
    systems = list(dict.fromkeys(name for pair in lines for name in pair))
    limit = _colour_limit(line.difference for line in lines.values())
    rows = [
        Row(first, [_difference_cell(lines.get((first, second)), limit) for second in systems[1:]])
        for first in systems[:-1]
    ]
    caption = f"Differences of {plain_name(metric)}{part.where}, row minus column"
    columns = [Column(name, name) for name in systems[1:]]
    return Grid(f"differences-{metric}{part.suffix}", caption, columns, rows, corner="system")


def _colour_limit(values: Any) -> float:
    """Return the end of a colour scale that fits the largest difference."""
    return max((abs(value) for value in values if value == value), default=1.0) or 1.0


def _difference_cell(line: SavedRow | None, limit: float) -> Cell:
    if line is None:
        return Cell(Number(math.nan, ""))
    metric = plain_name(line.metric)
    cell = DIFFERENCE.cell(line, mark="" if line.p_randomisation_holm < SIGNIFICANT else "×", named=metric)
    sign = 1.0 if higher_is_better(line.metric) else -1.0
    return cell._replace(style=colour_class(sign * line.difference, limit))


def metric_columns(saved: SavedSystems) -> list[str]:
    """Return the corpus metrics of a table, the sort key first."""
    names = [str(name) for name in saved.tables["corpus_metrics"] if f"{name}_low" in saved.tables["corpus_metrics"]]
    return sorted(names, key=lambda name: name != AVERAGE)


def higher_is_better(metric: str) -> bool:
    """Return whether higher is better for a corpus metric."""
    known = system_columns()
    return metric not in known or bool(known[metric].column.higher_is_better)


def metric_column(metric: str) -> Column:
    """Return the column head of a corpus metric."""
    arrow, direction = ARROWS[higher_is_better(metric)]
    return Column(f"{plain_name(metric)} {arrow}", f"{describe_metric(metric)}; {direction}")


def describe_metric(metric: str) -> str:
    """Return the description of a corpus metric."""
    return _MEANINGS.get(metric, metric)


def plain_name(name: str) -> str:
    """Return the name of a column or measure as words."""
    return name.removesuffix("_percent").replace("_", " ") + (", %" if name.endswith("_percent") else "")
