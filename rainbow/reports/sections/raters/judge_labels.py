"""Judges with labels: agreement next to a constant, wrong labels with their texts, and what a new prompt changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Any

from rainbow.analysis.judges.judge_labels import CONSTANT, JUDGE, RATER
from rainbow.analysis.judges.judge_sentences import label_sentences
from rainbow.reports.grid import SIGNIFICANT, Cell, Column, Grid, Measure, Row
from rainbow.reports.number_format import format_count
from rainbow.reports.saved.saved_analysis import SavedAnalysis
from rainbow.reports.saved.saved_tables import SavedRow

SHOWN = 10  # outputs of each list


def _measures(*declared: tuple[str, str, str, str]) -> dict[str, Measure]:
    """Return measures of the agreement table by name, each declared by name, number format, label and title."""
    tip, note = "{metric}, {kind}: {measure}; {interval:%s}", "{range:%s}"
    return {
        name: Measure("value", form, tip % form, note % form, "{reason}", label=label, title=title)
        for name, form, label, title in declared
    }


OVERALL = _measures(
    ("accuracy", "percent", "accuracy", "share of outputs with the label that people give"),
    ("over_constant", "percent", "over constant", "accuracy minus that of always giving the commonest label"),
    ("kappa", "fixed", "kappa", "Cohen's kappa: agreement beyond chance"),
    ("balanced_accuracy", "percent", "balanced accuracy", "mean recall of the labels"),
    ("macro_f1", "fixed", "macro F1", "mean F1 of the labels"),
)
PER_LABEL = _measures(
    ("share_people", "percent", "people", "share of outputs to which people give the label (base rate)"),
    ("share_judge", "percent", "judge", "share of outputs to which the judge gives the label"),
    ("share_difference", "percent", "difference", "share of the judge minus that of people"),
    ("recall", "percent", "recall", "of the outputs with this label of people, how many the judge finds"),
    ("precision", "percent", "precision", "of the outputs with this label of the judge, how many people label so"),
    ("f1", "fixed", "F1", "harmonic mean of precision and recall"),
)
RATE = Measure(
    "rate",
    "percent",
    "{error} on {n:count} outputs; other outputs: {rate_others:percent}, p = {p_holm:p}",
    note="{ends}n = {n:count}",
    absent="no output",
)
# Tables of outputs: what tells the lists of a table apart, and the columns after the output and the input.
LISTS = {
    "judge_errors": (("metric", "error"), ("people", "judge", "answer")),
    "changed_labels": (("first", "second"), ("people", "label_first", "label_second")),
}


def judge_labels(saved: SavedAnalysis) -> dict[str, Any]:
    """Return what the template shows about judges with labels; empty without them."""
    lines = saved.lines("judge_agreement", dataset=saved.all_outputs.dataset)
    if not lines:
        return {}
    excluded = [line for line in lines if line.kind == JUDGE and line.measure == "accuracy" and line.reason]
    return {
        "sentences": label_sentences(saved.tables),
        "reasons": [f"{line.metric}: {line.reason}" for line in excluded],
        "grids": [_overall_grid(lines), _label_grid(lines), *_rate_grids(saved)],
        "errors": [entry for table in LISTS for entry in _output_lists(saved, table)],
    }


def _groups(lines: Iterable[SavedRow], *columns: str) -> dict[Any, list[SavedRow]]:
    """Return the rows with equal values, by these values."""
    groups: dict[Any, list[SavedRow]] = {}
    key = attrgetter(*columns)
    for line in lines:
        groups.setdefault(key(line), []).append(line)
    return groups


def _overall_grid(lines: Sequence[SavedRow]) -> Grid:
    rows: dict[tuple[str, ...], Row] = {}  # judges of the same outputs share the constant and the rater
    overall = (line for line in lines if line.label == "")
    for (rating, metric, kind), part in _groups(overall, "rating", "metric", "kind").items():
        known = {line.measure: line for line in part}
        constant = f"always '{part[0].predicts}'"
        name = {JUDGE: metric, CONSTANT: constant, RATER: "a rater, others"}.get(kind, f"{metric}, others")
        cells = [measure.cell(known.get(key)) for key, measure in OVERALL.items()]
        row = Row(name, cells, rating, note=f"n = {format_count(part[0].n)}")
        rows.setdefault((name, rating, row.note, *(cell.number.text for cell in cells)), row)
    caption = "Agreement of judges with the labels of people, next to a constant, with 95 % intervals"
    heads = [measure.head for measure in OVERALL.values()]
    return Grid("judge-agreement", caption, heads, [*rows.values()], corner="judge", second="labels")


def _label_grid(lines: Sequence[SavedRow]) -> Grid:
    labelled = (line for line in lines if line.kind == JUDGE and line.label != "")
    rows = []
    for (metric, label), part in _groups(labelled, "metric", "label").items():
        known = {line.measure: line for line in part}
        rows.append(Row(metric, [measure.cell(known[key]) for key, measure in PER_LABEL.items()], label))
    caption = "Each label: base rates, and how often the judge finds it, with 95 % intervals"
    heads = [measure.head for measure in PER_LABEL.values()]
    return Grid("judge-labels", caption, heads, rows, corner="judge", second="label")


def _rate_grids(saved: SavedAnalysis) -> Iterator[Grid]:
    """Yield the error rates of each judge by length and by system."""
    for by, part in _groups(saved.lines("judge_error_rates"), "by").items():
        lines = {(line.metric, line.error, line.group): line for line in part}
        judges, groups = dict.fromkeys(key[:2] for key in lines), dict.fromkeys(key[2] for key in lines)
        rows = [Row(group, [_rate_cell(lines.get((*judge, group))) for judge in judges]) for group in groups]
        columns = [Column(f"{metric}: {error}", f"{metric}: {error}") for metric, error in judges]
        caption = f"Error rates by {by}, with 95 % intervals; * differs from the other outputs (p < 0.05, Holm)"
        yield Grid(f"error-rates-{by}", caption, columns, rows, corner=by)


def _rate_cell(line: SavedRow | None) -> Cell:
    ends = line.text("{range:percent}; ") if line and line.low == line.low else ""
    return RATE.cell(line, mark="*" if line and line.p_holm < SIGNIFICANT else "", ends=ends)


def _output_lists(saved: SavedAnalysis, table: str) -> Iterator[dict[str, Any]]:
    """Yield the first outputs of each judge and error, or of each pair of judges."""
    key, columns = LISTS[table]
    for (first, second), part in _groups(saved.lines(table), *key).items():
        heads = ("people", first, second)
        says = f"{first} and {second}: different labels"
        if table == "judge_errors":
            heads = ("people", first, *(["answer"] if any(line.answer for line in part) else []))
            says = f"{first}: {second}"
        shown = part[:SHOWN]
        yield {
            "table": table,
            "caption": f"{says}, {len(shown)} of {format_count(len(part))}",
            "columns": heads,  # after the output
            "lines": [(line, [getattr(line, column) for column in columns[: len(heads)]]) for line in shown],
        }
