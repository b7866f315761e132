"""Potato: ``user_state.json`` of each annotator, or ``annotated_instances.jsonl`` of its first versions.

Source: https://github.com/davidjurgens/potato, ``docs/data-export/export_formats.md``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from rainbow.corpus.error_spans import ErrorSpan
from rainbow.datasets.spans.annotation import Annotation, Export, split_labels
from rainbow.datasets.spans.export_file import Entry, ExportFile, Json

_LABELS, _SPANS = "instance_id_to_label_to_value", "instance_id_to_span_to_value"
_TEXT = "text"


def read_potato(file: ExportFile) -> Export | None:
    """Return the annotations of Potato; None for any other file."""
    export = Export("Potato")
    if file.has("user_id", _LABELS):
        return export.collect(_seen_instances(file), lambda entry: [_read_instance(entry, export)])
    if file.has("displayed_text", "span_annotations"):
        return export.collect(file.entries, lambda entry: [_read_line(entry, file.path.parent.name, export)])
    return None


def _seen_instances(file: ExportFile) -> Iterator[Entry]:
    """Yield what an annotator saw, with its data; Potato does not store that no error was marked."""
    ((_, state),) = file.entries
    order = [*map(str, state.get("instance_id_ordering", ()))]
    spans, labels = state.get(_SPANS) or {}, state[_LABELS]
    seen = {*order[: state.get("current_instance_index", 0)], *labels, *spans}
    items = _instances(file)
    for name in (name for name in dict.fromkeys([*order, *labels, *spans]) if name in seen):
        data = {"annotator": state["user_id"], "spans": spans.get(name, []), "labels": labels.get(name, [])}
        yield Entry(f"{file.path.name} of {state['user_id']}, instance {name}", {**data, "item": items.get(name)})


def _instances(file: ExportFile) -> dict[str, Json]:
    """Return the annotated items, from the data file of the project."""
    folders = [file.path.parent, *file.path.parents[1:4]]
    inside = [each for folder in folders for each in sorted([*folder.glob("*.json*"), *folder.glob("data/*.json*")])]
    found = ExportFile(file.path, file.companions or inside).accompanying(lambda item: {"id", _TEXT} <= {*item})
    if not found:
        raise ValueError(
            "Potato keeps the texts in the data file of the project: put that file (JSON or JSONL with id and text) "
            "into the folder of the annotations, or name it after them"
        )
    return {str(item["id"]): item for item in found}


def _read_instance(entry: Entry, export: Export) -> Annotation:
    item = entry.data["item"]
    if item is None:
        raise ValueError("its text is not in the data file")
    about = {**{name: value for name, value in item.items() if name not in ("id", _TEXT)}, "item": str(item["id"])}
    about["output"] = output = str(item[_TEXT])
    marked = [*_marked_spans(entry.data["spans"]), *_marked_errors(entry.data["labels"])]
    spans = tuple(_read_span(span, output, entry.place, export) for span in marked)
    return Annotation(str(entry.data["annotator"]), about, spans)


def _marked_spans(stored: Any) -> Iterator[Json]:
    """Yield the spans of an instance, which are pairs of span and value, or lists by scheme."""
    if isinstance(stored, Mapping):
        yield from (span for spans in stored.values() for span in spans)
    else:
        yield from (entry[0] if isinstance(entry, list) else entry for entry in stored)


def _marked_errors(stored: Any) -> Iterator[Json]:
    """Yield the errors of schemes of the type ``error_span``, which are stored as JSON in a label."""
    for value in (entry[1] for entry in stored if isinstance(entry, list)) if isinstance(stored, list) else ():
        if isinstance(value, str) and value.startswith("{"):
            yield from json.loads(value).get("errors", [])


def _read_span(span: Json, output: str, place: str, export: Export) -> ErrorSpan:
    position = export.locate(place, output, span["start"], span["end"], span.get("span") or span.get("text") or "")
    kind = [span[name] for name in ("severity", "annotation", "name", "label", "type", "subtype") if span.get(name)]
    return ErrorSpan(*position, *split_labels(dict.fromkeys(kind)))


def _read_line(entry: Entry, folder: str, export: Export) -> Annotation:
    """Return an annotation of the first versions, whose files are in a folder of the annotator."""
    line = entry.data
    output = str(line["displayed_text"])
    spans = tuple(_read_span(span, output, entry.place, export) for span in line["span_annotations"])
    about = {"item": str(line.get("instance_id", line.get("id"))), "output": output}
    return Annotation(str(line.get("user_id") or folder), about, spans)
