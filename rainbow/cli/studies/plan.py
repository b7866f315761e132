"""`rainbow plan`: sample size of a study."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Any

import typer

from rainbow.base.formatting import format_number
from rainbow.cli.column_options import default_scores_path, select_rating
from rainbow.cli.console import AsJson, print_json, print_records


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(plan)


def plan(
    dataset: Annotated[str, typer.Argument(help="Pilot study: dataset or file with computed metrics.")],
    rating: Annotated[
        str | None, typer.Option(help="Column of human ratings.", show_default=("the only rating"))
    ] = None,
    metric: Annotated[list[str] | None, typer.Option(help="Score column to compare; give twice.")] = None,
    difference: Annotated[
        float | None, typer.Option(help="Difference of two systems to detect; default 1/20 of the scale.")
    ] = None,
    margin: Annotated[
        float | None, typer.Option(help="Target half-width of the confidence interval of the difference.")
    ] = None,
    raters: Annotated[list[int] | None, typer.Option(min=1, help="Raters per output (may be repeated).")] = None,
    power: Annotated[float, typer.Option(help="Power of the test.")] = 0.8,
    alpha: Annotated[float, typer.Option(help="Significance level.")] = 0.05,
    table: Annotated[Path | None, typer.Option(help="Table of scores; default metrics/DATASET.parquet.")] = None,
    resamples: Annotated[int, typer.Option(min=1, help="Number of simulated studies per row.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Random seed.")] = 2017,
    as_json: AsJson = False,
) -> None:
    """Compute how many inputs, outputs and raters a study needs to distinguish two systems or metrics.

    It needs a pilot study with ratings of at least two systems. Columns of single raters (quality_1, quality_2, ...)
    show how much more raters would help. Every row is checked by simulated studies.

    \b
    Examples:
      rainbow run mine.csv && rainbow plan mine.csv
      rainbow plan demo --rating quality
      rainbow plan demo --rating quality --difference 0.5 --raters 3 --power 0.9
      rainbow plan demo --rating quality --margin 0.25     half an interval
      rainbow plan demo --rating quality --metric METEOR --metric TER
    """  # noqa: D301  # the backslash is click's: what follows is not wrapped
    from rainbow.analysis.study_plan import RATERS, Requirements, plan_for_metrics, plan_for_systems
    from rainbow.scoring.saved_scores import About, load_scores
    from rainbow.stats.tidy_tables import records

    path = table or default_scores_path(dataset)
    if not path.is_file():
        raise FileNotFoundError(f"{path} does not exist: run `rainbow metrics {dataset}` first")
    if metric and len(metric) != 2:
        raise typer.BadParameter("give two metrics, one --metric each", param_hint="--metric")
    frame, wanted, numbers = load_scores(path), Requirements(power, alpha, resamples), raters or RATERS
    rating = select_rating(rating, About.from_table(frame).ratings, dataset)
    if metric:
        _, better = About.from_table(frame).groups_and_directions(metric)
        result = plan_for_metrics(
            frame, rating, (metric[0], metric[1]), better, raters=numbers, requirements=wanted, rng=seed
        )
    else:
        sought = {"difference": difference, "margin": margin}
        result = plan_for_systems(frame, rating, **sought, raters=numbers, requirements=wanted, rng=seed)
    rows = records(result)
    if as_json:
        print_json(rows)
        return
    counts = ((name, f"{{{column}:count}}") for name, column in _COUNTS.items())
    shares = ((name, f"{{{name}:value}}") for name in ("ceiling", "power", "simulated"))
    columns = ("to distinguish", "{question}"), ("difference", "{difference:value}"), *counts, *shares
    print_records(rows, *columns, count=_format_count, value=_format_value)
    for reason in dict.fromkeys(row["reason"] for row in rows if row["reason"]):
        typer.echo(f"beware: {reason}")
    reached = f"power {power:g} at the level {alpha:g}" + ("" if margin is None else " of the intervals")
    typer.echo(f"{reached}; from {rows[0]['n_pilot']} pairs or outputs of the pilot")


_COUNTS = {"raters": "raters", "inputs": "items", "outputs": "outputs", "ratings": "ratings"}


def _format_count(value: Any) -> str:
    return "-" if value is None or math.isnan(value) else f"{int(value):,}"


def _format_value(value: Any) -> str:
    return "-" if value is None else format_number(float(value))
