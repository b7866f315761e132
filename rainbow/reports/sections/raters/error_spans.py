"""Error spans: agreement of the annotators, what they marked, and the outputs that they mark most differently."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from rainbow.corpus.error_spans import ERROR_SPANS, ErrorSpan, parse_spans
from rainbow.reports.grid import Cell, Column, Grid, Measure, Row, empty_cell
from rainbow.reports.number_format import Number, format_count, format_fixed
from rainbow.reports.saved.saved_analysis import SavedAnalysis
from rainbow.reports.saved.saved_tables import SavedRow
from rainbow.reports.section import Section

TITLE = "Error spans"
SHOWN = 20  # outputs
MOST_ANNOTATORS = 8  # with a column of counts
MOST_KINDS = 20  # rows of counts
STYLED = 6  # categories with a style of their own; the others share one
AGREEMENT = (
    Measure(
        "estimate",
        tip="{measure}: {estimate:fixed}, {interval:fixed}, {n_items:count} outputs",
        note="{ends}",
        label="agreement",
        title="agreement, with its 95 % interval over outputs",
    ),
    Measure("chance", title="expected agreement of spans at random places"),
    Measure("n_items", "count", label="outputs", title="outputs with at least two annotators"),
)
_SEVERITIES = ("neutral", "minor", "major", "critical")  # the mildest first


class Part(NamedTuple):
    """A piece of an output, and the errors that it belongs to."""

    text: str
    style: str  # class of its mark; empty without an error
    errors: str


def section(saved: SavedAnalysis) -> Section:
    """Return the section; nothing for a dataset without spans."""
    lines = saved.lines("span_outputs")
    if not lines or ERROR_SPANS not in saved.scores:
        return Section("spans", TITLE, {})
    places = {str(identity): place for place, identity in enumerate(saved.scores["id"])}
    shown = [line for line in lines if line.spans and line.id in places][:SHOWN]
    marked = [(line, parse_spans(saved.scores[ERROR_SPANS].iloc[places[line.id]])) for line in shown]
    styles = _styles(span for _, own in marked for spans in own.values() for span in spans)
    data = {
        "agreement": _agreement_grid(saved),
        "reasons": sorted({str(line.reason) for line in saved.lines("span_agreement") if line.reason}),
        "counts": _count_grid(saved),
        "outputs": [_annotated_output(saved, line, places[line.id], own, styles) for line, own in marked],
        "total": format_count(sum(line.spans > 0 for line in lines)),
        "legend": list(
            dict.fromkeys((style, name if style != "error-other" else "other") for name, style in styles.items())
        ),
        "several": any(line.annotators > 1 for line in shown),
    }
    return Section("spans", TITLE, data)


def _kind(span: ErrorSpan) -> str:
    """Return what a span is coloured by."""
    return span.severity or span.category or "error"


def _styles(spans: Iterable[ErrorSpan]) -> dict[str, str]:
    """Return the class of each severity or category, the mildest or most frequent first."""
    counts = Counter(map(_kind, spans))
    named = {name: f"error-{name}" for name in _SEVERITIES if name in counts}
    others = [name for name, _ in counts.most_common() if name not in named]
    return named | {name: f"error-{n}" if n <= STYLED else "error-other" for n, name in enumerate(others, 1)}


def _annotated_output(
    saved: SavedAnalysis, line: SavedRow, place: int, marked: Mapping[str, list[ErrorSpan]], styles: Mapping[str, str]
) -> dict[str, Any]:
    """Return an output as each annotator marked it, with the errors that have no position in it."""
    row = saved.scores.iloc[place]
    output = str(row["output"])
    readings = [
        {
            "annotator": name,
            "parts": list(_parts(output, own, styles)),
            "unplaced": [_describe(span) for span in own if not span.has_position],
        }
        for name, own in sorted(marked.items(), key=lambda entry: (len(entry[0]), entry[0]))
    ]
    numbers = {"f1": line.number("f1", format_fixed), "differing": line.number("differing", format_count)}
    about = {"id": line.id, "system": line.system, "input": str(row["mr"] or "")}
    return {**about, **numbers, "readings": readings}


def _parts(output: str, spans: Sequence[ErrorSpan], styles: Mapping[str, str]) -> Iterator[Part]:
    """Yield the output in pieces, each with the same errors; the worst error gives the style."""
    placed = [span for span in spans if span.has_position]
    ends = sorted({0, len(output), *(place for span in placed for place in span[:2] if place < len(output))})
    order = list(styles)
    for start, end in pairwise(ends):
        own = [span for span in placed if span.start <= start and end <= span.end]
        worst = max((_kind(span) for span in own), key=order.index, default="")
        yield Part(output[start:end], styles.get(worst, ""), "; ".join(map(_describe, own)))


def _describe(span: ErrorSpan) -> str:
    return ", ".join(filter(None, (span.severity, span.category))) or "error"


def _agreement_grid(saved: SavedAnalysis) -> Grid | None:
    """Return a row per measure; None if nothing is defined."""
    defined = [line for line in saved.lines("span_agreement") if line.estimate == line.estimate]
    rows = [
        Row(
            line.measure,
            [AGREEMENT[0].cell(line, ends=line.text("{range:fixed}") if line.low == line.low else "")]
            + [measure.cell(line) for measure in AGREEMENT[1:]],
        )
        for line in defined
    ]
    caption = "Agreement of annotators on error spans, with 95 % intervals"
    heads = [measure.head for measure in AGREEMENT]
    return Grid("span-agreement", caption, heads, rows, corner="measure") if rows else None


def _count_grid(saved: SavedAnalysis) -> Grid | None:
    """Return how often each kind of error was marked, in total and by each annotator if they are few."""
    lines = saved.lines("span_counts")
    counts: dict[tuple[str, str], Counter[str]] = {}
    for line in (line for line in lines if line.spans):
        counts.setdefault((line.severity, line.category), Counter())[line.annotator] += int(line.spans)
    people = list(dict.fromkeys(line.annotator for line in lines))
    named = people if 1 < len(people) <= MOST_ANNOTATORS else []
    ordered = sorted(counts.items(), key=lambda entry: -entry[1].total())[:MOST_KINDS]
    rows = [
        Row(category or "without a category", [_count(own.total()), *(_count(own[name]) for name in named)], severity)
        for (severity, category), own in ordered
    ]
    columns = [
        Column("all", "marked by all annotators"),
        *(Column(name, f"marked by annotator {name}") for name in named),
    ]
    kinds = f"the {MOST_KINDS} most frequent of {len(counts)} kinds" if len(counts) > MOST_KINDS else "all kinds"
    caption = f"Marked errors: {kinds}, {len(people)} annotators"
    return Grid("span-counts", caption, columns, rows, corner="category", second="severity") if rows else None


def _count(number: int) -> Cell:
    return Cell(Number(float(number), format_count(number))) if number else empty_cell("never marked")
