"""The metric or model and the corpus that a command names."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from rainbow.base.files import write_csv
from rainbow.base.lazy import pd
from rainbow.cli.column_options import default_scores_path, resolve_columns
from rainbow.datasets.columns import Columns, Score
from rainbow.datasets.read.formats import TABLES

if TYPE_CHECKING:
    from rainbow.audit.audit import Score as ScoreOfRows
    from rainbow.corpus import Corpus


def load_score(name: str, columns: Columns) -> ScoreOfRows | None:
    """Return the prediction function of a model; None if the name is a metric."""
    import rainbow
    from rainbow.metrics import find

    if name in [Score.parse(entry).name for entry in columns.scores]:
        raise ValueError(f"{name} is an external score and cannot be computed for changed texts")
    if len(columns.ratings) > 1:
        raise typer.BadParameter("name the single rating that the model predicts", param_hint="--rating")
    rating = next(iter(columns.rating_names), None)
    try:
        find(name)
    except ValueError as error:
        unknown = str(error)
    else:
        if rating:
            raise typer.BadParameter(f"{name} is a metric and does not predict ratings", param_hint="--rating")
        return None
    if name.lower().endswith((*TABLES, ".txt")):
        command = f"rainbow audit METEOR {shlex.quote(name)}"
        raise ValueError(f"{name} is a table: name a metric or a model first, {command}")
    try:
        model = rainbow.Scorer(name, rating=rating or "quality").model
    except (ValueError, OSError) as error:
        if Path(name).suffix:
            raise
        raise ValueError(f"{unknown}, and it is not a model either: {error}") from None
    score: ScoreOfRows = model.predict
    return score


def load_outputs(dataset: str, columns: Columns) -> Corpus:
    """Load the outputs; the rating column is that of the saved analysis, as --rating is the model's."""
    from rainbow.datasets import dataset_names, load_dataset

    columns = resolve_columns(dataset, columns.without("ratings"), default_scores_path(dataset)).without(
        "scores", "joined"
    )
    return load_dataset(
        dataset, **(columns.without("ratings") if dataset in dataset_names() else columns).set_options()
    )


def update_table(path: Path, table: pd.DataFrame, *, guard: bool) -> None:
    """Write the rows of some metrics (column metric) and keep those of others in the file."""
    if path.is_file():
        before = pd.read_csv(path, keep_default_na=False, dtype=str)
        others = before[~before["metric"].isin(table["metric"])]
        table = pd.concat([others, table.astype(object)], ignore_index=True)
    write_csv(path, table, guard=guard)
