"""A scikit-learn scorer for estimators that predict texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from rainbow.serving.predictions import compute
from rainbow.serving.scorer_protocol import ScorerProtocol, default_scorer


def as_sklearn_scorer(
    scorer: ScorerProtocol | None = None,
    *,
    rating: str = "quality",
    model: Any = None,
    references: bool = True,
    n_jobs: int = 1,
) -> Callable[..., float]:
    """Return a callable ``(estimator, X, y=None) -> float`` for scikit-learn: higher is better.

    The result is the mean score of ``estimator.predict(X)``, NaN if no text can be scored. `y` holds a reference or a
    list of references per row, and `X` the inputs, if the scorer needs them. ``sklearn.metrics.make_scorer`` is not
    sufficient, because it requires `y` and does not pass `X` to the score function.

    Parameters
    ----------
    scorer : ScorerProtocol, optional
        Scorer; by default the learned :class:`rainbow.learned.scorer.Scorer` for `model` and `rating`.
    rating, model, n_jobs
        Rating, model and number of processes; used only if no scorer is given.
    references : bool
        Whether `y` holds references; if not, `y` is ignored.

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.model_selection import KFold, cross_val_score
    >>> from rainbow.serving import MetricScorer
    >>> inputs, references = [["cheap"]] * 6, ["the inn is cheap"] * 5 + ["the inn"]
    >>> scoring = as_sklearn_scorer(MetricScorer("SE"))
    >>> cross_val_score(DummyClassifier(), inputs, references, scoring=scoring, cv=KFold(3)).round(2)
    array([1.  , 1.  , 0.83])
    """
    return partial(_mean_score, default_scorer(scorer, model, rating, n_jobs=n_jobs), references)


def _mean_score(
    scorer: ScorerProtocol,
    references: bool,
    estimator: Any,
    X: Any,  # noqa: N803  # scikit-learn's name
    y: Sequence[Any] | None = None,
) -> float:
    given = y if references else None
    mrs = [str(mr) for mr in X] if "mrs" in scorer.needs else None
    return compute(predictions=list(estimator.predict(X)), references=given, inputs=mrs, scorer=scorer)["score"]
