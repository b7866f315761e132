"""`python -m benchmarks.recommended`: a combination learned from 80 ratings against simpler scores, into its page.

Eight rated corpora, the general score not having learned from them. Of half of the inputs 80 rated outputs are drawn:
the combination is learned from them, and the best single column is chosen on them. All are compared on other inputs.
Needs what `python -m benchmarks.general` needs.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from benchmarks.general import _over_corpora, left_out, others
from benchmarks.results import replace_part
from rainbow import Corpus
from rainbow.base.arrays import FloatArray, IntArray
from rainbow.learned.protocols.recommended import COMBINATION, GENERAL, LENGTH, SINGLE, Choices, RatedColumns
from rainbow.learned.training.features import preset_features
from rainbow.learned.training.learn import directed_columns
from rainbow.metrics.contract.registry import all_columns
from rainbow.metrics.general.regressions import RATINGS, expected_ratings, shipped_regressions
from rainbow.stats.correlation.weighted_correlation import weighted_correlations
from scripts.make_general import ANCHOR, corpora, scored

PAGE = Path(__file__).parent.parent / "docs" / "learned-metrics.md"
RATED, DRAWS = 80, 20
# Ratings of each corpus, and the general score of each.
CELLS = {
    **{name: {rating: rating for rating in RATINGS} for name in ("sfhotel", "sfrest", "bagel", "rankme")},
    "e2e": {"quality": "quality"},
    "webnlg2020": {"correctness": "quality", "data_coverage": "informativeness", "fluency": "naturalness"},
    "summeval": {
        "relevance": "informativeness",
        "fluency": "naturalness",
        "coherence": "quality",
        "consistency": "quality",
    },
    "realsumm": {"litepyramid_recall": "informativeness"},
}
SHOWN = (COMBINATION, SINGLE, GENERAL, LENGTH)
HEADS = ("corpus", "ratings", "combination", "best single column", "general score `full`", "length")


class _Scored(NamedTuple):
    """A corpus, all its columns, and the name that it was learned from under."""

    frame: pd.DataFrame
    source: str


def main() -> None:
    """Measure everything and write the part of the page."""
    replace_part(PAGE, "recommended", "\n".join(page()))


def page() -> Iterator[str]:
    """Yield the lines of the tables."""
    means = pd.DataFrame({name: _corpus_means(own, CELLS[name]) for name, own in _scored_corpora().items()}).T
    yield f"| {' | '.join(HEADS)} |"
    yield "| --- " * len(HEADS) + "|"
    for name, row in means.iterrows():
        yield f"| {name} | {len(CELLS[str(name)])} | {' | '.join(f'{row[score]:.3f}' for score in SHOWN)} |"
    yield f"| mean | | {' | '.join(f'{means[score].mean():.3f}' for score in SHOWN)} |"
    yield ""
    yield "| the combination less | mean gain, 95 % t interval over corpora | worse in |"
    yield "| --- | --- | --- |"
    for score in SHOWN[1:]:
        gains = means[COMBINATION] - means[score]
        mean, low, high = _over_corpora(gains)
        worse = ", ".join(map(str, gains.index[gains < 0])) or "none"
        yield f"| {score} | {mean:+.3f} ({low:+.3f} to {high:+.3f}) | {worse} |"


def _scored_corpora() -> dict[str, _Scored]:
    """Return the rows of each corpus with every column and the general scores that did not learn from it."""
    learned = corpora()
    known = {**learned, **{name: corpus for name, corpus in others().items() if name in CELLS}}
    tables = {name: _table(name, corpus, left_out(name, learned)) for name, corpus in known.items()}
    parts = {str(name): _Scored(part, ANCHOR) for name, part in tables.pop(ANCHOR).groupby("dataset", sort=False)}
    return {name: (parts | {one: _Scored(table, one) for one, table in tables.items()})[name] for name in CELLS}


def _table(name: str, corpus: Corpus, without: set[str]) -> pd.DataFrame:
    features = preset_features("all", "combination", start="").fit(corpus).table(corpus)
    scores = scored(name, corpus)
    general = expected_ratings(
        shipped_regressions("full", without),
        len(scores),
        lambda columns, _: scores.reindex(columns=list(columns)).to_numpy(float),
    )
    texts = corpus.frame.drop(columns=[column for column in features if column in corpus.frame])
    added = {f"full_{rating}": column for rating, column in zip(RATINGS, general.T, strict=True)}
    return pd.concat([texts.reset_index(drop=True), features.reset_index(drop=True)], axis=1).assign(**added)


def _corpus_means(own: _Scored, cells: dict[str, str]) -> pd.Series[float]:
    """Return the mean agreement of every score over ratings and draws."""
    table = pd.concat([_agreements(own.frame, rating, predicted) for rating, predicted in cells.items()], axis=1)
    return pd.Series(table.to_numpy(float).mean(axis=1), index=table.index)


def _agreements(frame: pd.DataFrame, rating: str, predicted: str) -> pd.Series[float]:
    rows = frame[frame[rating].notna()]
    names = [name for name in directed_columns(frame.columns) if not name.startswith("full_")]
    better = {name: all_columns()[name][0].higher_is_better for name in names}
    columns = RatedColumns.from_frame(rows, rating, Choices(names, names, f"full_{predicted}"), better)
    measured = []
    for draw in range(DRAWS):
        train, test = _draw(rows, np.random.default_rng(draw))
        ones = np.ones((1, len(test)))
        r = weighted_correlations(columns.predict(train, test), columns.rated[test][:, None], ones)
        measured.append(np.nan_to_num(r[0, :, 0]))
    means: FloatArray = np.mean(measured, axis=0)
    return pd.Series(dict(zip(columns.names, means.tolist(), strict=True)))


def _draw(rows: pd.DataFrame, rng: np.random.Generator) -> tuple[IntArray, IntArray]:
    """Return 80 rated rows for half of the inputs (more if that many have fewer rows), and those of the others."""
    items = pd.factorize(rows["item"])[0]
    order = rng.permutation(items.max() + 1)
    reached = np.cumsum(np.bincount(items)[order])
    inputs = max(len(order) // 2, int(np.searchsorted(reached, RATED)) + 1)
    within = np.isin(items, order[:inputs])
    return np.sort(rng.permutation(np.flatnonzero(within))[:RATED]), np.flatnonzero(~within)


if __name__ == "__main__":
    main()
