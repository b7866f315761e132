"""Reward functions for verifiers: tasks (from 0.4) and rubrics (earlier)."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from typing import Any

from rainbow.serving.reward import Reward


def as_rubric_reward(reward: Reward) -> Callable[..., float]:
    """Return a function ``(completion, prompt, answer, info, ...)`` for ``Rubric(funcs=[...])``.

    Parameters
    ----------
    reward : Reward
        Reward; its columns are `prompt`, `answer`, the keys of `info`, and further arguments of the Rubric.

    Examples
    --------
    >>> from rainbow.serving import MetricScorer
    >>> func = as_rubric_reward(Reward(MetricScorer("SE"), references="answer"))
    >>> func(prompt="Say it.", completion=[{"role": "assistant", "content": "the inn"}], answer="the inn", info={})
    1.0
    """
    func = partial(_rubric_reward, reward)
    func.__name__ = reward.__name__  # type: ignore[attr-defined]  # a Rubric logs a function under its name
    return func


def as_task_reward(reward: Reward) -> Callable[..., Coroutine[Any, Any, float]]:
    """Return an asynchronous function ``(task, trace)`` for the rewards of a task of ``verifiers.v1``.

    List it in ``TaskConfig.rewards``, or call it from a method of the task: ``return await quality(self.data, trace)``.

    Parameters
    ----------
    reward : Reward
        Reward; its columns are the fields of the task's data.

    Examples
    --------
    >>> import asyncio
    >>> from types import SimpleNamespace
    >>> from rainbow.serving import MetricScorer
    >>> quality = as_task_reward(Reward(MetricScorer("SE"), references="answer"))
    >>> trace = SimpleNamespace(last_reply="the inn")
    >>> asyncio.run(quality(task={"prompt": "Say it.", "answer": "the inn"}, trace=trace))
    1.0
    """
    return partial(_task_reward, reward)


def _rubric_reward(reward: Reward, completion: Any, info: Mapping[str, Any] | None = None, **others: Any) -> float:
    if not isinstance(completion, str):  # messages of some versions are not mappings
        completion = [message if isinstance(message, Mapping) else dict(message) for message in completion]
    return reward.one(completion, {**(info or {}), **others})


async def _task_reward(reward: Reward, task: Any, trace: Any) -> float:
    return reward.one(trace.last_reply, dict(task))
