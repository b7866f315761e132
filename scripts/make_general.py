"""Train the general score from the ratings whose licence allows it.

Run from the root of the repository, in an environment with the extra `likelihood` and SmolLM2, with the data in the
folder that RAINBOW_DATA names::

    python -m scripts.make_general

Learned from: 900 drawn outputs of EMNLP 2017 (MIT), 300 of RankME (CC BY-SA 4.0), 320 of SummEval (MIT) and 312 of
REALSumm (Apache 2.0), the summaries with their articles. What was computed of them is kept in `.general/`, and taken
from there the next time.
"""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from rainbow import Corpus, load_dataset, score_corpus
from rainbow.base.arrays import BoolArray, FloatArray
from rainbow.learned.training.training_rows import corrupt_outputs
from rainbow.metrics.general.general_score import SPEEDS
from rainbow.metrics.general.regressions import text_digest
from scripts.general_regressions import RatedScores, learn_regressions, speed_columns

TARGET = Path(__file__).resolve().parents[1] / "rainbow" / "metrics" / "general" / "regressions.json"
KEPT = Path(".general")
ANCHOR = "emnlp2017"  # on the scale of whose ratings scores lie
SEED = 7
RATINGS = {
    "informativeness": {
        "emnlp2017": ["informativeness"],
        "rankme": ["informativeness"],
        "summeval": ["relevance"],
        "realsumm": ["litepyramid_recall"],
    },
    "naturalness": {"emnlp2017": ["naturalness"], "summeval": ["fluency"]},
    "quality": {
        "emnlp2017": ["quality"],
        "rankme": ["quality"],
        "summeval": ["relevance", "coherence", "consistency", "fluency"],
        "realsumm": ["litepyramid_recall"],
    },
}
SHUFFLED = "shuffled-words"
WORTHLESS = (SHUFFLED, "unrelated-sentence", "other-reference")


def corpora() -> dict[str, Corpus]:
    """Return the drawn rows of each corpus."""
    rng = np.random.default_rng(SEED)
    rated = load_dataset("emnlp2017")
    return {
        "emnlp2017": rated.take(np.sort(rng.choice(len(rated), 900, replace=False)).tolist()),
        "rankme": load_dataset("rankme"),
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
    return Corpus.from_texts(
        table[output].tolist(),
        [json.loads(own) if own.startswith("[") else [own] for own in table[references]],
        table["doc"].map(articles).tolist(),
        system=table[system].astype(str).tolist(),
        item=table["doc"].astype(str).tolist(),
        **{rating: table[rating].tolist() for rating in wanted},
    )


def scored(name: str, corpus: Corpus, columns: Sequence[str] = speed_columns("full")) -> pd.DataFrame:
    """Return columns of a corpus; those that were computed before under this name are read."""
    path = KEPT / f"{name}.parquet"
    known = pd.read_parquet(path) if path.is_file() else pd.DataFrame(index=range(len(corpus)))
    if new := [column for column in columns if column not in known]:
        KEPT.mkdir(exist_ok=True)
        computed = score_corpus(corpus, new, "surface")
        known = known.assign(**{column: computed[column].to_numpy() for column in new})
        known.to_parquet(path)
    return known


def worthless(corpus: Corpus) -> tuple[Corpus, BoolArray]:
    """Return copies of some outputs: shuffled, or about something else; and which of them are shuffled."""
    copies = corrupt_outputs(corpus.take(range(0, len(corpus), 3)), SEED)
    chosen = np.flatnonzero(np.isin(copies.kinds, WORTHLESS))[::3]
    return copies.corpus.take(chosen.tolist()), copies.kinds[chosen] == SHUFFLED


def target(corpus: Corpus, ratings: list[str]) -> FloatArray:
    """Return one rating, or the mean rank of several."""
    frame = corpus.frame[ratings]
    return (frame if len(ratings) == 1 else frame.rank()).mean(axis=1, skipna=False).to_numpy(float)


def learned_from(rated: Mapping[str, Corpus]) -> dict[str, dict[str, RatedScores]]:
    """Return what is learned from, by the names of ratings and corpora."""
    found: dict[str, dict[str, RatedScores]] = {}
    for name, corpus in rated.items():
        texts, shuffled = worthless(corpus)
        scores, copies = scored(name, corpus), scored(f"{name}-worthless", texts)
        for rating in (rating for rating in RATINGS if name in RATINGS[rating]):
            # What is about something else may be well written.
            below = copies[shuffled] if rating == "naturalness" else copies
            part = RatedScores(scores, target(corpus, RATINGS[rating][name]), below, name == ANCHOR)
            found.setdefault(rating, {})[name] = part
    return found


def regressions_without(parts: Mapping[str, Mapping[str, RatedScores]], left_out: Collection[str]) -> dict[str, Any]:
    """Return the regressions of both speeds, learned from all corpora but some, as plain data."""
    kept = {rating: [part for name, part in own.items() if name not in left_out] for rating, own in parts.items()}
    return {
        speed: [
            {name: _plain(value) for name, value in regression._asdict().items()}
            for regression in learn_regressions(kept, speed)
        ]
        for speed in SPEEDS
    }


def _plain(value: Any) -> Any:
    """Return an array as lists of seven significant digits, NaN as null."""
    if isinstance(value, np.ndarray):
        rounded = np.vectorize(lambda number: float(f"{number:.7g}"))(value)
        return np.where(np.isnan(rounded), None, rounded.astype(object)).tolist()
    return list(value)


def every_output() -> dict[str, Iterable[str]]:
    """Return all outputs of each corpus, drawn or not."""
    folder = Path(os.environ["RAINBOW_DATA"])
    return {
        "emnlp2017": load_dataset("emnlp2017").frame["output"],
        "rankme": load_dataset("rankme").frame["output"],
        "summeval": pd.read_csv(folder / "summeval" / "summeval.csv")["summary"],
        "realsumm": pd.read_csv(folder / "general" / "realsumm.csv")["output"],
    }


def digests(outputs: Iterable[str]) -> str:
    """Return by what outputs that were learned from are known again."""
    return base64.b64encode(b"".join(sorted({text_digest(text) for text in outputs}))).decode()


def main() -> None:
    """Learn from all corpora, and from each part of them, and write the file."""
    rated = corpora()
    parts = learned_from(rated)
    some = [names for size in range(len(rated)) for names in combinations(sorted(rated), size)]
    data = {
        "outputs": {name: digests(texts) for name, texts in every_output().items()},
        "regressions": {"+".join(names): regressions_without(parts, names) for names in some},
    }
    TARGET.write_text(json.dumps(data, separators=(",", ":")) + "\n", encoding="utf-8")
    print(f"{TARGET.name}: {TARGET.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    main()
