"""Matrices of items by raters for the tests of agreement."""

import numpy as np
from numpy.typing import NDArray

# Six targets, four judges: the worked example of Shrout & Fleiss (1979).
SHROUT_FLEISS = np.array([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]])
NAN = float("nan")
DEGENERATE: dict[str, list[list[float]]] = {
    "one rater": [[1], [2], [3]], "one item": [[1, 2, 3]], "all ratings are equal": [[4, 4], [4, 4], [4, NAN]],
    "no ratings": [[NAN, NAN], [NAN, NAN]], "no item has two ratings": [[1, NAN], [NAN, 2], [3, NAN]],
}  # fmt: skip


def judged(
    truth: NDArray[np.float64], noise: float, n_raters: int, rng: np.random.Generator, offsets: float = 0
) -> NDArray[np.float64]:
    """Let raters give whole marks from 1 to 6: the truth, noise, and how strict each of them is."""
    scores = truth[:, None] + np.linspace(-offsets, offsets, n_raters) + noise * rng.normal(size=(len(truth), n_raters))
    return np.clip(np.rint(scores), 1, 6)


def ratings(seed: int, n_items: int = 40, n_raters: int = 4, gaps: float = 0) -> NDArray[np.float64]:
    """Return whole marks from 1 to 6 with ties, raters of unlike strictness and a share of gaps."""
    rng = np.random.default_rng(seed)
    matrix = judged(rng.normal(4, 1, n_items), 1.0, n_raters, rng, offsets=0.5)
    matrix[rng.random(matrix.shape) < gaps] = np.nan
    return matrix
