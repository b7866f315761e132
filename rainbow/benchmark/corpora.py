"""Available rated corpora with their saved, computed, submitted and learned scores."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from rainbow._version import __version__
from rainbow.analysis.benchmark.rated_corpus import RatedCorpus
from rainbow.base.files import write_atomically, write_text
from rainbow.base.fingerprint import file_sha256, fingerprint
from rainbow.base.lazy import pd
from rainbow.base.progress import RowProgress, silent
from rainbow.corpus import COLUMNS, Corpus, numeric_columns
from rainbow.datasets.columns import Score
from rainbow.datasets.read.encoding import name_file_in_errors
from rainbow.datasets.read.table_frames import read_frames
from rainbow.learned.model.model import Model
from rainbow.scoring.saved_scores import About, is_score_table, load_scores, read_about


def available_tables(folder: Path) -> dict[str, Path]:
    """Return the score tables of all rated corpora on this machine, by name."""
    from rainbow.base.downloads import missing_files
    from rainbow.datasets import dataset_names, source

    files = {name: source(name).FILES[name] for name in dataset_names()}
    there = {name: set(known) for name, known in files.items() if known and not missing_files(known)}
    # One that is made of others is left out.
    whole = [name for name, known in there.items() if not any(other < known for other in there.values())]
    named = {name: folder / f"{name}.parquet" for name in whole}
    own = {path.stem: path for path in sorted(folder.glob("*.parquet")) if path.stem not in files}
    return named | {name: path for name, path in own.items() if is_score_table(path) and read_about(path).ratings}


def compute_missing_scores(name: str, path: Path, *, workers: int = 1, progress: RowProgress = silent) -> list[str]:
    """Compute missing or outdated metrics of a dataset's table and return their columns."""
    from rainbow.datasets import dataset_names, load_dataset, open_dataset
    from rainbow.metrics.contract.selection import select_metrics
    from rainbow.scoring.score_rows import score_rows

    there = is_score_table(path)
    if name not in dataset_names() or (not there and not load_dataset(name).ratings):
        return []
    known = read_about(path).signatures if there else {}
    computed = [column for entry in select_metrics(None) if entry.metric for column in entry.columns]
    missing = [column for column in computed if f"|version:{__version__}" not in known.get(column, "")]
    if missing:
        score_rows(open_dataset(name), path, missing, workers=workers, keep=True, progress=progress)
    return missing


def rated_corpora(tables: dict[str, Path]) -> Iterator[RatedCorpus]:
    """Yield every rated corpus of these tables once, by dataset name."""
    seen: set[str] = set()
    for path in tables.values():
        frame = load_scores(path) if is_score_table(path) else None
        if frame is None or not About.from_table(frame).ratings:
            continue
        for name, part in frame.groupby("dataset", sort=False):
            if name not in seen:
                seen.add(str(name))
                part = part.reset_index(drop=True)
                part.attrs = frame.attrs
                yield _corpus(str(name) or path.stem, part)


def _corpus(name: str, part: pd.DataFrame) -> RatedCorpus:
    from rainbow.datasets import dataset_names, judgements, source

    about = About.from_table(part)
    scores = tuple(column for column in about.signatures if part[column].notna().any())
    groups, better = about.groups_and_directions(scores)
    judged = name in dataset_names() and hasattr(source(name), "judgements")
    return RatedCorpus(
        name,
        part,
        scores,
        tuple(rating for rating in about.ratings if part[rating].notna().any()),
        better,
        groups,
        {column: about.signatures[column] for column in scores},
        judgements(name) if judged else None,
    )


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


# The group of learned metrics.
LEARNED = "learned"
# Protocols of `rainbow fit` under which no rating of a corpus was learned from.
_APART = ("leave-one-dataset-out", "leave-one-corpus-out")
_SHIPPED = "-fast"


def add_learned_scores(corpora: Sequence[RatedCorpus], cache: Path, analyses: Path) -> list[RatedCorpus]:
    """Return the corpora with held-out predictions of learned metrics."""
    from rainbow.learned.model.model_file import read_shipped_model, shipped_model_names

    models = [read_shipped_model(name) for name in shipped_model_names() if name.endswith(_SHIPPED)]
    saved = _saved_predictions(analyses)
    return [_add_models(_add_saved(corpus, saved), models, cache) for corpus in corpora]


def _saved_predictions(analyses: Path) -> pd.DataFrame:
    """Return saved held-out predictions: `metric`, `id`, `predicted`, unique per metric and id."""
    parts = [pd.DataFrame({"metric": [], "id": [], "predicted": []}, dtype=object)]
    for path in sorted(analyses.glob("*/learned_predictions.csv")):
        model = pd.read_csv(path.with_name("learned_protocols.csv"), usecols=["model"])["model"].iloc[0]
        table = pd.read_csv(path, dtype={"id": str})
        table = table[table["protocol"].isin(_APART)]
        parts.append(table.assign(metric=table["rating"] + f"-{model}")[["metric", "id", "predicted"]])
    return pd.concat(parts, ignore_index=True).drop_duplicates(["metric", "id"])


def _add_saved(corpus: RatedCorpus, saved: pd.DataFrame) -> RatedCorpus:
    # If several corpora were merged for learning, ids are prefixed with the corpus name.
    names = {identity: identity for identity in corpus.frame["id"]}
    names |= {f"{corpus.name}:{identity}": identity for identity in corpus.frame["id"]}
    own = saved[saved["id"].isin(list(names))]
    if own.empty:
        return corpus
    own = own.assign(id=own["id"].map(names)).drop_duplicates(["metric", "id"])
    wide = own.pivot(index="id", columns="metric", values="predicted").astype(float)
    scores = wide.reindex(corpus.frame["id"])
    return corpus.with_scores(scores, dict.fromkeys(map(str, scores), True), LEARNED, "held out|leave-one-corpus-out")


def _add_models(corpus: RatedCorpus, models: Sequence[Model], cache: Path) -> RatedCorpus:
    for model in models:
        data = model.card["data"]
        has_inputs = "mr" not in model.needs or (corpus.frame["mr"] != "").any()
        if model.name in corpus.frame or corpus.name in data["datasets"] or not has_inputs:
            continue
        digits = fingerprint([corpus.texts_hash, data["sha256"], __version__])
        path = cache / f"{corpus.name}-{model.name}-{digits}.parquet"
        if not path.is_file():
            predicted = np.asarray(model.predict(Corpus(corpus.frame[list(COLUMNS)])), dtype=float)
            table = pd.DataFrame({model.name: predicted})
            write_atomically(path, partial(table.to_parquet, index=False))
        scores = pd.read_parquet(path)
        signature = f"learned from {', '.join(data['datasets'])}|data:{data['sha256'][:12]}|version:{__version__}"
        corpus = corpus.with_scores(scores, {model.name: True}, LEARNED, signature)
    return corpus
