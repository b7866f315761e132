"""`rainbow report`: from saved tables to a page that opens in any browser."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rainbow.cli.console import AsJson, print_json, track

if TYPE_CHECKING:
    from rainbow.reports.report import Written
    from rainbow.reports.saved import Saved


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(report)


def report(
    datasets: Annotated[list[str], typer.Argument(help="Datasets or files that were analysed before.")],
    compare: Annotated[bool, typer.Option("--compare", help="Set two datasets side by side on one page.")] = False,
    scores: Annotated[
        str, typer.Option(help="ours, or published: the scores that the authors stored (sfhotel, sfrest, bagel).")
    ] = "ours",
    out: Annotated[Path, typer.Option(help="The folder to write to.")] = Path("reports"),
    open_it: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
    as_json: AsJson = False,
) -> None:
    """Make a report of saved metrics and analysis: one HTML file, and its figures as SVG and PDF.

    Several datasets get a page each, and index.html.

    \b
    Examples:
      rainbow metrics demo && rainbow analyse demo && rainbow report demo --open
      rainbow report sfhotel sfrest bagel
      rainbow report --compare sfhotel sfrest
    """  # noqa: D301  # the backslash is click's: what follows is not wrapped
    from rainbow.reports.saved import load_saved

    if scores not in ("ours", "published"):
        raise typer.BadParameter(f"{scores!r} is neither ours nor published", param_hint="--scores")
    if compare and len(datasets) != 2:
        raise typer.BadParameter(f"two datasets are compared, not {len(datasets)}", param_hint="--compare")
    saved = [load_saved(name, scores) for name in dict.fromkeys(datasets)]
    written = _comparison(saved, out) if compare else _reports(saved, out)
    pages = [page for _, page in written]
    first = out / "index.html" if len(saved) > 1 and not compare else pages[0].path
    if open_it:
        webbrowser.open(first.resolve().as_uri())
    (_print_json if as_json else _print_summary)(first, saved, pages)


def _reports(saved: list[Saved], out: Path) -> list[tuple[Saved, Written]]:
    from rainbow.reports.index import make_index
    from rainbow.reports.report import write_page, write_report

    written = [(entry, write_report(entry, out)) for entry in track(saved, lambda entry: entry.name)]
    if len(saved) > 1:
        write_page(make_index(written, out), "index", out)
    return written


def _comparison(saved: list[Saved], out: Path) -> list[tuple[Saved, Written]]:
    from rainbow.reports.comparison import comparison_name, make_comparison
    from rainbow.reports.report import write_page

    if len(saved) != 2:
        raise ValueError(f"{saved[0].name} cannot be compared with itself: name another dataset")
    return [(saved[0], write_page(make_comparison(*saved), comparison_name(*saved), out))]


def _print_json(first: Path, saved: list[Saved], pages: list[Written]) -> None:
    from rainbow.reports.trusted import trusted

    facts: dict[str, Any] = {
        "open": first,
        "pages": [{"path": page.path, "bytes": page.size, "figures": page.figures} for page in pages],
        "trusted": {
            entry.name: [
                {
                    "rating": choice.rating,
                    "metric": choice.metric or None,
                    "r": choice.r.value,
                    "low": choice.low.value,
                    "high": choice.high.value,
                    "n": choice.n.value,
                    "ceiling": choice.ceiling.estimate.value if choice.ceiling else None,
                    "doubtful": choice.doubtful,
                }
                for choice in trusted(entry)
            ]
            for entry in saved
        },
    }
    print_json(_with_texts(facts))


def _with_texts(value: Any) -> Any:
    """Give paths as texts."""
    if isinstance(value, dict):
        return {key: _with_texts(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [_with_texts(entry) for entry in value]
    return str(value) if isinstance(value, Path) else value


def _print_summary(first: Path, saved: list[Saved], pages: list[Written]) -> None:
    for page in pages:
        folder = page.path.with_suffix("")
        figures = f", {len(page.figures) // 2} figures as SVG and PDF in {folder}/" if page.figures else ""
        typer.echo(f"{page.path}: {page.size / 1e6:.1f} MB{figures}")
    if first != pages[0].path:
        typer.echo(str(first))
