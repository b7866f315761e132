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
from rainbow.learned.learner.kernel_ridge import INPUT_TEXT
from rainbow.learned.model.model import Model
from rainbow.learned.model.model_file import read_model as load_model_file
from rainbow.learned.model.model_file import read_shipped_model, shipped_model_names
from rainbow.learned.protocols.calibration import RatingClasses
from rainbow.metrics.contract.selection import language_problem
from rainbow.metrics.contract.views import PreparedReferences, Views
from rainbow.metrics.general.general_score import missing_full_resources
from rainbow.text.languages.detection import detect_language

# Familiarity is about 0.8 for other restaurant data, and about a third for triples.
MIN_FAMILIARITY = 0.7
NO_INPUTS = "got no inputs: scores without them are rough, also in the domain it was trained on"
UNFAMILIAR_HINT = "(see docs/general-score.md)"

References = Sequence[Sequence[str]] | PreparedReferences


class Classes(NamedTuple):
    """Scores as classes, the integer points of the rating scale.

    Attributes
    ----------
    points : array of shape (k,)
        Points used by raters, ascending.
    probabilities : array
        Probability of each point: shape (k,) for one text, else (n, k).
    most_probable : float or array of shape (n,)
        Most probable point; maximises accuracy.
    as_frequent : float or array of shape (n,)
        Point chosen so that each is as frequent as in training: better recall of rare points, lower accuracy.
    """

    points: FloatArray
    probabilities: FloatArray
    most_probable: Any
    as_frequent: Any


class Scored(NamedTuple):
    """Scores with the requested details.

    Attributes
    ----------
    score : float or array of shape (n,)
        Expected rating.
    low, high : float or array of shape (n,), optional
        Ends of the 90 % interval; None if not requested.
    explanation : Explanation, optional
        Feature contributions; None if not requested.
    familiarity : float or array of shape (n,)
        Share, 0 to 1, of the output's words and the input's slots seen in training; NaN for a model that reads no text.
        The interval widens as familiarity falls.
    classes : Classes, optional
        Scores as classes; None if not requested.
    """

    score: Any
    low: Any = None
    high: Any = None
    explanation: Explanation | None = None
    familiarity: Any = None
    classes: Classes | None = None


def load_model(name: str | Path | Model) -> Model:
    """Load a model from a file, or a model that comes with RAINBOW.

    Parameters
    ----------
    name : str, path or Model
        A path (`*.rainbow`) or a name: ``quality-fast``, ``naturalness-top5`` ... A model is returned unchanged.

    Raises
    ------
    ValueError
        If there is no such model, or the file is not a valid model.

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
    model : str, path or Model, optional
        A :class:`Model`, the path of a model file, or a model name, with its rating (``quality-fast``) or without.
        ``full`` and ``fast`` score any text, with or without input and references. ``full`` adds small neural networks
        (60 ms per text on one core, twice that with references) and is the default if they were fetched
        (``rainbow fetch smollm2 minilm``); otherwise the default is ``fast``. ``top5`` uses five columns, as in 2017,
        and references.
    rating : {"quality", "naturalness", "informativeness"}
        Rating to predict, unless `model` includes it.
    n_jobs : int
        Must be 1: a scorer starts no threads or processes. Use several scorers in your own threads or processes.

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

    def __init__(self, model: str | Path | Model | None = None, *, rating: str = "quality", n_jobs: int = 1) -> None:
        if n_jobs != 1:
            raise ValueError(f"n_jobs is {n_jobs}: a scorer uses one thread; for more, run several in your own threads")
        self.model = load_model(_complete_name(model or default_speed(), rating))
        self._warned = False

    @property
    def name(self) -> str:
        """Name of the model."""
        return self.model.name

    @property
    def low(self) -> float:
        """Worst rating of the scale."""
        return self.model.low

    @property
    def high(self) -> float:
        """Best rating of the scale."""
        return self.model.high

    @cached_property
    def needs(self) -> frozenset[str]:
        """Inputs that every text requires: ``references``, ``mrs``, or nothing."""
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
        outputs : sequence of str
            n texts.
        references : sequence of sequences of str or PreparedReferences, optional
            The references of each text; :class:`PreparedReferences` can be reused and may include the inputs.
        inputs : sequence of str, optional
            The input of each text, e.g. ``inform(name='the inn',area=soma)``.

        Raises
        ------
        ValueError
            If a required argument is missing, lengths differ, or a meaning representation cannot be parsed.
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

        Intervals are split-conformal: on held-out inputs they covered 90 % of the ratings. For less familiar texts they
        are wider, up to the whole scale.
        """
        views = self._make_views(outputs, references, inputs)
        scores, known = self.model.predict_views(views), self._check_familiarity(views)
        half, own = self.model.half_widths(known), self._known_classes() if classes else None
        return Scored(
            scores,
            (scores - half).clip(self.low, self.high) if interval else None,
            (scores + half).clip(self.low, self.high) if interval else None,
            explain(self.model, views) if explanation else None,
            known,
            own and Classes(own.points, own.probabilities(scores), own.most_probable(scores), own.as_frequent(scores)),
        )

    @accept_aliases(outputs=("output",), references=("reference",), inputs=INPUTS)
    def predict_proba(
        self, outputs: Sequence[str], references: References | None = None, inputs: Sequence[str | None] | None = None
    ) -> FloatArray:
        """Return the probability of each point of the rating scale, shape (n, k).

        Columns follow :attr:`points`. Rows sum to 1; they are NaN if a required input is missing. The model card
        reports the calibration on held-out inputs.

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
            unfamiliar = (
                f"is familiar with only {half:.0%} of the words of these outputs and inputs: scores are rough outside "
                "the domain it was trained on"
            )
            reads_inputs = INPUT_TEXT in self.model.features.texts
            reason = NO_INPUTS if reads_inputs and not views.get("surface").has_mr.any() else unfamiliar
            language = detect_language(views.get("surface").outputs)
            problems = (language_problem(metric.made_for, language) for metric in self.model.features.metrics or ())
            if problem := next(filter(None, problems), ""):
                reason = f"is only a guess: {problem}"
            warnings.warn(f"{self.name} {reason} {UNFAMILIAR_HINT}", stacklevel=4)  # the caller of the scorer
        return known

    def _make_views(
        self, outputs: Sequence[str], references: References | None, inputs: Sequence[str | None] | None
    ) -> Views:
        given = {"references"} if references is not None else set()
        prepared = isinstance(references, PreparedReferences) and any(references.mrs)
        given |= {"mrs"} if inputs is not None or prepared else set()
        if missing := sorted(map(argument_for, self.needs - given)):
            give = " and ".join(f"{name}=" for name in missing)
            raise ValueError(f"the model {self.name} needs {' and '.join(missing)}: pass {give}")
        return Views.from_texts(outputs, references, inputs)


def _complete_name(name: str | Path | Model, rating: str) -> str | Path | Model:
    """Return the full name of a shipped model that is named without its rating."""
    pairs = [tuple(shipped.split("-", 1)) for shipped in shipped_model_names()]
    if not isinstance(name, str) or name not in {short for _, short in pairs}:
        return name
    if (rating, name) not in pairs:
        known = ", ".join(own for own, short in pairs if short == name)
        raise ValueError(f"no model {name!r} predicts {rating!r}: choose from {known}")
    return f"{rating}-{name}"
