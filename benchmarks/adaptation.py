"""`python -m benchmarks.adaptation`: what references of an unseen domain bring, into docs/learned-metrics.md.

A model learns from two of the datasets of 2017 and meets the third: as it is, and adapted to the third's references.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.results import replace_part
from rainbow import load_dataset
from rainbow.base.arrays import FloatArray
from rainbow.learned.model.model import Model
from rainbow.learned.training.features import TEXTS, Features, feature_columns
from rainbow.learned.training.learn import Examples, Recipe, learn
from rainbow.learned.training.several import joined
from rainbow.stats.correlation.weighted_correlation import weighted_correlations
from rainbow.stats.resampling.bootstrap import bootstrap

if TYPE_CHECKING:
    from rainbow import Corpus

PAGE = Path(__file__).parent.parent / "docs" / "learned-metrics.md"
DATASETS = ("sfrest", "sfhotel", "bagel")
RATINGS = ("informativeness", "naturalness", "quality")
SETS = ("all", "referenceless")
TIMES = 500


def main() -> None:
    """Measure everything and write the part of the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.adaptation", description=__doc__)
    parser.add_argument("--out", type=Path, default=PAGE, help="the Markdown file to write")
    replace_part(parser.parse_args().out, "adapted", "\n".join(page()))


def page() -> Iterator[str]:
    """Return the lines of the table."""
    corpora = {name: load_dataset(name) for name in DATASETS}
    yield f"| features | references | left out | n | {' | '.join(RATINGS)} |"
    yield f"| --- | --- | --- | ---: |{' --- |' * len(RATINGS)}"
    for features in SETS:
        predicted = {name: _predicted(features, corpora, name) for name in DATASETS}
        for place, what in enumerate(("none", "adapted to")):
            for left_out in (DATASETS, *([name] for name in DATASETS)):
                found = np.concatenate([predicted[name][place] for name in left_out])
                rated = np.concatenate([corpora[name].frame[list(RATINGS)].to_numpy(float) for name in left_out])
                items = np.concatenate([name + ":" + corpora[name].frame["item"] for name in left_out])
                label = "each in turn" if len(left_out) > 1 else left_out[0]
                cells = " | ".join(_cells(found, rated, items))
                yield f"| `{features}` | {what} | {label} | {len(rated):,} | {cells} |"


def _predicted(features: str, corpora: dict[str, Corpus], left_out: str) -> tuple[FloatArray, FloatArray]:
    """Return what models of the other datasets predict of this one, as they are and adapted, each (rows, ratings)."""
    training = joined({name: corpus for name, corpus in corpora.items() if name != left_out})
    recipe = Recipe(Features(feature_columns(features), TEXTS))
    fitted = recipe.features.fit(training)
    learned = learn(Examples.of(training, list(RATINGS), recipe, fitted), np.arange(len(training)), recipe)
    models = [
        Model(f"{rating}-{features}", rating, 1.0, 6.0, fitted.portable(), one.estimator.learner_)
        for rating, one in zip(RATINGS, learned, strict=True)
    ]
    met = corpora[left_out]
    both = ([model.predict(met) for model in chosen] for chosen in (models, [one.adapted(met) for one in models]))
    as_they_are, adapted = (np.column_stack(columns) for columns in both)
    return as_they_are, adapted


def _cells(predicted: FloatArray, rated: FloatArray, items: object) -> Iterator[str]:
    for place in range(len(RATINGS)):
        one, marks = predicted[:, [place]], rated[:, [place]]

        def statistic(weights: FloatArray, one: FloatArray = one, marks: FloatArray = marks) -> FloatArray:
            return weighted_correlations(one, marks, weights)

        value = statistic(np.ones((1, len(one)))).item()
        bounds = bootstrap(statistic, items, "percentile", resamples=TIMES, rng=2017)
        yield f"{value:.3f} ({bounds.low.item():.3f} to {bounds.high.item():.3f})"


if __name__ == "__main__":
    main()
