"""Train the models that come with the package, on the public data of Novikova et al. (2017).

Run from the root of the repository, with the data fetched or in the folder that RAINBOW_DATA names::

    python -m scripts.make_models [fast full top5]

`full` needs the extra `likelihood` and SmolLM2; the general scores come from ``python -m scripts.make_general``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from sys import argv
from typing import Any

import numpy as np

from rainbow.analysis.agreement.ceiling import all_ceilings, ceiling_intervals
from rainbow.cli.console import track
from rainbow.datasets import load_dataset
from rainbow.learned.fitting import Request, fit_models
from rainbow.learned.model.card import save_card
from rainbow.learned.model.model import Model
from rainbow.learned.model.model_file import SUFFIX, save_model
from rainbow.learned.protocols.groups import DEFAULT_PROTOCOLS
from rainbow.learned.training.features import TEXTS, Features, feature_columns
from rainbow.learned.training.learn import Examples, Recipe, learn_metrics
from rainbow.metrics.contract.registry import all_metrics
from rainbow.metrics.general.general_score import SPEEDS, LeftOut, general_columns, replace_general_options

TARGET = Path(__file__).resolve().parents[1] / "rainbow" / "learned" / "models"
DATASET = "emnlp2017"

_NEEDY = {
    column.name for metric in all_metrics().values() if metric.needs & {"mr", "java"} for column in metric.columns
}
# Of metrics that need neither a meaning representation nor Java. Without classes of words: they would be chosen first
# and leave no column for quality that looks at references.
COLUMNS = tuple(name for name in feature_columns("all") if name not in _NEEDY and not name.startswith("class_"))

RECIPES = {
    # No reference is looked at when it learns: general scores look at them where there are any.
    **{
        speed: Recipe(Features((*feature_columns("referenceless"), *general_columns(speed)), TEXTS, references=False))
        for speed in SPEEDS
    },
    # The metric of 2017: five of these columns.
    "top5": Recipe(Features(COLUMNS, view="surface"), top=5),
}

NOTES = (
    "How far it agrees with people on texts of other kinds, each corpus left out in turn: docs/general-score.md.",
    "Quality and naturalness hold a batch effect: texts rated under two systems got 1.05 points less quality as RNNLG "
    "than as LOLS. Text as it was formatted in 2017 tells the systems apart and would raise the correlation with "
    "quality by about .01; the model does not see it.",
)


def main() -> None:
    """Train, measure and write every model with its card, or those of the families that are named."""
    corpus = load_dataset(DATASET)
    ratings = list(corpus.ratings)
    for name, recipe in [(name, RECIPES[name]) for name in argv[1:] or RECIPES]:
        highest = ceiling_intervals(all_ceilings(corpus.frame, ratings, recipe.seed))
        request = Request(corpus, ratings, recipe, name, DEFAULT_PROTOCOLS, notes=NOTES, ceilings=highest)
        models = fit_models(request, lambda what, steps: track(steps, lambda step, what=what: what)).models
        for model in models if name not in SPEEDS else learned_in_full(request, models):
            path = save_model(model, TARGET / f"{model.name}{SUFFIX}")
            save_card(model.card, path)
            print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB")


def learned_in_full(request: Request, models: Sequence[Model]) -> Iterator[Model]:
    """Yield models that start from general scores which learned from this corpus too.

    Measured they were from scores that did not; those that score new texts should know all that there is.
    """
    features = request.recipe.features.fit(request.corpus)
    whole = _general(features, statistics=LeftOut())
    examples = Examples.from_corpus(request.corpus, request.ratings, request.recipe, whole)
    learned = learn_metrics(examples, np.arange(len(request.corpus)))
    shown = replace(_general(whole, references=True), references=True).portable()
    for model, one in zip(models, learned, strict=True):
        card = {**model.card, "features": shown.column_signatures()}
        yield replace(model, features=shown, learner=one.estimator.learner_, card=card)


def _general(features: Features, **changed: Any) -> Features:
    return replace(features, metrics=tuple(replace_general_options(features.metrics or (), **changed)))


if __name__ == "__main__":
    main()
