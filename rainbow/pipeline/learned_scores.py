"""What the learned metrics that come along say of outputs, as columns beside their scores."""

from __future__ import annotations

import statistics
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rainbow.corpus import Corpus
from rainbow.learned.scorer import FAMILIAR, Scorer, default_speed
from rainbow.metrics.contract.facts import LEARNED
from rainbow.scoring.saved_scores import load_scores

if TYPE_CHECKING:
    import pandas as pd

    from rainbow.scoring.chunks import Rows

__all__ = ["BesideRows", "LearnedScores", "is_familiar", "learned_scores", "speed_for"]

RATINGS = ("informativeness", "naturalness", "quality")
AT_ONCE = 2000  # rows
ASKED = 2000  # questions that a language model is asked at most: a minute on two cores


class LearnedScores(NamedTuple):
    """A column for each rating, row by row; which model; how much of the texts it knows, 0 to 1."""

    columns: dict[str, list[float]]
    model: str
    familiarity: float


def speed_for(frame: pd.DataFrame) -> str:
    """Return `full` where its networks were fetched and have not too much to read, else `fast`.

    Examples
    --------
    >>> import pandas as pd
    >>> speed_for(pd.DataFrame({"mr": ["", ""], "references": [["a", "b"], []]}).iloc[[0, 1] * 800])
    'fast'
    """
    inputs, references = (frame[name].map(bool) for name in ("mr", "references"))
    questions = (inputs + 2 * references).clip(lower=1).sum()
    return default_speed() if questions <= ASKED else "fast"


def learned_scores(path: Path, speed: str, progress: Any) -> LearnedScores:
    """Score the outputs of a saved table by the models of every rating.

    Parameters
    ----------
    path
        The table of scores.
    speed
        Of the models, `fast` or `full`.
    progress
        Is told what is done, of how many rows.
    """
    frame = load_scores(path)
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
    return LearnedScores(columns, speed, statistics.median(known) if known else float("nan"))


@dataclass
class BesideRows:
    """Rows with further columns of scores, in their order."""

    rows: Rows
    columns: Mapping[str, list[float]]
    signature: str

    @property
    def ratings(self) -> tuple[str, ...]:
        """The columns of ratings."""
        return self.rows.ratings

    @property
    def background(self) -> Corpus | None:
        """References for further inputs."""
        return self.rows.background

    def chunks(self, rows: int) -> Iterator[Corpus]:
        """Return the rows, so many at a time."""
        from dataclasses import replace

        before = 0
        for corpus in self.rows.chunks(rows):
            part = {name: values[before : before + len(corpus)] for name, values in self.columns.items()}
            before += len(corpus)
            yield replace(corpus, frame=corpus.frame.assign(**part))

    def state(self) -> object:
        """Return what differs when the rows have changed."""
        return self.rows.state()

    def about(self) -> dict[str, Any]:
        """Return what is known of the rows and of these scores."""
        about = {"columns": {}, "external": {}, **self.rows.about()}
        own = {name: {"higher_is_better": True, "signature": f"{name}|{self.signature}"} for name in self.columns}
        return {**about, "external": {**about["external"], **own}}


def is_familiar(familiarity: float) -> bool:
    """Return whether a model knows enough of the texts for its scores to be more than rough."""
    return familiarity >= FAMILIAR
