"""The settings of a fit, shared by `rainbow fit`, notebooks and scripts."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Literal, NamedTuple

from rainbow.analysis.agreement.best_ceilings import all_ceilings, ceiling_intervals, missing_ceiling_reasons
from rainbow.base.lazy import pd
from rainbow.corpus import Corpus
from rainbow.corpus.text_profile import profile_outputs
from rainbow.learned.fitting import Request, applicable_protocols
from rainbow.learned.learner.regressor import Preset, check_preset
from rainbow.learned.protocols.cross_validation import Statistics
from rainbow.learned.training.features import Features, StoredColumns, feature_columns, preset_features
from rainbow.learned.training.learn import Recipe
from rainbow.text.languages.detection import ENGLISH

STARTS = ("fast", "full", "none")


class FitSettings(NamedTuple):
    """Settings for learning and evaluation, named like the options of `rainbow fit`."""

    model: str = "all"  # the feature set, a key of :data:`rainbow.learned.training.features.FEATURE_SETS`
    preset: Preset | None = None  # by default `default`, or `paper` where columns are chosen
    top: int | None = None  # how many columns are kept by recursive feature elimination
    start: str = "fast"  # the general score to start from: fast, full (asks SmolLM2), or none
    protocols: Sequence[str] = ()  # by default all that leak nothing and that the corpus has enough groups for
    scores: Literal["ours", "published"] = "ours"  # or those that a dataset brings along, for measuring only
    statistics: Statistics = "all"  # what corpus statistics are counted on
    seed: int = 2017  # of all that is drawn
    resamples: int = 1000  # draws for intervals


def make_request(
    corpus: Corpus,
    ratings: Sequence[str],
    settings: FitSettings,
    known: pd.DataFrame | None = None,
    external: Mapping[str, bool | None] = MappingProxyType({}),
) -> Request:
    """Return the request to learn these ratings, with their known ceilings."""
    names, corpus = list(ratings or corpus.ratings), corpus.with_language()
    if warning := profile_outputs(corpus.frame).mixture_warning(corpus.language):
        warnings.warn(warning, stacklevel=3)
    if unknown := [name for name in names if name not in corpus.frame]:
        raise ValueError(f"unknown rating {unknown[0]!r}: the ratings are {', '.join(corpus.ratings) or 'none'}")
    if settings.start not in STARTS:
        raise ValueError(f"unknown start {settings.start!r}: choose from {', '.join(STARTS)}")
    recipe = _make_recipe(corpus, settings)
    # People of several corpora used scales in their own ways: how high any metric could agree with all is not known.
    highest = all_ceilings(corpus.frame.iloc[:0] if "corpus" in corpus.frame else corpus.frame, names, settings.seed)
    return Request(
        corpus,
        names,
        recipe,
        _model_name(settings),
        list(settings.protocols) or applicable_protocols(corpus),
        settings.statistics,
        known=known,
        resamples=settings.resamples,
        notes=[
            f"The ceiling for {rating} is unknown: {reason}."
            for rating, reason in missing_ceiling_reasons(highest).items()
        ],
        ceilings=ceiling_intervals(highest),
        external=external,
    )


def _model_name(settings: FitSettings) -> str:
    """Return what a model is called after its rating."""
    if settings.preset == "combination":
        return settings.preset
    return f"top{settings.top}" if settings.top else settings.model


def _make_recipe(corpus: Corpus, settings: FitSettings) -> Recipe:
    preset = settings.preset or ("paper" if settings.top else "default")
    check_preset(preset)
    if settings.top and preset == "combination":
        raise ValueError("a combination chooses its columns itself: leave out --top")
    stored = settings.scores == "published"
    start = "" if settings.start == "none" else settings.start
    # A learner that starts from the general score needs no inputs, whatever its columns.
    is_started = bool(start) and corpus.language in (None, ENGLISH)
    has_inputs = is_started or bool(corpus.frame["mr"].str.strip().any())
    features: Features | StoredColumns = (
        _published_columns(corpus, settings.model)
        if stored
        else preset_features(settings.model, preset, bool(settings.top), start).suitable(corpus.language, has_inputs)
    )
    # A language model takes long to read copies, and knows what they are worth; the forest of 2017 had none.
    corrupted = preset == "default" and start != "full" and not stored
    return Recipe(features, preset, settings.top, corrupted, settings.seed)


def _published_columns(corpus: Corpus, model: str) -> StoredColumns:
    """Return the columns of a feature set that comes with a dataset."""
    # The one stored column that no metric here gives is the parser's score, a grammar-based one.
    wanted = {*feature_columns(model), *(["prs"] if "gbm" in model or "all" in model else [])}
    prefix = StoredColumns.prefix
    stored = [name.removeprefix(prefix) for name in map(str, corpus.frame) if name.startswith(prefix)]
    if not wanted & set(stored):
        raise ValueError("this dataset has no published scores for these metrics: use --scores ours")
    return StoredColumns(tuple(name for name in stored if name in wanted))
