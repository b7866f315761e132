"""Scorers by name: a learned metric, a model file or a metric column."""

from __future__ import annotations

from pathlib import Path

from rainbow.serving.scorer_protocol import ScorerProtocol


def load_named_scorer(
    name: str | None = None, *, rating: str = "quality", low: float | None = None, high: float | None = None
) -> ScorerProtocol:
    """Load a scorer by name.

    Parameters
    ----------
    name : str, optional
        A model, as in :class:`rainbow.Scorer`, or a column, as in :class:`rainbow.serving.MetricScorer`.
    rating : str
        Rating that a model predicts, unless its name includes it.
    low, high : float, optional
        Bounds of a metric, replacing its own.

    Raises
    ------
    ValueError
        If there is no such metric or model, or bounds are given for a model.

    Examples
    --------
    >>> load_named_scorer("TER", low=-1), load_named_scorer("naturalness-top5")
    (MetricScorer('TER', low=-1, high=0.0), Scorer('naturalness-top5', low=1.0, high=6.0, needs=['references']))
    """
    from rainbow.metrics import find

    try:
        find(name or "")
    except ValueError as error:
        return _load_model(name, rating, low, high, str(error))
    from rainbow.serving.metric_scorer import MetricScorer

    return MetricScorer(str(name), low=low, high=high)


def _load_model(name: str | None, rating: str, low: float | None, high: float | None, no_metric: str) -> ScorerProtocol:
    from rainbow.learned.scorer import Scorer

    if low is not None or high is not None:
        raise ValueError("bounds can only be set for a metric: a model has its own")
    try:
        scorer: ScorerProtocol = Scorer(name, rating=rating)
    except ValueError as error:
        if name is None or Path(name).suffix:
            raise
        raise ValueError(f"{no_metric}, and it is not a model either: {error}") from None
    return scorer
