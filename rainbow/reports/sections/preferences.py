"""How often people prefer each system in comparisons."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rainbow.reports.grid import Cell, Column, Grid, Row
from rainbow.reports.number_format import Number, format_count, format_percent, format_range, format_signed
from rainbow.reports.saved.saved_tables import SavedTables


def preference_grid(saved: SavedTables) -> Grid | None:
    """Return how often people prefer each system, best first; None without comparisons."""
    if "preferences" not in saved.tables:
        return None
    rows = []
    lines: Iterable[Any] = saved.tables["preferences"].itertuples()
    for line in lines:
        share = saved.number("preferences", line.Index, "preferred", format_percent)
        strength = saved.number("preferences", line.Index, "bradley_terry", format_signed)
        ranks = f"{line.rank_from:g}" if line.rank_from == line.rank_to else f"{line.rank_from:g} to {line.rank_to:g}"
        cells = [
            Cell(share, tip="of its comparisons; ties count half"),
            Cell(
                strength,
                tip="log odds against an average system",
                note=format_range(line.low, line.high, format_signed),
            ),
            Cell(Number(float(line.rank_from), ranks), tip="ranks in 95 % of the resamples"),
            Cell(saved.number("preferences", line.Index, "comparisons", format_count)),
        ]
        rows.append(Row(str(line.system), "", ("", ""), cells))
    heads = ("preferred", "Bradley-Terry", "rank", "comparisons")
    columns = [Column(head, head) for head in heads]
    return Grid("preferences", "Which system people prefer, with 95 % intervals", [], columns, rows, corner="system")
