"""RAINBOW: the learned metric on outputs it has not seen, beside the ceiling and the best single metric."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from rainbow.reports.figures import ensemble as figures
from rainbow.reports.saved.saved_analysis import Saved
from rainbow.reports.section import Figure, Section
from rainbow.reports.sections import ensemble_grids as grids
from rainbow.reports.trusted import main_protocol, whole

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["section"]

AS_TABLE = "Dot plot; the numbers are in the table that follows."


def section(saved: Saved) -> Section:
    """Return protocols side by side, predictions against ratings, importances and the audit; or how to make them."""
    if "ensemble_protocols" not in saved.tables:
        return Section("ensemble", "RAINBOW", {"fitted": False})
    lines, protocol = whole(saved, saved.tables["ensemble_protocols"]), main_protocol(saved)
    ratings = [rating for rating in saved.ratings if rating in set(lines["rating"])]
    data = {
        "fitted": True,
        "presets": list(dict.fromkeys(lines["preset"])),
        "protocols": grids.protocol_grid(saved, lines),
        "parts": grids.part_grid(saved, protocol, ratings),
        "importances": grids.importance_grid(saved, ratings),
        "audit": grids.audit_grid(saved, ratings),
    }
    return Section("ensemble", "RAINBOW", data, list(_figures(saved, lines, protocol, ratings)))


def _figures(saved: Saved, lines: pd.DataFrame, protocol: str, ratings: Sequence[str]) -> Iterator[Figure]:
    yield Figure(
        "protocols",
        "Spearman correlation of held-out predictions with the ratings under every protocol, with 95 % intervals; the "
        "best single metric on the same outputs, turned so that higher is better; and the ceiling with its interval.",
        AS_TABLE,
        partial(figures.protocols, lines, ratings, saved.higher_is_better),
    )
    if len(rows := saved.rows("ensemble_predictions", protocol=protocol)):
        yield Figure(
            "predictions",
            f"What was predicted for outputs with each rating (protocol {protocol}): medians, boxes with half of the "
            "outputs, lines over nearly all.",
            "Box plots of predictions by rating.",
            partial(figures.predictions, rows, ratings),
        )
    if "ensemble_importances" in saved.tables:
        yield Figure(
            "importances",
            "By how much the correlation falls when a feature is shuffled among held-out outputs; the first fifteen.",
            AS_TABLE,
            partial(figures.importances, saved.tables["ensemble_importances"], ratings),
        )
    if "ensemble_audit" in saved.tables:
        yield Figure(
            "audit",
            "Share of outputs whose score falls when a fault is put into them, with 95 % intervals.",
            AS_TABLE,
            partial(figures.audit, saved.tables["ensemble_audit"], ratings),
        )
