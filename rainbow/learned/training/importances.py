"""Permutation importance of the features of a learned metric."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.learned.learner.regressor import RainbowRegressor
from rainbow.stats.correlation.correlation import correlate

if TYPE_CHECKING:
    import pandas as pd

SHUFFLES = 5


def feature_importances(
    estimator: RainbowRegressor, table: pd.DataFrame, rated: FloatArray, *, seed: int = 2017
) -> pd.DataFrame:
    """Return the drop in Spearman correlation when a feature is permuted among the rows.

    Source: Breiman, L. (2001). Random forests. Machine Learning 45.
    """
    import pandas as pd

    rng = np.random.default_rng(seed)
    whole = correlate(estimator.predict(table), rated).r
    orders = [rng.permutation(len(table)) for _ in range(SHUFFLES)]
    lines = []
    for name in table.columns:
        shuffled = pd.concat([table.assign(**{name: table[name].to_numpy()[order]}) for order in orders])
        predicted = estimator.predict(shuffled).reshape(SHUFFLES, -1)
        falls = [whole - correlate(part, rated).r for part in predicted]
        lines.append((name, float(np.mean(falls)), min(falls), max(falls)))
    result = pd.DataFrame(lines, columns=["feature", "importance", "low", "high"])
    result = result.sort_values("importance", ascending=False, kind="stable", ignore_index=True)
    return result.assign(rank=np.arange(1, len(result) + 1))
