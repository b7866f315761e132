"""The WebNLG Challenge 2020: 16 systems' English texts for triples, with human ratings.

The files are not part of this package: ``rainbow fetch webnlg2020`` brings them from
https://github.com/WebNLG/challenge-2020. No licence is stated for the ratings: measure with them and learn from them
for yourself; no model that comes with this package has learned from them.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rainbow.base.downloads import locate_file
from rainbow.corpus import Corpus
from rainbow.corpus.judgements import add_mean_ratings
from rainbow.datasets.output_files import read_lines, remove_quotes
from rainbow.datasets.webnlg2020 import source_files

if TYPE_CHECKING:
    import pandas as pd


DOMAIN = "triples"
FILES = {source_files.NAME: source_files.FILES}

# Names of the criteria in the files and in a corpus.
CRITERIA = {
    "Correctness": "correctness",
    "DataCoverage": "data_coverage",
    "Fluency": "fluency",
    "Relevance": "relevance",
    "TextStructure": "text_structure",
}
LOWEST, HIGHEST = 0, 100
_CELL = re.compile(r"<td[^>]*>(.*?)</td>", re.DOTALL)


def load(name: str = source_files.NAME) -> Corpus:
    """Load the 2,848 outputs: one row per system and rated input."""
    import pandas as pd

    triples, categories = _read_triples(), _read_categories()
    ratings = judgements(name)
    outputs = pd.DataFrame(
        [
            {"system": system, "sample": sample, "output": text, "category": categories.get(sample, "")}
            for system, file in source_files.OUTPUTS.items()
            for sample, text in _read_texts(locate_file(file), triples)
        ]
    )
    mrs = outputs["sample"].map(triples)
    ids = [f"{name}-{row:04d}" for row in range(1, len(outputs) + 1)]
    rated = add_mean_ratings(outputs.assign(id=ids, dataset=name, item=mrs, mr=mrs), ratings)
    if missing := len(triples) - ratings["item"].nunique():
        logging.getLogger(__name__).warning("%s: %d of %d inputs have no ratings", name, missing, len(triples))
    return Corpus(rated.join(_rater_columns(ratings), on=["item", "system"]), tuple(CRITERIA.values()))


def judgements(name: str = source_files.NAME) -> pd.DataFrame:
    """Return the human judgements: one row per criterion, output and rater."""
    import pandas as pd

    triples = _read_triples()
    rows = [
        row
        for system, file in source_files.RATINGS.items()
        for row in _read_ratings(locate_file(file), system, triples)
    ]
    return pd.DataFrame(rows, columns=["judgement", "rater", "item", "system", "criterion", "kind", "value"])


def _read_triples() -> dict[str, str]:
    """Return the meaning representation of each sample, in the order of the test set."""
    tables = json.loads(locate_file(source_files.TRIPLES).read_bytes())
    cells = {sample: _CELL.findall(table) for sample, table in tables.items()}
    return {
        sample: " && ".join(" | ".join(own[start : start + 3]) for start in range(0, len(own), 3))
        for sample, own in cells.items()
    }


def _read_categories() -> dict[str, str]:
    rated = json.loads(locate_file(source_files.CATEGORIES).read_bytes())
    return {line["sample_id"]: line["category"] for line in rated}


def _read_texts(path: Path, samples: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield each sample with its text, by line number; two systems quote texts as in CSV."""
    lines = dict(read_lines(path)[0])
    for sample in samples:
        yield sample, remove_quotes(lines[int(sample)])


def _read_ratings(path: Path, system: str, triples: dict[str, str]) -> Iterator[dict[str, Any]]:
    for sample, raters in json.loads(path.read_bytes()).items():
        if sample not in triples:
            raise ValueError(f"{path}: sample {sample!r} has no triples")
        for rater, marks in raters.items():
            number = rater.rsplit("_", 1)[-1]
            about = {"judgement": f"{sample}-{system}-{number}", "rater": number, "item": triples[sample]}
            for label, criterion in CRITERIA.items():
                value = marks.get(label)
                if not (isinstance(value, (int, float)) and LOWEST <= value <= HIGHEST):
                    place = f"sample {sample}, {rater}, {label}"
                    raise ValueError(f"{path}: {place}: {value!r} is not a number from {LOWEST} to {HIGHEST}")
                yield about | {"system": system, "criterion": criterion, "kind": "likert", "value": float(value)}


def _rater_columns(ratings: pd.DataFrame) -> pd.DataFrame:
    """Return the ratings of the first three raters of an output, one row per item and system."""
    keys = ["item", "system", "criterion"]
    place = ratings.groupby(keys, sort=False).cumcount() + 1
    numbered = ratings.assign(column=ratings["criterion"] + "_" + place.astype(str))
    return numbered.pivot(index=keys[:2], columns="column", values="value")
