"""`rainbow report`: render saved results as a page for any browser."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from rainbow.cli.column_options import add_column_options, default_scores_path
from rainbow.cli.console import AsJson, print_json, track
from rainbow.datasets.columns import NO_COLUMNS, Columns

if TYPE_CHECKING:
    from rainbow.reports.pages.page import WrittenPage
    from rainbow.reports.saved.saved_analysis import SavedAnalysis
    from rainbow.reports.saved.saved_systems import SavedSystems


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(add_column_options(report))


def report(
    datasets: Annotated[
        list[str], typer.Argument(help="Analysed datasets or files; FOLDER/NAME for results saved elsewhere.")
    ],
    compare: Annotated[
        bool, typer.Option("--compare", help="Compare datasets with the first one, on one page.")
    ] = False,
    scores: Annotated[
        str, typer.Option(help="Score source: ours, or published (sfhotel, sfrest, bagel).", hidden=True)
    ] = "ours",
    columns: Columns = NO_COLUMNS,
    out: Annotated[Path, typer.Option(help="Output folder.")] = Path("reports"),
    workers: Annotated[int | None, typer.Option(min=1, help="Number of processes that draw figures.")] = None,
    open_it: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write a report of saved results: one HTML file, figures as SVG and PDF.

    Results of rainbow systems get their own page, DATASET-systems.html. Several pages get an index.html.

    \b
    Examples:
      rainbow metrics demo && rainbow analyse demo && rainbow report demo --open
      rainbow report sfhotel sfrest bagel
      rainbow report --compare sfhotel sfrest bagel
      cp -r metrics analysis before/       # and once hotels is scored again:
      rainbow report --compare before/hotels hotels
    """  # noqa: D301  # the backslash is click's: what follows is not wrapped
    if scores not in ("ours", "published"):
        raise typer.BadParameter(f"{scores!r} is not one of ours, published", param_hint="--scores")
    if compare and len(datasets) < 2:
        raise typer.BadParameter("at least two datasets are needed, not 1", param_hint="--compare")
    names = list(dict.fromkeys(datasets))
    for name in names:
        _check_columns(name, columns)
    make = _write_comparison if compare else _write_reports
    made = make(names, scores, out, workers)
    if open_it:
        webbrowser.open(made.first.resolve().as_uri())
    (_print_json if as_json else _print_summary)(made)


def _check_columns(dataset: str, given: Columns) -> None:
    """Raise an error if the columns differ from the analysed ones."""
    from rainbow.reports.saved.saved_analysis import has_analysis, load_analysis
    from rainbow.reports.saved.saved_systems import saved_folder
    from rainbow.scoring.saved_scores import is_score_table, read_about

    path = saved_folder(dataset) / default_scores_path(dataset)
    if not given.set_options() or not is_score_table(path):
        return  # without a table, the error says which command to run
    saved = Columns.create(**read_about(path).columns)
    analysed = load_analysis(dataset).ratings if has_analysis(dataset) else []
    if given.without("ratings").with_defaults(saved) != saved or not {*given.rating_names} <= {*analysed}:
        raise ValueError(
            f"{dataset} was not analysed with these columns: run `rainbow analyse {dataset} {given}` first"
        )


class _Result(NamedTuple):
    """Loaded results, written pages, and the page to open."""

    saved: list[SavedAnalysis]
    pages: list[WrittenPage]
    first: Path


def _write_reports(names: list[str], scores: str, out: Path, workers: int | None) -> _Result:
    from rainbow.reports.pages.index_page import make_index
    from rainbow.reports.pages.metrics_page import make_report
    from rainbow.reports.pages.page import write_page
    from rainbow.reports.pages.systems_page import make_systems_page

    loaded = [_load_results(name, scores) for name in names]
    analysed: list[tuple[SavedAnalysis, WrittenPage]] = []
    compared: list[tuple[SavedSystems, WrittenPage]] = []
    for saved, systems in track(loaded, lambda pair: next(entry.name for entry in pair if entry)):
        if saved:
            analysed.append((saved, write_page(make_report(saved, workers), out)))
        if systems:
            compared.append((systems, write_page(make_systems_page(systems, workers), out)))
    pages = [page for _, page in (*analysed, *compared)]
    first = pages[0].path
    if len(names) > 1:
        first = write_page(make_index(analysed, compared, out), out).path
    return _Result([saved for saved, _ in analysed], pages, first)


def _load_results(name: str, scores: str) -> tuple[SavedAnalysis | None, SavedSystems | None]:
    """Load what is saved: metrics against ratings, whole systems, or both."""
    from rainbow.reports.saved.saved_analysis import has_analysis, load_analysis
    from rainbow.reports.saved.saved_systems import has_systems, load_systems

    systems = load_systems(name, scores) if has_systems(name, scores) else None
    if systems and not has_analysis(name, scores):
        return None, systems
    return load_analysis(name, scores), systems


def _write_comparison(names: list[str], scores: str, out: Path, workers: int | None) -> _Result:
    from rainbow.reports.pages.comparison_page import make_comparison
    from rainbow.reports.pages.page import write_page
    from rainbow.reports.saved.saved_analysis import load_analysis

    saved = [load_analysis(name, scores) for name in names]
    page = write_page(make_comparison(saved, workers), out)
    return _Result(saved, [page], page.path)


def _print_json(result: _Result) -> None:
    facts = {
        "open": str(result.first),
        "pages": [
            {"path": str(page.path), "bytes": page.size, "figures": [str(path) for path in page.figures]}
            for page in result.pages
        ],
        "verdicts": {entry.name: entry.summary["verdicts"] for entry in result.saved},
    }
    print_json(facts)


def _print_summary(result: _Result) -> None:
    for page in result.pages:
        folder = page.path.with_suffix("")
        figures = f", {len(page.figures) // 2} figures as SVG and PDF in {folder}/" if page.figures else ""
        typer.echo(f"{page.path}: {page.size / 1e6:.1f} MB{figures}")
    if result.first != result.pages[0].path:
        typer.echo(str(result.first))
