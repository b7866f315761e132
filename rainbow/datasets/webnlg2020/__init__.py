"""The WebNLG Challenge 2020: 16 systems' English texts for triples of 19 categories, and what people thought of them.

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

from rainbow.base.fetched import locate_file
from rainbow.corpus import Corpus
from rainbow.corpus.judgements import add_mean_ratings
from rainbow.datasets.output_files import read_lines, unquoted
from rainbow.datasets.webnlg2020 import sources

if TYPE_CHECKING:
    import pandas as pd


DOMAIN = "triples"
FILES = {sources.NAME: sources.FILES}

# How the files call the criteria, and a corpus.
CRITERIA = {
    "Correctness": "correctness",
    "DataCoverage": "data_coverage",
    "Fluency": "fluency",
    "Relevance": "relevance",
    "TextStructure": "text_structure",
}
LOWEST, HIGHEST = 0, 100
_CELL = re.compile(r"<td[^>]*>(.*?)</td>", re.DOTALL)


def load(name: str = sources.NAME) -> Corpus:
    """Load the 2,848 outputs: a row for each of 16 systems and each of the 178 inputs that were chosen for rating."""
    import pandas as pd

    triples, categories = _triples(), _categories()
    told = judgements(name)
    outputs = pd.DataFrame(
        [
            {"system": system, "sample": sample, "output": text, "category": categories.get(sample, "")}
            for system, file in sources.OUTPUTS.items()
            for sample, text in _texts(locate_file(file), triples)
        ]
    )
    mrs = outputs["sample"].map(triples)
    ids = [f"{name}-{row:04d}" for row in range(1, len(outputs) + 1)]
    rated = add_mean_ratings(outputs.assign(id=ids, dataset=name, item=mrs, mr=mrs), told)
    if lacking := len(triples) - told["item"].nunique():
        logging.getLogger(__name__).warning("%s: %d of %d inputs have no ratings", name, lacking, len(triples))
    return Corpus(rated.join(_single(told), on=["item", "system"]), tuple(CRITERIA.values()))


def judgements(name: str = sources.NAME) -> pd.DataFrame:
    """Return the human judgements: five criteria, a row for each and for every output that a person rated."""
    import pandas as pd

    triples = _triples()
    rows = [row for system, file in sources.RATINGS.items() for row in _marks(locate_file(file), system, triples)]
    return pd.DataFrame(rows, columns=["judgement", "rater", "item", "system", "criterion", "kind", "value"])


def _triples() -> dict[str, str]:
    """Return the meaning representation of each sample, in the order of the test set."""
    tables = json.loads(locate_file(sources.TRIPLES).read_bytes())
    cells = {sample: _CELL.findall(table) for sample, table in tables.items()}
    return {
        sample: " && ".join(" | ".join(own[start : start + 3]) for start in range(0, len(own), 3))
        for sample, own in cells.items()
    }


def _categories() -> dict[str, str]:
    rated = json.loads(locate_file(sources.CATEGORIES).read_bytes())
    return {line["sample_id"]: line["category"] for line in rated}


def _texts(path: Path, samples: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Give each sample with its text: a sample's number is that of its line; two systems quote texts as CSV does."""
    lines = dict(read_lines(path)[0])
    for sample in samples:
        yield sample, unquoted(lines[int(sample)])


def _marks(path: Path, system: str, triples: dict[str, str]) -> Iterator[dict[str, Any]]:
    for sample, raters in json.loads(path.read_bytes()).items():
        if sample not in triples:
            raise ValueError(f"{path}: there are no triples for sample {sample!r}")
        for rater, marks in raters.items():
            number = rater.rsplit("_", 1)[-1]
            about = {"judgement": f"{sample}-{system}-{number}", "rater": number, "item": triples[sample]}
            for label, criterion in CRITERIA.items():
                value = marks.get(label)
                if not (isinstance(value, (int, float)) and LOWEST <= value <= HIGHEST):
                    place = f"sample {sample}, {rater}, {label}"
                    raise ValueError(f"{path}: {place}: {value!r} is no number from {LOWEST} to {HIGHEST}")
                yield about | {"system": system, "criterion": criterion, "kind": "likert", "value": float(value)}


def _single(told: pd.DataFrame) -> pd.DataFrame:
    """Return the ratings of the first, the second and the third rater of an output, a row per item and system."""
    keys = ["item", "system", "criterion"]
    place = told.groupby(keys, sort=False).cumcount() + 1
    numbered = told.assign(column=told["criterion"] + "_" + place.astype(str))
    return numbered.pivot(index=keys[:2], columns="column", values="value")
