"""The WebNLG Challenge 2020: 16 systems' English and 7 systems' Russian texts for triples, with human ratings.

The files are not part of this package: ``rainbow fetch webnlg2020`` and ``rainbow fetch webnlg2020_ru`` bring them from
https://github.com/WebNLG/challenge-2020. No licence is stated for the ratings: measure with them and learn from them
for yourself; no model that comes with this package has learned from them. The Russian triples and references are those
of WebNLG 3.0 (CC BY-NC-SA 4.0).
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from rainbow.base.downloads import RemoteFile, locate_file
from rainbow.base.lazy import pd
from rainbow.corpus import Corpus
from rainbow.corpus.judgements import add_mean_ratings
from rainbow.datasets.output_files import read_lines, remove_quotes
from rainbow.datasets.webnlg2020 import russian_files, source_files
from rainbow.datasets.webnlg2020.rated_inputs import RatedInput, english_inputs, russian_inputs

DOMAIN = "triples"
FILES = {source_files.NAME: source_files.FILES, russian_files.NAME: russian_files.FILES}

# Names of the criteria in the files and in a corpus.
CRITERIA = {
    "Correctness": "correctness",
    "DataCoverage": "data_coverage",
    "Fluency": "fluency",
    "Relevance": "relevance",
    "TextStructure": "text_structure",
}
LOWEST, HIGHEST = 0, 100


class _Evaluation(NamedTuple):
    """The human evaluation of one language."""

    outputs: Mapping[str, RemoteFile]  # by system
    ratings: Mapping[str, RemoteFile]  # by system
    read_inputs: Callable[[], dict[str, RatedInput]]  # by sample
    language: str | None = None


_EVALUATIONS = {
    source_files.NAME: _Evaluation(source_files.OUTPUTS, source_files.RATINGS, english_inputs),
    russian_files.NAME: _Evaluation(russian_files.OUTPUTS, russian_files.RATINGS, russian_inputs, "ru"),
}


def load(name: str = source_files.NAME) -> Corpus:
    """Load the outputs (2,848 in English, 770 in Russian): one row per system and input chosen for rating."""
    evaluation = _EVALUATIONS[name]
    inputs, ratings = evaluation.read_inputs(), judgements(name)
    outputs = pd.DataFrame(
        [
            {"system": system, "sample": sample, "output": text, **inputs[sample]._asdict()}
            for system, file in evaluation.outputs.items()
            for sample, text in _read_texts(locate_file(file), inputs)
        ]
    )
    ids = [f"{name}-{row:04d}" for row in range(1, len(outputs) + 1)]
    rated = add_mean_ratings(outputs.assign(id=ids, dataset=name, item=outputs["mr"]), ratings)
    if missing := len(inputs) - ratings["item"].nunique():
        logging.getLogger(__name__).warning("%s: %d of %d inputs have no ratings", name, missing, len(inputs))
    frame = rated.join(_rater_columns(ratings), on=["item", "system"])
    return Corpus(frame, tuple(CRITERIA.values()), language=evaluation.language)


def judgements(name: str = source_files.NAME) -> pd.DataFrame:
    """Return the human judgements: one row per criterion, output and rater."""
    evaluation = _EVALUATIONS[name]
    mrs = {sample: rated.mr for sample, rated in evaluation.read_inputs().items()}
    rows = [row for system, file in evaluation.ratings.items() for row in _read_ratings(locate_file(file), system, mrs)]
    return pd.DataFrame(rows, columns=["judgement", "rater", "item", "system", "criterion", "kind", "value"])


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
