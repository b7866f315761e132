"""Agreement between the ratings of outputs that were rated more than once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.base.lazy import pd
from rainbow.stats.agreement.intraclass import reliability


class Repeats(NamedTuple):
    """Ratings of repeated outputs."""

    values: FloatArray  # a row per repeated output, a column for each time that it was rated, padded with NaN
    batches: IntArray  # batch number of each rating, from 0; -1 for none; same shape


def collect_repeats(
    frame: pd.DataFrame, rating: str, by: Sequence[str], batch: Sequence[str] = (), *, ranks: bool = False
) -> Repeats:
    """Collect the ratings of outputs that occur more than once."""
    rated = frame[frame[rating].notna()]
    batches = rated.groupby(list(batch), dropna=False).ngroup() if batch else 0
    rows = rated.assign(
        value=(rated[rating].rank() if ranks else rated[rating]).astype(float),
        batch=batches,
        group=rated.groupby(list(by), dropna=False, sort=False).ngroup(),
    )[["value", "batch", "group"]]
    rows["place"] = rows.groupby("group").cumcount()
    table = rows[rows.duplicated("group", keep=False)].pivot(index="group", columns="place")
    size = table.shape[1] // 2
    padded = table.to_numpy(float)
    return Repeats(padded[:, :size], np.nan_to_num(padded[:, size:], nan=-1).astype(np.intp))


def repeat_reliability(repeats: Repeats, groups: IntArray) -> float:
    """Return ICC(1,1) over repeated outputs, with batch means removed.

    Shapes: groups (groups,).
    """
    values, batches = repeats.values[groups], repeats.batches[groups]
    effects = _batch_effects(values, batches, int(repeats.batches.max()) + 1)
    return reliability(values - np.where(batches >= 0, effects[batches], np.nan), "1,1")


def _batch_effects(values: FloatArray, batches: IntArray, n_batches: int) -> FloatArray:
    """Return the additive effect of each batch, by least squares over shared outputs."""
    if n_batches == 1:
        return np.zeros(1)
    rated = batches >= 0
    indicators = (batches[:, :, None] == np.arange(n_batches)).astype(float)
    # Within an output only the batches differ (Frisch-Waugh), so that the outputs need no columns of their own.
    within = indicators - indicators.sum(axis=1, keepdims=True) / rated.sum(axis=1)[:, None, None]
    deviations = values - np.nanmean(values, axis=1, keepdims=True)
    return np.asarray(np.linalg.lstsq(within[rated], deviations[rated])[0])
