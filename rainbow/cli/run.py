"""`rainbow run`: everything that a file allows, in one command."""

from __future__ import annotations

import sys
import webbrowser
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from rainbow.cli.columns import takes_columns
from rainbow.cli.console import AsJson, print_json, print_table, rows_bar, track
from rainbow.datasets.columns import NOTHING, Columns

if TYPE_CHECKING:
    from rainbow.datasets.folders.user_files import UserFiles
    from rainbow.datasets.mapping import Mapping
    from rainbow.pipeline import Run, Stage

Step = TypeVar("Step")


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(takes_columns(run, shown=True))


def run(
    files: Annotated[
        list[str], typer.Argument(help="A table, several of the same columns, a folder of texts, or a dataset.")
    ],
    columns: Columns = NOTHING,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Take what the columns look like without asking.")] = False,
    open_it: Annotated[bool, typer.Option("--open", help="Open the report in a browser.")] = False,
    resamples: Annotated[int, typer.Option(min=1, help="Draws for intervals and tests.")] = 1000,
    workers: Annotated[int, typer.Option(min=1, help="How many processes score.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Do everything a file allows: find its columns, score, analyse, report.

    Finds out what the columns are and says so; asks once on a terminal, and writes rainbow.toml beside the file, which
    every other command and Python function reads. Then: metrics, the learned score, metrics against ratings where there
    are some, systems where there are two or more, and one report. What is current is not done again; a run that was
    interrupted goes on where it was.

    Takes CSV (any delimiter, encoding, decimal comma), TSV, JSON, JSONL, Parquet and Excel files with a row per output,
    a row per judgement, a column per system, or a row per comparison of two systems; and folders of plain texts whose
    lines belong together, a file for each system, others of references.

    \b
    Examples:
      rainbow run mine.csv --open
      rainbow run mine.csv --rating overall --input prompt    said wins over found
      rainbow run study.xlsx --sheet outputs --yes
      rainbow run tgen.jsonl slug.jsonl         a file for each system
      rainbow run outputs/                      tgen.txt, slug.txt, ref1.txt ...
    """  # noqa: D301  # the backslash is click's: what follows is not wrapped
    from rainbow.datasets.folders.user_files import open_user_files
    from rainbow.pipeline.running import finish

    opened = open_user_files(files, columns)
    if not as_json:
        _print_mapping(opened.mapping)
    _settle(opened, yes or as_json)
    with _shown(as_json) as shown:
        found = finish(opened, resamples, workers, **shown)
    (_print_json if as_json else _print_found)(found)
    if open_it and found.page:
        webbrowser.open(found.page.resolve().as_uri())


def _print_mapping(mapping: Mapping) -> None:
    if mapping.taken:
        rows = [
            (" ".join(entry.column.split()), entry.role, entry.why, entry.otherwise or "-") for entry in mapping.taken
        ]
        print_table(("column", "taken as", "why", "to say otherwise"), rows)


def _settle(opened: UserFiles, yes: bool) -> None:
    """Ask once whether columns are taken as they should be, and write it beside the file."""
    if not opened.is_table:
        return
    asked = not yes and sys.stdin.isatty() and sys.stdout.isatty()
    if asked and not typer.confirm("Is that right?", default=True):
        typer.echo("Say what is not, with the option that stands beside it: rainbow run FILE --output COLUMN ...")
        raise typer.Exit(1)
    from rainbow.datasets.mapping.remembered import remember

    try:
        kept = remember(opened.files[0], opened.mapping.columns)
    except OSError as error:
        typer.echo(
            f"what the columns are cannot be written beside the file ({error}): say it to other commands", err=True
        )
    else:
        typer.echo(f"{kept}: other commands find there what the columns are", err=True)


@contextmanager
def _shown(quiet: bool) -> Iterator[dict[str, Any]]:
    """Give what a run tells how far it is: a line for each stage that ends, and a bar for the one that goes on."""
    current = [""]

    def started(name: str) -> None:
        current[0] = name
        if not sys.stderr.isatty():
            typer.echo(f"{name} ...", err=True)

    def ended(stage: Stage) -> None:
        if not quiet:
            took = f"{stage.seconds:.1f} s" if stage.state == "done" else stage.state
            typer.echo(f"{stage.name:<14}{took:>9}  {stage.says}")

    def steps(names: list[Step]) -> Iterable[Step]:
        return track(names, lambda name: f"{current[0]}: {name}")

    with rows_bar() as bar:
        yield {"started": started, "ended": ended, "rows_progress": bar, "progress": steps}


def _print_found(found: Run) -> None:
    typer.echo(f"read it: {found.page}\n")
    for sentence in found.findings:
        typer.echo(sentence)


def _print_json(found: Run) -> None:
    print_json(
        {
            "name": found.name,
            "columns": found.mapping.columns.declared(),
            "mapping": [entry._asdict() for entry in found.mapping.taken],
            "stages": [stage._asdict() for stage in found.stages],
            "findings": list(found.findings),
            "page": str(found.page),
        }
    )
