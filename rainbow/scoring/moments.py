"""Streaming mean, standard deviation and range."""

from __future__ import annotations

import math

import numpy as np

from rainbow.base.arrays import FloatArray


class Moments:
    """Moments of the values seen so far; NaN is ignored.

    Source: Chan, T. F., Golub, G. H. and LeVeque, R. J. (1983). Algorithms for computing the sample variance: analysis
    and recommendations. The American Statistician 37(3).
    """

    def __init__(self) -> None:
        self.count = 0
        self.mean = self.low = self.high = math.nan
        self._squares = 0.0  # summed squared distances from the mean

    @classmethod
    def from_values(cls, values: FloatArray) -> Moments:
        """Return the moments of values, shape (n,)."""
        moments, values = cls(), values[~np.isnan(values)]
        if len(values):
            moments.count, moments.mean = len(values), math.fsum(values) / len(values)
            moments._squares = math.fsum((values - moments.mean) ** 2)
            moments.low, moments.high = float(values.min()), float(values.max())
        return moments

    def add(self, other: Moments) -> None:
        """Add the moments of further values."""
        if not self.count:
            self.__dict__.update(other.__dict__)
        elif other.count:
            count, apart = self.count + other.count, other.mean - self.mean
            self.mean += apart * other.count / count
            self._squares += other._squares + apart * apart * self.count * other.count / count
            self.count, self.low, self.high = count, min(self.low, other.low), max(self.high, other.high)

    @property
    def deviation(self) -> float:
        """Standard deviation (n - 1); NaN for fewer than two values."""
        return math.sqrt(self._squares / (self.count - 1)) if self.count > 1 else math.nan
