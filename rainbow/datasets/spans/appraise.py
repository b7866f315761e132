"""Appraise, ESA and MQM: scores in CSV without a header, texts in the JSON of the campaign's batches.

Source: https://github.com/AppraiseDev/Appraise, ``ExportSystemScoresToCSV``; its `end_i` is the last marked character.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rainbow.corpus.error_spans import ErrorSpan
from rainbow.datasets.spans.export import NO_POSITION, Annotation, Entry, Export, ExportFile, Json

_FIELDS = [
    "user",
    "system",
    "item",
    "kind",
    "source",
    "target",
    "score",
    "document",
    "complete",
    "spans",
    "start",
    "end",
]
_OUTPUT, _KINDS = "TGT", {"TGT", "BAD", "REF", "CHK"}  # others than outputs are controls
_LONGEST = 1 << 16  # characters of the first row
_ABSENT = "missing"  # in place of a position: something is missing in the output
Key = tuple[str, str, str]


def read_appraise(file: ExportFile) -> Export | None:
    """Return the annotations of an Appraise campaign; None for any other file."""
    if file.path.suffix.lower() != ".csv" or not _is_scores(file.path):
        return None
    export, items = Export("Appraise"), _batch_items(file)
    rows = enumerate(_read_rows(file.path), 1)
    entries = (Entry(f"{file.path.name}, row {number}", dict(zip(_FIELDS, row, strict=False))) for number, row in rows)
    return export.collect(entries, lambda entry: [*_read_row(entry, items, export)])


def _read_rows(path: Path) -> Iterator[list[str]]:
    with path.open(encoding="utf-8-sig", newline="") as lines:
        yield from filter(None, csv.reader(lines))


def _is_scores(path: Path) -> bool:
    """Return whether the first row is one of an Appraise campaign with spans."""
    with path.open(encoding="utf-8-sig", newline="") as lines:
        row = next(csv.reader([lines.readline(_LONGEST)]), [])
    return len(row) == len(_FIELDS) and row[3] in _KINDS and row[8] in ("True", "False") and row[9].startswith("[")


def _batch_items(file: ExportFile) -> dict[Key, list[Json]]:
    batches = file.accompanying(lambda batch: {"items", "task"} <= {*batch})
    if not batches:
        raise ValueError(
            "Appraise keeps the texts in another file: put the JSON file of the campaign's batches into the same "
            "folder, or name it after the scores"
        )
    items: dict[Key, list[Json]] = {}
    for item in (item for batch in batches for item in batch["items"] if item.get("itemType") == _OUTPUT):
        same = items.setdefault((str(item["targetID"]), str(item["itemID"]), str(item["documentID"])), [])
        same += [item] if item["targetText"] not in [other["targetText"] for other in same] else []
    return items


def _read_row(entry: Entry, items: Mapping[Key, Sequence[Json]], export: Export) -> Iterator[Annotation]:
    """Yield the annotation of an output; none for controls and for the tutorial."""
    row = entry.data
    known = items.get((row["system"], row["item"], row["document"]), [])
    if row["kind"] != _OUTPUT or any("tutorial" in item["mqm"] for item in known if isinstance(item.get("mqm"), dict)):
        export.skipped["tutorial" if row["kind"] == _OUTPUT else "controls"] += 1
        return
    if len(known) != 1:
        raise ValueError("several texts of the batches fit" if known else "its text is not in the batches")
    output = str(known[0]["targetText"])
    spans = [_read_span(span, output, entry.place, export) for span in json.loads(row["spans"])]
    about = {"system": row["system"], "mr": str(known[0]["sourceText"]), "output": output}
    yield Annotation(row["user"], about, tuple(spans), {"score": float(row["score"])})


def _read_span(span: Mapping[str, Any], output: str, place: str, export: Export) -> ErrorSpan:
    start, end, types = span["start_i"], span["end_i"], span.get("error_type") or []
    category, severity = "/".join(types) if isinstance(types, list) else str(types), str(span["severity"]).casefold()
    if start == _ABSENT:
        return ErrorSpan(*NO_POSITION, category or _ABSENT, severity)
    last = end + 1 if isinstance(end, int) else end
    return ErrorSpan(*export.locate(place, output, start, last), category, severity)
