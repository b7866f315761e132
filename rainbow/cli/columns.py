"""The options that say what a file holds: the same for every command that takes a dataset, and said only once."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import Signature, signature
from pathlib import Path
from typing import Annotated, Any

import typer

from rainbow.base.storage import Place, place
from rainbow.datasets import dataset_names
from rainbow.datasets.columns import KEPT_IN, NOTHING, Columns, kept_beside

__all__ = ["saved_path", "settled", "takes_columns"]

OWN = "Your own file"


def _options(
    output: Annotated[str | None, typer.Option(help="Your file: the column of outputs.", rich_help_panel=OWN)] = None,
    reference: Annotated[
        list[str] | None,
        typer.Option(
            help="Your file: a column of references (may be repeated); for .txt a file of them.", rich_help_panel=OWN
        ),
    ] = None,
    separator: Annotated[
        str | None, typer.Option(help="Your file: what stands between references in a cell.", rich_help_panel=OWN)
    ] = None,
    mr: Annotated[
        str | None, typer.Option(help="Your file: the column of meaning representations.", rich_help_panel=OWN)
    ] = None,
    mr_format: Annotated[
        str | None,
        typer.Option(
            help="Your file: how every meaning representation is written: act, attributes, triples, table, text.",
            rich_help_panel=OWN,
        ),
    ] = None,
    system: Annotated[
        str | None, typer.Option(help="Your file: the column of system names.", rich_help_panel=OWN)
    ] = None,
    item: Annotated[
        str | None, typer.Option(help="Your file: the column that names the input.", rich_help_panel=OWN)
    ] = None,
    rating: Annotated[
        list[str] | None, typer.Option(help="A column of human ratings (may be repeated).", rich_help_panel=OWN)
    ] = None,
    score: Annotated[
        list[str] | None,
        typer.Option(
            help="A column of scores that others computed, NAME:higher or NAME:lower (may be repeated); where it "
            "stands for a rating, as a judge's marks do, NAME:higher=RATING.",
            rich_help_panel=OWN,
        ),
    ] = None,
    join: Annotated[
        list[str] | None,
        typer.Option(
            help="A table with further columns for the same rows: joined by id, or by mr, output and so on.",
            rich_help_panel=OWN,
        ),
    ] = None,
    background: Annotated[
        Path | None,
        typer.Option(
            exists=True,
            help="References for other inputs (columns mr, ref), for the language model too.",
            rich_help_panel=OWN,
        ),
    ] = None,
    encoding: Annotated[
        str | None, typer.Option(help="Your file: utf-8 (the default), utf-16, latin-1 ...", rich_help_panel=OWN)
    ] = None,
    delimiter: Annotated[
        str | None, typer.Option(help="Your file: what stands between fields, as ';' or tab.", rich_help_panel=OWN)
    ] = None,
) -> None:
    """Hold the declarations of the options."""


def takes_columns(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command whose parameter `columns` is filled by the options above."""
    own, shared = (signature(function, eval_str=True).parameters for function in (command, _options))
    parameters = [
        option for name, parameter in own.items() for option in (shared.values() if name == "columns" else [parameter])
    ]

    @wraps(command)
    def wrapped(**given: Any) -> None:
        said = {name: given.pop(name) for name in shared}
        command(**given, columns=Columns.of_options(**said))

    wrapped.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    wrapped.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return wrapped


def saved_path(dataset: str) -> Path:
    """Return where the scores of a dataset are saved unless something else is asked for.

    Examples
    --------
    >>> saved_path("demo").name, saved_path("in/*.parquet").name, saved_path("s3://bucket/in/mine.csv").name
    ('demo.parquet', 'in.parquet', 'mine.parquet')
    """
    path = place(dataset)
    while set("*?[") & set(path.name):
        path = path.parent
    return Path("metrics") / f"{path.stem}.parquet"


def settled(dataset: str, given: Columns, table: Place | None = None) -> Columns:
    """Return what is known of a dataset's columns, and tell what of it was not given.

    What is given comes first, then what its scores were made of, then what ``rainbow.toml`` beside the file says.

    Parameters
    ----------
    dataset, given
        The dataset or file, and the options of the command.
    table
        Where its scores are saved; None leaves them out of account.
    """
    from rainbow.datasets.folders.folder_rows import is_many, open_files
    from rainbow.scoring.saved_scores import is_table_of_scores, read_about

    path, scored = place(dataset), table is not None and is_table_of_scores(table)
    many = dataset not in dataset_names() and is_many(dataset)
    own = bool(path.suffix) or many
    saved = Columns.of(**read_about(table)["columns"]) if table and scored else NOTHING
    beside = kept_beside(path) if own else NOTHING
    known = given.over(saved).over(beside)
    usual = open_files(dataset, known).usual() if own and (many or path.is_file()) and not scored else NOTHING
    sources = (
        (saved, given, f"as {table} has it"),
        (beside, given.over(saved), f"as {path.with_name(KEPT_IN)} has it"),
    )
    for said, before, why in (*sources, (usual, known, "by their usual names")):
        if further := said.without(*before.said()).said():
            typer.echo(f"{dataset}: {Columns.of(**further)}, {why}", err=True)
    return known.over(usual)
