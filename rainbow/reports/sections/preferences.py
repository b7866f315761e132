"""How often people prefer each system in comparisons."""

from __future__ import annotations

from rainbow.reports.grid import Cell, Column, Grid, Measure, Row
from rainbow.reports.number_format import Number
from rainbow.reports.saved.saved_tables import SavedTables

SHARE = Measure("preferred", "percent", "of its comparisons; ties count half")
STRENGTH = Measure("bradley_terry", "signed", "log odds against an average system", note="{range:signed}")
COMPARISONS = Measure("comparisons", "count")


def preference_grid(saved: SavedTables) -> Grid | None:
    """Return how often people prefer each system, best first; None without comparisons."""
    rows = []
    for line in saved.lines("preferences"):
        ranks = f"{line.rank_from:g}" if line.rank_from == line.rank_to else f"{line.rank_from:g} to {line.rank_to:g}"
        rank = Cell(Number(float(line.rank_from), ranks), tip="ranks in 95 % of the resamples")
        rows.append(Row(str(line.system), [SHARE.cell(line), STRENGTH.cell(line), rank, COMPARISONS.cell(line)]))
    columns = [Column(head, head) for head in ("preferred", "Bradley-Terry", "rank", "comparisons")]
    caption = "Which system people prefer, with 95 % intervals"
    return Grid("preferences", caption, columns, rows, corner="system") if rows else None
