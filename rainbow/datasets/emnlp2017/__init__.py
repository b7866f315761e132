"""SFHOTEL, SFREST and BAGEL with human ratings (Novikova et al., EMNLP 2017), and RNNLG (Wen et al. 2015).

2,460 outputs of the systems RNNLG, TGen and LOLS for meaning representations of hotels and restaurants, each with the
median of three or more ratings (1 to 6) of informativeness, naturalness and quality, the references, and the scores
that the authors computed. The files are not part of this package: ``rainbow fetch emnlp2017`` brings them from
https://github.com/jeknov/EMNLP_17_submission, https://github.com/glampouras/JLOLS_NLG and
https://github.com/shawnwun/RNNLG (Apache 2.0).

RNNLG's 10,565 human texts for dialogue acts about hotels and restaurants are in three splits, without outputs of
systems and without ratings.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rainbow.base.downloads import locate_file
from rainbow.base.lazy import pd
from rainbow.corpus import Corpus
from rainbow.datasets.emnlp2017.published_texts import published_view
from rainbow.datasets.emnlp2017.ratings import RATINGS, Row, read_rows
from rainbow.datasets.emnlp2017.references import (
    READERS,
    Utterance,
    detokenise,
    detokenise_references,
    group_by_meaning,
    read_rnnlg,
)
from rainbow.datasets.emnlp2017.source_files import ALL, DATASETS, REFERENCES, RNNLG, RNNLG_TEST, TABLE, dataset_files
from rainbow.meaning import MeaningRepresentation

NAMES = (*DATASETS, ALL)
DOMAIN = "hotels and restaurants"
FILES = {name: dataset_files(name) for name in NAMES} | {"rnnlg": tuple(RNNLG.values())}


def load(name: str) -> Corpus:
    """Load outputs, references, ratings and published scores, in the order of the public table."""
    if name == "rnnlg":
        return _load_rnnlg()
    files = {file.local: locate_file(file) for file in FILES[name]}
    datasets = DATASETS if name == ALL else (name,)
    rows = [row for row in read_rows(files[TABLE.local]) if row.dataset in datasets]
    utterances = {dataset: READERS[dataset](files[REFERENCES[dataset].local]) for dataset in datasets}
    rnnlg_test = {
        dataset: [utterance.meaning for utterance in read_rnnlg(files[RNNLG_TEST[dataset].local])]
        for dataset in datasets
        if dataset in RNNLG_TEST
    }
    return Corpus(
        _corpus_frame(rows, utterances),
        RATINGS,
        {"published": published_view(rows, utterances, rnnlg_test)},
        _background_references(rows, utterances),
    )


def _load_rnnlg() -> Corpus:
    """Load RNNLG's texts as outputs, with `dataset` ``sfhotel`` or ``sfrest``."""
    rows = [
        {"dataset": dataset, "split": split, "mr": str(utterance.meaning), "output": detokenise(utterance.text)}
        for (dataset, split), file in RNNLG.items()
        for utterance in read_rnnlg(locate_file(file))
    ]
    return Corpus(pd.DataFrame(rows).assign(system="people"))


def _corpus_frame(rows: Sequence[Row], utterances: Mapping[str, Iterable[Utterance]]) -> pd.DataFrame:
    """Return the table of the corpus, with references in plain English."""
    references = {
        dataset: {meaning: detokenise_references(texts) for meaning, texts in group_by_meaning(of_dataset).items()}
        for dataset, of_dataset in utterances.items()
    }
    return pd.DataFrame([_make_record(row, references[row.dataset]) for row in rows])


def _background_references(rows: Sequence[Row], utterances: Mapping[str, Iterable[Utterance]]) -> Corpus | None:
    """Return the references for inputs of the same datasets without a rated output."""
    rated = {(row.dataset, row.meaning) for row in rows}
    further = [
        (str(meaning), detokenise_references(texts), dataset)
        for dataset, of_dataset in utterances.items()
        for meaning, texts in group_by_meaning(of_dataset).items()
        if (dataset, meaning) not in rated
    ]
    if not further:
        return None
    mrs, references, names = zip(*further, strict=True)
    return Corpus.from_texts([""] * len(further), references, mrs, dataset=names)


def _make_record(row: Row, references: Mapping[MeaningRepresentation, tuple[str, ...]]) -> dict[str, Any]:
    if row.meaning not in references:
        raise ValueError(f"{row.id}, mr: {REFERENCES[row.dataset].local} has no reference for {row.mr}")
    texts = {name: value for name, value in row._asdict().items() if name != "numbers"}
    return {**texts, "item": f"{row.dataset}:{row.mr}", "references": references[row.meaning], **row.numbers}
