"""`rainbow run`: everything that a file allows, in one command."""

from __future__ import annotations

import shlex
import sys
import webbrowser
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from rainbow.cli.column_options import add_column_options
from rainbow.cli.column_questions import ask_directions, confirm_columns, is_usable, print_mapping
from rainbow.cli.console import AsJson, print_json, rows_bar, track
from rainbow.datasets.columns import NO_COLUMNS, Columns, saved_columns

if TYPE_CHECKING:
    from rainbow.datasets.folders.user_files import UserFiles
    from rainbow.pipeline import Run, Stage

CHECKED = 1000  # rows that are read before a reading is kept
Step = TypeVar("Step")


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(add_column_options(run, shown=True))


def run(
    files: Annotated[
        list[str], typer.Argument(help="A table, several of the same columns, a folder of texts, or a dataset.")
    ],
    columns: Columns = NO_COLUMNS,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Accept the likely reading of the columns.")] = False,
    open_it: Annotated[bool, typer.Option("--open", help="Open the report in a browser.")] = False,
    resamples: Annotated[int, typer.Option(min=1, help="Number of bootstrap resamples.")] = 1000,
    workers: Annotated[int, typer.Option(min=1, help="Number of worker processes.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Detect columns, compute scores, analyse them and write one report.

    Detects what each column holds, and prints its doubts. If the output or a rating is uncertain, it asks on a
    terminal, and stops elsewhere without --yes. The answer is kept in rainbow.toml next to the file, for every other
    command and Python function. Then: metrics, the learned score, analysis, systems, and one report. Results that are
    up to date are kept; an interrupted run resumes.

    Takes CSV (any delimiter, encoding, decimal comma), TSV, JSON, JSONL, Parquet and Excel files with a row per output,
    a row per judgement, a column per system, or a row per comparison of two systems; and folders of plain texts whose
    lines belong together, a file for each system, others of references.

    \b
    Examples:
      rainbow run mine.csv --open
      rainbow run mine.csv --rating overall     options override detection
      rainbow run study.xlsx --sheet outputs --yes
      rainbow run tgen.jsonl slug.jsonl         a file for each system
      rainbow run outputs/                      tgen.txt, slug.txt, ref1.txt ...
    """  # noqa: D301  # the backslash is click's: what follows is not wrapped
    from rainbow.datasets.folders.user_files import open_user_files
    from rainbow.pipeline.runner import run_opened

    opened = open_user_files(files, columns)
    if not as_json:
        print_mapping(opened.mapping)
    named = columns.with_defaults(saved_columns(opened.files[0])) if opened.is_table else columns
    opened = _confirm_reading(opened, columns, yes)
    with _stage_progress(as_json) as shown:
        result = run_opened(opened, resamples, workers, **shown)
    (_print_json if as_json else _print_result)(result)
    if opened.is_table and is_usable(opened.mapping) and opened.mapping.columns != named and not as_json:
        typer.echo(f"\nsame reading: rainbow run {shlex.join(files)} {opened.mapping.columns}")
    if open_it and result.page:
        webbrowser.open(result.page.resolve().as_uri())


def _confirm_reading(opened: UserFiles, given: Columns, yes: bool) -> UserFiles:
    """Ask about uncertain columns or raise an error, and save the reading to rainbow.toml."""
    from rainbow.datasets.columns import save_columns
    from rainbow.datasets.table_mapping import check_certain

    if not opened.is_table:
        return opened
    if yes:
        opened = replace(opened, mapping=opened.mapping.accept_doubts())
    elif sys.stdin.isatty() and sys.stdout.isatty():
        opened = ask_directions(confirm_columns(opened, given))
    elif is_usable(opened.mapping):
        check_certain(opened.mapping, opened.files[0])
    if not is_usable(opened.mapping):  # the run ends with the missing resource
        return opened
    if opened.mapping.columns.output:
        next(opened.rows.chunks(CHECKED), None)  # an error ends the run before anything is written
    try:
        kept = save_columns(opened.files[0], opened.mapping.columns)
    except OSError as error:
        typer.echo(
            f"the reading cannot be saved next to the file ({error}): pass the options to other commands", err=True
        )
    else:
        typer.echo(f"reading saved to {kept}, where other commands find it", err=True)
    return opened


@contextmanager
def _stage_progress(quiet: bool) -> Iterator[dict[str, Any]]:
    """Show a line for each finished stage and a bar for the current one."""
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


def _print_result(run: Run) -> None:
    typer.echo(f"read it: {run.page}\n")
    for sentence in run.findings:
        typer.echo(sentence)


def _print_json(run: Run) -> None:
    print_json(
        {
            "name": run.name,
            "columns": run.mapping.columns.set_options(),
            "mapping": [entry._asdict() for entry in run.mapping.taken],
            "stages": [stage._asdict() for stage in run.stages],
            "findings": list(run.findings),
            "page": str(run.page),
        }
    )
