"""The embedded synthetic dataset: hotels and restaurants, three systems, three raters."""

from __future__ import annotations

import json
from importlib.resources import files
from statistics import median
from typing import Any

from rainbow.base.lazy import pd
from rainbow.corpus import Corpus

DOMAIN = "hotels and restaurants"
FILES: dict[str, tuple[()]] = {"demo": ()}
RATINGS = ("informativeness", "naturalness", "quality")


def load(name: str = "demo") -> Corpus:
    """Load the synthetic dataset, which is part of the package."""
    lines = files("rainbow.datasets").joinpath("data/demo.jsonl").read_text(encoding="utf-8").splitlines()
    return Corpus(pd.DataFrame([_make_row(number, json.loads(line)) for number, line in enumerate(lines, 1)]), RATINGS)


def _make_row(number: int, record: dict[str, Any]) -> dict[str, Any]:
    row = {key: value for key, value in record.items() if key not in RATINGS}
    row |= {"id": f"demo-{number:04d}", "dataset": "demo", "references": tuple(record["references"])}
    for rating in RATINGS:
        row[rating] = float(median(record[rating]))
        row |= {f"{rating}_{judge}": value for judge, value in enumerate(record[rating], 1)}
    return row
