"""The learned score of every rating as columns of a table of scores."""

from __future__ import annotations

import statistics
import warnings
from typing import TYPE_CHECKING, Any, NamedTuple

from rainbow._version import __version__
from rainbow.base.progress import RowProgress, silent
from rainbow.learned.scorer import FAMILIAR, Scorer, default_speed
from rainbow.metrics.contract.facts import LEARNED
from rainbow.metrics.general.regressions import known_corpora

if TYPE_CHECKING:
    import pandas as pd

RATINGS = ("informativeness", "naturalness", "quality")
AT_ONCE = 2000  # rows
ASKED = 2000  # questions that a language model is asked at most: a minute on two cores


class LearnedColumns(NamedTuple):
    """A column for each rating, row by row, and the model that gave them."""

    columns: dict[str, list[float]]  # the scores
    about: dict[str, dict[str, Any]]  # direction and signature of each column, as tables of scores keep them
    model: str  # ``fast`` or ``full``
    familiarity: float  # the median share of the texts that the model knows, 0 to 1

    @property
    def is_familiar(self) -> bool:
        """Whether the model knows enough of the texts for its scores to be more than rough."""
        return self.familiarity >= FAMILIAR


def speed_for(frame: pd.DataFrame) -> str:
    """Return `full` where its networks were fetched and do not have too much to read, else `fast`."""
    inputs, references = (frame[name].map(bool) for name in ("mr", "references"))
    questions = (inputs + 2 * references).clip(lower=1).sum()
    return default_speed() if questions <= ASKED else "fast"


def learned_from(frame: pd.DataFrame) -> tuple[str, ...]:
    """Return the training corpora that contain these outputs: the learned score cannot be tested on them."""
    return known_corpora(frame["output"])


def learned_columns(frame: pd.DataFrame, speed: str, progress: RowProgress = silent) -> LearnedColumns:
    """Score the outputs of a table by the model of every rating."""
    scorers = {rating: Scorer(f"{rating}-{speed}") for rating in RATINGS}
    columns: dict[str, list[float]] = {f"{LEARNED}{rating}": [] for rating in RATINGS}
    known: list[float] = []
    for start in range(0, len(frame), AT_ONCE):
        part = frame.iloc[start : start + AT_ONCE]
        given: dict[str, Any] = {"references": part["references"].tolist(), "mrs": part["mr"].tolist()}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # how familiar texts are is said once, of all of them
            for rating, scorer in scorers.items():
                columns[f"{LEARNED}{rating}"] += scorer(part["output"].tolist(), **given).tolist()
            known += scorers["quality"].scored(part["output"].tolist(), **given).familiarity.tolist()
        progress("learned score", min(start + AT_ONCE, len(frame)), len(frame))
    signature = f"model:{speed}|version:{__version__}"
    about = {name: {"higher_is_better": True, "signature": f"{name}|{signature}"} for name in columns}
    return LearnedColumns(columns, about, speed, statistics.median(known) if known else float("nan"))
