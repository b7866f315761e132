"""Ridge regression with known signs, shrunk to a prior."""

from __future__ import annotations

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.base.lazy import scipy


def signed_ridge(
    rows: FloatArray,
    aims: FloatArray,
    weights: FloatArray,
    directions: IntArray,
    penalties: FloatArray,
    prior: FloatArray | float = 0.0,
) -> FloatArray:
    """Return ridge coefficients constrained to the signs of the directions; 0 means any sign.

    Shapes: rows (n, columns), aims, weights (n,), directions, penalties, prior, returns (columns,).
    """
    gram = (rows * weights[:, None]).T @ rows + np.diag(penalties)
    root = np.linalg.cholesky(gram).T
    # A column of unknown sign occurs twice, once negated: least squares without negative coefficients.
    free = np.flatnonzero(directions == 0)
    signs = np.concatenate([np.where(directions == 0, 1, directions), -np.ones(len(free))])
    places = np.concatenate([np.arange(len(directions)), free])
    moments = (rows * weights[:, None]).T @ aims + penalties * prior
    result, _ = scipy.optimize.nnls(root[:, places] * signs, np.linalg.solve(root.T, moments))
    coefficients: FloatArray = np.bincount(places, signs * result, minlength=len(directions)).astype(float)
    return coefficients
