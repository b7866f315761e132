"""A single metric as a scorer."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

from rainbow.base.aliases import INPUTS, accept_aliases
from rainbow.base.arrays import FloatArray
from rainbow.corpus import Corpus
from rainbow.corpus.text_profile import profile_outputs
from rainbow.corpus.views import CHARACTERS
from rainbow.metrics import get
from rainbow.metrics.contract.base import LANGUAGE, Metric
from rainbow.metrics.contract.selection import language_problem
from rainbow.scoring.score_corpus import score_corpus
from rainbow.text.languages.detection import ENGLISH, UNSPACED, language_name, validate_language


class MetricScorer:
    """Scores of one metric column, with the sign flipped if lower is better.

    Parameters
    ----------
    column : str
        Metric column, e.g. ``BLEU4``.
    metric : Metric, optional
        Metric of the column, if it has other parameters or corpus statistics (from
        :func:`rainbow.scoring.score_corpus.fit_metrics`).
    low, high : float, optional
        Bounds for an unbounded metric, after the sign change: ``low=-1`` for TER.
    language : str, optional
        Code of the language of all outputs, e.g. ``de``; by default English is assumed, with a warning if the outputs
        are in another language. In a language without spaces, words are characters.

    Attributes
    ----------
    name, low, high, needs
        As in :class:`rainbow.serving.ScorerProtocol`.

    Raises
    ------
    ValueError
        If the column is unknown, has no direction or cannot be scored in the language, or its corpus statistics are
        missing.

    Examples
    --------
    >>> scorer = MetricScorer("TER", low=-1)
    >>> scorer(["the inn is cheap", "the dear inn"], [["the inn is cheap"], ["the cheap inn"]]).round(2).tolist()
    [0.0, -0.33]

    The best of several candidates for one input:

    >>> candidates, reference = ["inn cheap", "the inn is cheap", "it is"], "the inn is quite cheap"
    >>> candidates[MetricScorer("chrF++")(candidates, [[reference]] * 3).argmax()]
    'the inn is cheap'
    """

    def __init__(
        self,
        column: str,
        *,
        metric: Metric | None = None,
        low: float | None = None,
        high: float | None = None,
        language: str | None = None,
    ) -> None:
        self._metric = (get(column) if metric is None else metric).for_language(language)
        own = self._metric.parameters().get(LANGUAGE, ENGLISH)
        self._language, self._warned = validate_language(language or own), bool(language) or own != ENGLISH
        named = [own for own in self._metric.columns if own.name.lower() == column.lower()]
        if not named:
            names = ", ".join(own.name for own in self._metric.columns)
            raise ValueError(f"{column!r} is not a column of {self._metric.name}: choose from {names}")
        column_index = named[0]
        if problem := language_problem(self._metric.known_languages(column_index.name), language):
            raise ValueError(f"{column_index.name}: {problem}")
        if getattr(self._metric, "statistics", column_index) is None:
            raise ValueError(
                f"{column} needs corpus statistics: pass metric=, fitted with rainbow.scoring.score_corpus.fit_metrics"
            )
        if column_index.higher_is_better is None:
            raise ValueError(f"{column} has no better direction: choose another metric")
        ends = column_index.low, column_index.high
        if not column_index.higher_is_better:
            ends = 0.0 - column_index.high, 0.0 - column_index.low
        self._sign = 1.0 if column_index.higher_is_better else -1.0
        self.name = column_index.name
        self.low, self.high = ends[0] if low is None else low, ends[1] if high is None else high
        needs = {"references": "references", "mr": "mrs"}
        self.needs = frozenset(needs[need] for need in self._metric.needs & needs.keys())

    @accept_aliases(outputs=("output",), references=("reference",), inputs=INPUTS)
    def __call__(
        self,
        outputs: Sequence[str],
        references: Sequence[Sequence[str]] | None = None,
        inputs: Sequence[str] | None = None,
    ) -> FloatArray:
        """Return the score of every output, shape (n,); NaN if undefined."""
        corpus = Corpus.from_texts(outputs, references, inputs, language=self._language)
        if not self._warned:  # once, if the language was not given, and the outputs are in one that changes the score
            spoken = profile_outputs(corpus.frame).language()
            if spoken.code and (language_problem(self._metric.made_for, spoken.code) or spoken.is_unspaced):
                self._warned = True
                warnings.warn(
                    f"{self.name}: the outputs are {language_name(spoken.code)}, and are scored as English: "
                    f"MetricScorer({self.name!r}, language={spoken.code!r})",
                    stacklevel=2,
                )
        # Chosen from the language alone, so that a score does not depend on the rest of its batch.
        view = CHARACTERS if self._language in UNSPACED else None
        scores = score_corpus(corpus, [self._metric], view=view)
        turned: FloatArray = self._sign * scores[self.name].to_numpy(dtype=float) + 0.0  # no -0.0
        return turned

    def __repr__(self) -> str:
        return f"MetricScorer({self.name!r}, low={self.low}, high={self.high})"
