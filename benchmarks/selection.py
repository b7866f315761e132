"""`python -m benchmarks.selection`: which inputs to have rated, into docs/lab/studies.md.

The ratings of a corpus are the truth. From a random 70 % of its inputs some are chosen, and the systems are compared by
the ratings of these. Choices know outputs and scores only; those by a utility break ties at random.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from datetime import date
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from benchmarks.general import others
from benchmarks.results import replace_part
from rainbow import load_dataset
from rainbow._version import __version__
from rainbow.base.arrays import FloatArray, IntArray
from rainbow.corpus import Corpus
from scripts.make_general import _summaries, scored

PAGE = Path(__file__).parent.parent / "docs" / "lab" / "studies.md"
METRICS = ("METEOR", "chrF++", "ROUGE", "BLEU4", "TER")
SIZES, POOL = (10, 20, 50), 0.7
NAMES = ("sfhotel", "sfrest", "bagel", "rankme", "summeval", "realsumm", "webnlg2020")


class Rated(NamedTuple):
    """Standardised ratings (inputs, systems, ratings) and metrics (inputs, systems, metrics), diversity (inputs,)."""

    ratings: FloatArray
    metrics: FloatArray
    diversity: FloatArray

    def take(self, places: IntArray) -> Rated:
        """Return some inputs."""
        return Rated(*(part[places] for part in self))


# Inputs that are chosen, and their weights.
Chosen = tuple[IntArray, FloatArray]


def _corpus(name: str) -> Corpus:
    rng = np.random.default_rng(0)
    if name == "summeval":
        return _summaries("summeval/summeval.csv", "summary", "model", "golds", 100, rng)
    if name == "realsumm":
        return _summaries("general/realsumm.csv", "output", "system", "reference", 100, rng)
    return others()[name] if name == "webnlg2020" else load_dataset(name)


def read(name: str) -> Rated:
    """Return the inputs of a corpus that all systems answered."""
    corpus = _corpus(name)
    frame = corpus.frame.reset_index(drop=True)
    frame[[*METRICS]] = scored(f"selection-{name}", corpus, METRICS)[[*METRICS]].to_numpy()
    frame["TER"] *= -1
    frame = frame.drop_duplicates(["dataset", "item", "system"]).sort_values(["dataset", "item", "system"])
    systems = frame["system"].nunique()
    frame = frame[frame.groupby(["dataset", "item"])["system"].transform("size") == systems]
    values = (frame[[*names]].to_numpy(float) for names in (corpus.ratings, METRICS))
    tables = ((each - np.nanmean(each, axis=0)) / np.nanstd(each, axis=0) for each in values)
    ratings, metrics = (np.nan_to_num(each).reshape(-1, systems, each.shape[1]) for each in tables)
    words = [{*text.lower().split()} for text in frame["output"]]
    groups = (words[start : start + systems] for start in range(0, len(words), systems))
    return Rated(ratings, metrics, np.array([_diversity(texts) for texts in groups]))


def _diversity(texts: list[set[str]]) -> float:
    return 1 - float(np.mean([2 * len(a & b) / max(1, len(a) + len(b)) for a, b in combinations(texts, 2)]))


def _variance(pool: Rated) -> FloatArray:
    """Return the variance of metrics between outputs for an input."""
    values: FloatArray = pool.metrics.var(axis=1).mean(axis=1)
    return values


def _consistency(pool: Rated) -> FloatArray:
    """Return the correlation of a metric on an input with its system means."""
    within = pool.metrics - pool.metrics.mean(axis=1, keepdims=True)
    means = within.mean(axis=0)
    values = (within * means).sum(axis=1) / np.sqrt((within**2).sum(axis=1) * (means**2).sum(axis=0) + 1e-9)
    found: FloatArray = values.mean(axis=1)
    return found


def _disagreement(pool: Rated) -> FloatArray:
    """Return the negative mean correlation of two metrics on an input."""
    within = pool.metrics - pool.metrics.mean(axis=1, keepdims=True)
    within /= np.sqrt((within**2).sum(axis=1, keepdims=True)) + 1e-9
    values: FloatArray = -np.einsum("isa,isb->i", within, within)
    return values


def _top(utility: Callable[[Rated], FloatArray], pool: Rated, size: int, rng: np.random.Generator) -> Chosen:
    worth = utility(pool)
    return np.lexsort((rng.random(len(worth)), -worth))[:size], np.ones(size)


def _random(pool: Rated, size: int, rng: np.random.Generator) -> Chosen:
    return rng.permutation(len(pool.ratings))[:size], np.ones(size)


def _strata(pool: Rated, size: int, rng: np.random.Generator) -> Chosen:
    """Draw one input from each stretch of inputs that are sorted by their mean score, all equally probable."""
    order = np.argsort(pool.metrics.mean(axis=(1, 2)))
    return order[((np.arange(size) + rng.random()) * len(order) / size).astype(int)], np.ones(size)


def _balanced(pool: Rated, size: int, rng: np.random.Generator) -> Chosen:
    """Draw 200 samples and return that whose system means of metrics are nearest to those of all."""
    scores = pool.metrics.mean(axis=2)
    samples = np.argsort(rng.random((200, len(scores))), axis=1)[:, :size]
    return samples[np.argmin(((scores[samples].mean(axis=1) - scores.mean(axis=0)) ** 2).sum(axis=1))], np.ones(size)


def _weighted(pool: Rated, size: int, rng: np.random.Generator) -> Chosen:
    """Draw with probabilities that rise with the standard deviation of metrics; weights are their inverse."""
    spread = np.sqrt(_variance(pool))
    spread += spread.mean() / 4
    shares = size * spread / spread.sum()
    while (shares > 1).any():
        sure = shares >= 1
        shares = np.where(sure, 1.0, spread / spread[~sure].sum() * (size - sure.sum()))
    order = rng.permutation(len(spread))
    places = np.searchsorted(np.cumsum(shares[order]), np.arange(size) + rng.random()).clip(0, len(order) - 1)
    return order[places], 1 / shares[order[places]]


CHOICES: dict[str, Callable[[Rated, int, np.random.Generator], Chosen]] = {
    "random": _random,
    "one of each stratum of mean scores": _strata,
    "balanced: system means of scores as in all": _balanced,
    "probability by metric variance, weighted": _weighted,
    "highest metric variance": partial(_top, _variance),
    "highest metric consistency": partial(_top, _consistency),
    "highest metric disagreement": partial(_top, _disagreement),
    "most diverse outputs": partial(_top, lambda pool: pool.diversity),
}


def compare(rated: Rated, chosen: Chosen) -> tuple[float, ...]:
    """Return order accuracy, interval width, share that holds, exaggeration of differences, error of the means."""
    places, weights = chosen
    weights = weights / weights.sum()
    one, other = np.triu_indices(rated.ratings.shape[1], 1)
    gaps = rated.ratings[:, one] - rated.ratings[:, other]
    true, own = gaps.mean(axis=0), gaps[places]
    found = np.tensordot(weights, own, 1)
    n = len(places)
    errors = np.sqrt(np.tensordot(weights**2, (own - found) ** 2, 1) * n / (n - 1))
    half = stdtrit(n - 1, 0.975) * errors
    right = (1 + np.sign(found) * np.sign(true)) / 2
    bias = np.tensordot(weights, rated.ratings[places], 1).mean() - rated.ratings.mean()
    exaggeration = (found * true).sum() / (true**2).sum()
    return right.mean(), 2 * half.mean(), (np.abs(found - true) <= half).mean(), exaggeration, bias


def measure(name: str, times: int) -> pd.DataFrame:
    """Return the mean results of every choice and size on a corpus."""
    rated, rows = read(name), []
    for time in range(times):
        rng = np.random.default_rng([7, time])
        pool = rng.permutation(len(rated.ratings))[: int(POOL * len(rated.ratings))]
        for size in SIZES:
            for choice, draw in CHOICES.items():
                places, weights = draw(rated.take(pool), size, rng)
                rows.append((name, choice, size, *compare(rated, (pool[places], weights))))
    heads = ["corpus", "choice", "size", "right", "width", "holds", "exaggeration", "bias"]
    return pd.DataFrame(rows, columns=heads).groupby(["corpus", "choice", "size"], sort=False).mean().reset_index()


def lines(times: int) -> Iterator[str]:
    """Yield the lines of the table."""
    table = pd.concat([measure(name, times) for name in NAMES])
    base = table[table["choice"] == "random"].set_index(["corpus", "size"])
    keys = pd.MultiIndex.from_frame(table[["corpus", "size"]])
    table["better"] = table["right"].to_numpy() > base["right"].reindex(keys).to_numpy()
    table["width"] = table["width"].to_numpy() / base["width"].reindex(keys).to_numpy()
    table["bias"] = table["bias"].abs()
    yield f"Version {__version__}, {date.today()}: {times} draws from each of {', '.join(NAMES)}."
    yield ""
    yield (
        f"| choice | system pairs in the right order, {', '.join(map(str, SIZES))} inputs | "
        "corpora where better than random | width of intervals | intervals that hold | "
        "differences exaggerated, median | error of means |"
    )
    yield "| --- " * 7 + "|"
    for choice, own in table.groupby("choice", sort=False):
        of = own.groupby("size")
        cells = [f"{value:.3f}" for value in of["right"].mean()], map(str, of["better"].sum())
        ratios = [[f"{value:.2f}" for value in of[column].mean()] for column in ("width", "holds")]
        last = (
            [f"{value:.2f}" for value in of["exaggeration"].median()],
            [f"{value:.2f}" for value in of["bias"].mean()],
        )
        yield f"| {choice} | {' | '.join(', '.join(each) for each in (*cells, *ratios, *last))} |"


def main() -> None:
    """Measure every choice on every corpus and write the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.selection", description=__doc__)
    parser.add_argument("--times", type=int, default=200, help="draws of a corpus")
    replace_part(PAGE, "selection", "\n".join(lines(parser.parse_args().times)))


if __name__ == "__main__":
    main()
