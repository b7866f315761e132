"""`rainbow metrics`: compute a table of scores for a dataset."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

import typer

from rainbow.base.formatting import format_count, format_number
from rainbow.base.storage import Place, path_of
from rainbow.base.workers import Engine
from rainbow.cli.column_options import add_column_options, default_scores_path, resolve_columns
from rainbow.cli.console import AsJson, Guard, print_json, print_table, rows_bar
from rainbow.datasets.columns import NO_COLUMNS, Columns
from rainbow.text.languages.detection import ENGLISH, language_name

if TYPE_CHECKING:
    from rainbow.scoring.score_rows import ScoredTable


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(add_column_options(metrics))


def metrics(
    dataset: Annotated[str, typer.Argument(help="demo, sfhotel, sfrest, bagel, emnlp2017, or your own file.")],
    names: Annotated[
        str | None, typer.Option("--metrics", help="Metrics or columns, comma-separated; or all+extra.")
    ] = None,
    group: Annotated[str | None, typer.Option(help="Group of metrics: word, grammar, meaning, language-model.")] = None,
    view: Annotated[
        str | None,
        typer.Option(
            help="Texts for word-based metrics: surface, delexicalised (default with MRs), characters, published, or a "
            "tokeniser of sacrebleu: 13a, intl, zh, char, ja-mecab, ko-mecab, flores101, flores200."
        ),
    ] = None,
    as_published: Annotated[
        bool,
        typer.Option("--as-published", help="Use the texts and definitions of Novikova et al. (2017).", hidden=True),
    ] = False,
    out: Annotated[
        str | None,
        typer.Option(metavar="PATH", help="Output file (.parquet, .csv) or folder; default metrics/DATASET.parquet."),
    ] = None,
    csv: Annotated[bool, typer.Option("--csv", help="Also write a CSV file.", hidden=True)] = False,
    columns: Columns = NO_COLUMNS,
    workers: Annotated[int, typer.Option(min=1, help="Number of worker processes.")] = 1,
    threads: Annotated[int, typer.Option(min=1, help="Threads per worker process.")] = 1,
    engine: Annotated[
        Literal["local", "ray"], typer.Option(help="Engine: processes or ray (docs/clusters.md).")
    ] = "local",
    address: Annotated[
        str | None,
        typer.Option(help="Ray head, HOST:PORT or auto; default RAY_ADDRESS or a local cluster.", hidden=True),
    ] = None,
    chunk_rows: Annotated[
        int | None, typer.Option(min=1, help="Rows in memory per worker process; default at most 8000.", hidden=True)
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume/--no-resume", help="Resume an interrupted run.", hidden=True)
    ] = True,
    guard: Guard = False,
    anew: Annotated[bool, typer.Option("--anew", help="Discard the saved table and start over.")] = False,
    as_json: AsJson = False,
) -> None:
    """Compute metrics for every output of a dataset and save them as one table.

    By default all metrics of the base package are computed. all+extra adds those that need an extra or `rainbow fetch`
    (parser, LanguageTool, word frequencies). Likelihoods must be named (likelihood, likelihood-input,
    likelihood-references).

    Tables of any size are processed in chunks. If the command is interrupted, run it again: it resumes from the
    finished chunks in .NAME.partial.

    Saved metrics stay in the table if its rows are the same; --anew starts over. The columns that you name (--output
    ...) are saved too, and other commands read them. You can also write them into a file rainbow.toml next to yours:
    output = "text", rating = ["quality"].

    \b
    Examples:
      rainbow metrics demo
      rainbow metrics sfhotel --metrics BLEU4,METEOR,RE
      rainbow metrics demo --metrics all+extra
      rainbow metrics mine.csv --output text --reference gold --input source
      rainbow metrics outputs.txt --reference ref.txt --group word
      rainbow metrics mine.csv --score comet:higher --score ter2:lower
      rainbow metrics mine.csv --background trainset.csv
      rainbow metrics million.parquet --workers 8
      rainbow metrics 's3://in/*.parquet' --out s3://out/ --engine ray
    """  # noqa: D301  # the backslash is click's: what follows is not wrapped
    from rainbow.datasets import open_dataset
    from rainbow.scoring.score_rows import score_rows

    _check_usage(names, group)
    target = out or str(default_scores_path(dataset))
    path = path_of(target)
    columns = resolve_columns(dataset, columns, None if anew else path)
    rows = open_dataset(dataset, **columns.set_options())
    paths = [target, path.with_suffix(".csv")] if csv and path.suffix != ".csv" else [target]
    # Ray reports lost machines on standard output, which is reserved for --json.
    with rows_bar() as progress, _resume_hint(path), redirect_stdout(sys.stderr):
        scored = score_rows(
            rows,
            paths,
            [name.strip() for name in names.split(",")] if names else None,
            view,
            group=group,
            as_published=as_published,
            workers=workers,
            threads=threads,
            chunk_rows=chunk_rows,
            engine=_select_engine(engine, address, workers, threads),
            resume=resume,
            keep=not anew,
            guard=guard,
            progress=progress,
            notify=lambda sentence: typer.echo(sentence, err=True),
        )
    (_print_json if as_json else _print_summary)(scored)


def _select_engine(name: str, address: str | None, workers: int, threads: int) -> Engine | None:
    """Return the distributed engine; None for local processes."""
    if name == "local":
        if address:
            raise typer.BadParameter("needs --engine ray", param_hint="--address")
        return None
    if workers != 1:
        raise typer.BadParameter("a Ray cluster uses all its processors: omit this option", param_hint="--workers")
    from rainbow.base.ray_tasks import ray_cluster

    return ray_cluster(address, cpus=threads)


@contextmanager
def _resume_hint(path: Place) -> Iterator[None]:
    """Print how to resume after Ctrl-C."""
    try:
        yield
    except KeyboardInterrupt:
        typer.echo(f"interrupted: {path} is incomplete; run the same command to resume", err=True)
        raise typer.Exit(130) from None


def _check_usage(names: str | None, group: str | None) -> None:
    """Raise a usage error for unknown metrics before anything is loaded."""
    from rainbow.metrics import find
    from rainbow.metrics.contract.base import Group
    from rainbow.metrics.contract.selection import EVERYTHING

    try:
        for name in names.split(",") if names else []:
            if name.strip() != EVERYTHING:
                find(name.strip())
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--metrics") from None
    if group not in (None, *get_args(Group)):
        raise typer.BadParameter(f"{group!r} is not one of {', '.join(get_args(Group))}", param_hint="--group")


def _count_missing(scored: ScoredTable) -> dict[str, dict[str, int]]:
    """Count the missing values of each column by reason."""
    from rainbow.scoring.missing import count_missing

    return {
        column: {reason: count_missing(places, scored.table.rows) for reason, places in reasons.items()}
        for column, reasons in scored.table.missing.items()
    }


def _print_json(scored: ScoredTable) -> None:
    summary: dict[str, Any] = {"files": [str(path) for path in scored.paths], "rows": scored.table.rows}
    mean = {name: moments.mean for name, moments in scored.table.moments.items()}
    summary |= {"kept": list(scored.kept), "replaced": list(scored.replaced)}
    summary |= {"language": scored.language} if scored.language else {}
    summary |= {"resumed": scored.resumed, "view": scored.view, "mean": mean, "missing": _count_missing(scored)}
    print_json(summary | {"signatures": scored.signatures})


def _print_summary(scored: ScoredTable) -> None:
    missing = _count_missing(scored)
    rows = []
    for column, moments in scored.table.moments.items():
        numbers = (moments.mean, moments.deviation, moments.low, moments.high)
        reasons = "; ".join(
            f"{format_count(count, 'row')}: {reason}" for reason, count in missing.get(column, {}).items()
        )
        rows.append((column, *map(format_number, numbers), reasons))
    print_table(("metric", "mean", "sd", "lowest", "highest", "missing"), rows)
    if scored.kept or scored.replaced:
        added = len(scored.signatures) - len(scored.replaced)
        changes = f"{format_count(added, 'metric')} added, {len(scored.replaced)} recomputed, {len(scored.kept)} kept"
        typer.echo(f"{scored.paths[0]}: {changes}{' (--anew leaves those out)' if scored.kept else ''}")
    if scored.resumed:
        typer.echo(f"{scored.resumed} rows were already scored before the interruption")
    if scored.language not in (None, ENGLISH):
        typer.echo(f"language: {language_name(scored.language)} (--language en computes all metrics as for English)")
    typer.echo(f"{format_count(scored.table.rows, 'row')}, view {scored.view}: {', '.join(map(str, scored.paths))}")
