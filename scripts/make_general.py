"""Train `fast` and `full`, the metrics of any text, from the ratings whose licence allows it.

Run from the root of the repository, in an environment with the extra `likelihood` and SmolLM2, with the data in the
folder that RAINBOW_DATA names::

    python -m scripts.make_general

Learned from: 900 drawn outputs of EMNLP 2017 (MIT), 320 of SummEval (MIT), 312 of REALSumm (Apache 2.0), the
summaries with their articles. What was computed of them is kept in `.general/`, and taken from there the next time.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from rainbow import Corpus, load_dataset, score_corpus
from rainbow._version import __version__
from rainbow.base.arrays import BoolArray, FloatArray
from rainbow.learned.model.card import LIMITS, save_card
from rainbow.learned.model.model import Model
from rainbow.learned.model.model_file import save_model
from rainbow.learned.model.shipped import SUFFIX, shipped_model
from rainbow.learned.training.corruption import corrupted_outputs
from rainbow.learned.training.features import Features
from rainbow.learned.training.general import SPEEDS, Rated, general_trend, speed_columns
from scripts.make_models import TARGET

KEPT = Path(".general")
SEED = 7
RATINGS = {
    "informativeness": {
        "emnlp2017": ["informativeness"],
        "summeval": ["relevance"],
        "realsumm": ["litepyramid_recall"],
    },
    "naturalness": {"emnlp2017": ["naturalness"], "summeval": ["fluency"]},
    "quality": {
        "emnlp2017": ["quality"],
        "summeval": ["relevance", "coherence", "consistency", "fluency"],
        "realsumm": ["litepyramid_recall"],
    },
}
SHUFFLED = "shuffled-words"
WORTHLESS = (SHUFFLED, "unrelated-sentence", "other-reference")
NOTES = (
    "Each corpus left out in turn: docs/general-score.md.",
    "Shuffled words, and texts about something else, were learned to be below all that was rated.",
    "Ratings of 2017 are medians of crowd workers on 1 to 6; of other corpora only the order within them was learned.",
)


def corpora() -> dict[str, Corpus]:
    """Return the drawn rows of each corpus."""
    rng = np.random.default_rng(SEED)
    rated = load_dataset("emnlp2017")
    return {
        "emnlp2017": rated.take(np.sort(rng.choice(len(rated), 900, replace=False)).tolist()),
        "summeval": _summaries("summeval/summeval.csv", "summary", "model", "golds", 20, rng),
        "realsumm": _summaries("general/realsumm.csv", "output", "system", "reference", 13, rng),
    }


def _summaries(
    file: str, output: str, system: str, references: str, documents: int, rng: np.random.Generator
) -> Corpus:
    folder = Path(os.environ["RAINBOW_DATA"])
    table = pd.read_csv(folder / file)
    name = Path(file).stem
    articles = pd.read_csv(folder / "general" / f"{name}_sources.csv").set_index("doc")["source"]
    table = table[table["doc"].isin(rng.choice(pd.unique(table["doc"]), documents, replace=False))]
    wanted = dict.fromkeys(rating for own in RATINGS.values() for rating in own.get(name, []))
    return Corpus.of(
        table[output].tolist(),
        [json.loads(own) if own.startswith("[") else [own] for own in table[references]],
        table["doc"].map(articles).tolist(),
        system=table[system].astype(str).tolist(),
        item=table["doc"].astype(str).tolist(),
        **{rating: table[rating].tolist() for rating in wanted},
    )


def scored(name: str, corpus: Corpus) -> pd.DataFrame:
    """Return all columns of a corpus, from the last time where they were computed then."""
    path = KEPT / f"{name}.parquet"
    if not path.is_file():
        KEPT.mkdir(exist_ok=True)
        score_corpus(corpus, list(speed_columns("full")), "surface").to_parquet(path)
    return pd.read_parquet(path)


def worthless(corpus: Corpus) -> tuple[Corpus, BoolArray]:
    """Return copies of some outputs: shuffled, or about something else; and which of them are shuffled."""
    copies = corrupted_outputs(corpus.take(range(0, len(corpus), 3)), SEED)
    chosen = np.flatnonzero(np.isin(copies.kinds, WORTHLESS))
    return copies.corpus.take(chosen.tolist()), copies.kinds[chosen] == SHUFFLED


def target(corpus: Corpus, ratings: list[str]) -> FloatArray:
    """Return one rating, or the mean rank of several."""
    frame = corpus.frame[ratings]
    return (frame if len(ratings) == 1 else frame.rank()).mean(axis=1, skipna=False).to_numpy(float)


def card_of(model: Model, learned: dict[str, Corpus]) -> dict[str, Any]:
    """Return the card of a model; what it says of held-out rows stands in the documentation, for all of them."""
    frames = [corpus.frame.assign(dataset=name) for name, corpus in learned.items()]
    return {
        "model": model.name,
        "rating": model.rating,
        "scale": [model.low, model.high],
        "learner": "ridge regressions whose coefficients have the direction of their columns, learned within corpora, "
        f"one for what each output brings; where an output is familiar to {model.rating}-referenceless, that counts",
        "corrupted_copies": False,
        "top": None,
        "seed": SEED,
        "statistics": "no",
        "data": {
            "datasets": list(learned),
            "systems": sorted({system for frame in frames for system in frame["system"]}),
            "outputs": sum(map(len, frames)),
            "items": sum(frame["item"].nunique() for frame in frames),
            "background": 0,
            "sha256": hashlib.sha256(
                "".join(text for frame in frames for text in frame["output"]).encode()
            ).hexdigest(),
        },
        "features": model.features.described(),
        "texts": [],
        "protocols": [],
        "interval": [],
        "classes": {},
        "audit": [],
        "limits": list(LIMITS[1:]),
        "notes": list(NOTES),
        "versions": {"rainbow": __version__, "scikit-learn": importlib.metadata.version("scikit-learn")},
    }


def learned_from(rating: str, rated: Mapping[str, Corpus]) -> dict[str, Rated]:
    """Return what a rating is learned from, by the names of the corpora."""
    found = {}
    for name, used in RATINGS[rating].items():
        texts, shuffled = worthless(rated[name])
        copies = scored(f"{name}-worthless", texts)
        # What is about something else may be well written.
        below = copies[shuffled] if rating == "naturalness" else copies
        found[name] = Rated(scored(name, rated[name]), target(rated[name], used), name == "emnlp2017", below)
    return found


def main() -> None:
    """Learn, and write each model with its card."""
    rated = corpora()
    for rating in RATINGS:
        parts = learned_from(rating, rated)
        home = shipped_model(f"{rating}-referenceless")
        for speed in SPEEDS:
            features = Features(speed_columns(speed), (), "surface").fit(rated["emnlp2017"])
            trend = general_trend([*parts.values()], speed, adequacy=rating == "informativeness")
            model = Model(f"{rating}-{speed}", rating, home.low, home.high, features, trend, home.half_width)
            card = card_of(model, {name: rated[name] for name in parts})
            path = save_model(
                replace(model, classes=home.classes, home=home.name, card=card), TARGET / f"{model.name}{SUFFIX}"
            )
            save_card(card, path)
            print(f"{path.name}: {path.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    main()
