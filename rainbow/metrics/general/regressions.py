"""Ratings by regression on a few scores: the regressions that come with RAINBOW, and which texts they learned from."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np

from rainbow.base.arrays import BoolArray, FloatArray
from rainbow.text.tokens.folding import fold_text

RATINGS = ("informativeness", "naturalness", "quality")
# In other corpora many scores lie far from the mean.
REACH = 2.5
FILE = "regressions.json"
DIGEST = 6  # bytes of a text's hash
# From this share of common outputs on, a corpus is one that was learned from.
COMMON = 0.05


class Regression(NamedTuple):
    """Regressions of the three :data:`RATINGS` on the same columns of scores.

    Shapes: mean, scale (3, k), coefficients (3, k), intercept (3,).
    """

    columns: tuple[str, ...]  # names of k columns
    mean: FloatArray  # what is taken from each score, and what the difference is multiplied by, shape (3, k)
    scale: FloatArray  # what is taken from each score, and what the difference is multiplied by, shape (3, k)
    coefficients: FloatArray  # what each rating rises by for each, shape (3, k)
    intercept: FloatArray  # the rating where all of them are 0, shape (3,)

    def __call__(self, scores: FloatArray) -> FloatArray:
        """Return the expected ratings of rows (n, k) without NaN, shape (n, 3), each row by itself."""
        # Column by column: what a row gets, to the last bit, must not depend on the rows beside it.
        ratings = np.tile(self.intercept, (len(scores), 1))
        for place, column in enumerate(scores.T):
            steps = ((column[:, None] - self.mean[:, place]) * self.scale[:, place]).clip(-REACH, REACH)
            ratings += steps * self.coefficients[:, place]
        return ratings


def expected(
    regressions: Sequence[Regression], rows: int, scores_of: Callable[[tuple[str, ...], BoolArray], FloatArray]
) -> FloatArray:
    """Return ratings, each by the first regression that learned it and of which the row has all columns; else NaN.

    Shapes: scores_of (rows,), returns (rows, 3).
    """
    ratings = np.full((rows, len(RATINGS)), np.nan)
    for regression in regressions:
        left = np.isnan(ratings).any(axis=1)
        if not left.any():
            break
        scores = scores_of(regression.columns, left)
        whole = left & ~np.isnan(scores).any(axis=1)
        ratings[whole] = np.where(np.isnan(ratings[whole]), regression(scores[whole]), ratings[whole])
    return ratings


def shipped_regressions(speed: str, without: Collection[str] = ()) -> tuple[Regression, ...]:
    """Return the regressions of a speed, `fast` or `full`, that did not learn from some corpora."""
    return _regressions(speed, "+".join(sorted(without)))


@cache
def _regressions(speed: str, without: str) -> tuple[Regression, ...]:
    found = _shipped()["regressions"].get(without, {}).get(speed, [])
    arrays = ("mean", "scale", "coefficients", "intercept")
    return tuple(
        Regression(tuple(one["columns"]), *(np.array(one[name], dtype=float) for name in arrays)) for one in found
    )


def known_corpora(outputs: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the corpora that were learned from and have one in 20 of these outputs, or more."""
    met = {text_digest(text) for text in outputs}
    return tuple(sorted(name for name, known in _known().items() if met and len(met & known) >= COMMON * len(met)))


def text_digest(text: str) -> bytes:
    """Return what texts have in common that are alike but for case, accents and blanks."""
    return hashlib.sha256("".join(fold_text(text).split()).encode("utf-8", "replace")).digest()[:DIGEST]


@cache
def _known() -> Mapping[str, frozenset[bytes]]:
    raw = {name: base64.b64decode(digests) for name, digests in _shipped()["outputs"].items()}
    return {
        name: frozenset(data[start : start + DIGEST] for start in range(0, len(data), DIGEST))
        for name, data in raw.items()
    }


@cache
def regressions_digest() -> str:
    """Return what names the shipped regressions in a signature."""
    return hashlib.sha256((files(__package__) / FILE).read_bytes()).hexdigest()[:12]


@cache
def _shipped() -> Any:
    return json.loads((files(__package__) / FILE).read_text(encoding="utf-8"))
