"""Sentences on the inputs that raters disagree on, and on the order of systems without them."""

from __future__ import annotations

from collections.abc import Iterator

from rainbow.analysis.agreement.disputed_items import LEFT_OUT
from rainbow.analysis.checks.findings import join_listing
from rainbow.base.lazy import pd
from rainbow.reports.number_format import format_fixed, format_percent
from rainbow.reports.saved.saved_analysis import SavedAnalysis

NAMED = 3  # inputs in a sentence


def disputed_sentences(saved: SavedAnalysis) -> Iterator[str]:
    """Yield for each rating the most disputed inputs, and whether the systems keep their order without them."""
    items, systems = saved.rows("disputed_items"), saved.rows("undisputed_systems")
    for dataset, rating in items[["dataset", "rating"]].drop_duplicates().itertuples(index=False) if len(items) else ():
        own = items[(items["dataset"] == dataset) & (items["rating"] == rating)].head(NAMED)
        named = [f"{line.item} (deviation {format_fixed(line.deviation)})" for line in own.itertuples()]
        yield f"{rating}: raters disagree most on {join_listing(named)}. {_order(systems, dataset, rating)}".strip()


def _order(systems: pd.DataFrame, dataset: str, rating: str) -> str:
    """Return whether the order of the systems depends on disputed inputs; empty for one system."""
    if systems.empty:
        return ""
    own = systems[(systems["dataset"] == dataset) & (systems["rating"] == rating)]
    moved = own[own["rank"] != own["rank_undisputed"]]
    without = f"Without the {format_percent(LEFT_OUT)} of inputs with the largest disagreement,"
    if own.empty or moved.empty:
        return "" if own.empty else f"{without} the systems keep their order."
    changes = [f"{line.system} from {line.rank:.0f} to {line.rank_undisputed:.0f}" for line in moved.itertuples()]
    return f"{without} ranks change: {join_listing(changes)}."
