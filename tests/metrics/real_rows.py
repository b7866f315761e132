"""Published outputs and references for the tests against reference tools."""

import csv
import json
from pathlib import Path

import numpy as np

from rainbow.metrics import Batch


def dialogue_rows(folder: Path, count: int = 1000) -> Batch:
    """Every other row of the EMNLP 2017 file: short utterances of all six files, with 1 to 15 references."""
    rows = json.loads((folder / "emnlp2017" / "scored_text.json").read_text("utf-8"))[::2][:count]
    return Batch([row["hyp_delex"] for row in rows], [row["refs_delex"] for row in rows])


def restaurant_rows(folder: Path, count: int) -> Batch:
    """E2E outputs of one system: longer texts, with case, punctuation and many references."""
    references: dict[str, list[str]] = {}
    with (folder / "e2e" / "testset_w_refs.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            references.setdefault(row["mr"], []).append(row["ref"])
    with (folder / "e2e" / "system_outputs" / "tuda.tsv").open(encoding="utf-8", newline="") as file:
        outputs = {row[0]: row[1] for row in csv.reader(file, delimiter="\t") if row and row[0] in references}
    names = list(outputs)[:: len(outputs) // count][:count]
    if len(names) < count:
        raise ValueError(f"{len(names)} outputs have references, {count} are asked for")
    return Batch([outputs[name] for name in names], [references[name] for name in names])


def largest_difference(name: str, ours: np.ndarray, theirs: np.ndarray) -> float:
    """Return and print the largest difference to a tool."""
    difference = float(np.abs(ours - theirs).max())
    print(f"{name}: largest difference {difference:.1e} over {len(ours)} rows")
    return difference
