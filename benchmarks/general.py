"""`python -m benchmarks.general`: the score of any text on corpora that it did not learn from, into its page.

Of the corpora that it learned from each is left out in turn. Needs the data in the folder that RAINBOW_DATA names, the
extra `likelihood` and SmolLM2; what was computed is kept in `.general/`.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from benchmarks.results import replace_part
from rainbow import Corpus, load_dataset
from rainbow.base.arrays import FloatArray, IntArray
from rainbow.learned.model.shipped import shipped_model
from rainbow.metrics.contract.views import Views
from rainbow.metrics.general.general_score import SPEEDS, general_columns
from rainbow.metrics.general.regressions import RATINGS, expected, shipped_regressions
from rainbow.stats.correlation.weighted_correlation import weighted_correlations
from rainbow.stats.resampling.bootstrap import WeightedStatistic, bootstrap
from scripts.make_general import corpora, scored

PAGE = Path(__file__).parent.parent / "docs" / "general-score.md"
SEED, TIMES = 7, 500
# Ratings of outputs of the same systems for the same inputs are left out together.
KIN = {"e2e": "rankme"}
REFERENCES = ("METEOR", "chrF++", "ROUGE", "TER", "BLEU4")


class Cell(NamedTuple):
    """A rating of a corpus, and the rating that is predicted for it."""

    corpus: str
    rating: str
    predicted: str
    references: bool
    pairs: bool = False


CELLS = (
    *(Cell("emnlp2017", rating, rating, False) for rating in RATINGS),
    *(Cell("emnlp2017", rating, rating, True) for rating in RATINGS),
    *(
        Cell("summeval", rating, predicted, False)
        for rating, predicted in (("relevance", "informativeness"), ("fluency", "naturalness"))
    ),
    Cell("summeval", "relevance", "informativeness", True),
    Cell("realsumm", "litepyramid_recall", "informativeness", True),
    *(
        Cell("webnlg2020", rating, predicted, references)
        for references in (False, True)
        for rating, predicted in (
            ("fluency", "naturalness"),
            ("correctness", "quality"),
            ("data_coverage", "informativeness"),
        )
    ),
    *(Cell("rankme", rating, rating, False, True) for rating in RATINGS),
    Cell("e2e", "quality", "quality", False, True),
    Cell("wmt2019_lt_en", "better", "quality", True, True),
    Cell("wmt2019_kk_en", "better", "quality", True, True),
    Cell("parabank", "meaning", "informativeness", True),
    Cell("parabank", "grammar", "naturalness", True),
)


def main() -> None:
    """Measure everything and write the part of the page."""
    replace_part(PAGE, "corpora", "\n".join(page()))


def page() -> Iterator[str]:
    """Return the lines of the table."""
    yield "| corpus | rating | by | with | measure | `fast` | `full` | METEOR | length |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    rated = corpora()
    known = {**rated, **others()}
    for cell in CELLS:
        corpus = known[cell.corpus]
        columns = _columns(cell, corpus, rated)
        people = corpus.frame[cell.rating].to_numpy(float)
        kept = ~np.isnan(people) & ~np.isnan(columns[:, [0, 1, 3]]).any(axis=1)
        values = _agreement(columns[kept], people[kept], corpus.frame["item"].to_numpy()[kept], cell.pairs)
        given = ["input"] if any(corpus.frame["mr"]) else []
        given += ["references"] if cell.references else []
        n = len(_decided(people[kept], corpus.frame["item"].to_numpy()[kept])[0]) if cell.pairs else int(kept.sum())
        measure = f"{'pairs of an input' if cell.pairs else 'Spearman'}, n = {n:,}"
        yield f"| {' | '.join([cell.corpus, cell.rating, cell.predicted, ', '.join(given), measure, *values])} |"


def _columns(cell: Cell, corpus: Corpus, rated: dict[str, Corpus]) -> FloatArray:
    """Return what `fast`, `full`, METEOR and length say of every row, shape (rows, 4)."""
    scores = scored(cell.corpus, corpus)
    if not cell.references:
        hidden = [name for name in scores if name in REFERENCES or name.startswith(("lik_ref", "lik_recall"))]
        scores = scores.assign(**dict.fromkeys(hidden, np.nan))
    learned = [_said(cell, corpus, scores, speed, rated) for speed in SPEEDS]
    return np.column_stack([*learned, scores["METEOR"], scores["len"]])


def _said(cell: Cell, corpus: Corpus, scores: pd.DataFrame, speed: str, learned: Collection[str]) -> FloatArray:
    """Return what a shipped model says; of a corpus that was learned from, what general scores say without it."""
    regressions = shipped_regressions(speed, left_out(cell.corpus, learned))
    general = expected(
        regressions, len(scores), lambda columns, _: scores.reindex(columns=list(columns)).to_numpy(float)
    )
    if cell.corpus in learned:
        return general[:, RATINGS.index(cell.predicted)]
    model = shipped_model(f"{cell.predicted}-{speed}")
    own = [name for name in model.features.columns if name not in general_columns(speed)]
    views = Views.of(corpus)
    table = pd.DataFrame(model.features.only(own).scores(views), columns=own)
    table[list(general_columns(speed))] = general
    return model.from_features(table[list(model.features.columns)].to_numpy(), model.features.texts_of(views))


def left_out(name: str, learned: Collection[str]) -> set[str]:
    """Return which of the corpora that were learned from are left out where outputs of a corpus are scored."""
    return {name, KIN.get(name, name)} & {*learned}


def _agreement(columns: FloatArray, rated: FloatArray, items: NDArray[np.object_], pairs: bool) -> Iterator[str]:
    """Yield how each column agrees with a rating, with the 95 % interval over inputs."""
    statistic: WeightedStatistic
    if pairs:
        better, worse = _decided(rated, items)
        right, items = (1 + np.sign(columns[better] - columns[worse])) / 2, items[better]

        def statistic(weights: FloatArray) -> FloatArray:
            return (weights @ right / weights.sum(axis=1)[:, None])[:, :, None]
    else:

        def statistic(weights: FloatArray) -> FloatArray:
            return weighted_correlations(columns, rated[:, None], weights)

    values = statistic(np.ones((1, len(items))))[0, :, 0]
    bounds = bootstrap(statistic, items, "percentile", resamples=TIMES, rng=SEED)
    for value, low, high in zip(values, bounds.low[:, 0], bounds.high[:, 0], strict=True):
        yield "-" if np.isnan(value) else f"{value:.3f} ({low:.3f} to {high:.3f})"


def _decided(rated: FloatArray, items: NDArray[np.object_]) -> tuple[IntArray, IntArray]:
    """Return the rows of the better and the worse output of every pair for one input that people told apart."""
    rows = pd.DataFrame({"item": items, "rated": rated, "row": range(len(rated))})
    found = rows.merge(rows, on="item", suffixes=("", "_other")).query("rated > rated_other")
    return found["row"].to_numpy(np.intp), found["row_other"].to_numpy(np.intp)


def others() -> dict[str, Corpus]:
    """Return drawn rows of the corpora that nothing was learned from."""
    folder = Path(os.environ["RAINBOW_DATA"]) / "general"
    return {
        "webnlg2020": _webnlg(folder),
        "e2e": _drawn(load_dataset("e2e"), "quality", 60),
        **{f"wmt2019_{pair}": _translations(folder / f"wmt2019_{pair}_pairs.csv") for pair in ("lt_en", "kk_en")},
        "parabank": _paraphrases(folder),
    }


def _drawn(corpus: Corpus, rating: str, inputs: int) -> Corpus:
    """Return the rated outputs for so many drawn inputs."""
    rated = corpus.frame[corpus.frame[rating].notna()]
    chosen = np.random.default_rng(SEED).choice(rated["item"].unique(), inputs, replace=False)
    return corpus.take(np.flatnonzero(corpus.frame[rating].notna() & corpus.frame["item"].isin(chosen)).tolist())


def _webnlg(folder: Path) -> Corpus:
    corpus = _drawn(load_dataset("webnlg2020"), "fluency", 50)
    texts = pd.read_csv(folder / "webnlg2020_references.csv").groupby("sid")["reference"].apply(tuple)
    references = [texts.get(int(sample), ()) for sample in corpus.frame["sample"]]
    return replace(corpus, frame=corpus.frame.assign(references=references))


def _translations(file: Path) -> Corpus:
    pairs = pd.read_csv(file).dropna().sample(250, random_state=SEED)
    return Corpus.of(
        [*pairs["better"], *pairs["worse"]],
        [[text] for text in [*pairs["reference"]] * 2],
        item=[str(place) for place in [*pairs.index] * 2],
        better=[1.0] * len(pairs) + [0.0] * len(pairs),
    )


def _paraphrases(folder: Path) -> Corpus:
    judged = pd.read_csv(folder / "parabank_judgements.csv")
    rated = judged.groupby(["item", "reference", "output"], as_index=False)[["meaning", "grammar"]].mean()
    rated = rated.sample(400, random_state=SEED)
    return Corpus.of(
        rated["output"].tolist(),
        [[text] for text in rated["reference"]],
        item=rated["item"].astype(str).tolist(),
        meaning=rated["meaning"].tolist(),
        grammar=rated["grammar"].tolist(),
    )


if __name__ == "__main__":
    main()
