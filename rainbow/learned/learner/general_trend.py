"""What scores tell of a text of any kind: for each row the regression that knows most of what the row has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Self

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.learned.learner.linear_trend import within_groups

__all__ = ["GeneralTrend", "Regression"]

# Ridge regression: coefficients are kept as small as this asks for. Of 100, 300, 1,000, 3,000 and 10,000 the one that
# does best where each corpus is left out in turn.
ALPHA = 1000.0
# In other corpora many scores lie far from the mean.
REACH = 2.5


class Regression(NamedTuple):
    """A regression of ratings on some columns of scores.

    Attributes
    ----------
    columns
        Where these stand among all columns, shape (k,).
    mean, scale
        What is taken from each score, and what the difference is multiplied by, shape (k,); at most 2.5 to either side.
    coefficients
        What the rating rises by for each, shape (k,).
    intercept
        The rating where all of them are 0.
    """

    columns: IntArray
    mean: FloatArray
    scale: FloatArray
    coefficients: FloatArray
    intercept: FloatArray

    @classmethod
    def fitted(
        cls,
        columns: IntArray,
        scores: FloatArray,
        targets: FloatArray,
        corpora: IntArray,
        directions: IntArray,
        line: tuple[FloatArray, IntArray],
    ) -> Self:
        """Return the regression learned from differences within corpora.

        Each corpus counts as the root of its size. Coefficients have the sign that the direction of their column says:
        what is good by its definition must not count as bad because it happened to be so in a few corpora.

        Parameters
        ----------
        columns
            As above.
        scores, targets
            Shape (n, k), without NaN, and (n,): relative ranks of the ratings within their corpus.
        corpora
            The number of every row's corpus, shape (n,).
        directions
            1 where higher is better, -1 where lower is, 0 where a coefficient may have either sign, shape (k,).
        line
            Ratings, shape (m,), and their rows among the n, from which the way back to their scale is learned.
        """
        from scipy.optimize import nnls

        weights = 1 / np.sqrt(np.bincount(corpora))[corpora]
        weights *= len(weights) / weights.sum()
        mean = weights @ scores / weights.sum()
        deviation = np.sqrt(weights @ (scores - mean) ** 2 / weights.sum())
        scale = np.divide(1, deviation, where=deviation > 0, out=np.zeros_like(deviation))
        rows = ((scores - mean) * scale).clip(-REACH, REACH)
        within, aims = within_groups(rows, weights, corpora), within_groups(targets[:, None], weights, corpora)[:, 0]
        root = np.linalg.cholesky((within * weights[:, None]).T @ within + ALPHA * np.eye(len(columns))).T
        # A column of either sign stands there twice, once turned round: least squares without negative coefficients.
        signs = np.concatenate([np.where(directions == 0, 1, directions), -np.ones((directions == 0).sum())])
        places = np.concatenate([np.arange(len(columns)), np.flatnonzero(directions == 0)])
        found, _ = nnls(root[:, places] * signs, np.linalg.solve(root.T, (within * weights[:, None]).T @ aims))
        slopes = np.bincount(places, signs * found, minlength=len(columns))
        slope, intercept = np.polyfit(rows[line[1]] @ slopes, line[0], 1)
        return cls(columns, mean, scale, slope * slopes, np.array([intercept]))

    def __call__(self, scores: FloatArray) -> FloatArray:
        """Return the expected ratings of rows of all columns, shape (m,), each row by itself."""
        rows = ((scores[:, self.columns] - self.mean) * self.scale).clip(-REACH, REACH)
        # Column by column: what a row gets, to the last bit, must not depend on the rows beside it.
        expected = np.full(len(rows), self.intercept[0])
        for column, coefficient in zip(rows.T, self.coefficients, strict=True):
            expected += coefficient * column
        return expected


class GeneralTrend:
    """Regressions on more and fewer columns: each row is told by the first of which it has all columns.

    Parameters
    ----------
    regressions
        Those that know most first: with references and an input, with one of them, with neither.
    median
        What a missing score of each column counts as in explanations, shape (columns,).

    Examples
    --------
    >>> import numpy as np
    >>> one = Regression(np.array([1]), np.zeros(1), np.ones(1), np.array([2.0]), np.array([3.0]))
    >>> other = Regression(np.array([0]), np.zeros(1), np.ones(1), np.array([1.0]), np.array([3.0]))
    >>> rows = np.array([[1.0, 0.5], [1.0, np.nan], [np.nan, np.nan]])
    >>> GeneralTrend([one, other], np.zeros(2)).predict(rows, {}).ravel().tolist()
    [4.0, 4.0, nan]
    """

    def __init__(self, regressions: Sequence[Regression], median: FloatArray) -> None:
        self._regressions, self._median = list(regressions), median

    @property
    def median(self) -> FloatArray:
        """What a missing score of each column counts as, shape (columns,)."""
        return self._median

    def predict(self, scores: FloatArray, texts: Mapping[str, list[str]]) -> FloatArray:
        """Return the expected ratings of these rows, shape (rows, 1); NaN for a row that no regression can tell."""
        expected = np.full((len(scores), 1), np.nan)
        known, left = ~np.isnan(scores), np.ones(len(scores), dtype=bool)
        for regression in self._regressions:
            rows = left & known[:, regression.columns].all(axis=1)
            expected[rows, 0] = regression(scores[rows])
            left &= ~rows
        return expected

    def familiarity(self, texts: Mapping[str, list[str]], rows: int) -> FloatArray:
        """Return NaN for every row: no text is read."""
        return np.full(rows, np.nan)
