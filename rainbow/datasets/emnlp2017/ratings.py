"""The table of the 2017 study: outputs, human ratings and published scores."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from rainbow.meaning import MeaningRepresentation, parse_meaning

DATASETS = {"SFHOT": "sfhotel", "SFRES": "sfrest", "BAGEL": "bagel"}
SYSTEMS = {"Dusek": "TGEN", "WEN": "RNNLG", "LOLS": "LOLS"}
RATINGS = ("informativeness", "naturalness", "quality")

# The columns that the authors computed, under the names of their paper.
PUBLISHED = {
    "TER": "TER",
    "Bleu_1": "BLEU1",
    "Bleu_2": "BLEU2",
    "Bleu_3": "BLEU3",
    "Bleu_4": "BLEU4",
    "ROUGE_L": "ROUGE",
    "NIST": "NIST",
    "LEPOR": "LEPOR",
    "CIDEr": "CIDEr",
    "METEOR": "METEOR",
    "sim.mr.sys": "SIM",
    "sys.read.flesch": "RE",
    "sys.cpw": "cpw",
    "sys.ref.len": "len",
    "sys.wps": "wps",
    "sys.sps": "sps",
    "sys.spw": "spw",
    "sys.n.poly": "pol",
    "sys.pspw": "ppw",
    "n.misspel": "msp",
    "parser.sc.mean": "prs",
    "lev.dist": "Levenshtein",
}


class Row(NamedTuple):
    """One output with its ratings and published scores."""

    id: str
    dataset: str
    system: str
    mr: str
    mr_type: str
    output: str
    numbers: Mapping[str, float]

    @property
    def meaning(self) -> MeaningRepresentation:
        """The parsed meaning representation."""
        return parse_meaning(self.mr)


def read_rows(path: Path) -> list[Row]:
    """Return the rows of the table in order, with datasets, systems and scores named as in the paper."""
    counts: Counter[str] = Counter()
    with path.open(encoding="utf-8", newline="") as stream:
        return [
            _parse_row(f"{path}: row {number}", cells, counts) for number, cells in enumerate(csv.DictReader(stream), 1)
        ]


def _parse_row(place: str, cells: Mapping[str, str | None], counts: Counter[str]) -> Row:
    dataset, system = _parse_name(place, cells, "dataset", DATASETS), _parse_name(place, cells, "system", SYSTEMS)
    counts[dataset] += 1
    numbers = {rating: _parse_number(place, cells, rating) for rating in RATINGS}
    numbers |= {f"published.{name}": _parse_number(place, cells, column) for column, name in PUBLISHED.items()}
    numbers["published.prs"] *= -1
    mr, mr_type, output = (_parse_text(place, cells, column) for column in ("mr", "mr_type", "sys_ref"))
    return Row(f"{dataset}-{counts[dataset]:04d}", dataset, system, mr, mr_type, output, numbers)


def _parse_text(place: str, cells: Mapping[str, str | None], column: str) -> str:
    text = cells.get(column)
    if text is None:
        raise ValueError(f"{place}, {column}: the cell is empty")
    return text


def _parse_name(place: str, cells: Mapping[str, str | None], column: str, names: Mapping[str, str]) -> str:
    label = _parse_text(place, cells, column)
    if label not in names:
        raise ValueError(f"{place}, {column}: unknown value {label!r}: the values are {', '.join(names)}")
    return names[label]


def _parse_number(place: str, cells: Mapping[str, str | None], column: str) -> float:
    text = _parse_text(place, cells, column)
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{place}, {column}: {text!r} is not a number") from None
