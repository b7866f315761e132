"""Responses to JSON requests: scores with reasons, and rewards for OpenRLHF and verl."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from starlette.exceptions import HTTPException

from rainbow.corpus.rows import as_rows
from rainbow.serving.adapters import openrlhf_reward, verl_reward
from rainbow.serving.http.limits import Limits
from rainbow.serving.reward import Reward
from rainbow.serving.shared_scorer import SharedScorer

# Fields for one row and for many in HTTP calls of verl's function.
VERL = {"data_source": "data_sources", "solution_str": "solution_strs", "ground_truth": "ground_truths"}


class Responses:
    """Responses of one scorer; each method takes a request body."""

    def __init__(
        self,
        scorer: SharedScorer,
        references: str | None,
        mrs: str | None,
        *,
        rescale: bool,
        limits: Limits,
        count: Callable[[str, int], object],
    ) -> None:
        self.scorer, self.limits, self.count = scorer, limits, count
        named: dict[str, Any] = {"references": references, "mrs": mrs}
        missing = [need for need in sorted(scorer.needs) if named[need] is None]
        if len(missing) > 1 or (missing and any(named.values())):
            raise ValueError(f"{scorer.name} needs {' and '.join(sorted(scorer.needs))}: name the field of each")
        settled: Any = {"rescale": rescale, "max_characters": limits.characters}
        self.openrlhf_reward, self.verl_reward = (
            Reward(scorer, **(named | dict.fromkeys(missing, label)), **settled) for label in ("label", "ground_truth")
        )

    def score(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Return a score for every output, null where it has none, and the reason why."""
        outputs, references, mrs = _get_fields(body, ("outputs",), ("references", "mrs"))
        self._check_rows("outputs", outputs)
        result = self.scorer.score_with_reasons(outputs, references, mrs)
        missing = int(np.isnan(result.scores).sum())
        self.count("scored", len(result.scores) - missing)
        self.count("missing", missing)
        reasons = [reason or None for reason in result.reasons]
        return {"model": self.scorer.name, "scores": result.scores.tolist(), "reasons": reasons}

    def openrlhf(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Return the rewards of queries in the format of OpenRLHF's reward server."""
        queries, prompts, labels = _get_fields(body, ("query", "prompts"), ("labels",), more=True)
        size = self._check_rows("query", queries)
        labels = [None] * size if labels is None else labels
        rewards = openrlhf_reward.query_rewards(self.openrlhf_reward, queries, prompts, labels)
        self.count("rewarded", size)
        return {"rewards": rewards, "scores": rewards, "extra_logs": {self.openrlhf_reward.__name__: rewards}}

    def verl(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Return the score of one or many solutions, with verl's field names."""
        one = "solution_str" in body
        names = tuple(VERL if one else VERL.values())
        values = _get_fields(body, names, ("extra_info" if one else "extra_infos",), more=True)
        sources, solutions, truths, infos = [[value] for value in values] if one else values
        size = self._check_rows("solution_strs", solutions)
        rewards = verl_reward.solution_rewards(self.verl_reward, sources, solutions, truths, infos)
        self.count("rewarded", size)
        return {"score": rewards[0]} if one else {"scores": rewards}

    def _check_rows(self, name: str, values: Any) -> int:
        size = len(as_rows(name, values))
        if size > self.limits.rows:
            raise HTTPException(413, f"{name} has {size:,} entries: the limit is {self.limits.rows:,}")
        return size


def _get_fields(
    body: Mapping[str, Any], needed: tuple[str, ...], others: tuple[str, ...], *, more: bool = False
) -> list[Any]:
    """Return the values of these fields, None if absent; fields in `more` are ignored."""
    if missing := [name for name in needed if name not in body]:
        raise ValueError(f"missing field {missing[0]!r}: the fields are {', '.join((*needed, *others))}")
    if not more and (unknown := sorted(body.keys() - {*needed, *others})):
        raise ValueError(f"unknown field {unknown[0]!r}: the fields are {', '.join((*needed, *others))}")
    return [body.get(name) for name in (*needed, *others)]
