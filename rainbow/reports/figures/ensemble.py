"""What a learned metric reaches on outputs it has not seen, what it rests on, and what it notices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from rainbow.reports.figures.style import INK_COLOUR, MUTED, RULE, canvas, colour_of, grid_lines

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure as Canvas
    from matplotlib.lines import Line2D


__all__ = ["audit", "importances", "predictions", "protocols"]

MODEL, METRIC = colour_of(1), colour_of(0)

# Features that are drawn; the table has them all.
SHOWN = 15


def protocols(lines: pd.DataFrame, ratings: Sequence[str], higher_is_better: Mapping[str, bool | None]) -> Canvas:
    """Draw a panel per rating: model, best single metric and ceiling under every protocol.

    Parameters
    ----------
    lines
        Rows of ``ensemble_protocols.csv`` over all outputs.
    ratings
        One panel each.
    higher_is_better
        Of every metric: correlations of those for which lower is better are turned round.
    """
    names = list(dict.fromkeys(lines["protocol"]))
    figure, panels = canvas(len(ratings), 1.1 + 0.26 * len(names), sharey=True, sharex=True)
    places = np.arange(len(names))
    turned = lines["best_metric"].map(lambda metric: -1.0 if higher_is_better.get(metric) is False else 1.0)
    lines = lines.assign(best_metric_spearman=turned * lines["best_metric_spearman"])
    for axes, rating in zip(panels, ratings, strict=True):
        rows = lines[lines["rating"] == rating].drop_duplicates("protocol").set_index("protocol").reindex(names)
        axes.barh(places, rows["ceiling_high"] - rows["ceiling_low"], left=rows["ceiling_low"], height=0.7, color=RULE)
        axes.scatter(rows["ceiling"], places, marker="|", s=60, color=MUTED)
        axes.hlines(places, rows["low"], rows["high"], color=MODEL, lw=1.5)
        axes.scatter(rows["spearman"], places, s=18, color=MODEL, zorder=3)
        axes.scatter(
            rows["best_metric_spearman"], places, s=18, marker="D", facecolors="none", edgecolors=METRIC, zorder=3
        )
        axes.axvline(0, color=INK_COLOUR, lw=0.7)
        axes.set_title(rating)
        grid_lines(axes)
    panels[0].set_yticks(places, names)
    panels[0].set_ylim(len(names) - 0.4, -0.6)
    figure.supxlabel("Spearman correlation of predictions with ratings", fontsize=8)
    figure.legend(handles=_marks(), loc="outside upper right", ncols=3)
    return figure


def _marks() -> list[Line2D]:
    from matplotlib.lines import Line2D

    return [
        Line2D([], [], color=MODEL, lw=1.5, marker="o", ms=4, label="RAINBOW"),
        Line2D([], [], color=METRIC, lw=0, marker="D", ms=4, fillstyle="none", label="best single metric"),
        Line2D([], [], color=MUTED, lw=0, marker="|", ms=7, label="ceiling"),
    ]


def predictions(lines: pd.DataFrame, ratings: Sequence[str]) -> Canvas:
    """Draw a panel per rating: what was predicted for outputs that people rated so (rows of one protocol)."""
    figure, panels = canvas(len(ratings), 2.5, sharex=True, sharey=True)
    for axes, rating in zip(panels, ratings, strict=True):
        rows = lines[lines["rating"] == rating].dropna(subset=["rated", "predicted"])
        given = sorted(rows["rated"].unique())
        step = min(np.diff(given), default=1.0)
        boxes = [rows.loc[rows["rated"] == value, "predicted"].to_numpy() for value in given]
        line = {"color": INK_COLOUR, "linewidth": 0.8}
        axes.boxplot(
            boxes,
            positions=given,
            widths=0.6 * step,
            manage_ticks=False,
            patch_artist=True,
            boxprops={"facecolor": MODEL, "alpha": 0.35, "linewidth": 0},
            medianprops={"color": INK_COLOUR, "linewidth": 1.4},
            whiskerprops=line,
            capprops=line | {"linewidth": 0},
            flierprops={"marker": ".", "markersize": 2, "markerfacecolor": MUTED, "markeredgewidth": 0},
        )
        if given:
            axes.plot([given[0], given[-1]], [given[0], given[-1]], color=MUTED, lw=0.8, ls=(0, (4, 2)))
        axes.set_title(rating)
        grid_lines(axes, "y")
    panels[0].set_ylabel("predicted, held out")
    figure.supxlabel("rated", fontsize=8)
    return figure


def importances(table: pd.DataFrame, ratings: Sequence[str]) -> Canvas:
    """Draw a panel per rating: by how much the correlation falls when one feature is shuffled."""
    shown = {rating: table[table["rating"] == rating].sort_values("rank").head(SHOWN) for rating in ratings}
    most = max(map(len, shown.values()), default=0)
    figure, panels = canvas(len(ratings), 0.9 + 0.16 * most, sharex=True)
    for axes, (rating, lines) in zip(panels, shown.items(), strict=True):
        places = np.arange(len(lines))
        axes.hlines(places, lines["low"], lines["high"], color=MODEL, lw=1.2)
        axes.scatter(lines["importance"], places, s=12, color=MODEL, zorder=3)
        axes.axvline(0, color=INK_COLOUR, lw=0.7)
        axes.set_yticks(places, lines["feature"])
        axes.set_ylim(most - 0.4, -0.6)
        axes.set_title(rating)
        grid_lines(axes)
    figure.supxlabel("fall of held-out Spearman correlation when shuffled", fontsize=8)
    return figure


def audit(table: pd.DataFrame, ratings: Sequence[str]) -> Canvas:
    """Draw a panel per rating: the share of outputs whose score falls when a fault is put into them."""
    kinds = list(dict.fromkeys(table["kind"]))
    figure, panels = canvas(len(ratings), 0.9 + 0.2 * len(kinds), sharey=True, sharex=True)
    places = np.arange(len(kinds))
    for axes, rating in zip(panels, ratings, strict=True):
        lines = table[table["rating"] == rating].set_index("kind").reindex(kinds)
        axes.hlines(places, 100 * lines["low"], 100 * lines["high"], color=MODEL, lw=1.5)
        axes.scatter(100 * lines["falls"], places, s=16, color=MODEL, zorder=3)
        axes.axvline(50, color=INK_COLOUR, lw=0.7)
        axes.set_title(rating)
        grid_lines(axes)
    panels[0].set_yticks(places, kinds)
    panels[0].set_ylim(len(kinds) - 0.4, -0.6)
    panels[0].set_xlim(-2, 102)
    figure.supxlabel("outputs whose score falls, %", fontsize=8)
    return figure
