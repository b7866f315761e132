"""Forests: scikit-learn's own prediction beside that from flat arrays."""

from __future__ import annotations

import numpy as np

from benchmarks.comparisons import Comparison
from benchmarks.rows import Rows
from benchmarks.timing import Work
from rainbow.learned.learner.regression_trees import Trees

__all__ = ["forests"]

LEARNT_FROM = 2460
COLUMNS = 30
TARGETS = {1: 300, 64: 5, 1024: 1}


def forests() -> list[Comparison]:
    """Return the comparison for one row, 64 and 1,024: 100 trees, as many rows learned from as EMNLP 2017 has."""
    from sklearn.ensemble import RandomForestRegressor

    rng = np.random.default_rng(2017)
    scores = rng.normal(size=(LEARNT_FROM, COLUMNS))
    ratings = (scores[:, :5].sum(1) + rng.normal(size=LEARNT_FROM)).round(1)
    forest = RandomForestRegressor(100, max_features=2, min_samples_split=4, random_state=2017).fit(scores, ratings)
    trees = Trees.from_forest(forest)
    return [_comparison(size, forest, trees, rng.normal(size=(size, COLUMNS))) for size in TARGETS]


def _comparison(size: int, forest: object, trees: Trees, rows: np.ndarray) -> Comparison:
    turns = max(1, 256 // size)

    def theirs(_: object) -> np.ndarray:
        return [forest.predict(rows) for _ in range(turns)][-1]  # type: ignore[attr-defined]

    def ours(_: object) -> np.ndarray:
        return [trees.predict(rows)[:, 0] for _ in range(turns)][-1]

    def check() -> tuple[float, float]:
        return float(np.abs(ours(None) - theirs(None)).max()), 0.0

    counted = Rows("", [""] * (turns * size), [[]])  # time is given for each row predicted
    return Comparison(
        f"Forest of 100 trees, {trees.left.size:,} nodes: {size:,} rows at once",
        counted,
        {"scikit-learn": Work(theirs)},
        Work(ours),
        check=check,
        targets={"": TARGETS[size]},
    )
