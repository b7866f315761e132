"""A rated corpus with all its scores and hashes of its content."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from rainbow.analysis.meta_evaluation import LENGTH
from rainbow.base.lazy import pd
from rainbow.scoring.table_cells import orient_metrics
from rainbow.stats.score_rounding import round_scores

_TEXTS = ("id", "system", "item", "mr", "output", "references")


@dataclass(frozen=True)
class RatedCorpus:
    """Outputs of one corpus with ratings and scores."""

    name: str
    frame: pd.DataFrame
    scores: tuple[str, ...]
    ratings: tuple[str, ...]
    higher_is_better: Mapping[str, bool | None]
    groups: Mapping[str, str]
    signatures: Mapping[str, str]
    judgements: pd.DataFrame | None = None

    def with_scores(
        self, scores: pd.DataFrame, higher_is_better: Mapping[str, bool | None], group: str, signature: str
    ) -> RatedCorpus:
        """Return the corpus with more scores, in the row order of the frame."""
        names = tuple(map(str, scores))
        if taken := [name for name in names if name in self.frame]:
            raise ValueError(f"{self.name} already has a column {taken[0]!r}: rename the score")
        return replace(
            self,
            frame=self.frame.assign(**{name: scores[name].to_numpy(float) for name in names}),
            scores=(*self.scores, *names),
            higher_is_better={**self.higher_is_better, **higher_is_better},
            groups={**self.groups, **dict.fromkeys(names, group)},
            signatures={**self.signatures, **{name: f"{name}|{signature}" for name in names}},
        )

    @cached_property
    def oriented_frame(self) -> pd.DataFrame:
        """The frame with unrounded scores oriented so that higher is better, and with output length."""
        rows = round_scores(self.frame, list(self.scores)).assign(dataset=self.name)
        length = [float(len(str(output).split())) for output in rows["output"]]
        return orient_metrics(rows, list(self.scores), self.higher_is_better).assign(**{LENGTH: length})

    @cached_property
    def texts_hash(self) -> str:
        """Hash of the outputs, their inputs and references, and the ratings."""
        texts = ["\x1f".join(map(_cell_text, self.frame[name])) for name in _TEXTS]
        return _digest(*map(str.encode, texts), self._numbers(self.ratings), self._judged())

    @cached_property
    def scores_hash(self) -> str:
        """Hash of all scores."""
        return _digest(*(name.encode() for name in self.scores), self._numbers(self.scores))

    def _numbers(self, names: Sequence[str]) -> bytes:
        return np.ascontiguousarray(self.frame[list(names)].to_numpy(float)).tobytes()

    def _judged(self) -> bytes:
        if self.judgements is None:
            return b""
        names = ["judgement", "item", "system", "criterion", "kind", "value"]
        return "\x1f".join(map(str, self.judgements[names].to_numpy().ravel())).encode()


def _cell_text(value: Any) -> str:
    return value if isinstance(value, str) else "\x1e".join(value)


def _digest(*parts: bytes) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()
