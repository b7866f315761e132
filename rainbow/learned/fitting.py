"""From a corpus with ratings to models, tables of how good they are, and their cards."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rainbow.audit.audit import audit
from rainbow.base.progress import PartProgress
from rainbow.corpus import Corpus
from rainbow.learned.model.card import make_card, save_card
from rainbow.learned.model.model import Model
from rainbow.learned.model.model_file import save_model
from rainbow.learned.protocols.cross_validation import Statistics, cross_validate
from rainbow.learned.protocols.evaluation import Ceiling, evaluate_predictions, predictions_beside
from rainbow.learned.protocols.folds import assignments_in, iter_folds
from rainbow.learned.protocols.groups import DEFAULT_PROTOCOLS, JOINED_PROTOCOLS, NAMED, STRICT, row_groups
from rainbow.learned.protocols.lookup import lookup_table
from rainbow.learned.protocols.overlap import overlap_table
from rainbow.learned.protocols.prediction_intervals import coverage, half_width
from rainbow.learned.protocols.rating_classes import RatingClasses, class_tables
from rainbow.learned.training.features import Features
from rainbow.learned.training.importances import importances
from rainbow.learned.training.learn import Examples, Learned, Recipe, learn
from rainbow.metrics.contract.registry import all_columns

if TYPE_CHECKING:
    import pandas as pd


def applicable_protocols(corpus: Corpus) -> list[str]:
    """Return the default protocols that a corpus has enough systems, datasets, corpora, domains or templates for."""
    names = JOINED_PROTOCOLS if "corpus" in corpus.frame else DEFAULT_PROTOCOLS
    return [name for name in names if name == STRICT or _has_several(corpus.frame, name)]


def _has_several(frame: pd.DataFrame, protocol: str) -> bool:
    """Return whether there is more than one group of rows to hold out: plain texts have one template, say."""
    if protocol in NAMED:
        return bool(frame[NAMED[protocol]].nunique() > 1)
    return int(row_groups(frame, protocol).max(initial=0)) > 0


class Request(NamedTuple):
    """What is to be learned, and how it is to be measured."""

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
    # as from :func:`rainbow.analysis.agreement.best_ceilings.best_ceilings`
    ceilings: Mapping[str, Ceiling] = MappingProxyType({})
    # columns of scores that others computed, and whether higher is better: they are compared, not learned from
    external: Mapping[str, bool | None] = MappingProxyType({})


class Fitted(NamedTuple):
    """Models, one per rating, and tables by their names (``learned_protocols`` ...)."""

    models: list[Model]
    tables: dict[str, pd.DataFrame]

    def save(self, folder: Path, label: str) -> list[Path]:
        """Write each model to ``folder/LABEL-NAME.rainbow``, its card beside it; give the paths of the models."""
        paths = [save_model(model, folder / f"{label}-{model.name}.rainbow") for model in self.models]
        for model, path in zip(self.models, paths, strict=True):
            save_card(model.card, path)
        return paths


def fit(request: Request, progress: PartProgress = lambda what, steps: steps) -> Fitted:
    """Learn a metric of every rating, and measure how good it is on rows that it did not learn from."""
    _check_ratings(request)
    features = request.recipe.features
    if not isinstance(features, Features):
        raise ValueError("scores that others stored cannot be computed for new outputs: they can be measured only")
    features = features.fit(request.corpus)
    examples = Examples.of(request.corpus, request.ratings, request.recipe, features, request.known)
    tables = measure(request, examples, progress)
    tables |= _inspected(request, examples, features, tables["learned_folds"], progress)
    learned = learn(examples, np.arange(len(request.corpus)), request.recipe)
    if request.recipe.top is not None:
        tables["learned_elimination"] = _eliminations(request.ratings, learned)
    return Fitted([_model(request, features, one, place, tables) for place, one in enumerate(learned)], tables)


def _check_ratings(request: Request) -> None:
    """Refuse ratings that are all the same, or none: nothing can be learned of them."""
    for rating in request.ratings:
        known = request.corpus.frame[rating].dropna()
        if not len(known):
            raise ValueError(f"no output has a rating of {rating}: rainbow.score and `rainbow score` need none")
        if known.nunique() == 1:
            raise ValueError(
                f"{rating} is {known.iloc[0]:g} for every output: there is nothing to learn, name another rating"
            )


def measure(
    request: Request, examples: Examples | None = None, progress: PartProgress = lambda what, steps: steps
) -> dict[str, pd.DataFrame]:
    """Return ``learned_protocols``, ``_folds``, ``_overlap``, ``_lookup``, ``_predictions``, ``_classes``..."""
    if not request.ratings:
        raise ValueError("there is no rating to learn: name the columns of human ratings")
    if examples is None:
        features = request.recipe.features.fit(request.corpus)
        examples = Examples.of(request.corpus, request.ratings, request.recipe, features, request.known)
    held_out = cross_validate(
        request.corpus,
        request.ratings,
        request.recipe,
        list(dict.fromkeys([*request.protocols, STRICT])),
        statistics=request.statistics,
        examples=examples,
        progress=progress,
    )
    frame, predictions = request.corpus.frame, held_out.predictions
    assignments = assignments_in(frame, held_out.folds)
    return {
        "learned_protocols": _evaluated(request, predictions, examples.table),
        "learned_folds": held_out.folds,
        "learned_overlap": overlap_table(frame, assignments),
        "learned_lookup": lookup_table(frame, request.ratings, assignments),
        "learned_predictions": predictions,
        **class_tables(frame, predictions, resamples=request.resamples, seed=request.recipe.seed),
        **_beside_external(request, predictions),
    }


def _beside_external(request: Request, predictions: pd.DataFrame) -> dict[str, pd.DataFrame]:
    if not request.external:
        return {}
    return {"learned_external": predictions_beside(request.corpus.frame, predictions, request.external)}


def _evaluated(request: Request, predictions: pd.DataFrame, table: pd.DataFrame) -> pd.DataFrame:
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


def _eliminations(ratings: Sequence[str], learned: Sequence[Learned]) -> pd.DataFrame:
    import pandas as pd

    parts = [
        one.ranks.rename_axis("feature").reset_index().assign(rating=rating).sort_values("rank")
        for rating, one in zip(ratings, learned, strict=True)
        if one.ranks is not None
    ]
    return pd.concat(parts, ignore_index=True)[["rating", "feature", "rank"]]


def _inspected(
    request: Request, examples: Examples, features: Features, folds: pd.DataFrame, progress: PartProgress
) -> dict[str, pd.DataFrame]:
    """Measure importances and the audit on one fold of held-out rows, with what was learned from the others."""
    import pandas as pd

    (fold, *_) = [entry for entry in assignments_in(request.corpus.frame, folds) if entry.protocol == STRICT]
    train, test = next(iter(iter_folds(fold)))
    learned = learn(examples, train, request.recipe)
    held = request.corpus.take(test.tolist())
    parts = []
    audits = []
    for place, rating in progress("inspect", list(enumerate(request.ratings))):
        one, rated = learned[place], examples.ratings[test, place]
        table = importances(one.estimator, examples.table.iloc[test][one.columns], rated, seed=request.recipe.seed)
        parts.append(table.assign(rating=rating))
        model = _bare_model(request, features, one, place)
        audits.append(audit(model.predict, held, seed=request.recipe.seed).assign(rating=rating))
    return {
        "learned_importances": pd.concat(parts, ignore_index=True)[
            ["rating", "feature", "importance", "low", "high", "rank"]
        ],
        "learned_audit": pd.concat(audits, ignore_index=True),
    }


def _bare_model(request: Request, features: Features, one: Learned, place: int) -> Model:
    rated = request.corpus.frame[request.ratings[place]]
    return Model(
        name=f"{request.ratings[place]}-{request.name}",
        rating=request.ratings[place],
        low=float(rated.min()),
        high=float(rated.max()),
        features=features.only([name for name in one.columns if name in features.columns]),
        learner=one.estimator.learner_,
    )


def _model(request: Request, features: Features, one: Learned, place: int, tables: Mapping[str, pd.DataFrame]) -> Model:
    """Return the model of one rating with its interval and its card."""
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
        coverage=coverage(strict),
        notes=request.notes,
    )
    classes = RatingClasses.fit(rated, predicted)
    return dataclasses.replace(bare, half_width=half_width(rated, predicted), classes=classes, card=card)
