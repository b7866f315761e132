"""Human rankings: ranks, rank ranges and clusters."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

from rainbow.reports.figures.dot_plots import rank_ranges
from rainbow.reports.grid import Cell, Column, Grid, Row, empty_cell
from rainbow.reports.number_format import format_count, format_interval, format_precise, format_range
from rainbow.reports.saved.saved_systems import ComparedDataset, SavedSystems
from rainbow.reports.section import Figure, Section
from rainbow.systems.rankings.rankings import METHODS

# Tables with a column for each criterion: what their rows and cells are, and what they show.
JUDGED = {
    "system_ratings": ("system", "mean", "Mean ratings of systems"),
    "judgement_agreement": ("measure", "estimate", "Agreement of judgements"),
}
NAMES = {"trueskill": "TrueSkill", "bradley-terry": "the Bradley-Terry model", "challenge": "TrueSkill"}


class _DatasetBlock(NamedTuple):
    """Content for one dataset."""

    part: ComparedDataset
    figure: str
    method: str
    reasons: list[str]
    grids: list[Grid]
    judged: list[Grid]


def section(saved: SavedSystems) -> Section:
    """Return ranks with ranges, clusters and strengths for every criterion."""
    parts = [part for part in saved.parts if len(saved.rows("rankings", **part.filters))]
    data = {
        "blocks": [_dataset_block(saved, part) for part in parts],
        "as_published": saved.name.endswith("-published"),
    }
    drawn = [part for part in parts if saved.rows("rankings", **part.filters)["rank_from"].notna().any()]
    return Section("systems-rankings", "What people prefer", data, [_rank_figure(saved, part) for part in drawn])


def strength_column(saved: SavedSystems) -> str:
    """Return the column of the rankings table with the strength of systems."""
    return next(column for column, _ in METHODS.values() if column in saved.tables["rankings"])


def _dataset_block(saved: SavedSystems, part: ComparedDataset) -> _DatasetBlock:
    table = saved.rows("rankings", **part.filters)
    ratings = dict.fromkeys(table["rating"])
    drawn = table["rank_from"].notna().any()
    return _DatasetBlock(
        part,
        f"rank-ranges{part.suffix}" if drawn else "",
        NAMES[table["method"].iloc[0]],
        sorted({f"{line.rating!s}: {line.reason!s}" for line in table.itertuples() if line.reason}),
        [_ranking_grid(saved, part, rating, place) for place, rating in enumerate(ratings, 1)],
        [
            _judgement_grid(saved, part, table, row, value, caption)
            for table, (row, value, caption) in JUDGED.items()
            if len(saved.rows(table, **part.filters))
        ],
    )


def _rank_figure(saved: SavedSystems, part: ComparedDataset) -> Figure:
    return Figure(
        f"rank-ranges{part.suffix}",
        f"Best to worst rank of every system{part.where} in 95 % of the runs. A dashed line separates "
        "clusters: all systems of one rank above all of the next.",
        "Rank ranges; numbers in the next table.",
        partial(rank_ranges, saved.rows("rankings", **part.filters)),
    )


def _ranking_grid(saved: SavedSystems, part: ComparedDataset, rating: str, place: int) -> Grid:
    strength = strength_column(saved)
    columns = [
        Column("cluster", "systems of one cluster are not significantly different; 1 is the best"),
        Column("best rank", "best rank in 95 % of the runs"),
        Column("worst rank", "worst rank in 95 % of the runs"),
        Column("strength", "strength estimated from comparisons with all others; only differences are meaningful"),
        Column("comparisons", "with another system, by people"),
    ]
    rows = [
        Row(str(line.system), "", ("", ""), _ranking_cells(saved, line, strength))
        for line in saved.rows("rankings", rating=rating, **part.filters).itertuples()
    ]
    caption = f"Systems by {rating}{part.where}"
    return Grid(f"rankings{part.suffix}-{place}", caption, [], columns, rows, corner="system")


def _ranking_cells(saved: SavedSystems, line: Any, strength: str) -> list[Cell]:
    compared = saved.number("rankings", line.Index, "comparisons", format_count)
    value = saved.number("rankings", line.Index, strength, format_precise)
    if value.raw == "":
        return [*[empty_cell(f"{line.system}: {line.reason}")] * 4, Cell(compared)]
    ranks = [
        saved.number("rankings", line.Index, column, format_count) for column in ("cluster", "rank_from", "rank_to")
    ]
    detail = (
        f"{line.system}, {line.rating}: ranks {ranks[1].text} to {ranks[2].text}, cluster {ranks[0].text}; strength "
        f"{value.text}, {format_interval(line.low, line.high, format_precise)}; {compared.text} comparisons"
    )
    note = format_range(line.low, line.high, format_precise)
    return [*(Cell(rank, tip=detail) for rank in ranks), Cell(value, tip=detail, note=note), Cell(compared, tip=detail)]


def _judgement_grid(saved: SavedSystems, part: ComparedDataset, table: str, row: str, value: str, caption: str) -> Grid:
    """Return a table of judgements with a column per criterion."""
    lines = saved.lookup(table, row, "rating", **part.filters)
    names, ratings = (list(dict.fromkeys(key[place] for key in lines)) for place in (0, 1))
    cells = {key: _judgement_cell(saved, table, line, value) for key, line in lines.items()}
    rows = [
        Row(name, "", ("", ""), [cells.get((name, rating), empty_cell("")) for rating in ratings]) for name in names
    ]
    columns = [Column(rating, rating) for rating in ratings]
    return Grid(f"{table.replace('_', '-')}{part.suffix}", f"{caption}{part.where}", [], columns, rows, corner=row)


def _judgement_cell(saved: SavedSystems, table: str, line: Any, value: str) -> Cell:
    number = saved.number(table, line.Index, value, format_precise)
    if number.raw == "":
        return empty_cell(f"{line.rating}: {line.reason}")
    detail = format_range(line.low, line.high, format_precise)
    return Cell(
        number, tip=f"{line.rating}: {number.text}, {format_interval(line.low, line.high, format_precise)}", note=detail
    )
