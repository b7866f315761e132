"""Agreement of annotators on the error spans of outputs, and what each of them marked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

import numpy as np

from rainbow.base.arrays import Random
from rainbow.base.lazy import pd
from rainbow.corpus.error_spans import ERROR_SPANS, ErrorSpan, parse_spans
from rainbow.stats.agreement.gamma import gamma
from rainbow.stats.agreement.marked_spans import (
    MarkedSpans,
    SpanAgreement,
    annotation_pairs,
    marked_characters,
    overlaps,
    span_f1,
)
from rainbow.stats.tidy_tables import tidy_table

_LABELS: dict[str, Callable[[ErrorSpan], str]] = {
    "": lambda span: "",
    "same severity": lambda span: span.severity,
    "same category": lambda span: span.category,
}
SpanMeasure: TypeAlias = Callable[..., SpanAgreement]
_MEASURES: dict[str, SpanMeasure] = {"character F1": span_f1, "gamma": gamma}


class _Annotations(NamedTuple):
    """The annotations of a table: row of the output, annotator, and spans of each."""

    rows: list[int]
    annotators: list[str]
    lengths: list[int]
    spans: list[list[ErrorSpan]]


def has_spans(frame: pd.DataFrame) -> bool:
    """Return whether outputs have error spans."""
    return ERROR_SPANS in frame and any(map(parse_spans, frame[ERROR_SPANS]))


def span_agreement(frame: pd.DataFrame, *, resamples: int = 1000, rng: Random = None) -> pd.DataFrame:
    """Return the agreement on spans over all pairs of annotators: by position, severity and category."""
    annotations, seed = _annotations(frame), int(np.random.default_rng(rng).integers(2**62))
    rows = []
    for matching, label in _labels_that_differ(annotations):
        spans = _marked_spans(annotations, label)
        for name, measure in _MEASURES.items():
            result = measure(spans, resamples=resamples, rng=seed)._asdict()
            rows.append({"measure": f"{name}, {matching}" if matching else name} | result)
    return tidy_table(rows, ["measure", *SpanAgreement._fields])


def span_counts(frame: pd.DataFrame) -> pd.DataFrame:
    """Return how many spans of each category and severity each annotator marked, and in how many outputs."""
    annotations = _annotations(frame)
    outputs = Counter(annotations.annotators)
    marked = zip(annotations.annotators, annotations.spans, strict=True)
    counts = dict(Counter((name, span.category, span.severity) for name, spans in marked for span in spans))
    counts |= {(name, "", ""): 0 for name in outputs if name not in {marking for marking, *_ in counts}}
    order = {name: place for place, name in enumerate(sorted(outputs, key=lambda name: (len(name), name)))}
    rows = [
        {"annotator": name, "category": category, "severity": severity, "spans": number, "outputs": outputs[name]}
        for (name, category, severity), number in sorted(
            counts.items(), key=lambda entry: (order[entry[0][0]], -entry[1])
        )
    ]
    return tidy_table(rows, ["annotator", "category", "severity", "spans", "outputs"])


def span_outputs(frame: pd.DataFrame) -> pd.DataFrame:
    """Return in how many characters the annotators of each output differ; largest first, then most errors."""
    annotations = _annotations(frame)
    spans = _marked_spans(annotations, _LABELS[""])
    left, right = annotation_pairs(spans.texts)
    size = len(frame)
    both = np.bincount(spans.texts[left], overlaps(spans, left, right), size)
    marked = np.bincount(spans.texts[left], marked_characters(spans, left, right), size)
    pairs = np.bincount(spans.texts[left], minlength=size)
    numbers = np.bincount(annotations.rows, [len(own) for own in annotations.spans], size)
    with np.errstate(invalid="ignore", divide="ignore"):
        values = {"f1": 2 * both / marked, "differing": (marked - 2 * both) / pairs}
    about = frame[["id", "system"]].reset_index(drop=True)
    people = np.bincount(annotations.rows, minlength=size)
    table = about.assign(annotators=people, spans=numbers.astype(int), **values)
    table = table[table["annotators"] > 0]
    return table.sort_values(["differing", "spans"], ascending=False, kind="stable").reset_index(drop=True)


def _annotations(frame: pd.DataFrame) -> _Annotations:
    found = _Annotations([], [], [], [])
    for row, (output, cell) in enumerate(zip(frame["output"], frame[ERROR_SPANS], strict=True)):
        for annotator, spans in parse_spans(cell).items():
            found.rows.append(row)
            found.annotators.append(annotator)
            found.lengths.append(len(output))
            found.spans.append(spans)
    return found


def _labels_that_differ(annotations: _Annotations) -> Iterator[tuple[str, Callable[[ErrorSpan], str]]]:
    """Yield the ways of matching: by position, and by what spans differ in."""
    for matching, label in _LABELS.items():
        if not matching or len({label(span) for own in annotations.spans for span in own if span.has_position}) > 1:
            yield matching, label


def _marked_spans(annotations: _Annotations, label: Callable[[ErrorSpan], str]) -> MarkedSpans:
    """Return the spans with a position in the output as arrays."""
    owned = [
        (owner, span)
        for owner, (own, length) in enumerate(zip(annotations.spans, annotations.lengths, strict=True))
        for span in own
        if span.has_position and span.end <= length
    ]
    columns = zip(*((owner, span.start, span.end) for owner, span in owned), strict=True) if owned else ((), (), ())
    people, labels = (
        pd.factorize(np.array(names, dtype=object))[0]
        for names in (annotations.annotators, [label(span) for _, span in owned])
    )
    arrays = (annotations.rows, people, annotations.lengths, *columns, labels)
    return MarkedSpans(*(np.array(values, dtype=int) for values in arrays))
