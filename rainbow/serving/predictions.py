"""Scores of predictions in one call, as in Hugging Face `evaluate`, and as a scorer of scikit-learn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypedDict

import numpy as np

from rainbow.base.aliases import INPUTS, accept_aliases, argument_for
from rainbow.corpus.rows import check_lengths, validate_references, validate_texts
from rainbow.serving.named_scorer import ScorerProtocol, default_scorer


class Result(TypedDict):
    """Result of :func:`compute`."""

    score: float
    scores: list[float]
    n: int
    rating: str | None
    model: str


@accept_aliases(predictions=("prediction",), references=("reference",), inputs=INPUTS)
def compute(
    *,
    predictions: Sequence[str],
    references: Sequence[str | Sequence[str] | None] | None = None,
    inputs: Sequence[str | None] | None = None,
    scorer: ScorerProtocol | None = None,
    rating: str = "quality",
    model: Any = None,
    n_jobs: int = 1,
) -> Result:
    """Return the mean score of the predictions, and the score of each.

    Parameters
    ----------
    predictions : sequence of str
        Generated texts.
    references : sequence, optional
        For each prediction a string (one reference), a list of strings, or None.
    inputs : sequence of str, optional
        The input of each prediction. Aliases: `input`, `mr`, `mrs`.
    scorer : ScorerProtocol, optional
        Scorer; by default the learned :class:`rainbow.learned.scorer.Scorer` for `model` and `rating`.
    rating, model, n_jobs
        Rating, model and number of processes; used only if no scorer is given.

    Returns
    -------
    dict
        `score`, the mean of the defined scores (NaN if there are none); `scores`, one per prediction, NaN if undefined;
        `n`, the number of defined scores; `rating` (None if a scorer was given); `model`, the name of the scorer.

    Raises
    ------
    ValueError
        If lengths differ, or something that the scorer needs is missing.

    Examples
    --------
    >>> from rainbow.serving import MetricScorer
    >>> compute(
    ...     predictions=["the inn is cheap", "inn"],
    ...     references=["the inn is cheap", ["an inn", "the inn"]],
    ...     scorer=MetricScorer("SE"),
    ... )
    {'score': 0.8333..., 'scores': [1.0, 0.6666...], 'n': 2, 'rating': None, 'model': 'SE'}
    """
    texts = validate_texts("predictions", predictions)
    check_lengths(len(texts), {"references": references, "inputs": inputs}, subject="predictions")
    sets = None if references is None else validate_references("references", references, single=True)
    meanings = None if inputs is None else validate_texts("mrs", inputs, optional=True)
    chosen = default_scorer(scorer, model, rating, n_jobs=n_jobs)
    for name, values in {"references": sets, "mrs": meanings}.items():
        if values is None and name in chosen.needs:
            raise ValueError(f"{chosen.name} needs {argument_for(name)}: pass {argument_for(name)}=")
    scores = chosen(texts, sets, meanings) if texts else np.empty(0)
    known = scores[~np.isnan(scores)]
    return {
        "score": float(known.mean()) if known.size else float("nan"),
        "scores": scores.tolist(),
        "n": int(known.size),
        "rating": rating if scorer is None else None,
        "model": chosen.name,
    }


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
