"""Reward function for reinforcement learning trainers, and for ranking."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

import numpy as np

from rainbow.base.aliases import INPUTS, accept_aliases
from rainbow.corpus.rows import RowError, as_rows, check_lengths
from rainbow.serving.named_scorer import ScorerProtocol
from rainbow.serving.row_scorer import RowScorer


class Reward:
    """A reward function that scores completions within the scale of the scorer.

    A completion that is blank or longer than `max_characters` gets the worst value, `scorer.low`, without being scored.
    So none stalls the training or gains by its length, and the policy learns to avoid such completions. Scores outside
    the scale, which a regression can give for unusual texts, are clipped.

    The reward is None if the row lacks something the scorer needs (e.g. a reference) or the score is NaN. TRL learns
    nothing from such a row, but counts None as 0 if another reward function has a value for it; with several reward
    functions use `rescale=True`, where 0 is the worst. Prefer a scorer without NaN, which the policy could exploit.

    Parameters
    ----------
    scorer : ScorerProtocol, optional
        By default the learned :class:`rainbow.learned.scorer.Scorer` for `model`, `rating` and the given columns.
    rating, model
        Rating and model; used only if no scorer is given.
    references : str, optional
        Dataset column of references: a string (one reference) or a list of strings per row.
    inputs : str, optional
        Dataset column of inputs; ``"prompt"`` for the prompt itself. Aliases: `input`, `mr`, `mrs`.
    rescale : bool
        Whether to map the scale, from `scorer.low` to `scorer.high`, to [0, 1].
    max_characters : int or None
        Length in characters of the longest completion that is scored; None for no limit.
    name : str, optional
        Name in logs, by default `scorer.name`; must be unique within a trainer.

    Raises
    ------
    ValueError
        If a required column is not given, the scale lacks a required bound, or `max_characters` is not positive.

    Notes
    -----
    Rewards are deterministic and stateless, start no threads or processes, and can be pickled if the scorer can, so
    they work in threads and spawned workers.

    Examples
    --------
    >>> from rainbow.serving import MetricScorer
    >>> reward = Reward(MetricScorer("SE"), references="target")
    >>> reward(
    ...     prompts=["inform(name=inn, price=cheap)"] * 4,
    ...     completions=["the inn is cheap", "the inn", "", "cheap " * 1000],
    ...     target=["the inn is cheap"] * 3 + [["the inn is cheap", "a cheap inn"]],
    ...     difficulty=[1, 1, 1, 1],
    ... )
    [1.0, 0.6666..., 0.0, 0.0]

    In training: ``trl.GRPOTrainer(model, reward_funcs=reward, train_dataset=dataset, ...)`` where the dataset has the
    columns `prompt` and `target`. The best of n candidates for one input needs the scorer alone:

    >>> candidates = ["inn cheap", "the inn is cheap", "it is"]
    >>> scores = reward.scorer(candidates, [["the inn is cheap"]] * 3)
    >>> max(zip(scores.tolist(), candidates))
    (1.0, 'the inn is cheap')
    """

    @accept_aliases(references=("reference",), inputs=INPUTS)
    def __init__(
        self,
        scorer: ScorerProtocol | None = None,
        *,
        rating: str = "quality",
        model: Any = None,
        references: str | None = None,
        inputs: str | None = None,
        rescale: bool = False,
        max_characters: int | None = 2000,
        name: str | None = None,
    ) -> None:
        self._rows = RowScorer(scorer, references=references, inputs=inputs, rating=rating, model=model)
        self.scorer, self.references, self.mrs = self._rows.scorer, references, inputs
        self.rescale, self.max_characters = rescale, max_characters
        # trainers log a reward function under this name; instances have none by default
        self.__name__ = name or self.scorer.name
        low, high = self.scorer.low, self.scorer.high
        if self.max_characters is not None and self.max_characters < 1:
            raise ValueError(f"max_characters is {self.max_characters}: use a positive number, or None for no limit")
        if not math.isfinite(low):
            raise ValueError(f"{self.scorer.name} has no lowest value for blank completions: set a lower bound")
        if self.rescale and not (math.isfinite(high) and low < high):
            raise ValueError(f"the scale of {self.scorer.name}, {low} to {high}, cannot be mapped to [0, 1]")

    def __call__(
        self,
        prompts: Sequence[Any],
        completions: Sequence[Completion],
        completion_ids: Sequence[Sequence[int]] | None = None,
        **columns: Any,
    ) -> list[float | None]:
        """Return the reward of every completion, None if undefined.

        Parameters
        ----------
        prompts : sequence
            One per completion.
        completions : sequence
            Strings, or lists of chat messages, of which the last assistant message counts.
        completion_ids : sequence, optional
            Ignored.
        **columns
            All other dataset columns and arguments of the trainer; only the named columns are used.

        Raises
        ------
        ValueError
            If a named column is missing, has another length, or holds values of the wrong type.
        """
        check_lengths(len(as_rows("completions", completions)), {"prompts": prompts}, subject="completions")
        return self.reward_rows(completions, {"prompt": prompts, **columns})

    def reward_rows(self, completions: Sequence[Completion], columns: Mapping[str, Any]) -> list[float | None]:
        """Return the reward of every completion; dataset columns are one mapping."""
        texts = _completion_texts(completions)
        references, inputs = self._rows.inputs(columns, len(texts), subject="completions")
        rewards = np.full(len(texts), float(self.scorer.low))
        rewards[self._rows_without_inputs(len(texts), references, inputs)] = np.nan
        longest = math.inf if self.max_characters is None else self.max_characters
        scorable = [bool(text.strip()) and len(text) <= longest for text in texts]
        rows = [row for row in range(len(texts)) if scorable[row] and not math.isnan(rewards[row])]
        if rows:
            chosen = (
                None if values is None else [values[row] for row in rows] for values in (texts, references, inputs)
            )
            try:
                rewards[rows] = self.scorer(*chosen)  # type: ignore[arg-type]
            except RowError as error:  # which names the row among those that are scored
                raise RowError(rows[error.row - 1] + 1, error.problem) from error
        low, high = self.scorer.low, self.scorer.high
        rewards = np.clip(rewards, low, high)
        if self.rescale:
            rewards = (rewards - low) / (high - low)
        return [None if math.isnan(reward) else reward for reward in rewards.tolist()]

    def numbers(self, completions: Sequence[Completion], columns: Mapping[str, Any]) -> list[float]:
        """Return numeric rewards; a missing reward becomes the lowest of the scale."""
        worst = 0.0 if self.rescale else float(self.scorer.low)
        return [worst if reward is None else reward for reward in self.reward_rows(completions, columns)]

    def one(self, completion: Completion, row: Mapping[str, Any]) -> float:
        """Return the reward of one completion and its row of columns."""
        (reward,) = self.numbers([completion], {name: [value] for name, value in row.items()})
        return reward

    def __repr__(self) -> str:
        return f"Reward({self.scorer!r}, references={self.references!r}, inputs={self.mrs!r}, name={self.__name__!r})"

    def _rows_without_inputs(
        self, size: int, references: list[tuple[str, ...]] | None, inputs: list[str] | None
    ) -> list[int]:
        """Return the rows that lack required references or inputs."""
        needs = self.scorer.needs
        return [
            row
            for row in range(size)
            if ("references" in needs and references is not None and not any(map(str.strip, references[row])))
            or ("mrs" in needs and inputs is not None and not inputs[row].strip())
        ]


def _completion_texts(completions: Sequence[Completion]) -> list[str]:
    texts = []
    for row, completion in enumerate(as_rows("completions", completions), start=1):
        try:
            texts.append(completion_text(completion))
        except ValueError as error:
            raise RowError(row, f"completion: {error}") from None
    return texts


Completion = str | Sequence[Mapping[str, Any]]


def completion_text(completion: Completion) -> str:
    """Return the string itself, or the text of the last assistant message."""
    if isinstance(completion, str):
        return completion
    if not _are_mappings(completion):
        raise ValueError(
            f"{completion!r:.60} is not a text: give a string (it may be empty) or a list of chat messages"
        )
    answers = [message for message in completion if message.get("role") == "assistant"]
    return _content_text(answers[-1].get("content")) if answers else ""


def _are_mappings(values: object) -> TypeGuard[Sequence[Mapping[str, Any]]]:
    return isinstance(values, Sequence) and all(isinstance(value, Mapping) for value in values)


def _content_text(content: object) -> str:
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if not _are_mappings(content):
        raise ValueError(f"the content {content!r:.80} is neither a string nor a list of parts with a type")
    return "".join(part.get("text") or "" for part in content if part.get("type") == "text")
