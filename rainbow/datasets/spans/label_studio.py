"""Label Studio: JSON, one entry per task with the annotations of everyone who saw it.

Source: https://labelstud.io/guide/export#Raw-JSON-format-of-completed-tasks.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from rainbow.corpus.error_spans import ErrorSpan
from rainbow.datasets.spans.export import Annotation, Entry, Export, ExportFile, locate, split_labels

Result = Mapping[str, Any]
_SPANS = ("labels", "hypertextlabels")
_NO_FIELD = "no field of the tasks has the marked texts at their positions"
_NUMBERS = ("rating", "number")  # of the whole output


def read_label_studio(file: ExportFile) -> Export | None:
    """Return the annotations of a Label Studio project; None for any other file, and without spans."""
    if not file.has("data", "annotations"):
        return None
    marked = [
        (task["data"], result["value"]) for _, task in file.entries for result in _results(task) if _is_span(result)
    ]
    if not marked:
        return None
    fields = Counter(
        name
        for data, value in marked
        for name, text in data.items()
        if isinstance(text, str) and locate(text, *_region(value))
    )
    if not fields and any(not _is_span(result) for _, task in file.entries for result in _results(task)):
        warnings.warn(f"{file.path.name}: {_NO_FIELD}: the error spans are not read", stacklevel=2)
        return None
    if not fields:
        raise ValueError(f"{_NO_FIELD}: export the project again")
    export, (field, _) = Export("Label Studio"), fields.most_common(1)[0]
    return export.collect(file.entries, lambda entry: [*_read_task(entry, field, export)])


def _results(task: Result) -> Iterator[Result]:
    annotations = task.get("annotations")
    for annotation in annotations if isinstance(annotations, list) and isinstance(task.get("data"), dict) else ():
        results = annotation.get("result") if isinstance(annotation, dict) else None
        known = filter(lambda result: isinstance(result, dict), results if isinstance(results, list) else ())
        yield from (result for result in known if isinstance(result.get("value"), dict))


def _is_span(result: Result) -> bool:
    return result.get("type") in _SPANS and "start" in result["value"]


def _region(value: Result) -> tuple[Any, Any, str]:
    """Return the position of a region, which HTML keeps in `globalOffsets`, and its text."""
    offsets = value.get("globalOffsets", value)
    return offsets.get("start"), offsets.get("end"), str(value.get("text") or "")


def _read_task(entry: Entry, field: str, export: Export) -> Iterator[Annotation]:
    data = dict(entry.data["data"])
    output = data.pop(field)
    if "output" in data:
        raise ValueError(f"the field 'output' is not the annotated text, which is in {field!r}: rename it")
    for annotation in entry.data["annotations"]:
        if annotation.get("was_cancelled"):
            export.skipped["skipped by an annotator"] += 1
            continue
        by = annotation["completed_by"]
        spans = tuple(_read_spans(annotation["result"], output, entry.place, export))
        yield Annotation(
            str(by["id"] if isinstance(by, Mapping) else by), {**data, "output": output}, spans, _marks(annotation)
        )


def _read_spans(results: list[Result], output: str, place: str, export: Export) -> Iterator[ErrorSpan]:
    """Yield the marked spans, with further labels of the same region, such as its severity."""
    for result in filter(_is_span, results):
        value, region = result["value"], result.get("id")
        same = [other for other in results if region and other.get("id") == region and other.get("type") == "choices"]
        labels = [*value[result["type"]], *(label for other in same for label in other["value"]["choices"])]
        yield ErrorSpan(*export.locate(place, output, *_region(value)), *split_labels(labels))


def _marks(annotation: Result) -> dict[str, float]:
    """Return the numbers that an annotator gave to the whole output."""
    numbers = [result for result in annotation["result"] if result.get("type") in _NUMBERS]
    own = [(str(result["from_name"]), result["value"], result["type"]) for result in numbers]
    return {name: float(value[kind]) for name, value, kind in own if "start" not in value}
