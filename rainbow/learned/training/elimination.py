"""Recursive feature elimination."""

from __future__ import annotations

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.base.lazy import pd

TREES, LEAF, SHARE_TRIED = 50, 5, 1 / 3
# If each split tries a single feature, importances depend on the random draw only.
MIN_TRIED = 2
# While there are many features a fifth of them goes at a time; the last ones go one by one.
SHARE_DROPPED, ONE_BY_ONE_FROM = 0.2, 10


def rank_features(scores: pd.DataFrame, ratings: FloatArray, seed: int = 2017) -> pd.Series[int]:
    """Rank features by recursive elimination of the least important ones.

    Source: Guyon, I., Weston, J., Barnhill, S. and Vapnik, V. (2002). Gene selection for cancer classification using
    support vector machines. Machine Learning 46.
    """
    from sklearn.ensemble import RandomForestRegressor

    filled = scores.fillna(scores.median()).fillna(0.0)
    left = list(scores.columns)
    ranks: dict[str, int] = {}
    while len(left) > 1:
        tried = min(len(left), max(MIN_TRIED, int(SHARE_TRIED * len(left))))
        forest = RandomForestRegressor(TREES, min_samples_leaf=LEAF, max_features=tried, random_state=seed)
        importance = forest.fit(filled[left].to_numpy(), ratings).feature_importances_
        dropped = 1 if len(left) <= ONE_BY_ONE_FROM else int(len(left) * SHARE_DROPPED)
        for place in np.argsort(importance, kind="stable")[:dropped]:
            ranks[left[place]] = len(scores.columns) - len(ranks)
        left = [name for name in left if name not in ranks]
    ranks |= dict.fromkeys(left, 1)
    return pd.Series([ranks[name] for name in scores.columns], index=scores.columns, name="rank", dtype=int)
