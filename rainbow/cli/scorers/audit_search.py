"""`rainbow audit --search`: whether a metric or a model likes word salad better than what people wrote."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import typer

from rainbow.base.files import write_csv
from rainbow.base.formatting import format_interval, format_number
from rainbow.cli.console import print_json, print_table, rows_bar
from rainbow.cli.scorers.chosen import chosen_corpus, write_beside
from rainbow.datasets.columns import Columns

if TYPE_CHECKING:
    import pandas as pd

    from rainbow.audit.audit import Score
    from rainbow.corpus import Corpus

SHOWN = 3  # found texts that are printed


class SearchOptions(NamedTuple):
    """What the command was told about the search; None for what was not."""

    items: int | None
    evaluations: int | None
    seed: int
    out: Path | None
    guard: bool
    as_json: bool

    def check(self, search: bool, words: bool, **others: object) -> None:
        """Refuse options of the search without it, and those that it, or leaving out words, does not heed."""
        mine = {"items": self.items, "evaluations": self.evaluations}
        if not search and (name := _given(mine)):
            raise typer.BadParameter("is for --search", param_hint=f"--{name}")
        if (search or words) and (name := _given(others)):
            raise typer.BadParameter(f"says nothing with {'--search' if search else '--words'}", param_hint=f"--{name}")


def _given(options: Mapping[str, object]) -> str | None:
    return next((name for name, value in options.items() if value is not None), None)


def audit_search(score: Score | None, model: str, dataset: str, columns: Columns, options: SearchOptions) -> None:
    """Search, save what was found, and print for how many inputs it is above good texts; no score: it is a metric."""
    from rainbow.audit.random_search import search_shares

    corpus = chosen_corpus(dataset, columns)
    table = _searched(score, model, corpus, options)
    summary = search_shares(table)
    path = options.out or _saved(table, summary, Path("analysis") / Path(dataset).stem, options.guard)
    if options.out:
        write_csv(options.out, table, guard=options.guard)
    if options.as_json:
        about = {"dataset": dataset, "seed": options.seed, "evaluations": int(table["evaluations"].iloc[0])}
        print_json(about | {"shares": summary.to_dict("records"), "found": table.to_dict("records")})
        return
    _print(summary, table)
    each = f"{table['evaluations'].iloc[0]:,} texts scored for each input and way"
    typer.echo(f"{each}, seed {options.seed}, {dataset}: {path}")


def _searched(score: Score | None, model: str, corpus: Corpus, options: SearchOptions) -> pd.DataFrame:
    from rainbow.audit.random_search import EVALUATIONS, INPUTS, search_texts, search_metrics

    items, evaluations = options.items or INPUTS, options.evaluations or EVALUATIONS
    with rows_bar() as progress:
        if score is None:
            return search_metrics(
                corpus, model, inputs=items, evaluations=evaluations, seed=options.seed, progress=progress
            )
        table = search_texts(score, corpus, inputs=items, evaluations=evaluations, seed=options.seed, progress=progress)
    table.insert(0, "metric", Path(model).stem)
    return table


def _saved(found: pd.DataFrame, summary: pd.DataFrame, folder: Path, guard: bool) -> Path:
    """Write what was found, and the shares, beside those of other metrics; return where the texts are."""
    paths = folder / "audit_search.csv", folder / "audit_found.csv"
    for path, table in zip(paths, (summary, found), strict=True):
        write_beside(path, table, guard=guard)
    return paths[-1]


def _print(summary: pd.DataFrame, table: pd.DataFrame) -> None:
    header = ["found above", "inputs", "of them", "95 % interval"]
    for metric, lines in summary.groupby("metric", sort=False):
        print_table([str(metric), *header], [_cells(line) for line in lines.to_dict("records")])
        found = table[(table["metric"] == metric) & (table["above_median"] == 1)].drop_duplicates("item")
        for text in found.head(SHOWN).to_dict("records"):
            typer.echo(_told(text))


def _cells(line: Mapping[Hashable, Any]) -> list[str]:
    interval = format_interval(line["low"], line["high"], _percent)
    return [line["way"], line["than"], str(line["n"]), _percent(line["above"]), interval]


def _told(text: Mapping[Hashable, Any]) -> str:
    good = ", ".join(f"{format_number(text[name])} ({name})" for name in ("worst", "median", "best"))
    return (
        f"{text['dataset']} {text['item']}: {text['found']!r} has {format_number(text['score'])}, the {text['beside']} {good}"
    )


def _percent(share: float) -> str:
    return "-" if share != share else f"{100 * share:.1f} %"
