"""A reward function for verl."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from rainbow.corpus.rows import RowError, as_rows, check_lengths
from rainbow.serving.reward import Reward


def as_compute_score(reward: Reward) -> Callable[..., float]:
    """Return a function ``(data_source, solution_str, ground_truth, extra_info=None)``, as verl calls rewards.

    Assign it to ``compute_score`` in your own file, the path of verl's option ``custom_reward_function.path``.

    Parameters
    ----------
    reward : Reward
        Reward; its columns are `data_source`, `ground_truth`, and the keys of `extra_info`.

    Examples
    --------
    >>> from rainbow.serving import MetricScorer
    >>> compute_score = as_compute_score(Reward(MetricScorer("SE"), references="ground_truth"))
    >>> compute_score(data_source="e2e", solution_str="the inn", ground_truth=["the inn is cheap"], extra_info={})
    0.6666...
    """
    return partial(_compute_score, reward)


def solution_rewards(
    reward: Reward,
    data_sources: Sequence[Any],
    solution_strs: Sequence[str],
    ground_truths: Sequence[Any],
    extra_infos: Sequence[Mapping[str, Any] | None] | None = None,
) -> list[float]:
    """Return the reward of every solution for verl's batch reward manager."""
    size = len(as_rows("solution_strs", solution_strs))
    known: dict[str, Any] = {"data_source": data_sources, "ground_truth": ground_truths}
    check_lengths(size, {"data_sources": data_sources, "ground_truths": ground_truths}, subject="solution_strs")
    check_lengths(size, {"extra_infos": extra_infos}, subject="solution_strs")
    for row, info in enumerate(extra_infos or [], start=1):
        if info is not None and not isinstance(info, Mapping):
            raise RowError(row, f"extra_info: {info!r:.60} is not a mapping")
    infos = [info or {} for info in extra_infos or []]
    extra = {name: [info.get(name) for info in infos] for info in infos for name in info}
    return reward.numbers(solution_strs, extra | known)


def _compute_score(
    reward: Reward,
    data_source: str,
    solution_str: str,
    ground_truth: Any,
    extra_info: Mapping[str, Any] | None = None,
    **_others: Any,
) -> float:
    return solution_rewards(reward, [data_source], [solution_str], [ground_truth], [extra_info])[0]
