"""Files of a system comparison: a CSV file for each table, and a summary."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rainbow._version import __version__
from rainbow.base.files import write_json
from rainbow.base.lazy import pd
from rainbow.corpus import Corpus
from rainbow.scoring.result_tables import write_tables


def save_systems(
    folder: Path, tables: Mapping[str, pd.DataFrame], metadata: Mapping[str, Any], guard: bool = False
) -> dict[str, Any]:
    """Write ``NAME.csv`` for each table and ``systems.json`` into a folder; return the summary."""
    summary = {
        "folder": str(folder),
        "files": [f"{name}.csv" for name in tables],
        "systems": tables["corpus_metrics"].to_dict("records"),
        "notes": tables["notes"].to_dict("records"),
        "version": __version__,
        **metadata,
    }
    write_tables(folder, tables, guard=guard)
    write_json(folder / "systems.json", summary)
    return summary


def report_texts(corpus: Corpus) -> dict[str, pd.DataFrame]:
    """Return all outputs, and all distinct inputs with references as JSON, for the report."""
    inputs = corpus.frame.drop_duplicates(["dataset", "item"])[["dataset", "item", "mr", "references"]]
    references = [json.dumps(list(texts), ensure_ascii=False) for texts in inputs["references"]]
    outputs = corpus.frame[["id", "dataset", "system", "item", "output"]]
    return {"outputs": outputs, "inputs": inputs.assign(references=references)}
