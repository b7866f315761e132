"""Fitting of models to a rated corpus, with evaluation tables and model cards."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from rainbow.audit.audit import audit
from rainbow.audit.perturbations import TRAINING_PERTURBATIONS, suitable_kinds
from rainbow.base.arrays import FloatArray
from rainbow.base.lazy import pd
from rainbow.base.progress import PartProgress
from rainbow.corpus import Corpus
from rainbow.learned.learner.regressor import RainbowRegressor
from rainbow.learned.model.card import make_card, save_card
from rainbow.learned.model.model import Model
from rainbow.learned.model.model_file import save_model
from rainbow.learned.protocols.calibration import RatingClasses, class_tables, interval_coverage, interval_half_width
from rainbow.learned.protocols.cross_validation import Statistics, cross_validate
from rainbow.learned.protocols.evaluation import Ceiling, compare_external_scores, evaluate_predictions
from rainbow.learned.protocols.groups import (
    DEFAULT_PROTOCOLS,
    JOINED_PROTOCOLS,
    NAMED,
    STRICT,
    assign_folds,
    folds_table,
    iter_folds,
    row_groups,
)
from rainbow.learned.protocols.training_overlap import evaluate_lookup, overlap_table
from rainbow.learned.training.features import Features
from rainbow.learned.training.learn import Examples, LearnedMetric, Recipe, learn_metrics
from rainbow.metrics.contract.registry import all_columns
from rainbow.stats.correlation.correlation import correlate


def applicable_protocols(corpus: Corpus) -> list[str]:
    """Return the default protocols for which a corpus has enough groups to hold out."""
    names = JOINED_PROTOCOLS if "corpus" in corpus.frame else DEFAULT_PROTOCOLS
    groups = {name: corpus.frame[NAMED[name]] if name in NAMED else row_groups(corpus.frame, name) for name in names}
    return [name for name, own in groups.items() if name == STRICT or len(set(own)) > 1]


class Request(NamedTuple):
    """What to learn and how to evaluate it."""

    # the outputs and the names of their ratings
    corpus: Corpus
    ratings: list[str]
    recipe: Recipe  # how to learn
    name: str  # what the models are called after the rating: ``quality-NAME``
    protocols: Sequence[str]  # under which the recipe is measured
    statistics: Statistics = "all"  # as in :func:`~rainbow.learned.protocols.cross_validation.cross_validate`
    known: pd.DataFrame | None = None  # scores of the corpus computed before
    resamples: int = 1000  # draws for the intervals
    notes: Sequence[str] = ()  # sentences for the cards
    # the highest correlation that the agreement of raters allows with each rating, and its interval, where it is known,
    # as from :func:`rainbow.analysis.agreement.ceiling.best_ceilings`
    ceilings: Mapping[str, Ceiling] = MappingProxyType({})
    # columns of scores that others computed, and whether higher is better: they are compared, not learned from
    external: Mapping[str, bool | None] = MappingProxyType({})

    def examples(self) -> Examples:
        """Compute what is learned from, with the features fitted to the corpus."""
        features = self.recipe.features.fit(self.corpus)
        return Examples.from_corpus(self.corpus, self.ratings, self.recipe, features, self.known)


class FittedModels(NamedTuple):
    """Models, one per rating, and evaluation tables by name (``learned_protocols`` ...)."""

    models: list[Model]
    tables: dict[str, pd.DataFrame]

    def save(self, folder: Path, label: str) -> list[Path]:
        """Write each model to ``folder/LABEL-NAME.rainbow`` with its card, and return the model paths."""
        paths = [save_model(model, folder / f"{label}-{model.name}.rainbow") for model in self.models]
        for model, path in zip(self.models, paths, strict=True):
            save_card(model.card, path)
        return paths


def fit_models(request: Request, progress: PartProgress = lambda what, steps: steps) -> FittedModels:
    """Learn a metric of every rating, and evaluate it on held-out rows."""
    _check_ratings(request)
    examples = request.examples()
    features = examples.features
    if not isinstance(features, Features):
        raise ValueError(
            "external scores cannot be computed for new outputs: they can be evaluated, but not saved in a model"
        )
    tables = evaluate_recipe(request, examples, progress)
    tables |= _inspection_tables(request, examples, features, progress)
    learned = learn_metrics(examples, np.arange(len(request.corpus)))
    if request.recipe.top is not None:
        ranks = [one.ranks for one in learned if one.ranks is not None]
        tables["learned_elimination"] = _rating_table(
            request, [own.rename_axis("feature").reset_index().sort_values("rank") for own in ranks]
        )[["rating", "feature", "rank"]]
    return FittedModels(
        [_complete_model(request, features, one, place, tables) for place, one in enumerate(learned)], tables
    )


def _rating_table(request: Request, parts: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Return the tables of all ratings as one, with the rating as last column."""
    named = [part.assign(rating=rating) for part, rating in zip(parts, request.ratings, strict=True)]
    return pd.concat(named, ignore_index=True)


def _check_ratings(request: Request) -> None:
    """Raise ValueError if a rating is constant or missing."""
    for rating in request.ratings:
        known = request.corpus.frame[rating].dropna()
        if not len(known):
            raise ValueError(
                f"no output has a rating of {rating}: use rainbow.score or `rainbow score`, which need no ratings"
            )
        if known.nunique() == 1:
            raise ValueError(
                f"{rating} is {known.iloc[0]:g} for every output: there is nothing to learn; name another rating"
            )


def evaluate_recipe(
    request: Request, examples: Examples, progress: PartProgress = lambda what, steps: steps
) -> dict[str, pd.DataFrame]:
    """Return the evaluation tables: protocols, folds, overlap, lookup, predictions and classes."""
    protocols = list(dict.fromkeys([*request.protocols, STRICT]))
    held_out = cross_validate(examples, protocols, statistics=request.statistics, progress=progress)
    frame, (predictions, folds) = request.corpus.frame, held_out
    tables = {
        "learned_protocols": _evaluation_table(request, predictions, examples.table),
        "learned_folds": folds_table(frame, folds),
        "learned_overlap": overlap_table(frame, folds),
        "learned_lookup": evaluate_lookup(frame, request.ratings, folds),
        "learned_predictions": predictions,
        **class_tables(frame, predictions, resamples=request.resamples, seed=request.recipe.seed),
    }
    if request.external:
        tables["learned_external"] = compare_external_scores(frame, predictions, request.external)
    return tables


def _evaluation_table(request: Request, predictions: pd.DataFrame, table: pd.DataFrame) -> pd.DataFrame:
    """Return the agreement of predictions with ratings, with the model's name and preset."""
    scores = table[list(request.recipe.features.columns)]
    better = {name: column.higher_is_better for name, (column, _) in all_columns().items()}
    evaluation = evaluate_predictions(
        request.corpus.frame,
        predictions,
        scores,
        {name: better.get(name) for name in map(str, scores)},
        resamples=request.resamples,
        rng=request.recipe.seed,
        ceilings=request.ceilings,
    )
    evaluation.insert(0, "model", request.name)
    evaluation.insert(1, "preset", request.recipe.preset)
    return evaluation


def _inspection_tables(
    request: Request, examples: Examples, features: Features, progress: PartProgress
) -> dict[str, pd.DataFrame]:
    """Return importances and the audit on one held-out fold, with models of the other folds."""
    seed = request.recipe.seed
    train, test = next(iter_folds(assign_folds(request.corpus.frame, STRICT, seed=seed)))
    learned = learn_metrics(examples, train)
    held = request.corpus.take(test.tolist())
    kinds = suitable_kinds(held, TRAINING_PERTURBATIONS)
    importances, audits = [], []
    for place, one in progress("inspect", list(enumerate(learned))):
        table, rated = examples.table.iloc[test][one.columns], examples.ratings[test, place]
        importances.append(feature_importances(one.estimator, table, rated, seed=seed))
        audits.append(audit(_bare_model(request, features, one, place).predict, held, kinds=kinds, seed=seed))
    columns = ["rating", "feature", "importance", "low", "high", "rank"]
    return {
        "learned_importances": _rating_table(request, importances)[columns],
        "learned_audit": _rating_table(request, audits),
    }


def _bare_model(request: Request, features: Features, one: LearnedMetric, place: int) -> Model:
    """Return the model of one rating without interval, classes and card."""
    rated = request.corpus.frame[request.ratings[place]]
    return Model(
        name=f"{request.ratings[place]}-{request.name}",
        rating=request.ratings[place],
        low=float(rated.min()),
        high=float(rated.max()),
        features=features.only([name for name in one.columns if name in features.columns]),
        learner=one.estimator.learner_,
    )


def _complete_model(
    request: Request, features: Features, one: LearnedMetric, place: int, tables: Mapping[str, pd.DataFrame]
) -> Model:
    """Return the model of one rating with its interval, classes and card."""
    bare = _bare_model(request, features.portable(), one, place)
    predictions = tables["learned_predictions"]
    strict = predictions[(predictions["protocol"] == STRICT) & (predictions["rating"] == bare.rating)].dropna()
    rated, predicted = (strict[name].to_numpy(float) for name in ("rated", "predicted"))
    card = make_card(
        bare,
        request.corpus,
        request.recipe,
        tables,
        statistics=request.statistics,
        coverage=interval_coverage(strict),
        notes=request.notes,
    )
    classes = RatingClasses.fit(rated, predicted)
    return dataclasses.replace(bare, half_width=interval_half_width(rated, predicted), classes=classes, card=card)


SHUFFLES = 5


def feature_importances(
    estimator: RainbowRegressor, table: pd.DataFrame, rated: FloatArray, *, seed: int = 2017
) -> pd.DataFrame:
    """Return the drop in Spearman correlation when a feature is permuted among the rows.

    Source: Breiman, L. (2001). Random forests. Machine Learning 45.
    """
    rng = np.random.default_rng(seed)
    whole = correlate(estimator.predict(table), rated).r
    orders = [rng.permutation(len(table)) for _ in range(SHUFFLES)]
    lines = []
    for name in table.columns:
        shuffled = pd.concat([table.assign(**{name: table[name].to_numpy()[order]}) for order in orders])
        predicted = estimator.predict(shuffled).reshape(SHUFFLES, -1)
        falls = [whole - correlate(part, rated).r for part in predicted]
        lines.append((name, float(np.mean(falls)), min(falls), max(falls)))
    result = pd.DataFrame(lines, columns=["feature", "importance", "low", "high"])
    result = result.sort_values("importance", ascending=False, kind="stable", ignore_index=True)
    return result.assign(rank=np.arange(1, len(result) + 1))
