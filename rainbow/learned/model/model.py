"""A learned metric, whole: what it looks at, what it learned, and how far it can be trusted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.corpus import Corpus
from rainbow.learned.learner.contract import Learner
from rainbow.learned.learner.general_trend import GeneralTrend
from rainbow.learned.learner.guarded import Guarded
from rainbow.learned.learner.trend_kernel_ridge import POWER, TrendKernelRidge
from rainbow.learned.protocols.rating_classes import RatingClasses
from rainbow.learned.training.features import Features
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.contract.views import Views

__all__ = ["Model"]

# What the model of familiar domains says counts two thirds where all of a text is familiar to it, and an eighth where
# nine tenths are: restaurants of other systems and other judges are no home any more.
SHARE, STEEP = 2 / 3, 16


@dataclass(frozen=True, eq=False)
class Model:
    """A learned metric of one rating, ready to score.

    Attributes
    ----------
    name
        As it is asked for, for example ``quality-referenceless``.
    rating
        The human rating that it predicts.
    low, high
        The ends of that rating's scale, which no score leaves.
    features
        The metrics and texts that it looks at, fitted.
    learner
        What it learned, from one rating and the columns and texts of `features`.
    half_width
        Half the width of the interval that held 90 % of the held-out ratings; NaN if that was not measured.
    card
        How it was made and how well it does: plain data.
    classes
        How probable each point of the scale is for a score, as held-out ratings say; None if that was not measured.
    home
        The name of a model that comes with RAINBOW and knows some domains better: it counts as far as an output and its
        meaning representation are familiar to it. Empty where there is none.
    load_home
        Reads that model; a file does not hold it.
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
    home: str = ""
    load_home: Callable[[], Model] | None = None

    @property
    def needs(self) -> frozenset[str]:
        """What every output must come with: ``references``, ``mr``, or nothing."""
        return frozenset() if isinstance(self.learner, GeneralTrend) else self.features.needs

    @cached_property
    def at_home(self) -> Model | None:
        """The model of the familiar domains, read when it is first asked; None where there is none."""
        return self.load_home() if self.load_home else None

    def predict(self, corpus: Corpus) -> FloatArray:
        """Return the expected rating of every row, shape (n,); NaN where a row lacks what the model needs."""
        return self.predict_views(Views.of(corpus))

    def predict_views(self, views: Views) -> FloatArray:
        """Return the expected rating of every row of texts that are prepared already, as :meth:`predict`.

        An output without a letter or digit has the lowest rating there is: nobody was asked to rate silence.
        """
        surface = views.get("surface")
        predicted = self.from_features(self.features.scores(views), self.features.texts_of(views))
        predicted = self.beside_home(predicted, views)
        if silent := [row for row, text in enumerate(surface.outputs) if not any(map(str.isalnum, text))]:
            predicted[silent] = self.low
        if lacking := _lacking(surface, self.needs):
            predicted[lacking] = np.nan
        return predicted

    def beside_home(self, predicted: FloatArray, views: Views) -> FloatArray:
        """Return predictions of these rows with what the model of the familiar domains says, as far as it counts."""
        if not self.at_home:
            return predicted
        share = SHARE * self.familiarity(views) ** STEEP
        return np.where(share > 0, share * self.at_home.predict_views(views) + (1 - share) * predicted, predicted)

    def adapted(self, corpus: Corpus) -> Self:
        """Return the model for another domain: its corpus statistics with those of these references added.

        What was learned from ratings stays as it is, and what was counted on one domain only is believed in full from
        then on. The references of an input never count in the scores of its own outputs, so that the corpus may be the
        one that is scored. Outputs and ratings are not looked at.

        Parameters
        ----------
        corpus
            Inputs of the domain with what people wrote for them.

        Raises
        ------
        ValueError
            If no row has a reference, the model looks at no score, or it sees texts without the values of slots and no
            row has a meaning representation.
        """
        if self.home:
            raise ValueError(f"{self.name} holds anywhere, it counts no texts: adapt {self.home}, which does")
        if not self.features.columns:
            raise ValueError(f"{self.name} looks at no score: it has no corpus statistics to which any could be added")
        sets = {(item, texts) for item, texts in corpus.frame[["item", "references"]].itertuples(index=False) if texts}
        if not sets:
            raise ValueError("there is no reference: give texts that people wrote for inputs of the domain")
        features = self.features.adapted(corpus)
        domain = {
            "datasets": sorted(filter(None, set(corpus.frame["dataset"]))),
            "items": len({item for item, _ in sets}),
            "references": sum(len(texts) for _, texts in sets),
        }
        card = {**self.card, "adapted": domain, "features": features.described()} if self.card else {}
        learner = self.learner
        if isinstance(learner, Guarded | TrendKernelRidge):
            learner = learner.adapted()
        return replace(self, features=features, learner=learner, card=card)

    def familiarity(self, views: Views) -> FloatArray:
        """Return how much of every output and of its input the model has met, shape (n,).

        1 where every word of the output, its slot values left aside, stood in texts that the model learned from, and,
        where it reads them, the input's act and the names of its slots in their inputs. For others it is the geometric
        mean of the two shares; NaN for a model that reads no text, which cannot tell. A model with a home asks that,
        and an output without a meaning representation is not familiar to it.
        """
        if self.at_home:
            given = np.array([meaning is not None for meaning in views.get("surface").meanings], dtype=bool)
            known = self.at_home.familiarity(views)
            return np.where(given, known, 0.0)
        return self.learner.familiarity(self.features.texts_of(views), len(views))

    def half_widths(self, familiarity: FloatArray) -> FloatArray:
        """Return how far to either side of each score the 90 % interval reaches, shape as that of `familiarity`.

        It is `half_width` for a text of which all is known, the whole scale for one of which nothing is, and between
        them as much wider as the kernel has less to say (:data:`~rainbow.learned.learner.trend_kernel_ridge.POWER`).
        """
        unknown = 1 - np.where(np.isnan(familiarity), 1.0, familiarity) ** POWER
        widths: FloatArray = self.half_width + unknown * max(0.0, self.high - self.low - self.half_width)
        return widths

    def from_features(self, scores: FloatArray, texts: Mapping[str, list[str]]) -> FloatArray:
        """Return the expected rating for scores (n, columns) and texts, within the ends of the scale."""
        predicted: FloatArray = self.learner.predict(scores, texts)[:, 0]
        return predicted.clip(self.low, self.high)


def _lacking(batch: Batch, needs: frozenset[str]) -> list[int]:
    """Return the rows that lack something that is needed."""
    references, mr = "references" in needs, "mr" in needs
    return [
        row for row in range(len(batch)) if (references and not batch.references[row]) or (mr and not batch.mrs[row])
    ]
