"""A scikit-learn scorer for estimators whose predictions are texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rainbow.serving.predictions import compute
from rainbow.serving.scores_texts import ScoresTexts, learned_scorer

__all__ = ["EstimatorScorer", "as_sklearn_scorer"]


@dataclass(frozen=True)
class EstimatorScorer:
    """The mean score of what an estimator predicts, as `scoring` of scikit-learn's model selection takes it."""

    scorer: ScoresTexts

    def __call__(self, estimator: Any, X: Any, y: Sequence[str | Sequence[str]] | None = None) -> float:  # noqa: N803
        """Return the mean score of ``estimator.predict(X)``, NaN where none of the texts can be scored.

        Parameters
        ----------
        estimator
            Its `predict` gives a text for every row of `X`.
        X
            What it predicts from; these are taken as the meaning representations where the scorer needs some.
        y
            For every row a reference or a list of references; None for a scorer that needs none.

        Raises
        ------
        ValueError
            If there are more or fewer predictions than references, or the scorer needs references and `y` is None.
        """
        predictions = list(estimator.predict(X))
        mrs = [str(mr) for mr in X] if "mrs" in self.scorer.needs else None
        return compute(predictions=predictions, references=y, mrs=mrs, scorer=self.scorer)["score"]


def as_sklearn_scorer(
    scorer: ScoresTexts | None = None,
    *,
    rating: str = "quality",
    model: Any = None,
    references: bool = True,
    n_jobs: int = 1,
) -> EstimatorScorer:
    """Return a callable ``(estimator, X, y) -> float`` for scikit-learn: higher is better.

    ``sklearn.metrics.make_scorer`` is not enough here, as it demands a `y` and keeps `X` from the score function.

    Parameters
    ----------
    scorer
        What scores texts; by default the learned :class:`rainbow.learned.scorer.Scorer` for `model` and `rating`.
    rating, model, references, n_jobs
        Which rating is predicted, by which model, whether against the references in `y`, in how many processes; only
        used where no scorer is given.

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
    return EstimatorScorer(learned_scorer(scorer, model, rating, references=references, n_jobs=n_jobs))
