"""Indicators of the dialogue act of the meaning representation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.metrics.contract.base import Metric, make_columns
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.contract.registry import register

# The dialogue acts of the hotel and restaurant corpora (Wen et al. 2015).
ACTS = ("inform", "inform_only_match", "inform_no_match", "confirm", "select", "request", "reqmore", "goodbye")


@register
@dataclass(frozen=True)
class MeaningRepresentationType(Metric):
    """One-hot encoding of the dialogue act of the meaning representation.

    `type_other` covers all acts without their own column. These columns do not measure quality. They are features for
    learned metrics, because raters judge outputs for different acts differently.

    References
    ----------
    Wen, T.-H., Gašić, M., Mrkšić, N., Su, P.-H., Vandyke, D. and Young, S. (2015). Semantically conditioned LSTM-based
    natural language generation for spoken dialogue systems. EMNLP.

    Examples
    --------
    >>> metric = MeaningRepresentationType()
    >>> values = metric.score(Batch(["what else?"], inputs=["?reqmore()"]))
    >>> [column.name for column, value in zip(metric.columns, values[0]) if value]
    ['type_reqmore']
    """

    name = "mr-type"
    plain = "Dialogue act of the input: it says nothing about the output, but other scores depend on it."
    group = "meaning"
    columns = make_columns(
        {
            (f"type_{act}", None, 0.0, 1.0, f"input: {act.replace('_', ' ')}"): (
                f"Whether the dialogue act of the input is {act}."
            )
            for act in (*ACTS, "other")
        }
    )
    needs = frozenset({"mr"})
    surface_only = True

    def compute(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        values = np.zeros((len(rows), len(self.columns)))
        for position, row in enumerate(rows):
            meaning = batch.meanings[row]
            act = meaning.act if meaning else ""
            values[position, ACTS.index(act) if act in ACTS else len(ACTS)] = 1
        return values
