"""`python -m benchmarks.evaluator FOLDER`: the evaluator on corpora that it did not learn from, into its page.

FOLDER is that of `scripts.evaluator.train`, after the stages `pretrain` and `finetune --without wmt17`. Needs the rated
corpora in the folder that RAINBOW_DATA names, the extras `likelihood` and `neural`, and MiniLM.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import scipy.stats
import torch
from sklearn.metrics import roc_auc_score

from benchmarks.results import replace_part
from rainbow import Corpus, score_corpus
from rainbow.base.arrays import FloatArray
from scripts.evaluator.network import HEADS, Evaluator, predict
from scripts.evaluator.ratings import rated_pairs

PAGE = Path(__file__).parent.parent / "docs" / "lab" / "evaluator.md"
BASELINES = ("METEOR", "chrF++", "BERTScoreP")
RESAMPLES, SEED = 500, 7


class Unseen(NamedTuple):
    """A corpus, the network that did not learn from it, and the head to compare with its ratings."""

    corpus: str
    network: str
    head: str
    label: str


UNSEEN = (
    Unseen("begin", "pretrained", "entailed", "BEGIN: answer supported by the knowledge"),
    Unseen("q_squared", "pretrained", "entailed", "Q²: answer consistent with the knowledge"),
    Unseen("wmt17", "finetuned-without-wmt17", "adequacy", "WMT17: adequacy of translations"),
)


def main() -> None:
    """Measure every corpus and write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    replace_part(PAGE, "unseen", "\n".join(table(parser.parse_args().folder)))


def table(folder: Path) -> Iterator[str]:
    """Yield the lines of the table."""
    yield f"| ratings | measure | evaluator | {' | '.join(BASELINES)} |"
    yield "| --- " * (3 + len(BASELINES)) + "|"
    for one in UNSEEN:
        pairs = _pairs(one)
        aims = pairs[one.head].to_numpy(float)
        binary = set(aims) <= {0.0, 1.0}
        scores = _scores(folder, one, pairs)
        values = [_agreement(column, aims, binary) for column in scores.T]
        low, high = _interval(scores[:, 0], aims, binary)
        measure = f"{'AUC' if binary else 'Spearman'}, n = {len(aims):,}"
        first, *others = (f"{value:.3f}" for value in values)
        yield f"| {one.label} | {measure} | {first} ({low:.3f} to {high:.3f}) | {' | '.join(others)} |"


def _pairs(one: Unseen) -> pd.DataFrame:
    """Return the rated pairs of a corpus."""
    folder = Path(os.environ["RAINBOW_DATA"]) / "teachers"
    pairs = rated_pairs(folder, {other.corpus for other in UNSEEN if other != one} | {"mlqe_pe", "ted_zh_en"}, SEED)
    return pairs[pairs[one.head].notna()].reset_index(drop=True)


def _scores(folder: Path, one: Unseen, pairs: pd.DataFrame) -> FloatArray:
    """Return the network's head and the baselines, a column each."""
    network = Evaluator()
    network.load_state_dict(torch.load(folder / f"{one.network}.pt"))
    head = predict(network, pairs)[:, HEADS.index(one.head)]
    corpus = Corpus.from_texts(pairs["second"].tolist(), [[first] for first in pairs["first"]])
    return np.column_stack([head, score_corpus(corpus, [*BASELINES], "surface")[[*BASELINES]].to_numpy(float)])


def _agreement(scores: FloatArray, aims: FloatArray, binary: bool) -> float:
    return float(roc_auc_score(aims, scores) if binary else scipy.stats.spearmanr(scores, aims).statistic)


def _interval(scores: FloatArray, aims: FloatArray, binary: bool) -> tuple[float, float]:
    """Return the 95 % percentile interval over rows."""
    rng = np.random.default_rng(SEED)
    drawn = (rng.integers(len(aims), size=len(aims)) for _ in range(RESAMPLES))
    low, high = np.quantile([_agreement(scores[rows], aims[rows], binary) for rows in drawn], [0.025, 0.975])
    return float(low), float(high)


if __name__ == "__main__":
    main()
