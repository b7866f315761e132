"""The data: systems, items, ratings, rater agreement and checks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from rainbow.analysis.agreement.agreement_table import LEFT_OUT
from rainbow.analysis.checks.findings import WORDS, group_causes, group_findings, join_listing
from rainbow.base.lazy import pd
from rainbow.reports.figures.distributions import countable_ratings, rating_histograms
from rainbow.reports.grid import Cell, Column, Grid, Measure, Row, colour_limit, correlation_cell
from rainbow.reports.number_format import Number, format_count, format_percent
from rainbow.reports.saved.saved_analysis import SavedAnalysis
from rainbow.reports.saved.saved_tables import SavedRow
from rainbow.reports.section import Figure, Section

NAMED = 3  # inputs in a sentence


def disputed_sentences(saved: SavedAnalysis) -> Iterator[str]:
    """Yield for each rating the most disputed inputs, and whether the systems keep their order without them."""
    groups: dict[tuple[str, str], list[str]] = {}
    for line in saved.lines("disputed_items"):
        groups.setdefault((line.dataset, line.rating), []).append(line.text("{item} (deviation {deviation:fixed})"))
    for (dataset, rating), named in groups.items():
        order = _order(saved.rows("undisputed_systems", dataset=dataset, rating=rating))
        yield f"{rating}: raters disagree most on {join_listing(named[:NAMED])}. {order}".strip()


def _order(systems: pd.DataFrame) -> str:
    """Return whether the order of the systems depends on disputed inputs; empty for one system."""
    if systems.empty:
        return ""
    moved = systems[systems["rank"] != systems["rank_undisputed"]]
    changes = [f"{line.system} from {line.rank:.0f} to {line.rank_undisputed:.0f}" for line in moved.itertuples()]
    result = f"ranks change: {join_listing(changes)}" if changes else "the systems keep their order"
    return f"Without the {format_percent(LEFT_OUT)} of inputs with the largest disagreement, {result}."


ESTIMATE = Measure(
    "estimate",
    tip="{estimate:fixed}, {interval:fixed}, {n_items:count} items, {n_raters:count} raters",
    note="{range:fixed}",
    absent="",
)


def section(saved: SavedAnalysis) -> Section:
    """Return what was rated, how, and what is wrong with it."""
    tables = [saved.tables[name] for name in ("agreement", "ceilings")]
    reasons = {str(reason) for table in tables for reason in table.loc[table["estimate"].isna(), "reason"]}
    data = {
        "systems": _system_grid(saved),
        "ratings": _rating_grid(saved),
        "agreement": _agreement_grid(saved, "agreement", "Rater agreement, with 95 % intervals"),
        "disputed": list(disputed_sentences(saved)),
        "ceilings": _agreement_grid(saved, "ceilings", "Ceiling of any metric's correlation, with 95 % intervals"),
        "among": _rating_correlations(saved),
        "reasons": sorted(reasons),
        "causes": group_causes(saved.tables["checks"]),
        "findings": group_findings(saved.tables["checks"]),
        "words": WORDS,
    }
    systems = ", ".join(map(str, dict.fromkeys(saved.scores["system"])))
    figure = Figure(
        "ratings",
        "Share of outputs with each rating; means of raters are binned into ten equal parts of their range.",
        f"Histograms of {', '.join(saved.ratings)} for {systems}; numbers in the next table.",
        partial(rating_histograms, saved),
    )
    return Section("data", "Data, raters and checks", data, [figure])


def _system_grid(saved: SavedAnalysis) -> list[tuple[str, str, str, str]]:
    """Return dataset, system, outputs and items of every system."""
    groups = saved.scores.groupby(["dataset", "system"], sort=False)
    return [(str(d), str(s), format_count(len(part)), format_count(part["item"].nunique())) for (d, s), part in groups]


def _rating_grid(saved: SavedAnalysis) -> Grid:
    """Return the counts of each value per rating and system."""
    marks = countable_ratings(saved.scores, saved.ratings)
    values = sorted({value for rating in saved.ratings for value in marks[rating].dropna().unique()})
    rows = []
    for rating in saved.ratings:
        for system, part in marks.groupby(saved.scores["system"], sort=False):
            given = part[rating].value_counts()
            numbers = [Number(float(number), format_count(number)) for number in given.reindex(values, fill_value=0)]
            rows.append(Row(str(system), [Cell(number) for number in numbers], rating))
    columns = [Column(f"{value:.3g}", f"rated {value:.3g}") for value in values]
    spans = [("rated", len(values))]
    caption = "Outputs with each rating"
    return Grid("rating-counts", caption, columns, rows, spans=spans, corner="system", second="rating")


def _agreement_grid(saved: SavedAnalysis, table: str, caption: str) -> Grid | None:
    """Return a row per coefficient and a column per rating; None if nothing could be computed."""
    lines = [line for line in saved.lines(table) if line.estimate == line.estimate]
    known = {(line.measure, line.rating): line for line in reversed(lines)}  # the first of each
    rows = [
        Row(name.removeprefix("Ceiling of "), [ESTIMATE.cell(known.get((name, rating))) for rating in saved.ratings])
        for name in dict.fromkeys(line.measure for line in lines)
    ]
    columns = [Column(rating, rating) for rating in saved.ratings]
    return Grid(table, caption, columns, rows, corner="measure") if rows else None


def _rating_correlations(saved: SavedAnalysis) -> Grid | None:
    """Return correlations between ratings per dataset; None for one rating."""
    lines = saved.lookup("rating_correlations", "dataset", "first", "second")
    limit = colour_limit(line.r for line in lines.values())
    pairs = list(dict.fromkeys(key[1:] for key in lines))
    rows = [
        Row(dataset, [_correlation_cell(lines[dataset, *pair], limit) for pair in pairs]) for dataset in saved.datasets
    ]
    columns = [Column(f"{first} and {second}", f"{first} and {second}") for first, second in pairs]
    caption = "Spearman correlations among ratings" + (" on every dataset" if len(saved.datasets) > 1 else "")
    return Grid("among-ratings", caption, columns, rows, limit, corner="dataset") if pairs else None


def _correlation_cell(line: SavedRow, limit: float) -> Cell:
    return correlation_cell(line, limit, f"{line.first} and {line.second}")._replace(note=line.text("{range:fixed}"))
