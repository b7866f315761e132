"""`python -m benchmarks.chosen`: learned metrics beside single ones chosen elsewhere, into docs/learned-metrics.md.

Each corpus is left out in turn. The single metric is the one that agrees best with people on all others; the learned
one is a shipped model, which knows no rating but those of 2017.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.results import replace_part
from benchmarks.transfer import CELLS, MODELS, PAGE, Cell, Measured, measured_on
from rainbow import load_dataset, score_corpus
from rainbow.base.arrays import FloatArray, IntArray
from rainbow.learned.model.shipped import shipped_model
from rainbow.learned.training.features import feature_columns
from rainbow.metrics.contract.registry import all_columns
from rainbow.stats.resampling.bootstrap import bootstrap

# The model that speaks for a criterion that was not rated in 2017; the others have one of their own.
SPEAKS = {
    "fluency": "naturalness",
    "text_structure": "naturalness",
    "correctness": "informativeness",
    "data_coverage": "informativeness",
    "relevance": "informativeness",
}
OWN = tuple(Cell("emnlp2017", rating, "Spearman") for rating in MODELS)
TIMES = 500


class Beside(NamedTuple):
    """A rating, the single metric chosen for it, and how that and the learned metric agree with people."""

    cell: Cell
    chosen: str
    measured: Measured


def main() -> None:
    """Measure everything and write the part of the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.chosen", description=__doc__)
    parser.add_argument("--out", type=Path, default=PAGE, help="the Markdown file to write")
    replace_part(parser.parse_args().out, "chosen", "\n".join(page()))


def page() -> Iterator[str]:
    """Return the lines of the table; a share of pairs counts as the difference of right and wrong ones."""
    found = beside()
    differences = [_agreement(one.cell, one.measured)[0] for one in found]
    yield "| corpus | rating | single metric chosen on the others | its agreement | learned | difference |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for one, (learned, single) in zip(found, differences, strict=True):
        numbers = f"{single:.3f} | {learned:.3f} | {learned - single:+.3f}"
        yield f"| {one.cell.dataset} | {one.cell.rating} | `{one.chosen}` | {numbers} |"
    low, mean, high = mean_difference(found)
    yield f"| mean of all {len(found)} | | | | | {mean:+.3f} ({low:+.3f} to {high:+.3f}) |"


def beside() -> list[Beside]:
    """Return for every rating of a corpus that was not learned from what stands beside each other."""
    better = {name: column.higher_is_better for name, (column, _) in all_columns().items()}
    names = [name for name in feature_columns("referenceless") if better[name] is not None]
    signs = np.array([1 if better[name] else -1 for name in names])
    corpora = {name: load_dataset(name) for name in dict.fromkeys(cell.dataset for cell in (*CELLS, *OWN))}
    scores = {name: score_corpus(corpus, names)[names].to_numpy(float) * signs for name, corpus in corpora.items()}
    agreed: dict[str, list[FloatArray]] = defaultdict(list)
    for cell in (*CELLS, *OWN):
        columns = [measured_on(cell, corpora[cell.dataset], column[:, None]) for column in scores[cell.dataset].T]
        agreed[cell.dataset].append(np.array([_agreement(cell, column).item() for column in columns]))
    found = []
    for cell in CELLS:
        place = _best_elsewhere(agreed, cell.dataset)
        corpus, single = corpora[cell.dataset], scores[cell.dataset][:, place]
        learned = shipped_model(f"{SPEAKS.get(cell.rating, cell.rating)}-referenceless").predict(corpus)
        found.append(Beside(cell, names[place], measured_on(cell, corpus, np.column_stack([learned, single]))))
    return found


def mean_difference(found: Sequence[Beside]) -> tuple[float, float, float]:
    """Return the mean of learned less single over all ratings, between the ends of its 95 % interval over inputs."""
    inputs = [[f"{one.cell.dataset}:{item}" for item in one.measured.items] for one in found]
    known = list(dict.fromkeys(item for items in inputs for item in items))
    place = {item: at for at, item in enumerate(known)}
    rows: list[IntArray] = [np.array([place[item] for item in items]) for items in inputs]

    def statistic(weights: FloatArray) -> FloatArray:
        both = [_agreement(one.cell, one.measured, weights[:, at]) for one, at in zip(found, rows, strict=True)]
        return np.mean([learned_and_single @ [1.0, -1.0] for learned_and_single in both], axis=0)[:, None, None]

    bounds = bootstrap(statistic, known, "percentile", resamples=TIMES, rng=2017)
    return bounds.low.item(), statistic(np.ones((1, len(known)))).item(), bounds.high.item()


def _best_elsewhere(agreed: Mapping[str, Sequence[FloatArray]], left_out: str) -> int:
    """Return the place of the column with the best mean agreement on the other corpora, each counting the same."""
    means = [np.mean(ratings, axis=0) for dataset, ratings in agreed.items() if dataset != left_out]
    return int(np.nanargmax(np.mean(means, axis=0)))


def _agreement(cell: Cell, measured: Measured, weights: FloatArray | None = None) -> FloatArray:
    """Return agreement for weights (draws, n), all 1 by default, pairs as right less wrong ones: (draws, columns)."""
    weights = np.ones((1, len(measured.items))) if weights is None else weights
    values: FloatArray = measured.statistic(weights)[:, :, 0]
    return values if cell.measure == "Spearman" else 2 * values - 1


if __name__ == "__main__":
    main()
