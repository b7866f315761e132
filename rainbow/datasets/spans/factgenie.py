"""factgenie: JSONL, one line per output and annotator.

Source: https://github.com/ufal/factgenie/blob/main/factgenie/workflows.py, ``save_record``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rainbow.corpus.error_spans import ErrorSpan
from rainbow.datasets.spans.export import Annotation, Entry, Export, ExportFile, split_labels

_KEY = ("dataset", "split", "setup_id", "example_idx")
OutputTexts = Mapping[tuple[str, ...], str]


def read_factgenie(file: ExportFile) -> Export | None:
    """Return the annotations of a factgenie campaign; None for any other file."""
    if not file.has(*_KEY, "annotations", "metadata"):
        return None
    export = Export("factgenie", is_table=True)
    texts = {} if all("output" in line for _, line in file.entries) else _separate_outputs(file)
    return export.collect(file.entries, lambda entry: [_read_line(entry, texts, export)])


def _separate_outputs(file: ExportFile) -> OutputTexts:
    """Return the outputs in other files, where older campaigns keep them."""
    found = file.accompanying(lambda line: {*_KEY, "output"} <= {*line} and "annotations" not in line)
    if not found and not any("output" in line for _, line in file.entries):
        raise ValueError(
            "the annotations have no 'output': put factgenie's JSONL files of outputs (dataset, split, setup_id, "
            "example_idx, output) into the same folder, or name them after the annotations"
        )
    return {_key(line): str(line["output"]) for line in found}


def _key(line: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(str(line[name]) for name in _KEY)


def _read_line(entry: Entry, texts: OutputTexts, export: Export) -> Annotation:
    line = entry.data
    dataset, split, setup, example = _key(line)
    output = line["output"] if "output" in line else texts.get((dataset, split, setup, example))
    if not isinstance(output, str):
        raise ValueError("its output is not in the files")
    names = [category["name"] for category in line["metadata"].get("annotation_span_categories") or ()]
    spans = []
    for span in line["annotations"]:
        start, marked, label = span["start"], str(span["text"]), span["type"]
        position = export.locate(entry.place, output, start, start + len(marked), marked)
        category = names[label] if isinstance(label, int) and 0 <= label < len(names) else str(label)
        spans.append(ErrorSpan(*position, *split_labels([category])))
    about = {"dataset": dataset, "system": setup, "item": f"{dataset}-{split}-{example}", "output": output}
    sliders = {str(slider["label"]): float(slider["value"]) for slider in line.get("sliders") or ()}
    return Annotation(str(line["metadata"]["annotator_id"]), about, tuple(spans), sliders)
