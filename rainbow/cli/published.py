"""`rainbow published`: a published study of learned metrics, done again, beside what was printed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from rainbow.base.printed import three
from rainbow.cli.console import Told, print_table, track

if TYPE_CHECKING:
    import pandas as pd

    from rainbow.learned.replications.dusek2017.runs import Predicted, Run


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(published)


def published(
    study: Annotated[Literal["dusek2017"], typer.Argument(help="Which study: dusek2017.")],
    setups: Annotated[str, typer.Option(help="Setups, with commas between.")] = "S1,S2,S3,S4,S5,S6",
    conditions: Annotated[
        str, typer.Option(help="Conditions, with commas between: folds, domain-C1 to -C3, system-C1 to -C3; or all.")
    ] = "folds",
    seeds: Annotated[int, typer.Option(min=1, help="Runs of each, from different seeds.")] = 5,
    units: Annotated[int, typer.Option(min=1, help="Of every encoder; the authors had 300.")] = 64,
    layers: Annotated[int, typer.Option(min=1, help="Of gated recurrent units; the authors' code had 2.")] = 1,
    device: Annotated[str, typer.Option(help="What trains: cpu, cuda, or auto (cuda where there is one).")] = "auto",
    out: Annotated[Path | None, typer.Option(help="Where to write; by default analysis/STUDY.")] = None,
) -> None:
    """Do a published study of learned metrics again, and print what comes out beside what was printed.

    dusek2017: referenceless quality estimation by a network (Dušek, Novikova and Rieser 2017), tables 2 to 5. It takes
    an hour of one processor for the five folds, and one more for each seed of the other conditions. What was
    computed is kept in the folder `runs` of what is written, so a run that was stopped goes on where it stood.

    \b
    Examples:
      rainbow fetch emnlp2017 rnnlg
      rainbow published dusek2017 --setups S1 --seeds 1        five minutes
      rainbow published dusek2017
      rainbow published dusek2017 --conditions all
    """  # noqa: D301  # the backslash is click's: what follows is not wrapped
    from rainbow.base.files import write_csv
    from rainbow.learned.network.training import Network
    from rainbow.learned.replications.dusek2017.runs import run_of, runs
    from rainbow.learned.replications.dusek2017.setups import CONDITIONS, SETUPS, Study
    from rainbow.learned.replications.dusek2017.tables import counts_table, results_table

    wanted = runs(_chosen(setups, SETUPS, "--setups"), _chosen(conditions, CONDITIONS, "--conditions"), seeds)
    folder, told, given = out or Path("analysis") / study, Told(), Study()
    network = Network(units=units, layers=layers, device=device)
    done: dict[Run, Predicted] = {}
    for run in track(wanted, lambda run: run.name, told):
        done[run] = run_of(run, given, network, folder / "runs", told)
    tables = {"instances": counts_table(done), "results": results_table(done, given)}
    for name, table in tables.items():
        write_csv(folder / f"{name}.csv", table)
    _print_counts(tables["instances"])
    _print_results(tables["results"])
    typer.echo(f"{folder}: {', '.join(f'{name}.csv' for name in tables)}, and each run in runs/")


def _chosen(said: str, known: dict[Any, str], option: str) -> list[Any]:
    names = list(known) if said == "all" else [name.strip() for name in said.split(",") if name.strip()]
    if unknown := [name for name in names if name not in known]:
        raise typer.BadParameter(f"{unknown[0]!r} is none of {', '.join(known)}", param_hint=option)
    return names


def _print_counts(table: pd.DataFrame) -> None:
    if table.empty:
        return
    rows = table.to_dict("records")
    print_table(
        ("setup", "instances printed", "mean", "fewest", "most"),
        [
            (row["setup"], f"{row['printed']:,}", f"{row['mean']:,.0f}", f"{row['least']:,}", f"{row['most']:,}")
            for row in rows
        ],
    )


def _print_results(table: pd.DataFrame) -> None:
    figures = {"pearson": "Pearson", "spearman": "Spearman", "mae": "MAE", "rmse": "RMSE"}
    header = [cell for name in figures.values() for cell in (name, "printed")]
    rows = table.to_dict("records")
    print_table(
        ("condition", "setup", "runs", *header, "over best metric, p", "over S1, p"),
        [
            (
                row["condition"],
                row["setup"],
                "" if row["runs"] != row["runs"] else f"{row['runs']:.0f}",
                *(three(row[cell]) for name in figures for cell in (name, f"printed_{name}")),
                *_tests(row),
            )
            for row in rows
        ],
    )


def _tests(row: dict[Any, Any]) -> Iterator[str]:
    for name in ("over_best_metric_p", "over_s1_p"):
        yield "" if row[name] != row[name] else f"{row[name]:.1g}"
