"""What people prefer: ranks, their ranges, clusters."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

from rainbow.reports.figures.dots import rank_ranges
from rainbow.reports.grid import Cell, Column, Grid, Row, empty
from rainbow.reports.number import between, count, interval, precise
from rainbow.reports.saved.saved_systems import Compared, SavedSystems
from rainbow.reports.section import Figure, Section
from rainbow.systems.rankings.rankings import METHODS

# Tables with a column for each criterion: what their rows and cells are, and what they show.
JUDGED = {
    "system_ratings": ("system", "mean", "Mean ratings of systems"),
    "judgement_agreement": ("measure", "estimate", "Agreement of judgements"),
}
NAMES = {"trueskill": "TrueSkill", "bradley-terry": "the model of Bradley and Terry", "challenge": "TrueSkill"}


class _Block(NamedTuple):
    """What is shown of a dataset."""

    part: Compared
    figure: str
    method: str
    reasons: list[str]
    grids: list[Grid]
    judged: list[Grid]


def section(saved: SavedSystems) -> Section:
    """Return ranks with their ranges, clusters and strengths, for every criterion that people judged by."""
    parts = [part for part in saved.parts if len(saved.rows("rankings", **part.wanted))]
    data = {"blocks": [_block(saved, part) for part in parts], "as_published": saved.name.endswith("-published")}
    drawn = [part for part in parts if saved.rows("rankings", **part.wanted)["rank_from"].notna().any()]
    return Section("systems-rankings", "What people prefer", data, [_figure(saved, part) for part in drawn])


def strength_column(saved: SavedSystems) -> str:
    """Return the column of the table of rankings that has the strength of systems."""
    return next(column for column, _ in METHODS.values() if column in saved.tables["rankings"])


def _block(saved: SavedSystems, part: Compared) -> _Block:
    table = saved.rows("rankings", **part.wanted)
    ratings = dict.fromkeys(table["rating"])
    drawn = table["rank_from"].notna().any()
    return _Block(
        part,
        f"rank-ranges{part.suffix}" if drawn else "",
        NAMES[table["method"].iloc[0]],
        sorted({f"{line.rating!s}: {line.reason!s}" for line in table.itertuples() if line.reason}),
        [_grid(saved, part, rating, place) for place, rating in enumerate(ratings, 1)],
        [
            _by_rating(saved, part, table, row, value, caption)
            for table, (row, value, caption) in JUDGED.items()
            if len(saved.rows(table, **part.wanted))
        ],
    )


def _figure(saved: SavedSystems, part: Compared) -> Figure:
    return Figure(
        f"rank-ranges{part.suffix}",
        f"From the best to the worst rank of every system{part.where} in 95 % of the runs. A dashed line separates "
        "clusters: all of one are above all of the next.",
        "Ranges of ranks; the numbers are in the table that follows.",
        partial(rank_ranges, saved.rows("rankings", **part.wanted)),
    )


def _grid(saved: SavedSystems, part: Compared, rating: str, place: int) -> Grid:
    strength = strength_column(saved)
    columns = [
        Column("cluster", "systems of one cluster cannot be told apart; 1 is the best"),
        Column("best rank", "the rank that it reaches at best in 95 % of the runs"),
        Column("worst rank", "the rank that it falls to at worst in 95 % of the runs"),
        Column("strength", "how good it is by comparisons with all others; only differences and order mean something"),
        Column("comparisons", "with another system, by people"),
    ]
    rows = [
        Row(str(line.system), "", ("", ""), _cells(saved, line, strength))
        for line in saved.rows("rankings", rating=rating, **part.wanted).itertuples()
    ]
    caption = f"Systems by {rating}{part.where}"
    return Grid(f"rankings{part.suffix}-{place}", caption, [], columns, rows, corner="system")


def _cells(saved: SavedSystems, line: Any, strength: str) -> list[Cell]:
    compared = saved.number("rankings", line.Index, "comparisons", count)
    value = saved.number("rankings", line.Index, strength, precise)
    if value.raw == "":
        return [*[empty(f"{line.system}: {line.reason}")] * 4, Cell(compared)]
    ranks = [saved.number("rankings", line.Index, column, count) for column in ("cluster", "rank_from", "rank_to")]
    told = (
        f"{line.system}, {line.rating}: ranks {ranks[1].text} to {ranks[2].text}, cluster {ranks[0].text}; strength "
        f"{value.text}, {interval(line.low, line.high, precise)}; {compared.text} comparisons"
    )
    note = between(line.low, line.high, precise)
    return [*(Cell(rank, tip=told) for rank in ranks), Cell(value, tip=told, note=note), Cell(compared, tip=told)]


def _by_rating(saved: SavedSystems, part: Compared, table: str, row: str, value: str, caption: str) -> Grid:
    """Return a table of judgements with a column for each criterion."""
    lines = saved.lookup(table, row, "rating", **part.wanted)
    names, ratings = (list(dict.fromkeys(key[place] for key in lines)) for place in (0, 1))
    cells = {key: _judged(saved, table, line, value) for key, line in lines.items()}
    rows = [Row(name, "", ("", ""), [cells.get((name, rating), empty("")) for rating in ratings]) for name in names]
    columns = [Column(rating, rating) for rating in ratings]
    return Grid(f"{table.replace('_', '-')}{part.suffix}", f"{caption}{part.where}", [], columns, rows, corner=row)


def _judged(saved: SavedSystems, table: str, line: Any, value: str) -> Cell:
    number = saved.number(table, line.Index, value, precise)
    if number.raw == "":
        return empty(f"{line.rating}: {line.reason}")
    told = between(line.low, line.high, precise)
    return Cell(number, tip=f"{line.rating}: {number.text}, {interval(line.low, line.high, precise)}", note=told)
