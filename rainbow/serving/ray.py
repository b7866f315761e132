"""A reward for a Ray cluster: one named actor scores for all trainers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rainbow.base.aliases import INPUTS, accept_aliases
from rainbow.base.arrays import FloatArray
from rainbow.base.lazy import ray
from rainbow.serving.named_scorer import ScorerProtocol, load_named_scorer
from rainbow.serving.reward import Reward
from rainbow.serving.shared_scorer import SharedScorer

CALLERS = 64  # concurrent calls of an actor; Ray queues the others


@accept_aliases(references=("reference",), inputs=INPUTS)
def reward_actor(
    model: str | ScorerProtocol | None = None,
    *,
    name: str = "rainbow-reward",
    namespace: str = "rainbow",
    references: str | None = None,
    inputs: str | None = None,
    rating: str = "quality",
    rescale: bool = False,
    max_characters: int | None = 2000,
    seconds: float = 300.0,
    **options: Any,
) -> Reward:
    """Return a reward whose scores come from a named Ray actor, started if it does not exist.

    The actor outlives the process that starts it. If its node dies, Ray restarts it and repeats pending calls.
    Concurrent calls are scored in one batch. The reward can be sent to other processes of the cluster and passed to
    :mod:`rainbow.serving.adapters`. Stop the actor with ``ray.kill(ray.get_actor(name, namespace))``.

    Parameters
    ----------
    model : str or ScorerProtocol, optional
        Model name or file on every node, metric column, or a scorer (restarted only while its creator runs).
    name, namespace : str
        Name and namespace of the actor.
    references, inputs, rescale, max_characters
        As in :class:`rainbow.serving.Reward`.
    rating : str
        Rating that a model predicts, unless its name includes it.
    seconds : float
        Timeout of a call, which includes restarts of the actor.
    **options
        Further Ray ``options``: ``num_cpus`` (default 1), ``runtime_env``, ``resources`` ...

    Raises
    ------
    RuntimeError
        If Ray is not installed.
    ValueError
        If there is no such model, or an actor of this name has another one.
    TimeoutError
        If the actor does not respond.
    """
    try:
        import ray
    except ImportError as error:
        raise RuntimeError("ray is not installed: pip install 'rainbow-nlg[ray]'") from error
    expected = load_named_scorer(model, rating=rating) if model is None or isinstance(model, str) else model
    settled = {"name": name, "namespace": namespace, "lifetime": "detached", "get_if_exists": True}
    lasting = {"max_restarts": -1, "max_task_retries": -1, "max_concurrency": CALLERS, "num_cpus": 1}
    actor = ray.remote(_Actor).options(**(lasting | options | settled)).remote(model, rating)
    scorer = ActorScorer(actor, expected, seconds)
    if (served := scorer.asked("metadata")) != (about := _scorer_identity(expected)):
        raise ValueError(f"the actor {name!r} serves {served}, not {about}: choose another name, or stop it (ray.kill)")
    return Reward(scorer, references=references, inputs=inputs, rescale=rescale, max_characters=max_characters)


class ActorScorer:
    """A scorer that delegates to a Ray actor."""

    def __init__(self, actor: Any, scorer: ScorerProtocol, seconds: float) -> None:
        self.actor, self.seconds = actor, seconds
        self.name, self.low, self.high, self.needs = scorer.name, scorer.low, scorer.high, scorer.needs

    def __repr__(self) -> str:
        return f"ActorScorer({self.name!r})"

    def __call__(
        self,
        outputs: Sequence[str],
        references: Sequence[Sequence[str]] | None = None,
        inputs: Sequence[str] | None = None,
    ) -> FloatArray:
        """Return the score of every output, shape (n,); NaN if undefined."""
        values: FloatArray = np.array(self.asked("score", outputs, references, inputs))  # arrays from Ray are read-only
        return values

    def asked(self, method: str, *arguments: Any) -> Any:
        """Return the result of a method of the actor."""
        try:
            return ray.get(getattr(self.actor, method).remote(*arguments), timeout=self.seconds)
        except ray.exceptions.GetTimeoutError:
            raise TimeoutError(f"the actor of {self.name} did not respond within {self.seconds:g} seconds") from None


class _Actor:
    """The actor: many Ray threads sharing one scorer."""

    def __init__(self, model: str | ScorerProtocol | None, rating: str) -> None:
        scorer = load_named_scorer(model, rating=rating) if model is None or isinstance(model, str) else model
        self.scorer = SharedScorer(scorer)

    def metadata(self) -> str:
        return _scorer_identity(self.scorer.scorer)

    def score(self, outputs: Sequence[str], references: Any, inputs: Any) -> FloatArray:
        return self.scorer(outputs, references, inputs)


def _scorer_identity(scorer: ScorerProtocol) -> str:
    """Return the properties that identify a scorer."""
    return f"{scorer.name} from {scorer.low:g} to {scorer.high:g}, with {sorted(scorer.needs)}"
