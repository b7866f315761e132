"""Mean, deviation and range of columns of which only some rows are in memory at a time."""

from __future__ import annotations

import math

import numpy as np

from rainbow.base.arrays import FloatArray

__all__ = ["Moments"]


class Moments:
    """What is known of the values of a column that were met so far; NaN does not count.

    Attributes
    ----------
    count, mean, low, high
        Of the values; NaN where there is none.

    References
    ----------
    Chan, T. F., Golub, G. H. and LeVeque, R. J. (1983). Algorithms for computing the sample variance: analysis and
    recommendations. The American Statistician 37(3).

    Examples
    --------
    >>> moments = Moments()
    >>> moments.add(np.array([1.0, 2.0])), moments.add(np.array([6.0, np.nan]))
    (None, None)
    >>> moments.count, moments.mean, round(moments.deviation, 3), moments.low, moments.high
    (3, 3.0, 2.646, 1.0, 6.0)
    """

    def __init__(self) -> None:
        self.count = 0
        self.mean = self.low = self.high = math.nan
        self._squares = 0.0  # summed squared distances from the mean

    def add(self, values: FloatArray) -> None:
        """Take the next values, shape (n,)."""
        values = values[~np.isnan(values)]
        if not len(values):
            return
        mean = math.fsum(values) / len(values)
        squares = math.fsum((values - mean) ** 2)
        if not self.count:
            self.mean, self._squares = mean, squares
        else:
            count = self.count + len(values)
            apart = mean - self.mean
            self.mean += apart * len(values) / count
            self._squares += squares + apart * apart * self.count * len(values) / count
        self.count += len(values)
        self.low = min(float(values.min()), self.low) if self.low == self.low else float(values.min())
        self.high = max(float(values.max()), self.high) if self.high == self.high else float(values.max())

    @property
    def deviation(self) -> float:
        """The standard deviation (n - 1); NaN for fewer than two values."""
        return math.sqrt(self._squares / (self.count - 1)) if self.count > 1 else math.nan
