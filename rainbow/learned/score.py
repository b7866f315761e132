"""`rainbow.score`: predicted human ratings of texts, and of every output of a table."""

from __future__ import annotations

import statistics
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, overload

from rainbow._version import __version__
from rainbow.base.aliases import INPUTS, accept_aliases
from rainbow.base.arrays import FloatArray
from rainbow.base.lazy import pd
from rainbow.base.progress import RowProgress, silent
from rainbow.learned.model.model import Model
from rainbow.learned.scorer import MIN_FAMILIARITY, Classes, References, Scored, Scorer, default_speed, load_model
from rainbow.metrics.contract.metric_card import LEARNED
from rainbow.metrics.contract.views import PreparedReferences, Views
from rainbow.metrics.general.regressions import known_corpora


@overload
def score(  # type: ignore[overload-overlap]  # a string is a sequence of strings too
    outputs: str,
    references: Sequence[str] | References | None = ...,
    inputs: str | None = ...,
    *,
    rating: str = ...,
    model: str | Path | Model | None = ...,
    interval: Literal[False] = ...,
    explain: Literal[False] = ...,
    classes: Literal[False] = ...,
) -> float: ...
@overload
def score(  # type: ignore[overload-overlap]  # details are requested by True
    outputs: pd.Series[str],
    references: References | None = ...,
    inputs: Sequence[str | None] | pd.Series[str] | None = ...,
    *,
    rating: str = ...,
    model: str | Path | Model | None = ...,
    interval: Literal[False] = ...,
    explain: Literal[False] = ...,
    classes: Literal[False] = ...,
) -> pd.Series[float]: ...
@overload
def score(  # type: ignore[overload-overlap]
    outputs: Sequence[str],
    references: References | None = ...,
    inputs: Sequence[str | None] | None = ...,
    *,
    rating: str = ...,
    model: str | Path | Model | None = ...,
    interval: Literal[False] = ...,
    explain: Literal[False] = ...,
    classes: Literal[False] = ...,
) -> FloatArray: ...
@overload
def score(
    outputs: str | Sequence[str] | pd.Series[str],
    references: Any = ...,
    inputs: Any = ...,
    *,
    rating: str = ...,
    model: str | Path | Model | None = ...,
    interval: bool = ...,
    explain: bool = ...,
    classes: bool = ...,
) -> Scored: ...
@accept_aliases(outputs=("output",), references=("reference",), inputs=INPUTS)
def score(
    outputs: str | Sequence[str] | pd.Series[str],
    references: Sequence[str] | References | None = None,
    inputs: str | Sequence[str | None] | pd.Series[str] | None = None,
    *,
    rating: str = "quality",
    model: str | Path | Model | None = None,
    interval: bool = False,
    explain: bool = False,
    classes: bool = False,
) -> float | FloatArray | pd.Series[float] | Scored:
    """Predict human ratings of texts, from 1 (worst) to 6 (best).

    Parameters
    ----------
    outputs : str, sequence of str or Series
        One or several texts.
    references : sequence, optional
        For one text, its references; for several, one reference or a sequence of references each.
    inputs : str, sequence of str or Series, optional
        The input of each text: a meaning representation, as ``inform(name='the inn',area=soma)`` or
        ``subject | predicate | object``, an article, or any other text. Aliases: `input`, `mr`, `mrs`.
    rating : {"quality", "naturalness", "informativeness"}
        Rating to predict.
    model : str, path or Model, optional
        As in :class:`Scorer`.
    interval, explain, classes : bool
        Return a :class:`Scored` with 90 % intervals, feature contributions, or probabilities of the scale points.

    Returns
    -------
    float, array, Series or Scored
        A float, or an array of shape (n,) or Series for several texts; :class:`Scored` if details are requested.

    Raises
    ------
    ValueError
        If shapes do not match, an input that `model` needs is missing, or the model has no classes.

    Notes
    -----
    The prediction uses whatever is given; texts alone are rated as English. See docs/general-score.md for the agreement
    with people on unseen corpora, and :attr:`Model.card` for the training data.

    Examples
    --------
    >>> import rainbow
    >>> mr = "inform(name='the inn',area=soma,price_range=cheap)"
    >>> good = rainbow.score("the inn is a cheap hotel in soma.", input=mr)
    >>> bad = rainbow.score("inn soma the in in cheap", input=mr)
    >>> 1 <= bad < good - 1 < 6
    True
    >>> rainbow.score(["the inn is cheap.", ""], [["the inn is cheap."], ["an inn"]]).shape
    (2,)
    """
    texts: Any = outputs
    shown: Any = references
    given: Any = inputs
    if one := isinstance(outputs, str):
        if references is not None and not isinstance(references, PreparedReferences):
            shown = [references]
        texts, given = [outputs], None if inputs is None else [inputs]
    if isinstance(shown, (list, tuple)):  # one text becomes a list of one
        shown = [[own] if isinstance(own, str) else own for own in shown]
    scorer = Scorer(model, rating=rating)
    if not (interval or explain or classes):
        scores = scorer(texts, shown, given)
        result: float | FloatArray | pd.Series[float]
        result = float(scores[0]) if one else _restore_index(scores, texts, shown, given)
        return result
    scored = scorer.scored(texts, shown, given, interval=interval, explanation=explain, classes=classes)
    columns = {name: getattr(scored, name) for name in ("score", "low", "high", "familiarity")}
    if not one:
        return scored._replace(
            **{name: _restore_index(values, texts, shown, given) for name, values in columns.items()}
        )
    single: dict[str, Any] = {name: None if values is None else float(values[0]) for name, values in columns.items()}
    if scored.classes is not None:
        points, probabilities, most_probable, as_frequent = scored.classes
        single["classes"] = Classes(points, probabilities[0], float(most_probable[0]), float(as_frequent[0]))
    return scored._replace(**single)


def _restore_index(scores: FloatArray | None, outputs: Any, *given: Any) -> Any:
    """Return scores with the index of a Series of outputs; other Series must share that index."""
    pandas = sys.modules.get("pandas")
    if scores is None or pandas is None or not isinstance(outputs, pandas.Series):
        return scores
    if any(isinstance(values, pandas.Series) and not values.index.equals(outputs.index) for values in given):
        raise ValueError("references or inputs have a different index than outputs: align them first")
    return pandas.Series(scores, index=outputs.index)


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
    models = {rating: load_model(f"{rating}-{speed}") for rating in RATINGS}
    columns: dict[str, list[float]] = {f"{LEARNED}{rating}": [] for rating in RATINGS}
    known: list[float] = []
    for start in range(0, len(frame), BATCH_ROWS):
        part = frame.iloc[start : start + BATCH_ROWS]
        views = Views.from_texts(*(part[name].tolist() for name in ("output", "references", "mr")))
        for rating, model in models.items():
            columns[f"{LEARNED}{rating}"] += model.predict_views(views).tolist()
        known += models["quality"].familiarity(views).tolist()
        progress("learned score", min(start + BATCH_ROWS, len(frame)), len(frame))
    signature = f"model:{speed}|version:{__version__}"
    about = {name: {"higher_is_better": True, "signature": f"{name}|{signature}"} for name in columns}
    return LearnedColumns(columns, about, speed, statistics.median(known) if known else float("nan"))
