"""`rainbow analyse`: from a table of scores to the analysis of metrics against ratings."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rainbow.cli.console import AsJson, plain, print_json, print_table, track

if TYPE_CHECKING:
    import pandas as pd

    from rainbow.analysis.analyse import Inputs

PUBLISHED = "published."  # what the names of stored columns begin with


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(analyse)


def analyse(
    dataset: Annotated[str, typer.Argument(help="A dataset or file whose metrics were computed before.")],
    scores: Annotated[
        str, typer.Option(help="ours, or published: the scores that the authors stored (sfhotel, sfrest, bagel).")
    ] = "ours",
    table: Annotated[Path | None, typer.Option(help="The table of scores; by default metrics/DATASET.parquet.")] = None,
    rating: Annotated[
        list[str] | None, typer.Option(help="A column of ratings (may be repeated); by default all of the table.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Where to write; by default analysis/DATASET.")] = None,
    resamples: Annotated[int, typer.Option(min=1, help="Draws for intervals and permutation tests.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Of everything that is drawn.")] = 2017,
    as_json: AsJson = False,
) -> None:
    """Compare metrics with human ratings: a CSV file per question and summary.json in analysis/DATASET.

    \b
    Examples:
      rainbow metrics demo && rainbow analyse demo
      rainbow analyse emnlp2017 --scores published
      rainbow analyse mine.csv --rating quality --resamples 10000
    """  # noqa: D301  # the backslash is click's: what follows is not wrapped
    from rainbow.analysis.analyse import analyse as answer
    from rainbow.analysis.summary import summarise

    if scores not in ("ours", "published"):
        raise typer.BadParameter(f"{scores!r} is neither ours nor published", param_hint="--scores")
    name = Path(dataset).stem
    inputs = _inputs(dataset, table or Path("metrics") / f"{name}.parquet", scores, rating)
    inputs = inputs._replace(resamples=resamples, seed=seed)
    tables = answer(inputs, track)
    summary = summarise(inputs, tables)
    folder = out or Path("analysis") / (name if scores == "ours" else f"{name}-{scores}")
    _write(folder, tables, summary)
    (print_json if as_json else _print_summary)(summary | {"folder": str(folder)})


def _inputs(dataset: str, path: Path, scores: str, ratings: list[str] | None) -> Inputs:
    from rainbow.analysis.analyse import Inputs
    from rainbow.metrics import all_metrics
    from rainbow.scoring.saved_scores import load_scores

    if not path.is_file():
        raise FileNotFoundError(f"{path} is not there: run `rainbow metrics {dataset}` first")
    frame = load_scores(path)
    metrics, ratings = list(frame.attrs["signatures"]), ratings or frame.attrs["ratings"]
    if scores == "published":
        stored = [name.removeprefix(PUBLISHED) for name in map(str, frame) if name.startswith(PUBLISHED)]
        frame = frame.drop(columns=metrics).rename(columns=lambda name: name.removeprefix(PUBLISHED))
        if not stored:
            raise ValueError(f"{path} has no stored scores: only sfhotel, sfrest, bagel and emnlp2017 have")
        metrics = stored
    known = {column.name: (column, metric.group) for metric in all_metrics().values() for column in metric.columns}
    better = {name: known[name][0].higher_is_better if name in known else None for name in metrics}
    # A stored column that no metric of ours gives is the parser's score.
    groups = {name: known[name][1] if name in known else "grammar" for name in metrics}
    return Inputs(frame, metrics, ratings, better, groups)


def _write(folder: Path, tables: dict[str, pd.DataFrame], summary: dict[str, Any]) -> None:
    from rainbow.base.files import write_atomically

    for name, table in tables.items():
        write_atomically(folder / f"{name}.csv", partial(table.to_csv, index=False))
    text = json.dumps(plain(summary), ensure_ascii=False, indent=1)
    write_atomically(folder / "summary.json", lambda path: path.write_text(text, encoding="utf-8"))


def _print_summary(summary: dict[str, Any]) -> None:
    header = ("dataset", "rating", "group", "best metric", "Spearman", "95 % interval", "n")
    rows = [
        (
            best["dataset"],
            best["rating"],
            best["group"],
            best["metric"] or "-",
            f"{best['r']:.3f}",
            f"{best['low']:.3f} to {best['high']:.3f}",
            str(best["n"]),
        )
        for best in summary["best_metrics"]
    ]
    print_table(header, rows)
    for ceiling in summary["ceilings"]:
        bounds = f"{ceiling['estimate']:.3f} ({ceiling['low']:.3f} to {ceiling['high']:.3f})"
        typer.echo(f"{ceiling['measure']}, {ceiling['rating']}: {bounds}")
    for warning in summary["warnings"]:
        if warning["severity"] == "error":
            typer.echo(f"beware, {warning['subject']}: {warning['finding']}")
    typer.echo(f"{summary['outputs']} outputs, {len(summary['warnings'])} warnings: {summary['folder']}/summary.json")
