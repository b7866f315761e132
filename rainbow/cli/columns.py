"""The options that say what a file holds: the same for every command that takes a dataset, and said only once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from functools import wraps
from inspect import Signature, signature
from pathlib import Path
from typing import Annotated, Any, get_args

import typer

from rainbow.base.storage import Place, place
from rainbow.datasets import dataset_names
from rainbow.datasets.columns import KEPT_IN, NOTHING, Columns, kept_beside
from rainbow.datasets.tables.ending import ending
from rainbow.datasets.tables.frames import TABLES

__all__ = ["chosen_rating", "in_order", "saved_path", "settled", "takes_columns", "tell_replaced"]

OWN = "Your own file"


def _options(
    output: Annotated[
        list[str] | None,
        typer.Option(help="Your file: the column of outputs; several: one of each system.", rich_help_panel=OWN),
    ] = None,
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
        str | None,
        typer.Option(
            "--input",
            "--mr",
            help="Your file: the column of what texts were made from: meaning representations, triples, articles ...",
            rich_help_panel=OWN,
        ),
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
        list[str] | None,
        typer.Option(
            help="A column of human ratings (may be repeated); NAME=COLUMN,COLUMN where each rater has one.",
            rich_help_panel=OWN,
        ),
    ] = None,
    rater: Annotated[
        str | None,
        typer.Option(
            help="The column that says who judged, of a row for each judgement; # if none does.", rich_help_panel=OWN
        ),
    ] = None,
    scale: Annotated[
        list[str] | None,
        typer.Option(help="Words that stand for marks, the worst first: 'bad<ok<good'.", rich_help_panel=OWN),
    ] = None,
    pair: Annotated[
        list[str] | None,
        typer.Option(help="Of comparisons: the two columns of systems (repeated).", rich_help_panel=OWN),
    ] = None,
    winner: Annotated[
        str | None,
        typer.Option(help="Of comparisons: the column of which system, or output, is preferred.", rich_help_panel=OWN),
    ] = None,
    worst: Annotated[
        str | None,
        typer.Option(help="Of best-worst scaling: the column of which output is the worst.", rich_help_panel=OWN),
    ] = None,
    ignored: Annotated[
        list[str] | None,
        typer.Option("--ignore", help="A column that is none of these (may be repeated).", rich_help_panel=OWN),
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
    decimal: Annotated[
        str | None, typer.Option(help="Your file: ',' where a comma stands before decimals.", rich_help_panel=OWN)
    ] = None,
    sheet: Annotated[
        str | None, typer.Option(help="Your workbook: the sheet; by default the first.", rich_help_panel=OWN)
    ] = None,
) -> None:
    """Hold the declarations of the options."""


def takes_columns(command: Callable[..., None], *, shown: bool = False) -> Callable[..., None]:
    """Return a command whose parameter `columns` is filled by the options above, which its help may leave out."""
    own, shared = (dict(signature(function, eval_str=True).parameters) for function in (command, _options))
    if not shown:
        shared = {name: option.replace(annotation=_hidden(option.annotation)) for name, option in shared.items()}
    parameters = [
        option for name, parameter in own.items() for option in (shared.values() if name == "columns" else [parameter])
    ]

    @wraps(command)
    def wrapped(**given: Any) -> None:
        said = {name: given.pop(name) for name in shared}
        command(**given, columns=Columns.of_options(**said))

    wrapped.takes_columns = not shown  # type: ignore[attr-defined]
    wrapped.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    wrapped.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return wrapped


def _hidden(annotation: Any) -> Any:
    """Return the type of an option that works and does not stand in the help."""
    kind, *said = get_args(annotation)
    option = copy(said[0])
    option.hidden = True
    return Annotated[kind, option]


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


def tell_replaced(dataset: str, table: Path, outputs: list[str], columns: Columns) -> None:
    """Say where a file is newer than the table of its scores, and has other outputs than those that were scored."""
    from rainbow.datasets import load_dataset

    path = Path(dataset)
    if not path.is_file() or path.stat().st_mtime <= table.stat().st_mtime:
        return
    try:
        same = (
            load_dataset(dataset, **columns.without("ratings", "scores", "joined").declared()).frame["output"].tolist()
        )
    except ValueError:
        same = []
    if same != outputs:
        told = f"{table} was made of other outputs than {dataset} has now: `rainbow metrics {dataset}` makes it anew"
        typer.echo(f"beware: {told}", err=True)


def chosen_rating(named: str | None, known: Sequence[str], dataset: str) -> str:
    """Return the rating that is named, or the only one that there is.

    Raises
    ------
    ValueError
        If there is no such rating, or several are there and none is named.

    Examples
    --------
    >>> chosen_rating(None, ["quality"], "mine.csv")
    'quality'
    """
    if named is None and len(known) == 1:
        return known[0]
    if named not in known:
        wrong = f"no rating {named!r}" if named and known else "several ratings" if known else "no rating"
        have = (
            f": it has {', '.join(known)}: say --rating"
            if known
            else ": say which column holds ratings, --rating COLUMN"
        )
        raise ValueError(f"{dataset} has {wrong}{have}")
    return str(named)


def in_order(first: str, second: str) -> tuple[str, str]:
    """Return a metric or model and a dataset or file, whichever was named first.

    Examples
    --------
    >>> in_order("METEOR", "demo"), in_order("mine.csv", "METEOR"), in_order("demo", "METEOR")
    (('METEOR', 'demo'), ('METEOR', 'mine.csv'), ('METEOR', 'demo'))
    """
    data = [name in dataset_names() or name.lower().endswith((*TABLES, ".txt")) for name in (first, second)]
    return (second, first) if data == [True, False] else (first, second)


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
    from rainbow.datasets.mapping import mapping_of
    from rainbow.scoring.saved_scores import is_table_of_scores, read_about

    path, scored = place(dataset), table is not None and is_table_of_scores(table)
    many = dataset not in dataset_names() and is_many(dataset)
    own = bool(path.suffix) or many
    saved = Columns.of(**read_about(table).columns) if table and scored else NOTHING
    beside = kept_beside(path) if own else NOTHING
    known = given.over(saved).over(beside)
    if own and not many and path.is_file() and ending(path) != ".txt" and not scored and not known.output:
        looks = mapping_of(path, known).columns
        if not (further := looks.without(*known.declared())).is_usual:
            typer.echo(f"{dataset}: {further}, as its columns look: `rainbow run {dataset}` says why", err=True)
        known = looks
    usual = open_files(dataset, known).usual() if own and (many or path.is_file()) and not scored else NOTHING
    sources = (
        (saved, given, f"as {table} has it"),
        (beside, given.over(saved), f"as {path.with_name(KEPT_IN)} has it"),
    )
    for said, before, why in (*sources, (usual, known, "by their usual names")):
        if rest := said.without(*before.declared()).declared():
            typer.echo(f"{dataset}: {Columns.of(**rest)}, {why}", err=True)
    return known.over(usual)
