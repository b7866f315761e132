"""Predictions of learned metrics on corpora they were not trained on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from rainbow._version import __version__
from rainbow.analysis.benchmark.rated_corpus import RatedCorpus
from rainbow.base.files import write_atomically
from rainbow.base.fingerprint import fingerprint
from rainbow.base.lazy import pd
from rainbow.corpus import COLUMNS, Corpus

if TYPE_CHECKING:
    from rainbow.learned.model.model import Model

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
        if model.name in corpus.frame or corpus.name in data["datasets"] or not _has_model_inputs(corpus, model):
            continue
        digits = fingerprint([corpus.texts_hash, data["sha256"], __version__])
        scores = _predict(corpus, model, cache / f"{corpus.name}-{model.name}-{digits}.parquet")
        signature = f"learned from {', '.join(data['datasets'])}|data:{data['sha256'][:12]}|version:{__version__}"
        corpus = corpus.with_scores(scores, {model.name: True}, LEARNED, signature)
    return corpus


def _has_model_inputs(corpus: RatedCorpus, model: Model) -> bool:
    """Return whether any row has the inputs that the model needs."""
    return "mr" not in model.needs or bool((corpus.frame["mr"] != "").any())


def _predict(corpus: RatedCorpus, model: Model, path: Path) -> pd.DataFrame:
    if path.is_file():
        return pd.read_parquet(path)
    predicted = np.asarray(model.predict(Corpus(corpus.frame[list(COLUMNS)])), dtype=float)
    table = pd.DataFrame({model.name: predicted})
    write_atomically(path, lambda part: table.to_parquet(part, index=False))
    return table
