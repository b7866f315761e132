"""`python -m benchmarks.network`: the network beside the kernel on held-out rows of 2017, into docs/network.md.

What is predicted for held-out rows is kept in ``analysis/network/``, and not computed again.
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.results import replace_part
from rainbow import load_dataset
from rainbow.base.arrays import FloatArray
from rainbow.base.files import write_csv
from rainbow.learned.network.training import UNRATED_TIMES, Network
from rainbow.learned.protocols.cross_validation import cross_validate
from rainbow.learned.protocols.evaluation import evaluate_predictions
from rainbow.learned.protocols.folds import assign_folds
from rainbow.learned.training.fabrication import KINDS
from rainbow.learned.training.features import TEXTS, Features, feature_columns, network_texts
from rainbow.learned.training.learn import Examples, Recipe, learn
from rainbow.stats.correlation.correlation import correlate
from rainbow.stats.correlation.weighted_correlation import weighted_correlations
from rainbow.stats.resampling.bootstrap import bootstrap

if TYPE_CHECKING:
    import pandas as pd

    from rainbow.corpus import Corpus

__all__ = ["page", "recipes"]

log = logging.getLogger(__name__)

PAGE = Path(__file__).parent.parent / "docs" / "network.md"
KEPT = Path("analysis") / "network"
STRICT = "by-item-and-text"
PROTOCOLS = (STRICT, "leave-one-system-out", "leave-one-dataset-out", "by-template")
WEIGHTS = np.linspace(0, 0.5, 11)


def main() -> None:
    """Measure everything and write the parts of the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.network", description=__doc__)
    parser.add_argument("--out", type=Path, default=PAGE, help="the Markdown file to write")
    parser.add_argument("--nets", type=int, default=5, help="networks whose predictions are averaged")
    parser.add_argument("--no-mixture", action="store_true", help="leave the mixture with the kernel out")
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    corpus = load_dataset("emnlp2017")
    made = recipes(corpus, Network(nets=options.nets, device="cpu"))
    replace_part(options.out, "protocols", "\n".join(page(corpus, made)))
    if not options.no_mixture:
        replace_part(options.out, "mixture", "\n".join(_mixture(corpus, made)))


def recipes(corpus: Corpus, network: Network) -> dict[str, Recipe]:
    """Return what is measured, by the names that the table has."""
    alone = Recipe(Features((), network_texts(corpus)), "network", corrupted=False, network=network)
    return {
        "network": alone,
        "kernel": Recipe(Features(feature_columns("referenceless"), TEXTS)),
        "network, references alone": alone._replace(
            fabricated=("references",), rated=False, network=network._replace(steps=UNRATED_TIMES * network.steps)
        ),
        "network, all fabricated errors": alone._replace(fabricated=tuple(KINDS)),
    }


def page(corpus: Corpus, made: dict[str, Recipe]) -> Iterator[str]:
    """Return the lines of the table: Spearman (and RMSE) of informativeness, naturalness and quality."""
    yield "| protocol | what | informativeness | naturalness | quality |"
    yield "| --- | --- | --- | --- | --- |"
    scores = made["kernel"].features.fit(corpus).table(corpus)[list(made["kernel"].features.columns)]  # type: ignore[union-attr]
    better = dict.fromkeys(map(str, scores))
    for protocol in PROTOCOLS:
        for name, recipe in made.items():
            predictions = _kept(corpus, name, recipe, protocol)
            table = evaluate_predictions(corpus.frame, predictions, scores, better, rng=2017)
            pooled = table[(table["dataset"] == "all") & (table["system"] == "all")].set_index("rating")
            lines = [pooled.loc[rating] for rating in corpus.ratings]
            cells = [
                f"{row['spearman']:.3f} ({row['low']:.3f} to {row['high']:.3f}), {row['rmse']:.3f}" for row in lines
            ]
            yield f"| {protocol} | {name} | {' | '.join(cells)} |"
        metrics = [f"`{row['best_metric']}` {row['best_metric_spearman']:.3f}" for row in lines]
        yield f"| | best single metric | {' | '.join(metrics)} |"
        constants = [f"-, {row['constant_rmse']:.3f}" for row in lines]
        yield f"| | constant | {' | '.join(constants)} |"


def _kept(corpus: Corpus, name: str, recipe: Recipe, protocol: str) -> pd.DataFrame:
    import pandas as pd

    path = KEPT / f"{name.replace(', ', '-').replace(' ', '-')}-{recipe.network.nets}-{protocol}.csv"
    if not path.is_file():
        log.info(path.name)
        write_csv(path, cross_validate(corpus, list(corpus.ratings), recipe, [protocol]).predictions)
    return pd.read_csv(path, dtype={"id": str})


def _mixture(corpus: Corpus, made: dict[str, Recipe]) -> Iterator[str]:
    """Return the lines of the table: the kernel with some of the network, its weight chosen inside the training fold.

    Inside means: each two folds are left out together, so that no rating of a tested fold had a say in what its weight
    was chosen by.
    """
    fold = assign_folds(corpus.frame, STRICT).fold
    outer, inner = _left_out(corpus, made, fold)
    rated = corpus.frame[list(corpus.ratings)].to_numpy(float)
    yield "| rating | weights of the network | kernel | with the network | gain |"
    yield "| --- | --- | --- | --- | --- |"
    items = corpus.frame["item"].to_numpy()
    for place, rating in enumerate(corpus.ratings):
        alone, mixed, weights = np.empty(len(fold)), np.empty(len(fold)), []
        for number in range(fold.max() + 1):
            others = np.flatnonzero(fold != number)
            at = {name: inner[name][number][others, place] for name in inner}
            found = [correlate(_mixed(at["kernel"], at["network"], w), rated[others, place]).r for w in WEIGHTS]
            weights.append(WEIGHTS[int(np.argmax(found))])
            own = fold == number
            # Both are standardised as the rows are by which the weight was chosen.
            parts = [(outer[name][own, place] - at[name].mean()) / at[name].std() for name in ("kernel", "network")]
            alone[own] = parts[0]
            mixed[own] = (1 - weights[-1]) * parts[0] + weights[-1] * parts[1]
        both = np.column_stack([alone, mixed])

        def gain(counts: FloatArray, both: FloatArray = both, place: int = place) -> FloatArray:
            found = weighted_correlations(both, rated[:, [place]], counts)[:, :, 0]
            difference: FloatArray = (found[:, 1] - found[:, 0])[:, None, None]
            return difference

        bounds = bootstrap(gain, items, "percentile", resamples=1000, rng=2017)
        before, after = (correlate(column, rated[:, place]).r for column in both.T)
        chosen = ", ".join(f"{weight:.2f}" for weight in weights)
        said = f"{after - before:+.3f} ({bounds.low.item():+.3f} to {bounds.high.item():+.3f})"
        yield f"| {rating} | {chosen} | {before:.3f} | {after:.3f} | {said} |"


def _mixed(kernel: FloatArray, network: FloatArray, weight: float) -> FloatArray:
    own, other = ((part - part.mean()) / part.std() for part in (kernel, network))
    mixed: FloatArray = (1 - weight) * own + weight * other
    return mixed


def _left_out(
    corpus: Corpus, made: dict[str, Recipe], fold: np.ndarray
) -> tuple[dict[str, FloatArray], dict[str, dict[int, FloatArray]]]:
    """Return what is predicted for each fold by what was learned without it, and without another one besides."""
    outer, inner = {}, {}
    for name in ("kernel", "network"):
        recipe = made[name]
        path = KEPT / f"nested-{name}-{recipe.network.nets}.npz"
        if not path.is_file():
            np.savez(path, **_nested(corpus, recipe, fold))
        found = np.load(path)
        numbers = range(fold.max() + 1)
        outer[name] = found["outer"]
        inner[name] = {number: found[f"without{number}"] for number in numbers}
    return outer, inner


def _nested(corpus: Corpus, recipe: Recipe, fold: np.ndarray) -> dict[str, FloatArray]:
    features = recipe.features.fit(corpus)
    examples = Examples.of(corpus, list(corpus.ratings), recipe, features)
    numbers = range(fold.max() + 1)
    found = {f"without{number}": np.full(examples.ratings.shape, np.nan) for number in numbers}
    found["outer"] = np.full(examples.ratings.shape, np.nan)
    for left in [*((number,) for number in numbers), *combinations(numbers, 2)]:
        log.info("%s without folds %s", recipe.preset, left)
        learned = learn(examples, np.flatnonzero(~np.isin(fold, left)), recipe)
        for number in left:
            rows = np.flatnonzero(fold == number)
            table = examples.table.iloc[rows]
            predicted = np.column_stack([one.estimator.predict(table[one.columns]) for one in learned])
            without = [other for other in left if other != number]
            found[f"without{without[0]}" if without else "outer"][rows] = predicted
    return found


if __name__ == "__main__":
    main()
