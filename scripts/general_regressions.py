"""Regressions of the general score on several corpora, by available inputs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.base.lazy import pd
from rainbow.metrics.contract.registry import all_columns
from rainbow.metrics.general.regressions import RATINGS, REACH, Regression
from rainbow.stats.estimation.signed_ridge import signed_ridge

# Ridge penalty: the best of 100, 300, 1,000, 3,000 and 10,000 with each corpus left out in turn.
ALPHA = 1000.0
# Factor for likelihoods given the input when references are available, which are more reliable.
STRONG_PENALTY = 3.0

_TEXT = ("class_slor", "class_end", "msp", "repeated_bigrams")
_CLASSES = ("class_mean", "doubled_words")
_SLOTS = ("slots_realised", "slots_missing", "slots_invented")
_REFERENCES = ("METEOR", "chrF++", "ROUGE", "TER")
_ALONE = ("lik_mean", "lik_sum", "lik_low3")
_INPUT = (
    "lik_input_mean",
    "lik_input_sum",
    "lik_input_low3",
    "evaluator_input_omitted",
    "evaluator_input_added",
    "len",
)
_REFERENCE_MODEL = (
    "lik_ref_mean",
    "lik_ref_sum",
    "lik_recall_mean",
    "lik_ref_low3",
    "BERTScoreR",
    "evaluator_adequacy",
)
_FLUENCY = "evaluator_text_fluency"
_READ_TEXT = (*_TEXT, "evaluator_text_disorder", _FLUENCY)
_BOTH = (*_REFERENCES, *_REFERENCE_MODEL, *_READ_TEXT, *_INPUT)
_INPUT_ALONE = (*_INPUT, *_READ_TEXT, *_CLASSES)

_TEXT_ALONE = (*_READ_TEXT, *_CLASSES, "len")
_LIKELY_ALONE = (*_ALONE, *_TEXT_ALONE)


class Part(NamedTuple):
    """Columns of one regression, and its share of each rating in a weighted mean of several."""

    columns: tuple[str, ...]
    informativeness: float = 1.0
    naturalness: float = 1.0
    quality: float = 1.0


# The regressions, those with the most requirements first; each is a weighted mean of some on few columns that mean the
# same everywhere: more columns would bring in habits of the rated systems.
_FAST = (
    (Part((*_REFERENCES, "BLEU4", *_TEXT, *_SLOTS, "len")),),
    (Part((*_SLOTS, "SIM", *_TEXT, *_CLASSES, "len")),),
    (Part((*_REFERENCES, "BLEU4", *_TEXT, "len")),),
    (Part((*_TEXT, *_CLASSES, "len")),),
)
# A regression that is given more does worse for some ratings than one that is given less: each has a share.
_FULL = (
    (
        Part((*_BOTH, *_SLOTS), 0.5, 0.5, 0.5),
        Part((*_INPUT_ALONE, *_SLOTS), 0.5, 0.5, 0.35),
        Part(_TEXT_ALONE, 0.0, 0.0, 0.15),
    ),
    (Part((*_INPUT_ALONE, *_SLOTS), 1.0, 1.0, 0.67), Part(_LIKELY_ALONE, 0.0, 0.0, 0.33)),
    (Part(_BOTH, 1.0, 0.5, 0.5), Part(_INPUT_ALONE, 0.0, 0.5, 0.35), Part(_TEXT_ALONE, 0.0, 0.0, 0.15)),
    (Part(_INPUT_ALONE, 1.0, 1.0, 0.67), Part(_LIKELY_ALONE, 0.0, 0.0, 0.33)),
    (Part((*_REFERENCES, *_REFERENCE_MODEL, *_READ_TEXT, "len"), 1.0, 0.9, 0.85), Part(_TEXT_ALONE, 0.0, 0.1, 0.15)),
    (Part(_LIKELY_ALONE),),
)
# `fast` runs no network; `full` does, except for texts that the columns of `fast` show to be too long.
PARTS: dict[str, Sequence[tuple[Part, ...]]] = {"fast": _FAST, "full": (*_FULL, *_FAST)}


class RatedScores(NamedTuple):
    """Rated outputs of a corpus.

    Shapes: rating (n,).
    """

    scores: pd.DataFrame  # a row per output, a column per score
    rating: FloatArray  # the ratings, shape (n,), NaN allowed
    worthless: pd.DataFrame | None = None  # scores of texts that say nothing of what was asked, in the same columns
    scale: bool = False  # whether the scores are to lie on the scale of these ratings


class _Rows(NamedTuple):
    """Training rows: scores (n, k), ranks and ratings (n,), and corpus numbers."""

    scores: FloatArray
    ranks: FloatArray
    ratings: FloatArray
    corpora: IntArray


def speed_columns(speed: str) -> tuple[str, ...]:
    """Return the distinct columns that the regressions of a speed use."""
    return tuple(dict.fromkeys(name for several in PARTS[speed] for part in several for name in part.columns))


def learn_regressions(rated: Mapping[str, Iterable[RatedScores]], speed: str) -> list[Regression]:
    """Learn the regressions of a speed from rated outputs of several corpora."""
    corpora = {rating: list(rated.get(rating, ())) for rating in RATINGS}
    fitted = {part.columns: _fit_ratings(part.columns, corpora) for several in PARTS[speed] for part in several}
    results = [_mean_regression([(fitted[part.columns], part) for part in several]) for several in PARTS[speed]]
    return [regression for regression in results if not np.isnan(regression.intercept).all()]


def _mean_regression(several: Sequence[tuple[Regression, Part]]) -> Regression:
    """Return the regression whose ratings are weighted means of those of several, on the columns of all."""
    shares = [np.array(part[1:]) for _, part in several]
    columns, mean, scale, coefficients, intercept = zip(*(regression for regression, _ in several), strict=True)
    weighted = [values * share[:, None] for values, share in zip(coefficients, shares, strict=True)]
    return Regression(
        tuple(name for names in columns for name in names),
        np.hstack(mean),
        np.hstack(scale),
        np.hstack(weighted),
        np.sum([value * share for value, share in zip(intercept, shares, strict=True)], axis=0),
    )


def _fit_ratings(columns: tuple[str, ...], parts: Mapping[str, Sequence[RatedScores]]) -> Regression:
    fitted = []
    for rating, corpora in parts.items():
        rows = _complete_rows(columns, corpora)
        fitted.append(_fit_regression(columns, rows, _unseen_columns(rating, columns)))
    mean, scale, coefficients, intercept = (np.array(part) for part in zip(*fitted, strict=True))
    return Regression(columns, mean, scale, coefficients, intercept)


def _unseen_columns(rating: str, columns: tuple[str, ...]) -> set[str]:
    """Return the columns that a rating ignores: for content, fluency, and length where slots measure content."""
    unseen = set() if rating == "naturalness" else {_FLUENCY}
    return unseen | ({"len"} if rating == "informativeness" and "slots_missing" in columns else set())


def _complete_rows(columns: tuple[str, ...], corpora: Sequence[RatedScores]) -> _Rows:
    """Return the rows that have all of these columns, worthless texts ranked below all others."""
    from scipy.stats import rankdata

    parts = [_Rows(np.zeros((0, len(columns))), np.zeros(0), np.zeros(0), np.zeros(0, np.intp))]
    anchored = any(corpus.scale for corpus in corpora)
    for number, corpus in enumerate(corpora):
        tables = [corpus.scores, *([] if corpus.worthless is None else [corpus.worthless])]
        scores = np.vstack([table.reindex(columns=list(columns)).to_numpy(float) for table in tables])
        rating = np.concatenate([corpus.rating, np.full(len(scores) - len(corpus.rating), -np.inf)])
        whole = ~np.isnan(scores).any(axis=1) & ~np.isnan(rating)
        ranks = rankdata(rating[whole]) / max(1, whole.sum())
        ratings = rating[whole] if corpus.scale else np.full(whole.sum(), np.nan) if anchored else 1 + 5 * ranks
        parts.append(_Rows(scores[whole], ranks, ratings, np.full(whole.sum(), number, np.intp)))
    return _Rows(*(np.concatenate(part) for part in zip(*parts, strict=True)))


def _fit_regression(
    columns: tuple[str, ...], rows: _Rows, unseen: set[str]
) -> tuple[FloatArray, FloatArray, FloatArray, float]:
    """Return mean, scale and coefficients of every column, and the intercept; NaN if undefined."""
    line = np.isfinite(rows.ratings)
    if not line.any():
        nothing = np.full(len(columns), np.nan)
        return nothing, nothing, nothing, np.nan
    corpora = np.unique(rows.corpora, return_inverse=True)[1]
    weights = 1 / np.sqrt(np.bincount(corpora))[corpora]
    weights *= len(weights) / weights.sum()
    mean = weights @ rows.scores / weights.sum()
    deviation = np.sqrt(weights @ (rows.scores - mean) ** 2 / weights.sum())
    scale = np.divide(1, deviation, where=deviation > 0, out=np.zeros_like(deviation))
    scale[[name in unseen for name in columns]] = 0.0
    steps = ((rows.scores - mean) * scale).clip(-REACH, REACH)
    within, aims = (_centre_groups(values, weights, corpora) for values in (steps, rows.ranks[:, None]))
    slopes = signed_ridge(within, aims[:, 0], weights, _column_directions(columns), _column_penalties(columns))
    slope, intercept = np.polyfit(steps[line] @ slopes, rows.ratings[line], 1)
    return mean, scale, slope * slopes, float(intercept)


def _column_penalties(columns: Sequence[str]) -> FloatArray:
    careful = "lik_ref_mean" in columns
    return np.array([ALPHA * (STRONG_PENALTY if careful and name.startswith("lik_input") else 1) for name in columns])


def _column_directions(columns: Sequence[str]) -> IntArray:
    better = [all_columns()[name][0].higher_is_better for name in columns]
    return np.array([0 if direction is None else 1 if direction else -1 for direction in better], dtype=np.intp)


def _centre_groups(values: FloatArray, weights: FloatArray, groups: IntArray) -> FloatArray:
    """Return values (n, columns) minus the weighted means of their groups."""
    totals = np.bincount(groups, weights)
    means = np.column_stack([np.bincount(groups, weights * column) / totals for column in values.T])
    centred: FloatArray = values - means[groups]
    return centred
