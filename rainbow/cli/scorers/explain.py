"""`rainbow explain`: which words raise a score, and which lower it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rainbow.cli.columns import in_order, takes_columns
from rainbow.cli.console import AsJson, Guard, print_json, print_table, rows_bar
from rainbow.cli.scorers.chosen import chosen_corpus, chosen_score, write_beside
from rainbow.datasets.columns import NOTHING, Columns

if TYPE_CHECKING:
    import pandas as pd

SHOWN = 8  # words at either end


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(takes_columns(explain))


def explain(
    model: Annotated[str, typer.Argument(help="A metric or one of its columns, a model's name, or a model file.")],
    dataset: Annotated[
        str, typer.Argument(help="Whose outputs to explain: demo, sfhotel ..., or your own file.")
    ] = "demo",
    columns: Columns = NOTHING,
    out: Annotated[
        Path | None,
        typer.Option(help="Write to this file; by default analysis/DATASET/word_changes.csv.", show_default=False),
    ] = None,
    guard: Guard = False,
    as_json: AsJson = False,
) -> None:
    """Leave out the words of every output one by one, and see what the score loses or gains.

    What changes the score most, on average, is printed. Every word of every output goes to
    analysis/DATASET/word_changes.csv, beside those of other scores; `rainbow report` colours the outputs by it.

    \b
    Examples:
      rainbow explain quality-referenceless
      rainbow explain models/hotels-quality-gbm.rainbow hotels.csv && rainbow report hotels.csv
      rainbow explain METEOR sfhotel
    """  # noqa: D301  # the backslash is click's: what follows is not wrapped
    from rainbow.audit.word_changes import COLUMNS, metric_word_changes, typical_changes, word_changes

    model, dataset = in_order(model, dataset)
    score, corpus = chosen_score(model, columns), chosen_corpus(dataset, columns)
    with rows_bar() as progress:
        if score is None:
            table = metric_word_changes(corpus, model, progress)
        else:
            table = word_changes(score, corpus, progress).assign(metric=Path(model).stem)
    path = out or Path("analysis") / Path(dataset).stem / "word_changes.csv"
    write_beside(path, table[["metric", *COLUMNS]], guard=guard)
    typical = {str(name): typical_changes(lines) for name, lines in table.groupby("metric", sort=False)}
    if as_json:
        words = {name: lines.to_dict("records") for name, lines in typical.items()}
        print_json({"dataset": dataset, "words": words, "file": str(path)})
        return
    for name, lines in typical.items():
        _print(lines, name)
        missing = table.loc[(table["metric"] == name) & table["score"].isna(), "id"].nunique()
        if missing:
            typer.echo(f"{name}: {missing} of {len(corpus)} outputs have no score")
    typer.echo(f"{len(corpus)} outputs of {dataset}, a line a word: {path}")


def _print(typical: pd.DataFrame, name: str) -> None:
    """Print the words that lower and raise the score most; without one of them the score is higher, or lower."""
    lower, raised = typical[typical["change"] < 0], typical[typical["change"] > 0].iloc[::-1]
    for what, lines in (("lower", lower), ("raise", raised)):
        rows = [(str(line.word), str(line.outputs), f"{line.change:+.3f}") for line in lines.head(SHOWN).itertuples()]
        if rows:
            print_table((f"words that {what} {name}", "outputs", "mean change"), rows)
