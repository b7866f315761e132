"""Options that describe a file, shared by every command that takes a dataset."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any

import typer

from rainbow.base.storage import Place, path_of
from rainbow.datasets import dataset_names
from rainbow.datasets.columns import CONFIG_FILE, NO_COLUMNS, Columns, option_name, saved_columns
from rainbow.datasets.read.formats import TABLES

OWN = "Your own file"


def _declare_options(hidden: bool) -> dict[str, Parameter]:
    """Return the options of :class:`Columns` by parameter name; all of them hidden from the help, or those that are."""
    options = {}
    for field in fields(Columns):
        if about := field.metadata:
            name = option_name(field.name)
            names = dict.fromkeys([name, field.name] if field.name in about["names"] else [name])
            option: Any = typer.Option(
                *(f"--{each.replace('_', '-')}" for each in names),
                help=about["help"],
                rich_help_panel=OWN,
                hidden=hidden or about["hidden"],
                exists=about["file"],
                dir_okay=not about["file"],
            )
            kind = list[str] if field.default == () else Path if about["file"] else str
            declared = Annotated[kind | None, option]  # type: ignore[valid-type]  # made at run time
            options[name] = Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=None, annotation=declared)
    return options


def add_column_options(command: Callable[..., None], *, shown: bool = False) -> Callable[..., None]:
    """Return a command whose parameter `columns` is filled by the column options."""
    own, shared = dict(signature(command, eval_str=True).parameters), _declare_options(not shown)
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
