"""`rainbow estimate`: estimate mean ratings of systems from few ratings and many scores."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rainbow.base.formatting import format_p
from rainbow.base.lazy import pd
from rainbow.cli.column_options import default_scores_path, select_rating
from rainbow.cli.console import RANGE, AsJson, Guard, print_json, print_records


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(estimate)


def estimate(
    dataset: Annotated[str, typer.Argument(help="Dataset or file with computed metrics.")],
    score: Annotated[list[str], typer.Option(help="Score column (may be repeated); every output needs a score.")],
    rating: Annotated[
        str | None,
        typer.Option(help="Column of human ratings; most cells may be empty.", show_default="the only rating"),
    ] = None,
    by: Annotated[str, typer.Option(help="Column whose values are compared.")] = "system",
    strata: Annotated[str | None, typer.Option(help="Column of strata of inputs to rate.", hidden=True)] = None,
    table: Annotated[Path | None, typer.Option(help="Table of scores; default metrics/DATASET.parquet.")] = None,
    out: Annotated[Path | None, typer.Option(help="Output folder; default analysis/DATASET.")] = None,
    resamples: Annotated[int, typer.Option(min=100, help="Number of bootstrap resamples of items.")] = 2000,
    seed: Annotated[int, typer.Option(min=0, help="Random seed.")] = 2017,
    guard: Guard = False,
    as_json: AsJson = False,
) -> None:
    """Estimate mean ratings of systems, and their differences, from few ratings and scores of all outputs.

    The method is prediction-powered inference (Angelopoulos et al. 2023). The estimate is unbiased for any score if the
    rated outputs are a random sample. A good score shortens the interval; a useless one does not change it. The output
    says how many more ratings would have had the same effect. Writes analysis/DATASET/system_estimates.csv.

    \b
    Examples:
      rainbow run mine.csv && rainbow estimate mine.csv --score METEOR
      rainbow estimate mine.csv --score METEOR --score TER
      rainbow metrics mine.csv --rating quality --score judge:higher=quality
      rainbow estimate mine.csv --rating quality --score judge --by system
    """  # noqa: D301  # the backslash is click's: what follows is not wrapped
    from rainbow.analysis.system_estimates import system_estimates
    from rainbow.base.files import write_csv
    from rainbow.scoring.saved_scores import About, load_scores

    path = table or default_scores_path(dataset)
    if not path.is_file():
        raise FileNotFoundError(f"{path} does not exist: run `rainbow metrics {dataset}` first")
    frame = load_scores(path)
    about = About.from_table(frame)
    rating = select_rating(rating, about.ratings, dataset)
    for name in score:
        _check_known("score", name, list(about.signatures), dataset)
    _, better = about.groups_and_directions(score)
    directions = [better[name] for name in score]
    result = system_estimates(
        frame, rating, score, by=by, strata=strata, higher_is_better=directions, resamples=resamples, rng=seed
    )
    folder = out or Path("analysis") / Path(dataset).stem
    write_csv(folder / "system_estimates.csv", result, guard=guard)
    if as_json:
        print_json(result.to_dict("records"))
        return
    _print_estimates(result)
    typer.echo(f"{folder / 'system_estimates.csv'}")


def _check_known(kind: str, name: str, names: list[str], dataset: str) -> None:
    if name not in names:
        raise ValueError(f"{dataset} has no {kind} {name!r}: it has {', '.join(names) or 'none'}")


def _print_estimates(table: pd.DataFrame) -> None:
    from rainbow.stats.tidy_tables import records

    rows = records(table)
    several = table["dataset"].nunique() > 1
    for row in rows:
        what = f"{row['system']} - {row['other']}" if row["other"] else row["system"]
        row["what"] = f"{row['dataset']}, {what}" if several else what
        row["p"] = format_p(row["p_holm"]) if row["other"] else ""
        row["more"] = "-" if row["worth"] != row["worth"] else f"{row['worth']:+.0f}"
    print_records(
        rows,
        *("what", ("rated", "{n}"), ("others", "{n_unrated}"), ("ratings only", "{rated_value:number}")),
        *(("95 % interval", "{range[rated]:number}"), ("with scores", "{value:number}"), RANGE),
        *("p", ("worth", "{more}")),
    )
    typer.echo("worth: equivalent number of additional ratings; p-values are corrected by Holm's method")
    for reason in dict.fromkeys(row["reason"] for row in rows if row["reason"]):
        typer.echo(f"beware: {reason}")
