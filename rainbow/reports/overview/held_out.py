"""Held-out agreement of a metric learned from these ratings."""

from __future__ import annotations

from typing import Any, NamedTuple

from rainbow.base.lazy import pd
from rainbow.learned.protocols.groups import DEFAULT_PROTOCOLS, JOINED_PROTOCOLS
from rainbow.reports.number_format import Number, format_fixed
from rainbow.reports.saved.saved_analysis import ALL, SavedAnalysis

# The protocols by how much they ask of a model, the most telling first.
PROTOCOLS = ("by-item-and-text", "by-item", "by-text", "by-template", "kfold", "split")

# Protocols whose held-out outputs share with the others only what the name allows.
STRICT = {*DEFAULT_PROTOCOLS, *JOINED_PROTOCOLS}


class HeldOutResult(NamedTuple):
    """Agreement of a learned metric under its weakest strict protocol."""

    r: Number
    protocol: str

    @property
    def protocol_phrase(self) -> str:
        """How outputs were held out, as a phrase."""
        return self.protocol.replace("leave-one-", "by-").removesuffix("-out").replace("-", " ")


def held_out_result(saved: SavedAnalysis, rating: str) -> HeldOutResult | None:
    """Return the result of a rating's learned metric under its weakest strict protocol; None without one."""
    lines = saved.rows("learned_protocols", rating=rating)
    if lines.empty:
        return None
    lines = overall_rows(saved, lines[lines["preset"] == lines["preset"].iloc[0]])
    strict = lines[lines["protocol"].isin(STRICT)]
    lines = (lines if strict.empty else strict).dropna(subset="spearman")
    if lines.empty:
        return None
    row: Any = lines["spearman"].idxmin()
    r = saved.number("learned_protocols", row, "spearman", format_fixed)
    return HeldOutResult(r, str(lines["protocol"].loc[row]))


def main_protocol(saved: SavedAnalysis) -> str:
    """Return the strictest protocol of a learned metric; empty if none was fitted."""
    if "learned_protocols" not in saved.tables:
        return ""
    names = list(dict.fromkeys(saved.tables["learned_protocols"]["protocol"]))
    return next((name for name in PROTOCOLS if name in names), names[0] if names else "")


def overall_rows(saved: SavedAnalysis, lines: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a learned-metric table that cover all outputs."""
    lines = lines[lines["system"] == ALL]
    named = lines[lines["dataset"] == saved.all_outputs.dataset]
    return named if len(named) else lines[lines["dataset"] == ALL]
