"""`rainbow audit --words`: which words raise a score and which lower it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from rainbow.base.formatting import format_count, format_signed
from rainbow.base.lazy import pd
from rainbow.cli.console import print_json, print_records, rows_bar
from rainbow.cli.scorers.score_arguments import load_outputs, update_table
from rainbow.datasets.columns import Columns

if TYPE_CHECKING:
    from rainbow.audit.audit import Score

SHOWN = 8  # words at either end


def audit_words(
    score: Score | None, model: str, dataset: str, columns: Columns, out: Path | None, *, guard: bool, as_json: bool
) -> None:
    """Score every output with each word deleted in turn; save all score changes and print the largest."""
    from rainbow.audit.word_changes import COLUMNS, leave_one_word_out, mean_word_changes, metric_word_changes

    corpus = load_outputs(dataset, columns)
    with rows_bar() as progress:
        if score is None:
            table = metric_word_changes(corpus, model, progress)
        else:
            table = leave_one_word_out(score, corpus, progress).assign(metric=Path(model).stem)
    path = out or Path("analysis") / Path(dataset).stem / "word_changes.csv"
    update_table(path, table[["metric", *COLUMNS]], guard=guard)
    typical = {str(name): mean_word_changes(lines) for name, lines in table.groupby("metric", sort=False)}
    if as_json:
        words = {name: lines.to_dict("records") for name, lines in typical.items()}
        print_json({"dataset": dataset, "words": words, "file": str(path)})
        return
    for name, lines in typical.items():
        _print_words(lines, name)
        missing = table.loc[(table["metric"] == name) & table["score"].isna(), "id"].nunique()
        if missing:
            typer.echo(f"{name}: {missing} of {format_count(len(corpus), 'output')} without a score")
    typer.echo(f"{format_count(len(corpus), 'output')} of {dataset}, one row per word: {path}")


def _print_words(typical: pd.DataFrame, name: str) -> None:
    """Print the words that lower and raise the score most."""
    lower, raised = typical[typical["change"] < 0], typical[typical["change"] > 0].iloc[::-1]
    for what, lines in (("lower", lower), ("raise", raised)):
        if len(lines):
            columns = (f"words that {what} {name}", "{word}"), "outputs", ("mean change", "{change:signed}")
            print_records(lines.head(SHOWN).itertuples(), *columns, signed=format_signed)
