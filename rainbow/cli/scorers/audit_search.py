"""`rainbow audit --search`: test whether nonsense scores above human-written texts."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import typer

from rainbow.base.files import write_csv
from rainbow.base.formatting import format_number
from rainbow.base.lazy import pd
from rainbow.cli.console import print_json, print_records, rows_bar
from rainbow.cli.scorers.score_arguments import load_outputs, update_table
from rainbow.datasets.columns import Columns

if TYPE_CHECKING:
    from rainbow.audit.audit import Score
    from rainbow.corpus import Corpus

SHOWN = 3  # found texts that are printed


class SearchOptions(NamedTuple):
    """Options of the search; None if not given."""

    items: int | None
    evaluations: int | None
    seed: int
    out: Path | None
    guard: bool
    as_json: bool

    def check(self, search: bool, words: bool, **others: object) -> None:
        """Raise a usage error for options that do not apply."""
        mine = {"items": self.items, "evaluations": self.evaluations}
        if not search and (name := _given_options(mine)):
            raise typer.BadParameter("needs --search", param_hint=f"--{name}")
        if (search or words) and (name := _given_options(others)):
            raise typer.BadParameter(
                f"has no effect with {('--search' if search else '--words')}", param_hint=f"--{name}"
            )


def _given_options(options: Mapping[str, object]) -> str | None:
    return next((name for name, value in options.items() if value is not None), None)


def audit_search(score: Score | None, model: str, dataset: str, columns: Columns, options: SearchOptions) -> None:
    """Search, save the found texts, and print how often they score above good texts."""
    from rainbow.audit.search.random_search import search_shares

    corpus = load_outputs(dataset, columns)
    table = _run_search(score, model, corpus, options)
    summary = search_shares(table)
    path = options.out or _save_search(table, summary, Path("analysis") / Path(dataset).stem, options.guard)
    if options.out:
        write_csv(options.out, table, guard=options.guard)
    if options.as_json:
        about = {"dataset": dataset, "seed": options.seed, "evaluations": int(table["evaluations"].iloc[0])}
        print_json(about | {"shares": summary.to_dict("records"), "found": table.to_dict("records")})
        return
    _print_search(summary, table)
    each = f"{table['evaluations'].iloc[0]:,} texts scored per input and strategy"
    typer.echo(f"{each}, seed {options.seed}, {dataset}: {path}")


def _run_search(score: Score | None, model: str, corpus: Corpus, options: SearchOptions) -> pd.DataFrame:
    from rainbow.audit.search.random_search import EVALUATIONS, INPUTS, search_metrics, search_texts

    items, evaluations = options.items or INPUTS, options.evaluations or EVALUATIONS
    with rows_bar() as progress:
        if score is None:
            return search_metrics(
                corpus, model, inputs=items, evaluations=evaluations, seed=options.seed, progress=progress
            )
        table = search_texts(score, corpus, inputs=items, evaluations=evaluations, seed=options.seed, progress=progress)
    table.insert(0, "metric", Path(model).stem)
    return table


def _save_search(result: pd.DataFrame, summary: pd.DataFrame, folder: Path, guard: bool) -> Path:
    """Save the found texts and their shares next to those of other metrics; return the path."""
    paths = folder / "audit_search.csv", folder / "audit_found.csv"
    for path, table in zip(paths, (summary, result), strict=True):
        update_table(path, table, guard=guard)
    return paths[-1]


def _print_search(summary: pd.DataFrame, table: pd.DataFrame) -> None:
    for metric, lines in summary.groupby("metric", sort=False):
        columns = (
            (str(metric), "{strategy}"),
            ("found above", "{baseline}"),
            ("inputs", "{n}"),
            ("of them", "{above:share}"),
        )
        print_records(lines.to_dict("records"), *columns, ("95 % interval", "{range:share}"))
        result = table[(table["metric"] == metric) & (table["above_median"] == 1)].drop_duplicates("item")
        for text in result.head(SHOWN).to_dict("records"):
            typer.echo(_display_text(text))


def _display_text(text: Mapping[Hashable, Any]) -> str:
    good = ", ".join(f"{format_number(text[name])} ({name})" for name in ("worst", "median", "best"))
    return (
        f"{text['dataset']} {text['item']}: {text['text']!r} scores {format_number(text['score'])}, the "
        f"{text['compared_with']} {good}"
    )
