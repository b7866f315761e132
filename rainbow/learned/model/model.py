"""A complete learned metric: its features, learner and uncertainty."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.corpus import Corpus
from rainbow.learned.learner.contract import Learner
from rainbow.learned.learner.started import Started
from rainbow.learned.protocols.calibration import RatingClasses
from rainbow.learned.training.features import Features
from rainbow.metrics.contract.views import Views

# Widening of intervals with unfamiliar texts: halfway to the whole scale at one sixth unknown.
WIDENING = 4


@dataclass(frozen=True, eq=False)
class Model:
    """A learned metric of one rating, ready to score.

    Attributes
    ----------
    name : str
        Name of the model, e.g. ``quality-fast``.
    rating : str
        Human rating that it predicts.
    low, high : float
        Ends of the rating scale; scores are clipped to them.
    features : Features
        Fitted metrics and text features.
    learner : Learner
        Fitted regression.
    half_width : float
        Half-width of the interval that covered 90 % of the held-out ratings; NaN if not measured.
    card : mapping
        Training data, settings and held-out results, as plain data.
    classes : RatingClasses, optional
        Calibrated probabilities of the scale points, from held-out ratings; None if not measured.

    Examples
    --------
    >>> import rainbow
    >>> model = rainbow.load_model("quality-fast")
    >>> model.rating, model.low, model.high
    ('quality', 1.0, 6.0)
    """

    name: str
    rating: str
    low: float
    high: float
    features: Features
    learner: Learner
    half_width: float = np.nan
    card: Mapping[str, Any] = field(default_factory=dict)
    classes: RatingClasses | None = None

    @property
    def needs(self) -> frozenset[str]:
        """The inputs that every output requires: ``references``, ``mr``, or nothing."""
        # Without an input no output is familiar, so only general scores, which need none, are used.
        return self.features.needs - {"mr"} if isinstance(self.learner, Started) else self.features.needs

    def predict(self, corpus: Corpus) -> FloatArray:
        """Return the expected rating of every row, shape (n,); NaN if a required input is missing."""
        return self.predict_views(Views.from_corpus(corpus))

    def predict_views(self, views: Views) -> FloatArray:
        """Return the expected rating of every row of prepared texts, shape (n,); NaN if a required input is missing.

        An output without a letter or digit gets the lowest rating.
        """
        surface = views.get("surface")
        predicted = self.from_features(self.features.scores(views), self.features.texts_of(views))
        predicted[[row for row, text in enumerate(surface.outputs) if not any(map(str.isalnum, text))]] = self.low
        given: dict[str, Any] = {"references": surface.references, "mr": surface.mrs}
        missing = [row for row in range(len(surface)) if any(not given[need][row] for need in self.needs)]
        predicted[missing] = np.nan
        return predicted

    def familiarity(self, views: Views) -> FloatArray:
        """Return the share of every output and its input seen in training, shape (n,).

        The share of the output's words, without slot values, that occur in the training texts. If the model reads
        inputs, the geometric mean with the share of the input's act and slot names. NaN for a model that reads no text.
        """
        return self.learner.familiarity(self.features.texts_of(views), len(views))

    def half_widths(self, familiarity: FloatArray) -> FloatArray:
        """Return the half-width of the 90 % interval of each score, with the shape of `familiarity`.

        It is `half_width` at familiarity 1, and grows to the whole scale at familiarity 0 (:data:`WIDENING`).
        """
        unknown = 1 - np.where(np.isnan(familiarity), 1.0, familiarity) ** WIDENING
        widths: FloatArray = self.half_width + unknown * max(0.0, self.high - self.low - self.half_width)
        return widths

    def from_features(self, scores: FloatArray, texts: Mapping[str, list[str]]) -> FloatArray:
        """Return the expected ratings for scores (n, columns) and texts, clipped to the scale."""
        predicted: FloatArray = self.learner.predict(scores, texts)[:, 0]
        return predicted.clip(self.low, self.high)
