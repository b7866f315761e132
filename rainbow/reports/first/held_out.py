"""How well a metric that was learned from these ratings agrees with those that it has not learned from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from rainbow.learned.protocols.groups import DEFAULT_PROTOCOLS, JOINED_PROTOCOLS
from rainbow.reports.number import Number, fixed
from rainbow.reports.saved.saved_analysis import ALL, Saved

if TYPE_CHECKING:
    import pandas as pd

# The protocols by how much they ask of a model, the most telling first.
PROTOCOLS = ("by-item-and-text", "by-item", "by-text", "by-template", "kfold", "split")

# Those under which held-out outputs share nothing with the others but what the name leaves.
STRICT = {*DEFAULT_PROTOCOLS, *JOINED_PROTOCOLS}


class Learned(NamedTuple):
    """How what was learned agrees, with an interval, under the strict protocol that it is weakest under."""

    r: Number
    low: Number
    high: Number
    protocol: str

    @property
    def held_out(self) -> str:
        """How outputs were held out, as it stands in a sentence."""
        return self.protocol.replace("leave-one-", "by-").removesuffix("-out").replace("-", " ")


def learned(saved: Saved, rating: str) -> Learned | None:
    """Return the learned metric of a rating under the strict protocol that it is weakest under; None without one."""
    lines = saved.rows("learned_protocols", rating=rating)
    if lines.empty:
        return None
    lines = whole(saved, lines[lines["preset"] == lines["preset"].iloc[0]])
    strict = lines[lines["protocol"].isin(STRICT)]
    lines = (lines if strict.empty else strict).dropna(subset="spearman")
    if lines.empty:
        return None
    row: Any = lines["spearman"].idxmin()
    r, low, high = (saved.number("learned_protocols", row, name, fixed) for name in ("spearman", "low", "high"))
    return Learned(r, low, high, str(lines["protocol"].loc[row]))


def main_protocol(saved: Saved) -> str:
    """Return the protocol that tells most about a learned metric; empty if none was fitted."""
    if "learned_protocols" not in saved.tables:
        return ""
    names = list(dict.fromkeys(saved.tables["learned_protocols"]["protocol"]))
    return next((name for name in PROTOCOLS if name in names), names[0] if names else "")


def whole(saved: Saved, lines: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a table of the learned metric that are about all outputs."""
    lines = lines[lines["system"] == ALL]
    named = lines[lines["dataset"] == saved.whole.dataset]
    return named if len(named) else lines[lines["dataset"] == ALL]
