"""Learned scores of every rating as columns of a score table."""

from __future__ import annotations

import statistics
import warnings
from typing import Any, NamedTuple

from rainbow._version import __version__
from rainbow.base.lazy import pd
from rainbow.base.progress import RowProgress, silent
from rainbow.learned.scorer import MIN_FAMILIARITY, Scorer, default_speed
from rainbow.metrics.contract.metric_description import LEARNED
from rainbow.metrics.general.regressions import known_corpora

RATINGS = ("informativeness", "naturalness", "quality")
BATCH_ROWS = 2000  # rows
MAX_QUERIES = 2000  # questions that a language model is asked at most: a minute on two cores


class LearnedColumns(NamedTuple):
    """A column for each rating, row by row, and the model that computed them."""

    columns: dict[str, list[float]]  # the scores
    about: dict[str, dict[str, Any]]  # direction and signature of each column, as tables of scores keep them
    model: str  # ``fast`` or ``full``
    familiarity: float  # the median share of the texts that the model knows, 0 to 1

    @property
    def is_familiar(self) -> bool:
        """Whether the texts are similar enough to the training data for reliable scores."""
        return self.familiarity >= MIN_FAMILIARITY


def choose_speed(frame: pd.DataFrame) -> str:
    """Return `full` if its models are installed and the input is small, else `fast`."""
    inputs, references = (frame[name].map(bool) for name in ("mr", "references"))
    questions = (inputs + 2 * references).clip(lower=1).sum()
    return default_speed() if questions <= MAX_QUERIES else "fast"


def find_training_corpora(frame: pd.DataFrame) -> tuple[str, ...]:
    """Return the training corpora with these outputs: the learned score cannot be tested on them."""
    return known_corpora(frame["output"])


def compute_learned_columns(frame: pd.DataFrame, speed: str, progress: RowProgress = silent) -> LearnedColumns:
    """Score the outputs of a table with the model of every rating."""
    scorers = {rating: Scorer(f"{rating}-{speed}") for rating in RATINGS}
    columns: dict[str, list[float]] = {f"{LEARNED}{rating}": [] for rating in RATINGS}
    known: list[float] = []
    for start in range(0, len(frame), BATCH_ROWS):
        part = frame.iloc[start : start + BATCH_ROWS]
        given: dict[str, Any] = {"references": part["references"].tolist(), "mrs": part["mr"].tolist()}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # familiarity is reported once, for all texts
            for rating, scorer in scorers.items():
                columns[f"{LEARNED}{rating}"] += scorer(part["output"].tolist(), **given).tolist()
            known += scorers["quality"].scored(part["output"].tolist(), **given).familiarity.tolist()
        progress("learned score", min(start + BATCH_ROWS, len(frame)), len(frame))
    signature = f"model:{speed}|version:{__version__}"
    about = {name: {"higher_is_better": True, "signature": f"{name}|{signature}"} for name in columns}
    return LearnedColumns(columns, about, speed, statistics.median(known) if known else float("nan"))
