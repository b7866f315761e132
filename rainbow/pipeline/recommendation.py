"""The recommended score of every rating, from the tables of an analysis."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from shlex import quote

from threadpoolctl import threadpool_limits

from rainbow.analysis.analysis_inputs import Inputs
from rainbow.analysis.verdicts.candidate_columns import CANDIDATE
from rainbow.base.files import write_csv
from rainbow.base.lazy import pd
from rainbow.learned.protocols.learning_curve import learning_curve
from rainbow.learned.protocols.recommended import Choices, recommend
from rainbow.learned.tables import CURVE, RECOMMENDED
from rainbow.learned.training.features import feature_columns
from rainbow.learned.training.learn import directed_columns
from rainbow.metrics.contract.metric_card import LEARNED
from rainbow.metrics.general.general_score import SPEEDS, general_columns
from rainbow.metrics.general.regressions import RATINGS
from rainbow.scoring.saved_scores import About


def recommendation_files(folder: Path) -> list[Path]:
    """Return the files that a recommendation writes."""
    return [folder / f"{table.name}.csv" for table in (RECOMMENDED, CURVE)]


def save_recommendation(folder: Path, inputs: Inputs, dataset: str | None) -> pd.DataFrame:
    """Write the recommended score of every rating and its learning curve into an analysis; return the former."""
    evidence = pd.read_csv(folder / "evidence.csv", dtype=str, keep_default_na=False)
    choices = {rating: _choices(inputs, evidence, rating) for rating in inputs.ratings}
    asked = inputs.frame, choices, inputs.higher_is_better
    with threadpool_limits(1):  # thousands of small products: threads would wait for each other
        table = recommend(*asked, resamples=inputs.resamples, seed=inputs.seed)
        curve = learning_curve(*asked, seed=inputs.seed)
    commands = [save_command(inputs.frame, choices[rating], rating, dataset) for rating in table["rating"]]
    table = table.assign(command=commands)
    for path, one in zip(recommendation_files(folder), (table, curve), strict=True):
        write_csv(path, one)
    return table


def save_command(frame: pd.DataFrame, choices: Choices, rating: str, dataset: str | None) -> str:
    """Return the command that saves the combination of a rating as a scorer; empty without a dataset to name."""
    if dataset is None:
        return ""
    start = _start(frame, choices.general)
    options = "" if start == "fast" else f" --start {start}"
    return f"rainbow fit {quote(dataset)} --rating {quote(rating)} --preset combination{options}"


def _start(frame: pd.DataFrame, general: str | None) -> str:
    """Return the general score that a saved combination starts from: that of the analysis, or none."""
    if general is None:
        return "none"
    model = str(About.from_table(frame).signatures.get(general, ""))
    return "full" if general.startswith("full_") or "model:full" in model else "fast"


def _choices(inputs: Inputs, evidence: pd.DataFrame, rating: str) -> Choices:
    """Return the columns for one rating; general scores are one choice, and no single columns."""
    status = _status(evidence, rating)
    every = {name for speed in SPEEDS for name in general_columns(speed)}
    single = [
        name
        for name in inputs.metrics
        if status.get(name) == CANDIDATE and name not in every and not name.startswith(LEARNED)
    ]
    saved = set(feature_columns("all"))
    return Choices(directed_columns(name for name in single if name in saved), single, _general(inputs, rating))


def _status(evidence: pd.DataFrame, rating: str) -> Mapping[str, str]:
    rows = evidence[evidence["rating"] == rating]
    return dict(zip(rows["metric"], rows["status"], strict=True))


def _general(inputs: Inputs, rating: str) -> str | None:
    """Return the column of the general score of this rating, else of quality: `full` if it was computed."""
    name = rating if rating in RATINGS else "quality"
    known = [column for column in (f"full_{name}", f"{LEARNED}{name}", f"fast_{name}") if column in inputs.metrics]
    return known[0] if known else None


def recommendation_sentences(table: pd.DataFrame) -> str:
    """Return what to use for each rating, in a line."""
    return " ".join(f"{rating}: {rows['advice'].iloc[0]}" for rating, rows in table.groupby("rating", sort=False))
