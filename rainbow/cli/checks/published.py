"""`rainbow published`: reproduce a published study of learned metrics."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from rainbow.base.lazy import pd
from rainbow.cli.console import Status, print_records, track

if TYPE_CHECKING:
    from rainbow.learned.replications.dusek2017.network import Network, Run, RunPredictions
    from rainbow.learned.replications.liu2021.study import Setting
    from rainbow.reports.section import Figure


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(published)


def published(
    study: Annotated[Literal["dusek2017", "liu2021"], typer.Argument(help="Study: dusek2017 or liu2021.")],
    setups: Annotated[
        str, typer.Option(help="Setups or methods (see above), comma-separated; or all.", show_default="")
    ] = "",
    conditions: Annotated[
        str, typer.Option(help="Conditions (see above), comma-separated; or all.", show_default="")
    ] = "",
    seeds: Annotated[
        int | None, typer.Option(min=1, help="Number of runs with different seeds.", show_default="5; liu2021 20")
    ] = None,
    units: Annotated[
        int, typer.Option(min=1, help="Units per encoder; the authors used 300 and 768.", hidden=True)
    ] = 64,
    layers: Annotated[int, typer.Option(min=1, help="Recurrent layers; the authors used 2 and 1.", hidden=True)] = 1,
    passes: Annotated[
        int, typer.Option(min=1, help="dusek2017: passes over generated texts; the authors used 20.", hidden=True)
    ] = 6,
    rating: Annotated[str, typer.Option(help="liu2021: naturalness, or quality or informativeness.")] = "naturalness",
    device: Annotated[str, typer.Option(help="Device: cpu, cuda or auto.", hidden=True)] = "auto",
    out: Annotated[Path | None, typer.Option(help="Output folder; default analysis/STUDY.")] = None,
) -> None:
    """Reproduce a published study of learned metrics, next to the published numbers.

    dusek2017: referenceless quality estimation by a network (Dušek, Novikova and Rieser 2017), tables 2 to 5. It takes
    two hours of one processor for the five folds, and one more for each seed of the other conditions. Setups S1 to S6;
    conditions folds, domain-C1 to -C3, system-C1 to -C3, of which the folds unless others are named.

    liu2021: naturalness as six classes (Liu, Maier, Minker and Ultes 2021), tables 2 to 4, by the paper's split and by
    splits that leave nothing of a test text in training. Half an hour of one processor. Methods majority, look-up, svm,
    svm-output, logistic, kernel, kernel-shares, and, if they are named, bilstm and encoder (MiniLM, half an hour a
    split), which need PyTorch; conditions paper, seen-75 to seen-0, by-text, by-item-and-text, leave-one-system-out,
    leave-one-dataset-out.

    The results are in STUDY.html and in tables next to it. Finished runs are kept in the folder `runs`, so an
    interrupted study resumes.

    \b
    Examples:
      rainbow fetch emnlp2017 rnnlg
      rainbow published dusek2017 --setups S1 --seeds 1        five minutes
      rainbow published dusek2017 --conditions all
      rainbow published liu2021 --conditions paper --seeds 3   two minutes
      rainbow published liu2021 --setups all --rating quality
    """  # noqa: D301  # the backslash is click's: what follows is not wrapped
    from rainbow.learned.replications.dusek2017.network import Network
    from rainbow.learned.replications.liu2021.study import Setting

    status = Status()
    if study == "dusek2017":
        network = Network(units=units, layers=layers, warming=passes, device=device)
        _dusek2017(setups or "all", conditions or "folds", seeds or 5, network, status, out or Path("analysis") / study)
        return
    usual = ("naturalness", "quality", "informativeness")
    [rating] = _selected(rating, dict.fromkeys(usual, ""), "--rating")
    folder = Path("analysis") / (study if rating == usual[0] else f"{study}-{rating}")
    setting = Setting(0, status, units, layers, device)
    _liu2021(setups, conditions or "all", seeds or 20, setting, status, rating, out or folder)


def _dusek2017(setups: str, conditions: str, seeds: int, network: Network, status: Status, folder: Path) -> None:
    from rainbow.learned.replications.dusek2017.network import list_runs, load_or_train
    from rainbow.learned.replications.dusek2017.setups import CONDITIONS, SETUPS, Study
    from rainbow.learned.replications.dusek2017.tables import counts_table, results_table

    wanted = list_runs(_selected(setups, SETUPS, "--setups"), _selected(conditions, CONDITIONS, "--conditions"), seeds)
    given = Study()
    done: dict[Run, RunPredictions] = {}
    for run in track(wanted, lambda run: run.name, status):
        done[run] = load_or_train(run, given, network, folder / "runs", status)
    tables = {"instances": counts_table(done), "results": results_table(done, given)}
    _print_counts(tables["instances"])
    _print_results(tables["results"])
    _write_results("dusek2017", folder, tables)


def _liu2021(
    setups: str, conditions: str, seeds: int, setting: Setting, status: Status, rating: str, folder: Path
) -> None:
    from rainbow.learned.replications.liu2021.study import SPLITS, RatedPairs
    from rainbow.learned.replications.liu2021.tables import (
        METHODS,
        classes_table,
        labels_table,
        list_trials,
        load_or_run,
        splits_table,
    )
    from rainbow.reports.figures.scatter import overlap_figure

    usual = ",".join(name for name in METHODS if name not in ("bilstm", "encoder"))
    wanted = list_trials(
        _selected(setups or usual, METHODS, "--setups"), _selected(conditions, SPLITS, "--conditions"), seeds
    )
    pairs = RatedPairs(rating)
    tried = {
        own: load_or_run(own, pairs, setting, folder / "runs") for own in track(wanted, lambda own: own.name, status)
    }
    tables = {"labels": labels_table(pairs), "results": splits_table(tried, pairs), "classes": classes_table(tried)}
    _print_classified(tables["results"])
    _write_results("liu2021", folder, tables, [overlap_figure(tables["results"])])


def _write_results(study: str, folder: Path, tables: dict[str, pd.DataFrame], figures: Sequence[Figure] = ()) -> None:
    from rainbow.base.files import write_csv
    from rainbow.reports.pages.page import write_page
    from rainbow.reports.pages.study_page import study_page

    for name, table in tables.items():
        write_csv(folder / f"{name}.csv", table)
    page = write_page(study_page(study, tables["results"], figures), folder).path
    typer.echo(f"{page}; next to it {', '.join(f'{name}.csv' for name in tables)}, and each run in runs/")


def _selected(chosen_names: str, known: dict[Any, str], option: str) -> list[Any]:
    names = list(known) if chosen_names == "all" else [name.strip() for name in chosen_names.split(",") if name.strip()]
    if unknown := [name for name in names if name not in known]:
        raise typer.BadParameter(f"{unknown[0]!r} is not one of {', '.join(known)}", param_hint=option)
    return names


def _print_counts(table: pd.DataFrame) -> None:
    if table.empty:
        return
    print_records(
        table.to_dict("records"),
        *("setup", ("instances printed", "{printed:,}"), ("mean", "{mean:,.0f}")),
        *(("fewest", "{least:,}"), ("most", "{most:,}")),
    )


def _print_results(table: pd.DataFrame) -> None:
    figures = {"pearson": "Pearson", "spearman": "Spearman", "mae": "MAE", "rmse": "RMSE"}
    compared = [
        column
        for name, head in figures.items()
        for column in ((head, f"{{{name}:number}}"), ("printed", f"{{printed_{name}:number}}"))
    ]
    print_records(
        table.to_dict("records"),
        *("condition", "setup", ("runs", "{runs:runs}"), *compared),
        *(("over best metric, p", "{over_best_metric_p:p_or_none}"), ("over S1, p", "{over_s1_p:p_or_none}")),
        runs=partial(_format_known, form=".0f"),
        p_or_none=partial(_format_known, form=".1g"),
    )


def _print_classified(table: pd.DataFrame) -> None:
    """Print the classification results for the paper's split and for all splits."""
    figures = {"accuracy": "accuracy", "macro_f1": "macro F1"}
    compared = [
        column
        for name, head in figures.items()
        for column in (
            (head, f"{{{name}:number}}"),
            ("95 % interval", f"{{range[{name}]:number}}"),
            ("printed", f"{{printed_{name}:printed}}"),
        )
    ]
    print_records(
        table.to_dict("records"),
        *("split", "method", *compared, ("kappa", "{quadratic_kappa:number}")),
        *(("Spearman", "{spearman:number}"), ("texts met", "{seen:seen}")),
        *(("accuracy if seen", "{seen_accuracy:number}"), ("if not", "{unseen_accuracy:number}")),
        printed=partial(_format_known, form=".2f"),
        seen=partial(_format_known, form=".0%", missing="-"),
    )


def _format_known(value: float, form: str, missing: str = "") -> str:
    return missing if math.isnan(value) else format(value, form)
