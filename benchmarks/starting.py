"""`python -m benchmarks.starting`: what a fit with few ratings gains from starting at the general score, into its page.

Outputs of corpora, the general score not having learned from them: it, fits that start from it, and fits without it, on
inputs that were held out. Needs what `python -m benchmarks.general` needs.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.general import Cell, left_out, others
from benchmarks.results import replace_part
from rainbow import Corpus
from rainbow.base.arrays import FloatArray, IntArray
from rainbow.learned.learner.regressor import RainbowRegressor
from rainbow.learned.training.features import preset_features
from rainbow.metrics.general.regressions import RATINGS, expected_ratings, shipped_regressions
from rainbow.stats.correlation.weighted_correlation import weighted_correlations
from scripts.make_general import corpora, scored

PAGE = Path(__file__).parent.parent / "docs" / "learned-metrics.md"
RATED, DRAWS = (25, 50, 100, 300), 4
GENERAL = tuple(f"full_{rating}" for rating in RATINGS)
CELLS = (
    Cell("webnlg2020", "fluency", "naturalness", True),
    Cell("webnlg2020", "correctness", "quality", True),
    Cell("parabank", "meaning", "informativeness", True),
    Cell("e2e", "quality", "quality", True),
    Cell("rankme", "naturalness", "naturalness", True),
)


def main() -> None:
    """Measure everything and write the part of the page."""
    replace_part(PAGE, "starting", "\n".join(page()))


def page() -> Iterator[str]:
    """Return the lines of the table."""
    sizes = " | ".join(f"{size} rated" for size in RATED)
    yield f"| corpus, rating | general score | {sizes} | " + " | ".join(f"alone, {size}" for size in RATED) + " |"
    yield "| --- |" + " --- |" * (1 + 2 * len(RATED))
    learned = corpora()
    known = {**learned, **others()}
    for cell in CELLS:
        general, started, alone = _means(cell, known[cell.corpus], left_out(cell.corpus, learned))
        cells = [f"{value:.3f}" for value in (general, *started, *alone)]
        yield f"| {cell.corpus}, {cell.rating} | {' | '.join(cells)} |"


def _means(cell: Cell, corpus: Corpus, without: set[str]) -> tuple[float, FloatArray, FloatArray]:
    """Return the mean correlation over draws of the general score, and of fits with and without it by size."""
    own = f"full_{cell.predicted}" if cell.rating == cell.predicted else GENERAL
    table = preset_features("all", start="").fit(corpus).table(corpus)
    scores = scored(cell.corpus, corpus)
    general = expected_ratings(
        shipped_regressions("full", without),
        len(scores),
        lambda columns, _: scores.reindex(columns=list(columns)).to_numpy(float),
    )
    with_general = table.assign(**dict(zip(GENERAL, general.T, strict=True)))
    people = corpus.frame[cell.rating].to_numpy(float)
    found = np.zeros((1 + 2 * len(RATED), DRAWS))
    for draw in range(DRAWS):
        learnable, held_out = _halves(corpus, people, draw)
        found[0, draw] = _agreement(general[held_out, RATINGS.index(cell.predicted)], people[held_out])
        for place, size in enumerate(RATED, 1):
            rows = np.sort(np.random.default_rng(draw).permutation(learnable)[:size])
            for column, features, start in (
                (place, with_general, (own if isinstance(own, tuple) else (own,),)),
                (place + len(RATED), table, ()),
            ):
                fitted = RainbowRegressor(general=start).fit(features.iloc[rows], people[rows])
                found[column, draw] = _agreement(fitted.predict(features.iloc[held_out]), people[held_out])
    means = found.mean(axis=1)
    return means[0], means[1 : 1 + len(RATED)], means[1 + len(RATED) :]


def _halves(corpus: Corpus, people: FloatArray, draw: int) -> tuple[IntArray, IntArray]:
    """Return the rated rows for half of the inputs, and those for the others."""
    items = corpus.frame["item"].to_numpy()
    names = pd.unique(items)
    chosen = np.random.default_rng(draw).permutation(names)[: len(names) // 2]
    within = np.isin(items, chosen)
    rated = ~np.isnan(people)
    return np.flatnonzero(rated & within), np.flatnonzero(rated & ~within)


def _agreement(predicted: FloatArray, people: FloatArray) -> float:
    return float(weighted_correlations(predicted[:, None], people[:, None], np.ones((1, len(people))))[0, 0, 0])


if __name__ == "__main__":
    main()
