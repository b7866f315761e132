"""How much a learned metric owes to each of its features."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.learned.learner.regressor import RainbowRegressor
from rainbow.stats.correlation.correlation import correlate

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["importances"]

SHUFFLES = 5


def importances(
    estimator: RainbowRegressor, table: pd.DataFrame, rated: FloatArray, *, seed: int = 2017
) -> pd.DataFrame:
    """Return how far the Spearman correlation with the ratings falls when a feature is shuffled among the rows.

    The estimator was fitted on other rows, on one rating; `table` has the features of these rows, and `rated` their
    ratings, NaN where there is none.

    Returns
    -------
    DataFrame
        A row per feature, the most important first: feature, importance (the mean fall over five shuffles), low and
        high (the smallest and the largest of them), rank. Features that say the same share what they are worth: if
        one is shuffled the other is still there.

    References
    ----------
    Breiman, L. (2001). Random forests. Machine Learning 45.

    Examples
    --------
    >>> import pandas as pd
    >>> x = np.arange(40.0)
    >>> table = pd.DataFrame({"signal": x, "constant": 1.0})
    >>> importances(RainbowRegressor().fit(table, x), table, x)[["feature", "rank"]].values.tolist()
    [['signal', 1], ['constant', 2]]
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
    found = pd.DataFrame(lines, columns=["feature", "importance", "low", "high"])
    found = found.sort_values("importance", ascending=False, kind="stable", ignore_index=True)
    return found.assign(rank=np.arange(1, len(found) + 1))
