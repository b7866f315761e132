"""`rainbow verify`: compare metric columns with reference implementations on your rows."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from rainbow.base.formatting import format_count
from rainbow.cli.column_options import add_column_options, default_scores_path, resolve_columns
from rainbow.cli.console import AsJson, Guard, print_json, print_records, track
from rainbow.datasets.columns import NO_COLUMNS, Columns


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(add_column_options(verify))


def verify(
    dataset: Annotated[str, typer.Argument(help="Dataset or your own file.")] = "demo",
    metrics: Annotated[
        str | None, typer.Option(help="Metrics, comma-separated; default the groups word and grammar.")
    ] = None,
    rows: Annotated[int, typer.Option(min=0, help="Number of rows, evenly spaced; 0 for all.")] = 500,
    columns: Columns = NO_COLUMNS,
    out: Annotated[Path | None, typer.Option(help="Output file (.csv).")] = None,
    guard: Guard = False,
    as_json: AsJson = False,
) -> None:
    """Check word-based and grammar-based metrics against their reference implementations.

    The tools are pycocoevalcap, sacrebleu, rouge-score, nltk, textstat, pyspellchecker, hLepor, and METEOR's own
    program, which needs Java (pip install 'rainbow-nlg[bench,java]'). For each column it prints the number of equal
    rows, the largest difference, the versions, and known differences of definition. Exit status 1 if a difference has
    no known reason.

    \b
    Examples:
      rainbow verify
      rainbow verify mine.csv --reference gold --rows 0
      rainbow verify sfhotel --metrics TER,ROUGE,METEOR --out verified.csv
    """  # noqa: D301  # the backslash is click's: what follows is not wrapped
    from rainbow.base.files import write_csv
    from rainbow.datasets import load_dataset
    from rainbow.metrics import find
    from rainbow.scoring.verification import verify_metrics as compared

    try:
        chosen = [find(name.strip()) for name in metrics.split(",")] if metrics else None
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--metrics") from None
    columns = resolve_columns(dataset, columns, default_scores_path(dataset)).without("ratings", "scores", "joined")
    corpus = load_dataset(dataset, **columns.set_options())
    table = compared(corpus, chosen, rows=rows or None, progress=lambda entries: track(entries, lambda each: each.name))
    if out:
        write_csv(out, table, guard=guard)
    lines: list[dict[str, Any]] = [{str(name): line[name] for name in line} for line in table.to_dict("records")]
    if as_json:
        print_json(lines)
    else:
        _print_comparison(lines)
    if any(line["unexplained"] for line in lines):
        raise typer.Exit(1)


def _print_comparison(lines: list[dict[str, Any]]) -> None:
    counts = ((name, f"{{{name}}}") for name in ("equal", "explained", "unexplained"))
    print_records(
        [_printed(line) for line in lines],
        *("column", "tool", "rows", *counts),
        *(("largest difference", "{largest}"), ("known differences", "{known}")),
    )
    wrong = [line for line in lines if line["unexplained"]]
    for line in wrong:
        typer.echo(
            f"unexplained: {line['column']} differs by {line['largest_unexplained']:.3g} on row {line['example']}"
        )
    compared = f"{sum(bool(line['rows']) for line in lines)} of {format_count(len(lines), 'column')} compared"
    typer.echo(f"{compared}, {len(wrong)} with an unexplained difference")


def _printed(line: dict[str, Any]) -> dict[str, Any]:
    """Return a line with its cells as they are printed; a dash where nothing was compared."""
    counts = {name: line[name] if line["rows"] else "-" for name in ("rows", "equal", "explained", "unexplained")}
    largest = f"{line['largest']:.2g}" if line["rows"] else "-"
    tool = f"{line['tool']} {line['version']}".strip() or "-"
    return line | counts | {"largest": largest, "tool": tool, "known": line["reason"] or line["definition"]}
