"""Potato: ``user_state.json`` of each annotator, or ``annotated_instances.jsonl`` of its first versions.

Source: https://github.com/davidjurgens/potato, ``docs/data-export/export_formats.md``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from rainbow.corpus.error_spans import ErrorSpan
from rainbow.datasets.spans.export import Annotation, Entry, Export, ExportFile, Json, parse_numbers, split_labels

_LABELS, _SPANS = "instance_id_to_label_to_value", "instance_id_to_span_to_value"
_TEXT = "text"
# Lines with further fields were merged by someone, who may have named the annotator.
_FIRST_VERSIONS = {
    *("id", "instance_id", "user_id", "displayed_text"),
    *("label_annotations", "span_annotations", "behavioral_data"),
}


def read_potato(file: ExportFile) -> Export | None:
    """Return the annotations of Potato; None for any other file."""
    if file.has("user_id", _LABELS):
        export = Export("Potato")
        return export.collect(_seen_instances(file), lambda entry: [_read_instance(entry, export)])
    if file.has("displayed_text", "span_annotations") and {*file.entries[0].data} <= _FIRST_VERSIONS:
        export = Export("Potato", is_table=True)
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
    stored = entry.data["labels"] if isinstance(entry.data["labels"], list) else ()
    errors = [error for label in stored if isinstance(label, list) for error in _errors_of(label[1])]
    marked = [*_marked_spans(entry.data["spans"]), *errors]
    spans = tuple(_read_span(span, output, entry.place, export) for span in marked)
    labels = [
        (str(entry[0]["schema"]), str(entry[0]["name"]), entry[1])
        for entry in entry.data["labels"]
        if isinstance(entry, list) and isinstance(entry[0], Mapping) and not _errors_of(entry[1])
    ]
    return Annotation(str(entry.data["annotator"]), about, spans, parse_numbers(labels, export.skipped))


def _marked_spans(stored: Any) -> Iterator[Json]:
    """Yield the spans of an instance, which are pairs of span and value, or lists by scheme."""
    if isinstance(stored, Mapping):
        yield from (span for spans in stored.values() for span in spans)
    else:
        yield from (entry[0] if isinstance(entry, list) else entry for entry in stored)


def _errors_of(value: Any) -> list[Json]:
    """Return the errors of a scheme of the type ``error_span``, which are stored as JSON in a label."""
    if isinstance(value, str) and value.startswith("{"):
        errors: list[Json] = json.loads(value).get("errors", [])
        return errors
    return []


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
    labels = [
        (scheme, name, value)
        for scheme, values in (line.get("label_annotations") or {}).items()
        for name, value in values.items()
    ]
    return Annotation(str(line.get("user_id") or folder), about, spans, parse_numbers(labels, export.skipped))
