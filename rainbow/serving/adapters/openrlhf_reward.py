"""A reward function for OpenRLHF."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from rainbow.base.lazy import torch
from rainbow.corpus.rows import RowError, check_lengths, validate_texts
from rainbow.serving.reward import Reward

ENDS = ("<|im_end|>", "<|endoftext|>", "<|eot_id|>", "<|end_of_text|>", "<end_of_turn>", "<eos>", "</s>")


def as_reward_func(reward: Reward, ends: Sequence[str] = ENDS) -> Callable[..., dict[str, Any]]:
    """Return a function ``(queries, prompts, labels)``, as OpenRLHF calls rewards.

    Assign it to ``reward_func`` in your own file, and pass the path of the file as ``--remote_rm_url``. If the trainer
    filters prompts by scores between 0 and 1, use a reward with ``rescale=True``.

    Parameters
    ----------
    reward : Reward
        Reward; its columns are `prompt` and `label` (option ``--label_key``).
    ends : sequence of str
        Special tokens at the end of a query, which are removed from the response.
    """
    return partial(_reward_func, reward, tuple(ends))


def query_rewards(
    reward: Reward, queries: Sequence[str], prompts: Sequence[str], labels: Sequence[Any], ends: Sequence[str] = ENDS
) -> list[float]:
    """Return the reward of every query, a prompt followed by its response."""
    texts, starts = validate_texts("query", queries), validate_texts("prompts", prompts)
    check_lengths(len(texts), {"prompts": starts, "labels": labels}, subject="queries")
    rows = enumerate(zip(texts, starts, strict=True), start=1)
    responses = [_response_text(row, query, prompt, tuple(ends)) for row, (query, prompt) in rows]
    return reward.numbers(responses, {"prompt": starts, "label": labels})


def _reward_func(
    reward: Reward,
    ends: tuple[str, ...],
    queries: Sequence[str],
    prompts: Sequence[str],
    labels: Sequence[Any],
    **_others: Any,
) -> dict[str, Any]:
    rewards = torch.tensor(query_rewards(reward, queries, prompts, labels, ends))
    return {"rewards": rewards, "scores": rewards, "extra_logs": {reward.__name__: rewards}}


def _response_text(row: int, query: str, prompt: str, ends: tuple[str, ...]) -> str:
    """Return the text after the prompt, up to the special tokens."""
    if not query.startswith(prompt):
        problem = f"query: {query!r:.60} does not start with its prompt {prompt!r:.60}: was it truncated?"
        raise RowError(row, problem)
    response = query.removeprefix(prompt).rstrip()
    while end := next(filter(response.endswith, ends), ""):
        response = response.removesuffix(end).rstrip()
    return response
