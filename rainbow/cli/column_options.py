"""Options that describe a file, shared by every command that takes a dataset."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from functools import wraps
from inspect import Signature, signature
from pathlib import Path
from typing import Annotated, Any, get_args

import typer

from rainbow.base.storage import Place, path_of
from rainbow.datasets import dataset_names
from rainbow.datasets.columns import CONFIG_FILE, NO_COLUMNS, Columns, saved_columns
from rainbow.datasets.read.formats import TABLES

OWN = "Your own file"


def _declare_options(
    output: Annotated[
        list[str] | None,
        typer.Option(help="Column of outputs (repeat for one column per system).", rich_help_panel=OWN),
    ] = None,
    reference: Annotated[
        list[str] | None,
        typer.Option(help="Reference column, or file for .txt input (may be repeated).", rich_help_panel=OWN),
    ] = None,
    separator: Annotated[
        str | None, typer.Option(help="Separator between references in one cell.", rich_help_panel=OWN)
    ] = None,
    mr: Annotated[
        str | None,
        typer.Option(
            "--input",
            "--mr",
            help="Column of inputs: meaning representations, sources, prompts ...",
            rich_help_panel=OWN,
        ),
    ] = None,
    mr_format: Annotated[
        str | None, typer.Option(help="Notation of inputs: act, attributes, triples, table, text.", rich_help_panel=OWN)
    ] = None,
    language: Annotated[
        str | None, typer.Option(help="Language of the outputs, e.g. de; default detected.", rich_help_panel=OWN)
    ] = None,
    system: Annotated[str | None, typer.Option(help="Column of system names.", rich_help_panel=OWN)] = None,
    item: Annotated[str | None, typer.Option(help="Column of item IDs (one per input).", rich_help_panel=OWN)] = None,
    rating: Annotated[
        list[str] | None,
        typer.Option(
            help="Human rating (may be repeated); NAME=COLUMN,COLUMN for a column per rater.", rich_help_panel=OWN
        ),
    ] = None,
    rater: Annotated[
        str | None,
        typer.Option(help="Rater column, if each row is one judgement; # if raters are unknown.", rich_help_panel=OWN),
    ] = None,
    scale: Annotated[
        list[str] | None,
        typer.Option(help="Labels of an ordinal scale, worst to best: 'bad<ok<good'.", rich_help_panel=OWN),
    ] = None,
    not_rated: Annotated[
        list[str] | None,
        typer.Option(
            help="Number that means 'not rated', e.g. -1 (may be repeated).", rich_help_panel=OWN, hidden=True
        ),
    ] = None,
    pair: Annotated[
        list[str] | None, typer.Option(help="Column of a compared system; give twice.", rich_help_panel=OWN)
    ] = None,
    winner: Annotated[
        str | None, typer.Option(help="Column of the preferred system or output.", rich_help_panel=OWN)
    ] = None,
    worst: Annotated[
        str | None, typer.Option(help="Column of the worst output.", rich_help_panel=OWN, hidden=True)
    ] = None,
    ignored: Annotated[
        list[str] | None, typer.Option("--ignore", help="Column to ignore (may be repeated).", rich_help_panel=OWN)
    ] = None,
    score: Annotated[
        list[str] | None,
        typer.Option(
            help="Precomputed score column, NAME:higher or NAME:lower (may be repeated).", rich_help_panel=OWN
        ),
    ] = None,
    join: Annotated[
        list[str] | None,
        typer.Option(help="Table with additional columns, joined by id, or by input and output.", rich_help_panel=OWN),
    ] = None,
    background: Annotated[
        Path | None,
        typer.Option(exists=True, help="References for other inputs (columns mr, ref).", rich_help_panel=OWN),
    ] = None,
    recipe: Annotated[
        Path | None,
        typer.Option(
            exists=True,
            dir_okay=False,
            help="Recipe (.toml) for the columns of a tool's export.",
            rich_help_panel=OWN,
            hidden=True,
        ),
    ] = None,
    encoding: Annotated[
        str | None, typer.Option(help="Encoding of the file, e.g. utf-16 or latin-1.", rich_help_panel=OWN)
    ] = None,
    delimiter: Annotated[
        str | None, typer.Option(help="Field delimiter, e.g. ';' or tab.", rich_help_panel=OWN)
    ] = None,
    decimal: Annotated[str | None, typer.Option(help="Decimal mark, ',' or '.'.", rich_help_panel=OWN)] = None,
    sheet: Annotated[
        str | None, typer.Option(help="Worksheet to read; default the first.", rich_help_panel=OWN)
    ] = None,
) -> None:
    """Hold the declarations of the options."""


def add_column_options(command: Callable[..., None], *, shown: bool = False) -> Callable[..., None]:
    """Return a command whose parameter `columns` is filled by the column options."""
    own, shared = (dict(signature(function, eval_str=True).parameters) for function in (command, _declare_options))
    if not shown:
        shared = {name: option.replace(annotation=_hide_option(option.annotation)) for name, option in shared.items()}
    parameters = [
        option for name, parameter in own.items() for option in (shared.values() if name == "columns" else [parameter])
    ]

    @wraps(command)
    def wrapped(**given: Any) -> None:
        entries = {name: given.pop(name) for name in shared}
        command(**given, columns=Columns.from_options(**entries))

    wrapped.takes_columns = not shown  # type: ignore[attr-defined]
    wrapped.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    wrapped.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return wrapped


def _hide_option(annotation: Any) -> Any:
    """Return the annotation of an option that is hidden from the help."""
    kind, *settings = get_args(annotation)
    option = copy(settings[0])
    option.hidden = True
    return Annotated[kind, option]


def default_scores_path(dataset: str) -> Path:
    """Return the default path of the scores of a dataset."""
    path = path_of(dataset)
    while set("*?[") & set(path.name):
        path = path.parent
    return Path("metrics") / f"{path.stem}.parquet"


def select_rating(named: str | None, known: Sequence[str], dataset: str) -> str:
    """Return the named rating, or the only one."""
    if named is None and len(known) == 1:
        return known[0]
    if named not in known:
        wrong = f"no rating {named!r}" if named and known else "several ratings" if known else "no rating"
        have = (
            f": it has {', '.join(known)}; choose one with --rating"
            if known
            else ": name the column of ratings with --rating COLUMN"
        )
        raise ValueError(f"{dataset} has {wrong}{have}")
    return str(named)


def order_arguments(first: str, second: str) -> tuple[str, str]:
    """Return a metric or model and a dataset or file, whichever comes first."""
    data = [name in dataset_names() or name.lower().endswith((*TABLES, ".txt")) for name in (first, second)]
    return (second, first) if data == [True, False] else (first, second)


def resolve_columns(dataset: str, given: Columns, table: Place | None = None) -> Columns:
    """Return the columns of a dataset, and print the detected ones."""
    from rainbow.datasets.table_mapping import check_certain, read_mapping
    from rainbow.scoring.saved_scores import is_score_table, read_about

    saved = Columns.create(**read_about(table).columns) if table and is_score_table(table) else NO_COLUMNS
    if dataset in dataset_names():
        return given.with_defaults(saved)
    path = path_of(dataset)
    configured = saved_columns(path)
    mapping = read_mapping(dataset, given, saved)
    check_certain(mapping, dataset)
    known = given.with_defaults(configured)
    for columns, before, why in (
        (configured, given, f"as {path.with_name(CONFIG_FILE)} has it"),
        (saved, known, f"from {table}"),
        (mapping.columns, known.with_defaults(saved), f"detected; `rainbow run {dataset}` shows why"),
    ):
        further = columns.without(*before.set_options())
        if str(further) and not further.has_default_names:
            typer.echo(f"{dataset}: {further}, {why}", err=True)
    return mapping.columns
