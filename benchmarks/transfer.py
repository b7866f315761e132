"""`python -m benchmarks.transfer`: the shipped models on corpora they never saw, into docs/learned-metrics.md."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.results import replace_part
from rainbow import Corpus, load_dataset, score_corpus
from rainbow.base.arrays import FloatArray, IntArray
from rainbow.datasets import judgements
from rainbow.learned.model.shipped import shipped_model
from rainbow.stats.correlation.weighted_correlation import weighted_correlations
from rainbow.stats.resampling.bootstrap import WeightedStatistic, bootstrap

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["CELLS", "MODELS", "PAGE", "Cell", "Measured", "judged_pairs", "measured_on", "page"]

PAGE = Path(__file__).parent.parent / "docs" / "learned-metrics.md"
MODELS = ("quality", "naturalness", "informativeness")
SUMMEVAL = "summeval"
TIMES = 500


class Cell(NamedTuple):
    """A rating of a corpus, and how agreement with it is measured: as correlation, or as the share of decided pairs."""

    dataset: str
    rating: str
    measure: Literal["Spearman", "pairs of a judgement", "pairs of an input"]


class Measured(NamedTuple):
    """Agreement by the weights of rows or pairs, (draws, n) to (draws, columns, 1), and the input of each of those."""

    statistic: WeightedStatistic
    items: NDArray[np.object_]


CELLS = (
    Cell("e2e", "quality", "pairs of a judgement"),
    *(Cell("rankme", rating, "pairs of an input") for rating in MODELS),
    *(
        Cell("webnlg2020", rating, "Spearman")
        for rating in ("fluency", "text_structure", "correctness", "data_coverage", "relevance")
    ),
)
WITH_REFERENCES = tuple(cell for cell in CELLS if cell.dataset in ("e2e", "rankme"))
SUMMARIES = tuple(Cell(SUMMEVAL, rating, "Spearman") for rating in ("relevance", "coherence", "consistency", "fluency"))


def main() -> None:
    """Measure everything and write the part of the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.transfer", description=__doc__)
    parser.add_argument("--summaries", type=Path, help="SummEval as a CSV file, for the second table")
    parser.add_argument("--out", type=Path, default=PAGE, help="the Markdown file to write")
    options = parser.parse_args()
    models, single = [f"{rating}-referenceless" for rating in MODELS], ["len", "slots_realised", "SIM"]
    replace_part(options.out, "elsewhere", "\n".join(page(CELLS, models, single)))
    models = [f"{rating}-{family}" for family in ("references", "top5") for rating in MODELS]
    cells = [*WITH_REFERENCES, *(SUMMARIES if options.summaries else ())]
    single = ["len", "METEOR", "chrF++"]
    replace_part(options.out, "with-references", "\n".join(page(cells, models, single, options.summaries)))


def page(cells: Sequence[Cell], models: list[str], single: list[str], summaries: Path | None = None) -> Iterator[str]:
    """Return the lines of a table: models, and beside them single columns as they are.

    Of these .5 less than a share of pairs, or minus a correlation, is what the same column gives turned round.
    """
    names = [f"`{name}`" for name in (*models, *single)]
    yield f"| corpus | rating | measure | {' | '.join(names)} |"
    yield f"| --- | --- | --- |{' --- |' * len(names)}"
    known: dict[str, tuple[Corpus, FloatArray]] = {}
    for cell in cells:
        if cell.dataset not in known:
            corpus = _corpus(cell.dataset, summaries)
            known[cell.dataset] = corpus, _scores(corpus, models, single)
        values, low, high, n = _agreement(cell, *known[cell.dataset])
        cells = [f"{value:.3f} ({a:.3f} to {b:.3f})" for value, a, b in zip(values, low, high, strict=True)]
        yield f"| {cell.dataset} | {cell.rating} | {cell.measure}, n = {n:,} | {' | '.join(cells)} |"


def _corpus(dataset: str, summaries: Path | None) -> Corpus:
    if dataset != SUMMEVAL:
        return load_dataset(dataset)
    ratings = [cell.rating for cell in SUMMARIES]
    return load_dataset(str(summaries), output="summary", references="golds", item="doc", ratings=ratings)


def _scores(corpus: Corpus, models: list[str], single: list[str]) -> FloatArray:
    learned = [shipped_model(name).predict(corpus) for name in models]
    return np.column_stack([*learned, score_corpus(corpus, single)[single].to_numpy(float)])


def _agreement(cell: Cell, corpus: Corpus, scores: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, int]:
    """Return the agreement of every column with a rating, the ends of its 95 % interval over inputs, and n."""
    measured = measured_on(cell, corpus, scores)
    values = measured.statistic(np.ones((1, len(measured.items))))[0, :, 0]
    bounds = bootstrap(measured.statistic, measured.items, "percentile", resamples=TIMES, rng=2017)
    return values, bounds.low[:, 0], bounds.high[:, 0], len(measured.items)


def measured_on(cell: Cell, corpus: Corpus, scores: FloatArray) -> Measured:
    """Return how the columns of scores (rows, columns) agree with a rating, and the input of each row or pair."""
    if cell.measure == "Spearman":
        rated = corpus.frame[cell.rating].to_numpy(float)
        rows = np.flatnonzero(~np.isnan(rated) & ~np.isnan(scores).any(axis=1))
        columns = scores[rows]

        def statistic(weights: FloatArray) -> FloatArray:
            return weighted_correlations(columns, rated[rows, None], weights)
    else:
        rows, worse = judged_pairs(corpus) if "judgement" in cell.measure else _input_pairs(corpus, cell.rating)
        right = (1 + np.sign(scores[rows] - scores[worse])) / 2

        def statistic(weights: FloatArray) -> FloatArray:
            return (weights @ right / weights.sum(axis=1)[:, None])[:, :, None]

    return Measured(statistic, corpus.frame["item"].to_numpy()[rows])


def judged_pairs(corpus: Corpus) -> tuple[IntArray, IntArray]:
    """Return the rows of the better and of the worse output for every pair that one judgement decided."""
    table = judgements(corpus.frame["dataset"].iloc[0])
    place = {key: row for row, key in enumerate(zip(corpus.frame["system"], corpus.frame["item"], strict=True))}
    table = table.assign(row=[place.get(key, -1) for key in zip(table["system"], table["item"], strict=True)])
    return _decided(table[(table["row"] >= 0) & table["value"].notna()], "judgement", "value")


def _input_pairs(corpus: Corpus, rating: str) -> tuple[IntArray, IntArray]:
    rated = corpus.frame.assign(row=range(len(corpus)))
    return _decided(rated[rated[rating].notna()], "item", rating)


def _decided(table: pd.DataFrame, together: str, value: str) -> tuple[IntArray, IntArray]:
    pairs = table[[together, value, "row"]].merge(table[[together, value, "row"]], on=together, suffixes=("", "_other"))
    decided = pairs[pairs[value] > pairs[f"{value}_other"]]
    return decided["row"].to_numpy(np.intp), decided["row_other"].to_numpy(np.intp)


if __name__ == "__main__":
    main()
