"""`python -m benchmarks.general`: the score of any text on corpora that it did not learn from, into its page.

Of the corpora that it learned from each is left out in turn. Needs the data in the folder that RAINBOW_DATA names, the
extras `likelihood` and `neural`, SmolLM2 and MiniLM; what was computed is kept in `.general/`.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import scipy.stats
from numpy.typing import NDArray

from benchmarks.results import replace_part
from rainbow import Corpus, load_dataset
from rainbow.base.arrays import FloatArray, IntArray
from rainbow.learned.model.model_file import read_shipped_model
from rainbow.meaning import parse_if_structured
from rainbow.metrics.contract.registry import all_columns, find
from rainbow.metrics.contract.views import Views
from rainbow.metrics.general.general_score import SPEEDS, general_columns, is_answer, omits_slots
from rainbow.metrics.general.regressions import RATINGS, expected_ratings, shipped_regressions
from rainbow.stats.correlation.weighted_correlation import weighted_correlations
from rainbow.stats.resampling.bootstrap import WeightedStatistic, bootstrap
from scripts.general_regressions import speed_columns
from scripts.make_general import ANCHOR, corpora, scored

PAGE = Path(__file__).parent.parent / "docs" / "lab" / "general-score.md"
SEED, TIMES = 7, 500
# Ratings of outputs of the same systems for the same inputs are left out together.
KIN = {"e2e": "rankme"}
INPUT_TEXTS = ("lik_input", "evaluator_input")  # columns that read the input as a text
DRAWN = {"resamples": TIMES, "rng": SEED}
BASELINES = ("METEOR", "BERTScoreF")
SHOWN = ("evaluator_adequacy", *BASELINES, "len")


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
        for rating, predicted in (
            ("relevance", "informativeness"),
            ("fluency", "naturalness"),
            ("consistency", "quality"),
        )
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
    Cell("conture", "impression", "quality", False),
)


class Measured(NamedTuple):
    """What scores say of the rows of a cell, turned so that higher is better, and what people say."""

    cell: Cell
    given: str  # what there is beside the outputs
    columns: pd.DataFrame  # `fast`, `full` and all single columns
    people: FloatArray
    items: NDArray[np.object_]

    @property
    def family(self) -> str:
        """Corpora of the same systems and inputs are one."""
        return KIN.get(self.cell.corpus, self.cell.corpus)


def main() -> None:
    """Measure everything and write the parts of the page."""
    rated = corpora()
    known = {**rated, **others()}
    measured = [_measured(cell, known[cell.corpus], rated) for cell in CELLS]
    values = [
        pd.Series(_statistic(one)(np.ones((1, len(one.people))))[0, :, 0], one.columns.columns) for one in measured
    ]
    chosen = [_chosen(place, measured, values) for place in range(len(measured))]
    replace_part(PAGE, "corpora", "\n".join(_table(measured, values, chosen)))
    replace_part(PAGE, "differences", "\n".join(_differences(measured, values, chosen)))
    replace_part(PAGE, "given", "\n".join(_by_given(known, rated)))


def _table(measured: Sequence[Measured], values: Sequence[pd.Series[float]], chosen: Sequence[str]) -> Iterator[str]:
    said = ("`fast`", "`full`", "`evaluator`", "METEOR", "BERTScore", "length", "chosen on the others")
    yield f"| {' | '.join(('corpus', 'rating', 'by', 'with', 'measure', *said))} |"
    yield "| --- " * 12 + "|"
    for one, value, name in zip(measured, values, chosen, strict=True):
        cell, n = one.cell, len(one.people)
        if cell.pairs:
            n = len(_decided(one.people, one.items)[0])
        intervals = _intervals(one, SPEEDS)
        entries = [
            *(cell.corpus, cell.rating, cell.predicted, one.given),
            f"{'pairs of an input' if cell.pairs else 'Spearman'}, n = {n:,}",
            *(f"{value[speed]:.3f} ({low:.3f} to {high:.3f})" for speed, (low, high) in intervals.items()),
            *(f"{value[plain]:.3f}" if plain in value else "-" for plain in SHOWN),
            f"{value[name]:.3f} `{name}`",
        ]
        yield f"| {' | '.join(entries)} |"


def _differences(
    measured: Sequence[Measured], values: Sequence[pd.Series[float]], chosen: Sequence[str]
) -> Iterator[str]:
    """Yield how much better the models are than baselines, on average over the corpora."""
    yield "| less | cells, corpora | `fast` | `full` |"
    yield "| --- | --- | --- | --- |"
    baselines: dict[str, list[str | None]] = {
        "METEOR, where there are references": ["METEOR" if one.cell.references else None for one in measured],
        "BERTScore, where there are references": ["BERTScoreF" if one.cell.references else None for one in measured],
        "the column chosen on the other corpora": [*chosen],
        "the length, long or short, whichever is better here": [
            max(("len", "-len"), key=value.__getitem__) for value in values
        ],
    }
    for label, names in baselines.items():
        cells = [(one, value, name) for one, value, name in zip(measured, values, names, strict=True) if name]
        families = [one.family for one, _, _ in cells]
        entries = []
        for speed in SPEEDS:
            # A share of pairs becomes the share in order less that of the others, as a correlation is.
            gains = [(1 + one.cell.pairs) * (value[speed] - value[name]) for one, value, name in cells]
            mean, low, high = _over_corpora(pd.Series(gains).groupby(families).mean())
            worse = sum(_is_worse(one, speed, name) for one, _, name in cells)
            entries.append(f"{mean:+.3f} ({low:+.3f} to {high:+.3f}), worse in {worse}")
        yield f"| {label} | {len(cells)}, {len(set(families))} | {' | '.join(entries)} |"


def _by_given(known: dict[str, Corpus], rated: dict[str, Corpus]) -> Iterator[str]:
    """Yield how `full` agrees with people where it is given nothing, the input, the references, or both."""
    yield "| corpus | rating | alone | input | references | both |"
    yield "| --- " * 6 + "|"
    for cell in {(cell.corpus, cell.rating): cell for cell in CELLS}.values():
        corpus = known[cell.corpus]
        scores = scored(cell.corpus, corpus)[[*speed_columns("full")]]
        agreements = [
            _agreement(cell, corpus, scores, hidden, rated)
            for hidden in ({"mr", "references"}, {"references"}, {"mr"}, set())
        ]
        yield f"| {cell.corpus} | {cell.rating} | {' | '.join(agreements)} |"


def _agreement(cell: Cell, corpus: Corpus, scores: pd.DataFrame, hidden: set[str], rated: dict[str, Corpus]) -> str:
    """Return how `full` agrees with people without some inputs; a dash if the corpus has no others."""
    if not all(any(corpus.frame[name]) for name in {"mr", "references"} - hidden):
        return "-"
    beside = scores if "references" in hidden else _read_beside_references(scores, corpus)
    kept = [name for name in scores if not hidden & find(str(name)).needs]
    said = _said(cell, corpus, beside[kept], "full", rated)
    people = corpus.frame[cell.rating].to_numpy(float)
    rows = ~np.isnan(said) & ~np.isnan(people)
    measured = Measured(
        cell, "", pd.DataFrame({"full": said[rows]}), people[rows], corpus.frame["item"].to_numpy()[rows]
    )
    return f"{_statistic(measured)(np.ones((1, rows.sum()))).item():.3f}"


def _over_corpora(gains: pd.Series[float]) -> tuple[float, float, float]:
    """Return the mean gain and its 95 % t interval: what another corpus might show."""
    low, high = scipy.stats.t.interval(0.95, len(gains) - 1, gains.mean(), scipy.stats.sem(gains))
    return float(gains.mean()), float(low), float(high)


def _is_worse(one: Measured, speed: str, name: str) -> bool:
    """Return whether the 95 % interval of the difference to a column is below 0."""
    statistic = _statistic(one._replace(columns=one.columns[[speed, name]]))
    bounds = bootstrap(lambda weights: np.diff(statistic(weights), axis=1), one.items, "percentile", **DRAWN)
    return bool(bounds.low.item() > 0)


def _chosen(place: int, measured: Sequence[Measured], values: Sequence[pd.Series[float]]) -> str:
    """Return the single column that is the best on the same rating of the other corpora, with as much at hand."""
    one = measured[place]
    alike = [
        value
        for other, value in zip(measured, values, strict=True)
        if other.family != one.family
        and (other.cell.predicted, other.cell.references) == (one.cell.predicted, one.cell.references)
    ]
    means = pd.concat(alike, axis=1).mean(axis=1)
    return str(means.loc[[name for name in values[place].index if name in means.index and name not in SPEEDS]].idxmax())


def _measured(cell: Cell, corpus: Corpus, rated: dict[str, Corpus]) -> Measured:
    scores = scored(cell.corpus, corpus)[[*speed_columns("full")]]
    if cell.references:
        scores = _read_beside_references(scores, corpus)
        scores = scores.join(scored(f"{cell.corpus}-bertscore", corpus, ["BERTScoreF"])["BERTScoreF"])
    else:
        scores = scores.drop(columns=[name for name in scores if "references" in find(str(name)).needs])
    learned = {speed: _said(cell, corpus, scores, speed, rated) for speed in SPEEDS}
    people = corpus.frame[cell.rating].to_numpy(float)
    kept = ~np.isnan(people) & ~np.isnan(learned["full"])
    columns = pd.DataFrame({**learned, **_turned(scores)}).loc[kept]
    given = ["input"] * any(corpus.frame["mr"]) + ["references"] * cell.references
    # A column that is missing somewhere, or the same everywhere, tells nothing here.
    told = columns.notna().all() & (columns.nunique() > 1)
    return Measured(cell, ", ".join(given), columns.loc[:, told], people[kept], corpus.frame["item"].to_numpy()[kept])


def _read_beside_references(scores: pd.DataFrame, corpus: Corpus) -> pd.DataFrame:
    """Return the scores without those of inputs that are not read because of what the references are."""
    inputs = [
        (tuple(said), mr, parse_if_structured(mr))
        for said, mr in zip(corpus.frame["references"], corpus.frame["mr"], strict=True)
    ]
    answered = np.array([slots is None and is_answer(said, mr) for said, mr, slots in inputs], dtype=bool)
    chosen_from = np.array([slots is not None and omits_slots(said, slots) for said, _, slots in inputs], dtype=bool)
    return scores.assign(
        **{name: scores[name].mask(answered) for name in map(str, scores) if name.startswith(INPUT_TEXTS)},
        **{name: scores[name].mask(chosen_from) for name in map(str, scores) if find(name).reads_slots},
    )


def _turned(scores: pd.DataFrame) -> dict[str, pd.Series[float]]:
    """Return the columns so that higher is better, those that have no direction both ways."""
    turned: dict[str, pd.Series[float]] = {}
    for name, column in scores.items():
        better = all_columns()[str(name)][0].higher_is_better
        turned |= {} if better is False else {str(name): column}
        turned |= {} if better else {f"-{name}": -column}
    return turned


def _said(cell: Cell, corpus: Corpus, scores: pd.DataFrame, speed: str, learned: Collection[str]) -> FloatArray:
    """Return what a shipped model says that starts from general scores without this corpus; of 2017 these alone."""
    regressions = shipped_regressions(speed, left_out(cell.corpus, learned))
    general = expected_ratings(
        regressions, len(scores), lambda columns, _: scores.reindex(columns=list(columns)).to_numpy(float)
    )
    if cell.corpus == ANCHOR:  # whose kernel is the models'
        return general[:, RATINGS.index(cell.predicted)]
    model = read_shipped_model(f"{cell.predicted}-{speed}")
    own = [name for name in model.features.columns if name not in general_columns(speed)]
    views = Views.from_corpus(corpus)
    table = pd.DataFrame(model.features.only(own).scores(views), columns=own)
    table[list(general_columns(speed))] = general
    return model.from_features(table[list(model.features.columns)].to_numpy(), model.features.texts_of(views))


def left_out(name: str, learned: Collection[str]) -> set[str]:
    """Return which of the corpora that were learned from are left out where outputs of a corpus are scored."""
    return {name, KIN.get(name, name)} & {*learned}


def _statistic(one: Measured) -> WeightedStatistic:
    """Return how each column agrees with people, for weights of the rows: a correlation, or the share of pairs."""
    columns = one.columns.to_numpy()
    if not one.cell.pairs:
        return lambda weights: weighted_correlations(columns, one.people[:, None], weights)
    better, worse = _decided(one.people, one.items)
    right = (1 + np.sign(columns[better] - columns[worse])) / 2

    def shares(weights: FloatArray) -> FloatArray:
        drawn = weights[:, better]  # an input is drawn with all its outputs
        return (drawn @ right / drawn.sum(axis=1)[:, None])[:, :, None]

    return shares


def _intervals(one: Measured, names: Sequence[str]) -> dict[str, tuple[float, float]]:
    """Return the 95 % interval over inputs of each column's agreement with people."""
    statistic = _statistic(one._replace(columns=one.columns[[*names]]))
    bounds = bootstrap(statistic, one.items, "percentile", **DRAWN)
    return dict(zip(names, zip(bounds.low[:, 0], bounds.high[:, 0], strict=True), strict=True))


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
        "conture": _drawn(load_dataset("conture"), "impression", 400),
    }


def _drawn(corpus: Corpus, rating: str, inputs: int) -> Corpus:
    """Return the rated outputs for so many drawn inputs."""
    rated = corpus.frame[corpus.frame[rating].notna()]
    chosen = np.random.default_rng(SEED).choice(rated["item"].unique(), inputs, replace=False)
    return corpus.take(np.flatnonzero(corpus.frame[rating].notna() & corpus.frame["item"].isin(chosen)).tolist())


def _webnlg(folder: Path) -> Corpus:
    corpus = load_dataset("webnlg2020")
    corpus = corpus.take(np.flatnonzero(corpus.frame["fluency"].notna()).tolist())
    texts = pd.read_csv(folder / "webnlg2020_references.csv").groupby("sid")["reference"].apply(tuple)
    references = [texts.get(int(sample), ()) for sample in corpus.frame["sample"]]
    return replace(corpus, frame=corpus.frame.assign(references=references))


def _translations(file: Path) -> Corpus:
    pairs = pd.read_csv(file).dropna().sample(250, random_state=SEED)
    return Corpus.from_texts(
        [*pairs["better"], *pairs["worse"]],
        [[text] for text in [*pairs["reference"]] * 2],
        item=[str(place) for place in [*pairs.index] * 2],
        better=[1.0] * len(pairs) + [0.0] * len(pairs),
    )


def _paraphrases(folder: Path) -> Corpus:
    judged = pd.read_csv(folder / "parabank_judgements.csv")
    rated = judged.groupby(["item", "reference", "output"], as_index=False)[["meaning", "grammar"]].mean()
    rated = rated.sample(400, random_state=SEED)
    return Corpus.from_texts(
        rated["output"].tolist(),
        [[text] for text in rated["reference"]],
        item=rated["item"].astype(str).tolist(),
        meaning=rated["meaning"].tolist(),
        grammar=rated["grammar"].tolist(),
    )


if __name__ == "__main__":
    main()
