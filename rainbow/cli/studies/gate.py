"""`rainbow gate`: fail if outputs are worse than a baseline."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from rainbow.cli.column_options import default_scores_path
from rainbow.cli.console import RANGE, AsJson, print_json, print_records

WORSE = 3  # exit status


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(gate)


def gate(
    dataset: Annotated[str, typer.Argument(help="Dataset or file with computed metrics: the candidate outputs.")],
    metric: Annotated[list[str], typer.Option(help="Score column (may be repeated).")],
    no_worse_than: Annotated[
        Path, typer.Option(exists=True, help="Baseline: table of scores of earlier outputs (Parquet).")
    ],
    table: Annotated[Path | None, typer.Option(help="Table of scores; default metrics/DATASET.parquet.")] = None,
    margin: Annotated[
        float | None, typer.Option(min=0, help="Largest accepted drop of the mean (95 % confidence).")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Fail if outputs score worse than a baseline on the same inputs (for continuous integration).

    The test is a paired t-test over inputs (mean of their outputs), with Holm's correction for several metrics.
    Inputs are matched by the item column (--item). Scores with different signatures cannot be compared.

    Exit status: 0, no metric got significantly worse; 3, at least one did; 1, invalid tables.

    \b
    Examples:
      rainbow metrics v1.csv --out baseline.parquet
      rainbow metrics v2.csv
      rainbow gate v2.csv --metric METEOR --no-worse-than baseline.parquet
      rainbow gate v2.csv --metric TER --no-worse-than old.parquet --margin 0.01
    """  # noqa: D301  # the backslash is click's: what follows is not wrapped
    from rainbow.analysis.run_comparison import compare_outputs
    from rainbow.scoring.saved_scores import About, load_scores

    path = table or default_scores_path(dataset)
    if not path.is_file():
        raise FileNotFoundError(f"{path} does not exist: run `rainbow metrics {dataset}` first")
    now, before = load_scores(path), load_scores(no_worse_than)
    for name in metric:
        _comparable_tables(name, About.from_table(now).signatures, About.from_table(before).signatures, no_worse_than)
    _, directions = About.from_table(now).groups_and_directions(metric)
    if undirected := [name for name, better in directions.items() if better is None]:
        raise ValueError(f"{undirected[0]} has no better direction: choose another metric")
    result = compare_outputs(now, before, {name: bool(better) for name, better in directions.items()}, margin)
    rows: list[dict[str, Any]] = [{str(name): row[name] for name in row} for row in result.to_dict("records")]
    if as_json:
        print_json(rows)
    else:
        print_records(
            [row | {"verdict": "worse" if row["worse"] else "no worse"} for row in rows],
            *("metric", ("inputs", "{n}"), ("before", "{before:number}"), ("now", "{now:number}")),
            *(("difference", "{difference:number}"), RANGE, ("p", "{p_holm:p}"), "verdict"),
        )
    raise typer.Exit(WORSE if result["worse"].any() else 0)


def _comparable_tables(name: str, now: Mapping[str, str], before: Mapping[str, str], path: Path) -> None:
    for signatures, where in ((now, "the candidate table"), (before, str(path))):
        if name not in signatures:
            raise ValueError(f"{where} has no score column {name!r}: it has {', '.join(signatures) or 'none'}")
    if now[name] != before[name]:
        raise ValueError(f"{name} was computed differently: {now[name]} now, {before[name]} in {path}")
