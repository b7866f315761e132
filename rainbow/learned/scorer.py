"""Scorers: loaded models for repeated scoring, and their results."""

from __future__ import annotations

import statistics
import warnings
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from rainbow.base.aliases import INPUTS, accept_aliases, argument_for
from rainbow.base.arrays import FloatArray
from rainbow.learned.explanation import Explanation, explain
from rainbow.learned.model.model import Model
from rainbow.learned.model.model_file import read_model as load_model_file
from rainbow.learned.model.shipped_models import read_shipped_model, shipped_model_names
from rainbow.learned.protocols.rating_classes import RatingClasses
from rainbow.metrics.contract.views import PreparedReferences, Views
from rainbow.metrics.general.general_score import missing_full_resources

# Of outputs of other restaurants and their inputs eight tenths are known, of triples and their texts a third.
MIN_FAMILIARITY = 0.7
UNFAMILIAR_HINT = "(see docs/general-score.md)"

References = Sequence[Sequence[str]] | PreparedReferences


class Classes(NamedTuple):
    """Scores as classes, the whole points of the rating scale.

    Attributes
    ----------
    points
        The points that raters gave, rising, shape (k,).
    probabilities
        How probable each is: shape (k,) for one text, else (n, k).
    most_probable
        The likeliest point, which is right most often: a float for one text, else shape (n,).
    as_frequent
        The point that a score has if each is to be as frequent as it was in training, as `most_probable`: rare points
        are found more often, and all points together are right less often.
    """

    points: FloatArray
    probabilities: FloatArray
    most_probable: Any
    as_frequent: Any


class Scored(NamedTuple):
    """Scores with the requested details.

    Attributes
    ----------
    score
        The expected rating: a float for one text, else shape (n,).
    low, high
        The ends of the 90 % interval, as `score`; None if no interval was asked for.
    explanation
        What each feature contributed; None if that was not asked for.
    familiarity
        How much of the output's words, and of what the input asks for, the model met when it learned, 0 to 1, as
        `score`; NaN for a model that reads no text. Intervals are the wider the less familiar an output is.
    classes
        The scores as classes; None if that was not asked for.
    """

    score: Any
    low: Any = None
    high: Any = None
    explanation: Explanation | None = None
    familiarity: Any = None
    classes: Classes | None = None


def load_model(name: str | Path | Model) -> Model:
    """Return the model of a file, or one that comes with RAINBOW.

    Parameters
    ----------
    name
        A path (`*.rainbow`), or a name: ``quality-fast``, ``naturalness-top5`` ... A model is given back.

    Raises
    ------
    ValueError
        If there is no such model, or the file is not a sound model.

    Examples
    --------
    >>> load_model("quality-fast").rating
    'quality'
    """
    if isinstance(name, Model):
        return name
    if str(name) in shipped_model_names():
        return read_shipped_model(str(name))
    if not Path(name).is_file():
        raise ValueError(
            f"no model file or model is named {str(name)!r}: name a file, or choose from "
            f"{', '.join(shipped_model_names())}"
        )
    return load_model_file(Path(name))


def default_speed() -> str:
    """Return `full` if its networks are installed, else `fast`."""
    return "fast" if missing_full_resources() else "full"


class Scorer:
    """A loaded model for repeated scoring.

    Parameters
    ----------
    model
        A :class:`Model`, the path of a model file, or the name of a model, whole (``quality-fast``) or without its
        rating. ``full`` and ``fast`` score any text, by what comes with it: an input of any kind, references, both, or
        nothing. ``full`` asks small networks too (60 milliseconds a text on one core, twice that with references): it
        is the default where they were fetched (``rainbow fetch smollm2 minilm``), else ``fast`` is. ``top5`` is learned
        from five columns, as in 2017, and needs references.
    rating
        Which rating is predicted, where `model` does not say: ``informativeness``, ``naturalness``, ``quality``.
    n_jobs
        Must be 1: a scorer starts neither threads nor processes. Several may score in threads or processes of yours.

    Raises
    ------
    ValueError
        If there is no such model.

    Examples
    --------
    >>> scorer = Scorer("fast")
    >>> scorer
    Scorer('quality-fast', low=1.0, high=6.0, needs=[])
    >>> mr = "inform(name='the inn',area=soma)"
    >>> scores = scorer(["the inn is in soma.", "soma soma is the the"], inputs=[mr, mr])
    >>> bool(scores[0] > scores[1] + 1)
    True
    """

    def __init__(
        self,
        model: str | Path | Model | None = None,
        *,
        rating: str = "quality",
        n_jobs: int = 1,
    ) -> None:
        if n_jobs != 1:
            raise ValueError(f"n_jobs is {n_jobs}: a scorer uses one thread; for more, run several in your own threads")
        self.model = load_model(_complete_name(model or default_speed(), rating))
        self._warned = False

    @property
    def name(self) -> str:
        """The model's name."""
        return self.model.name

    @property
    def low(self) -> float:
        """The worst rating of the scale."""
        return self.model.low

    @property
    def high(self) -> float:
        """The best rating of the scale."""
        return self.model.high

    @cached_property
    def needs(self) -> frozenset[str]:
        """The inputs that every text requires: ``references``, ``mrs``, or nothing."""
        return frozenset("mrs" if need == "mr" else need for need in self.model.needs)

    def __repr__(self) -> str:
        return f"Scorer({self.name!r}, low={self.low}, high={self.high}, needs={sorted(self.needs)})"

    @accept_aliases(outputs=("output",), references=("reference",), inputs=INPUTS)
    def __call__(
        self, outputs: Sequence[str], references: References | None = None, inputs: Sequence[str | None] | None = None
    ) -> FloatArray:
        """Return the expected rating of every output, shape (n,); NaN if a required input is missing.

        Parameters
        ----------
        outputs
            n texts.
        references
            A sequence of texts for each; or :class:`PreparedReferences`, made once for many calls, which may hold
            the meaning representations as well.
        inputs
            A meaning representation for each, as ``inform(name='the inn',area=soma)``.

        Raises
        ------
        ValueError
            If the model needs what is not given, lengths differ, or a meaning representation cannot be read.
        """
        views = self._make_views(outputs, references, inputs)
        if not self._warned:
            self._check_familiarity(views)
        return self.model.predict_views(views)

    @accept_aliases(outputs=("output",), references=("reference",), inputs=INPUTS)
    def scored(
        self,
        outputs: Sequence[str],
        references: References | None = None,
        inputs: Sequence[str | None] | None = None,
        *,
        interval: bool = False,
        explanation: bool = False,
        classes: bool = False,
    ) -> Scored:
        """Return the scores with 90 % intervals, feature contributions or classes, as requested.

        The interval is that of split-conformal prediction: on inputs held out when the model was made it held 90 %
        of the ratings. For texts of another domain it is wider, up to the whole scale, as they are less familiar.
        """
        views = self._make_views(outputs, references, inputs)
        scores, known = self.model.predict_views(views), self._check_familiarity(views)
        half = self.model.half_widths(known)
        return Scored(
            scores,
            (scores - half).clip(self.low, self.high) if interval else None,
            (scores + half).clip(self.low, self.high) if interval else None,
            explain(self.model, views) if explanation else None,
            known,
            self._predict_classes(scores) if classes else None,
        )

    @accept_aliases(outputs=("output",), references=("reference",), inputs=INPUTS)
    def predict_proba(
        self, outputs: Sequence[str], references: References | None = None, inputs: Sequence[str | None] | None = None
    ) -> FloatArray:
        """Return the probability of each point of the rating scale, shape (n, k).

        The points are :attr:`points`. Rows add up to 1; they are NaN where a row lacks what the model needs. How far
        such probabilities came true on inputs that were held out stands in the model's card.

        Raises
        ------
        ValueError
            As for :meth:`__call__`, or if the model has no classes.

        Examples
        --------
        >>> from dataclasses import replace
        >>> classes = RatingClasses.fit([2, 2.5, 3, 3, 5, 6], [3.0, 4.0, 3.5, 4.0, 4.5, 5.0])
        >>> scorer = Scorer(replace(load_model("quality-fast"), classes=classes))
        >>> found = scorer.predict_proba(["the inn is in soma."], inputs=["inform(name='the inn',area=soma)"])
        >>> scorer.points.tolist(), found.round(1).tolist()
        ([2.0, 3.0, 5.0, 6.0], [[0.0, 0.2, 0.6, 0.3]])
        """
        return self._known_classes().probabilities(self(outputs, references, inputs))

    @property
    def points(self) -> FloatArray:
        """Points of the rating scale used by raters, ascending; ValueError if the model has no classes."""
        return self._known_classes().points

    def _predict_classes(self, scores: FloatArray) -> Classes:
        known = self._known_classes()
        return Classes(
            known.points, known.probabilities(scores), known.most_probable(scores), known.as_frequent(scores)
        )

    def _known_classes(self) -> RatingClasses:
        if self.model.classes is None:
            raise ValueError(
                f"the model {self.name} has no classes: its file was written by an older RAINBOW, or its ratings "
                "have one point or more than 20; `rainbow fit` refits it"
            )
        return self.model.classes

    def _check_familiarity(self, views: Views) -> FloatArray:
        """Return the familiarity of every output, and warn once if a batch is unfamiliar."""
        known = self.model.familiarity(views)
        if not self._warned and len(known) and (half := statistics.median(known.tolist())) < MIN_FAMILIARITY:
            self._warned = True
            warnings.warn(
                (
                    f"{self.name} is familiar with only {half:.0%} of the words of these outputs and inputs: scores "
                    f"are rough outside the domain it was trained on {UNFAMILIAR_HINT}"
                ),
                stacklevel=4,  # of whoever called the scorer
            )
        return known

    def _make_views(
        self, outputs: Sequence[str], references: References | None, inputs: Sequence[str | None] | None
    ) -> Views:
        given = {"references"} if references is not None else set()
        given |= {"mrs"} if _has_inputs(references, inputs) else set()
        if missing := sorted(map(argument_for, self.needs - given)):
            give = " and ".join(f"{name}=" for name in missing)
            raise ValueError(f"the model {self.name} needs {' and '.join(missing)}: pass {give}")
        return Views.of_texts(outputs, references, inputs)


def _has_inputs(references: object, inputs: object) -> bool:
    """Return whether meaning representations are given, directly or in prepared references."""
    return inputs is not None or (isinstance(references, PreparedReferences) and any(references.mrs))


def _complete_name(name: str | Path | Model, rating: str) -> str | Path | Model:
    """Return the full name of a shipped model that is named without its rating."""
    pairs = [tuple(shipped.split("-", 1)) for shipped in shipped_model_names()]
    if not isinstance(name, str) or name not in {short for _, short in pairs}:
        return name
    if (rating, name) not in pairs:
        known = ", ".join(own for own, short in pairs if short == name)
        raise ValueError(f"no model {name!r} predicts {rating!r}: choose from {known}")
    return f"{rating}-{name}"
