"""Submitted scores: a file with one score per output ID."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from rainbow.analysis.benchmark.rated_corpus import RatedCorpus
from rainbow.base.files import write_text
from rainbow.base.fingerprint import file_sha256
from rainbow.corpus import numeric_columns
from rainbow.datasets.columns import Score
from rainbow.datasets.read.encoding import name_file_in_errors
from rainbow.datasets.read.table_frames import read_frames

# The group of scores that were handed in.
SUBMITTED = "submitted"


def add_submission(corpora: Sequence[RatedCorpus], path: Path, scores: Sequence[Score]) -> list[RatedCorpus]:
    """Return the corpora with the scores of a file."""
    with name_file_in_errors(path):
        (table,) = read_frames(path)
        names = [score.name for score in scores]
        keys = ["dataset", "id"] if "dataset" in table else ["id"]
        if "id" not in table:
            raise ValueError(f"it has no column 'id', only {', '.join(map(str, table))}")
        table = table.assign(**numeric_columns(table, names, "score"), **{key: table[key].map(str) for key in keys})
        if (twice := table.duplicated(keys)).any():
            raise ValueError(f"id {table.loc[twice, 'id'].iloc[0]!r} occurs twice")
        if "dataset" not in keys:
            _check_unique_ids(corpora, set(table["id"]))
        better = {score.name: score.higher_is_better for score in scores}
        results = []
        for corpus in corpora:
            own = table[table["dataset"] == corpus.name] if "dataset" in keys else table
            values = own.set_index("id")[names].reindex(corpus.frame["id"])
            known = values.notna().any(axis=None)
            signature = f"submitted|file:{path.name}|sha256:{file_sha256(path)}"
            results.append(corpus.with_scores(values, better, SUBMITTED, signature) if known else corpus)
        if all(one is other for one, other in zip(results, corpora, strict=True)):
            raise ValueError("no id matches an output: --texts writes the outputs with their ids")
    return results


def _check_unique_ids(corpora: Sequence[RatedCorpus], ids: set[str]) -> None:
    """Raise an error if several corpora share IDs."""
    first: dict[str, str] = {}
    for corpus in corpora:
        for identity in ids.intersection(corpus.frame["id"]):
            if identity in first:
                raise ValueError(
                    f"{first[identity]} and {corpus.name} both have an output {identity!r}: add a column 'dataset'"
                )
            first[identity] = corpus.name


def export_texts(corpora: Sequence[RatedCorpus], path: Path) -> Path:
    """Write every output with its inputs and references as JSON lines."""
    names = ["id", "system", "item", "mr", "output", "references"]
    lines = [
        json.dumps({"dataset": corpus.name, **dict(zip(names, row, strict=True))}, ensure_ascii=False)
        for corpus in corpora
        for row in corpus.frame[names].itertuples(index=False, name=None)
    ]
    return write_text(path, "\n".join(lines) + "\n")
