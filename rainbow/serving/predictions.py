"""Scores of predictions in one call, as in Hugging Face `evaluate`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypedDict

import numpy as np

from rainbow.base.aliases import INPUTS, accept_aliases, argument_for
from rainbow.corpus.rows import check_lengths, validate_references, validate_texts
from rainbow.serving.scorer_protocol import ScorerProtocol, default_scorer


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
