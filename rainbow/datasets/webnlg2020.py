"""The WebNLG Challenge 2020: 16 systems' English and 7 systems' Russian texts for triples, with human ratings.

The files are not part of this package: ``rainbow fetch webnlg2020`` and ``rainbow fetch webnlg2020_ru`` bring them from
https://github.com/WebNLG/challenge-2020. No licence is stated for the ratings: measure with them and learn from them
for yourself; no model that comes with this package has learned from them. The Russian triples and references are those
of WebNLG 3.0 (CC BY-NC-SA 4.0).
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

from rainbow.base.downloads import locate_file
from rainbow.base.lazy import pd
from rainbow.corpus import Corpus
from rainbow.corpus.judgements import add_mean_ratings
from rainbow.datasets.published_files import published_files
from rainbow.datasets.text_files import read_lines, remove_quotes

DOMAIN = "triples"
NAME, RUSSIAN = "webnlg2020", "webnlg2020_ru"
(TRIPLES,), (CATEGORIES,), (TEST_SET,) = (
    published_files(group).values() for group in (f"{NAME}_triples", f"{NAME}_categories", f"{RUSSIAN}_triples")
)
# The files of each system, by dataset; people's references were rated, too.
OUTPUTS, RATINGS = (
    {name: published_files(f"{name}_{kind}") for name in (NAME, RUSSIAN)} for kind in ("outputs", "ratings")
)
FILES = {
    NAME: (TRIPLES, CATEGORIES, *OUTPUTS[NAME].values(), *RATINGS[NAME].values()),
    RUSSIAN: (TEST_SET, *OUTPUTS[RUSSIAN].values(), *RATINGS[RUSSIAN].values()),
}

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


class RatedInput(NamedTuple):
    """Triples in the notation of a meaning representation, with what is published about them."""

    mr: str
    category: str = ""
    references: tuple[str, ...] = ()


def load(name: str = NAME) -> Corpus:
    """Load the outputs (2,848 in English, 770 in Russian): one row per system and input chosen for rating."""
    inputs, ratings = _read_inputs(name), judgements(name)
    outputs = pd.DataFrame(
        [
            {"system": system, "sample": sample, "output": text, **inputs[sample]._asdict()}
            for system, file in OUTPUTS[name].items()
            for sample, text in _read_texts(locate_file(file), inputs)
        ]
    )
    ids = [f"{name}-{row:04d}" for row in range(1, len(outputs) + 1)]
    rated = add_mean_ratings(outputs.assign(id=ids, dataset=name, item=outputs["mr"]), ratings)
    if missing := len(inputs) - ratings["item"].nunique():
        logging.getLogger(__name__).warning("%s: %d of %d inputs have no ratings", name, missing, len(inputs))
    frame = rated.join(_rater_columns(ratings), on=["item", "system"])
    return Corpus(frame, tuple(CRITERIA.values()), language="ru" if name == RUSSIAN else None)


def judgements(name: str = NAME) -> pd.DataFrame:
    """Return the human judgements: one row per criterion, output and rater."""
    mrs = {sample: rated.mr for sample, rated in _read_inputs(name).items()}
    rows = [row for system, file in RATINGS[name].items() for row in _read_ratings(locate_file(file), system, mrs)]
    return pd.DataFrame(rows, columns=["judgement", "rater", "item", "system", "criterion", "kind", "value"])


def _read_inputs(name: str) -> dict[str, RatedInput]:
    """Return the rated inputs by sample, in the order of the test set."""
    return _russian_inputs() if name == RUSSIAN else _english_inputs()


def _english_inputs() -> dict[str, RatedInput]:
    """Return the inputs as the raters saw them, without references."""
    tables = json.loads(locate_file(TRIPLES).read_bytes())
    rated = json.loads(locate_file(CATEGORIES).read_bytes())
    categories = {line["sample_id"]: line["category"] for line in rated}
    cells = {sample: _CELL.findall(table) for sample, table in tables.items()}
    return {
        sample: RatedInput(
            " && ".join(" | ".join(own[start : start + 3]) for start in range(0, len(own), 3)),
            categories.get(sample, ""),
        )
        for sample, own in cells.items()
    }


def _russian_inputs() -> dict[str, RatedInput]:
    """Return the inputs with their references."""
    root = ElementTree.parse(locate_file(TEST_SET)).getroot()
    rated = json.loads(locate_file(next(iter(RATINGS[RUSSIAN].values()))).read_bytes())
    return {
        entry.attrib["eid"]: RatedInput(
            " && ".join((triple.text or "").replace("_", " ") for triple in entry.iter("mtriple")),
            entry.attrib["category"],
            tuple((text.text or "").strip() for text in entry.iter("lex")),
        )
        for entry in root.iter("entry")
        if entry.attrib["eid"] in rated
    }


def _read_texts(path: Path, samples: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield each sample with its text, by line number; some systems quote or indent texts."""
    lines = dict(read_lines(path)[0])
    for sample in samples:
        yield sample, remove_quotes(lines[int(sample)]).strip()


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
