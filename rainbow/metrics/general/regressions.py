"""Shipped regressions that predict ratings from a few scores, and their training texts."""

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
MIN_KNOWN_SHARE = 0.05


class Regression(NamedTuple):
    """Regressions of the three :data:`RATINGS` on the same score columns.

    Shapes: mean, scale (3, k), coefficients (3, k), intercept (3,).
    """

    columns: tuple[str, ...]  # names of k columns
    mean: FloatArray  # subtracted from each score
    scale: FloatArray  # factor of the difference
    coefficients: FloatArray  # what each rating rises by for each
    intercept: FloatArray  # the rating where all of them are 0

    def __call__(self, scores: FloatArray) -> FloatArray:
        """Return the expected ratings, shape (n, 3), of rows (n, k) without NaN, row by row."""
        # Column by column: the result for a row must not depend on other rows, to the last bit.
        ratings = np.tile(self.intercept, (len(scores), 1))
        for place, column in enumerate(scores.T):
            steps = ((column[:, None] - self.mean[:, place]) * self.scale[:, place]).clip(-REACH, REACH)
            ratings += steps * self.coefficients[:, place]
        return ratings


def expected_ratings(
    regressions: Sequence[Regression], rows: int, compute_columns: Callable[[tuple[str, ...], BoolArray], FloatArray]
) -> FloatArray:
    """Return each rating from the first regression whose columns the row has; else NaN.

    Shapes: scores_of (rows,), returns (rows, 3).
    """
    ratings = np.full((rows, len(RATINGS)), np.nan)
    for regression in regressions:
        left = np.isnan(ratings).any(axis=1)
        if not left.any():
            break
        scores = compute_columns(regression.columns, left)
        whole = left & ~np.isnan(scores).any(axis=1)
        ratings[whole] = np.where(np.isnan(ratings[whole]), regression(scores[whole]), ratings[whole])
    return ratings


def shipped_regressions(speed: str, without: Collection[str] = ()) -> tuple[Regression, ...]:
    """Return the regressions of a speed, `fast` or `full`, trained without some corpora."""
    return _parse_regressions(speed, "+".join(sorted(without)))


@cache
def _parse_regressions(speed: str, without: str) -> tuple[Regression, ...]:
    result = _read_shipped()["regressions"].get(without, {}).get(speed, [])
    arrays = ("mean", "scale", "coefficients", "intercept")
    return tuple(
        Regression(tuple(one["columns"]), *(np.array(one[name], dtype=float) for name in arrays)) for one in result
    )


def known_corpora(outputs: Iterable[str]) -> tuple[str, ...]:
    """Return the training corpora that contain at least one in 20 of these outputs."""
    met = {text_digest(text) for text in outputs}
    known = _training_digests().items() if met else ()
    return tuple(sorted(name for name, own in known if len(met & own) >= MIN_KNOWN_SHARE * len(met)))


def text_digest(text: str) -> bytes:
    """Return a digest of a text that ignores case, accents and whitespace."""
    return hashlib.sha256("".join(fold_text(text).split()).encode("utf-8", "replace")).digest()[:DIGEST]


@cache
def _training_digests() -> Mapping[str, frozenset[bytes]]:
    """Return the digests of the training outputs of each corpus."""
    raw = {name: base64.b64decode(digests) for name, digests in _read_shipped()["outputs"].items()}
    return {
        name: frozenset(data[start : start + DIGEST] for start in range(0, len(data), DIGEST))
        for name, data in raw.items()
    }


@cache
def regressions_digest() -> str:
    """Return the digest that identifies the shipped regressions in a signature."""
    return hashlib.sha256((files(__package__) / FILE).read_bytes()).hexdigest()[:12]


@cache
def _read_shipped() -> Any:
    """Read the shipped regressions."""
    return json.loads((files(__package__) / FILE).read_text(encoding="utf-8"))
