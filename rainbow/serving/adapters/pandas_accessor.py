"""The accessor ``df.rainbow`` for scoring data frames, registered on import."""

from __future__ import annotations

from typing import Any

import pandas as pd

from rainbow.base.aliases import INPUTS, accept_aliases
from rainbow.serving.named_scorer import ScorerProtocol
from rainbow.serving.row_scorer import RowScorer


@pd.api.extensions.register_dataframe_accessor("rainbow")
class RainbowAccessor:
    """Scoring of a data frame with one row per output, as ``df.rainbow``."""

    def __init__(self, frame: pd.DataFrame) -> None:
        self._frame = frame

    @accept_aliases(references=("reference",), inputs=INPUTS)
    def score(
        self,
        scorer: ScorerProtocol | None = None,
        *,
        output: str = "output",
        references: str | None = None,
        inputs: str | None = None,
        rating: str = "quality",
        model: Any = None,
    ) -> pd.Series[float]:
        """Return the score of every row, with the frame's index; NaN if undefined."""
        rows = RowScorer(scorer, references=references, inputs=inputs, rating=rating, model=model)
        columns = {str(name): column.tolist() for name, column in self._frame.items()}
        if output not in columns:
            raise ValueError(f"unknown column {output!r}: the columns are {', '.join(sorted(columns))}")
        return pd.Series(rows(columns[output], columns), index=self._frame.index, name=rows.scorer.name)
