"""A reward function for verl."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from rainbow.serving.reward import Reward

__all__ = ["as_compute_score"]


def as_compute_score(reward: Reward) -> Callable[..., float]:
    """Return a function ``(data_source, solution_str, ground_truth, extra_info=None)``, as verl calls rewards.

    The columns are `data_source`, `ground_truth`, and the keys of `extra_info`. In a file of yours
    ``compute_score = as_compute_score(...)``, whose path verl's option ``custom_reward_function.path`` names.

    Examples
    --------
    >>> from rainbow.serving import MetricScorer
    >>> compute_score = as_compute_score(Reward(MetricScorer("SE"), references="ground_truth"))
    >>> compute_score(data_source="e2e", solution_str="the inn", ground_truth=["the inn is cheap"], extra_info={})
    0.6666...
    """
    return partial(_compute_score, reward)


def _compute_score(
    reward: Reward,
    data_source: str,
    solution_str: str,
    ground_truth: Any,
    extra_info: Mapping[str, Any] | None = None,
    **_others: Any,
) -> float:
    return reward.one(solution_str, {**(extra_info or {}), "data_source": data_source, "ground_truth": ground_truth})
