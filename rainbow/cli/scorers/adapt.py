"""`rainbow adapt`: take a learned metric to another domain, by texts that people wrote there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rainbow.base.printed import counted
from rainbow.cli.columns import settled, takes_columns
from rainbow.datasets.columns import NOTHING, Columns

if TYPE_CHECKING:
    from rainbow.corpus import Corpus

HELP = """Take a learned metric to another domain: no ratings needed, only texts that people wrote there.

What was learned from ratings stays as it is. Corpus statistics (language models in both directions, document
frequencies, values of slots) are counted on your references too, so that the words and phrases of the domain are no
longer strange to it. With a dataset of 2017 left out, that brings half of what learning from its own ratings would
(docs/learned-metrics.md). The references of an input never count in the scores of its own outputs.

\b
--references is one of
  a table of two columns, mr and ref, a reference per line (a training set)
  a table with a column of references, as `rainbow run` finds it
  plain text (.txt), a reference per line, a blank line between inputs
  a dataset: e2e, sfhotel ...

\b
Examples:
  rainbow adapt quality-referenceless --references trainset.csv
  rainbow adapt models/mine.rainbow --references refs.jsonl --reference text
  rainbow adapt naturalness-referenceless --references e2e --out e2e.rainbow

\b
Then:
  rainbow.score(outputs, inputs=inputs,
                model="models/trainset-quality-referenceless.rainbow")
"""


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(help=HELP)(takes_columns(adapt))


def adapt(
    model: Annotated[str, typer.Argument(help="A model's name, or a model file.")],
    references: Annotated[str, typer.Option(help="Texts of the domain, see above.")],
    columns: Columns = NOTHING,
    out: Annotated[
        Path | None, typer.Option(help="The file to write.", show_default="models/REFERENCES-MODEL.rainbow")
    ] = None,
) -> None:
    """Take a learned metric to another domain."""
    from rainbow.learned.model.card import save_card
    from rainbow.learned.model.model_file import save_model
    from rainbow.learned.scorer import load_model

    before = load_model(model)
    adapted = before.adapted(_corpus(references, columns))
    path = save_model(adapted, out or Path("models") / f"{Path(references).stem}-{before.name}.rainbow")
    domain = adapted.card.get("adapted", {})
    added = f"{counted(domain['references'], 'reference')} of {counted(domain['items'], 'input')}"
    typer.echo(f"{added} added to {before.name}")
    typer.echo(f"{path} (card: {save_card(adapted.card, path).name})")


def _corpus(references: str, columns: Columns) -> Corpus:
    """Return the texts of a dataset, of a table with outputs, or of a file of references alone."""
    from rainbow.datasets import load_dataset
    from rainbow.datasets.reference_files import is_reference_file, read_background

    path = Path(references)
    if is_reference_file(path, columns.encoding):
        return read_background(path, columns.encoding)
    corpus = load_dataset(references, **settled(references, columns).without("ratings", "scores", "joined").said())
    if path.is_file() and not corpus.frame["references"].map(len).any():
        raise ValueError(f"{references} has no references: name their column, --reference NAME")
    return corpus
