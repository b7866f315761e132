"""Human rankings: ranks, rank ranges and clusters."""

from __future__ import annotations

from functools import partial
from typing import Any

from rainbow.reports.figures.dot_plots import rank_ranges
from rainbow.reports.grid import Column, Grid, Measure, Row, declare_measures, empty_cell
from rainbow.reports.saved.saved_systems import ComparedDataset, SavedSystems
from rainbow.reports.section import Figure, Section, block_section
from rainbow.systems.rankings.rankings import METHODS

# Tables with a column for each criterion: what their rows and cells are, and what they show.
JUDGED = {
    "system_ratings": ("system", "mean", "Mean ratings of systems"),
    "judgement_agreement": ("measure", "estimate", "Agreement of judgements"),
}
NAMES = {"trueskill": "TrueSkill", "bradley-terry": "the Bradley-Terry model", "challenge": "TrueSkill"}


_RANKED = (
    "{system}, {rating}: ranks {rank_from:count} to {rank_to:count}, cluster {cluster:count}; strength {value}, "
    "{interval:precise}; {comparisons:count} comparisons"
)
RANKS = declare_measures(
    ("cluster", "count", "cluster", "systems of one cluster are not significantly different; 1 is the best"),
    ("rank_from", "count", "best rank", "best rank in 95 % of the runs"),
    ("rank_to", "count", "worst rank", "worst rank in 95 % of the runs"),
    tip=_RANKED,
)
STRENGTH = Measure(
    "strength",
    "precise",
    _RANKED,
    note="{range:precise}",
    label="strength",
    title="strength estimated from comparisons with all others; only differences are meaningful",
)
COMPARISONS = Measure("comparisons", "count", _RANKED, title="with another system, by people")
JUDGEMENT = Measure("mean", "precise", note="{range:precise}", reason="{rating}: {reason}", absent="")


def section(saved: SavedSystems) -> Section:
    """Return ranks with ranges, clusters and strengths for every criterion."""
    parts = [part for part in saved.parts if len(saved.rows("rankings", **part.filters))]
    blocks = [_block(saved, part) for part in parts]
    published = saved.name.endswith("-published")
    return block_section("systems-rankings", "What people prefer", blocks, as_published=published)


def strength_column(saved: SavedSystems) -> str:
    """Return the column of the rankings table with the strength of systems."""
    return next(column for column, _ in METHODS.values() if column in saved.tables["rankings"])


def _block(saved: SavedSystems, part: ComparedDataset) -> dict[str, Any]:
    table = saved.rows("rankings", **part.filters)
    figure = Figure(
        f"rank-ranges{part.suffix}",
        f"Best to worst rank of every system{part.where} in 95 % of the runs. A dashed line separates "
        "clusters: all systems of one rank above all of the next.",
        "Rank ranges; numbers in the next table.",
        partial(rank_ranges, table),
    )
    return {
        "part": part,
        "figure": figure if table["rank_from"].notna().any() else None,
        "method": NAMES[table["method"].iloc[0]],
        "reasons": sorted({f"{line.rating!s}: {line.reason!s}" for line in table.itertuples() if line.reason}),
        "grids": [
            _ranking_grid(saved, part, rating, place) for place, rating in enumerate(dict.fromkeys(table["rating"]), 1)
        ],
        "judged": [
            _judgement_grid(saved, part, name, *columns)
            for name, columns in JUDGED.items()
            if len(saved.rows(name, **part.filters))
        ],
    }


def _ranking_grid(saved: SavedSystems, part: ComparedDataset, rating: str, place: int) -> Grid:
    strength = STRENGTH._replace(column=strength_column(saved))
    measures = (*RANKS, strength)
    rows = []
    for line in saved.lines("rankings", rating=rating, **part.filters):
        value = line.text(f"{{{strength.column}:precise}}")
        known = getattr(line, strength.column) == getattr(line, strength.column)
        missing = empty_cell(f"{line.system}: {line.reason}")
        cells = [measure.cell(line, value=value) if known else missing for measure in measures]
        compared = COMPARISONS.cell(line, value=value)
        rows.append(Row(str(line.system), [*cells, compared if known else compared._replace(tip="")]))
    caption = f"Systems by {rating}{part.where}"
    heads = [measure.head for measure in (*measures, COMPARISONS)]
    return Grid(f"rankings{part.suffix}-{place}", caption, heads, rows, corner="system")


def _judgement_grid(saved: SavedSystems, part: ComparedDataset, table: str, row: str, value: str, caption: str) -> Grid:
    """Return a table of judgements with a column per criterion."""
    lines = saved.lookup(table, row, "rating", **part.filters)
    names, ratings = (list(dict.fromkeys(key[place] for key in lines)) for place in (0, 1))
    measure = JUDGEMENT._replace(column=value, tip=f"{{rating}}: {{{value}:precise}}, {{interval:precise}}")
    rows = [Row(name, [measure.cell(lines.get((name, rating))) for rating in ratings]) for name in names]
    columns = [Column(rating, rating) for rating in ratings]
    return Grid(f"{table.replace('_', '-')}{part.suffix}", f"{caption}{part.where}", columns, rows, corner=row)
