"""Figures of a learned metric: held-out results, importances and audit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rainbow.base.lazy import pd
from rainbow.learned.protocols.recommended import COMBINATION, GENERAL, SINGLE
from rainbow.reports.figures.style import (
    INK_COLOUR,
    MUTED,
    RULE,
    categorical_colour,
    draw_dots,
    label_rows,
    make_panels,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

MODEL, METRIC = categorical_colour(1), categorical_colour(0)

CURVES = {COMBINATION: MODEL, SINGLE: METRIC, GENERAL: categorical_colour(2)}

# Features that are drawn; the table has them all.
SHOWN = 15


def protocol_figure(lines: pd.DataFrame, ratings: Sequence[str], higher_is_better: Mapping[str, bool | None]) -> Canvas:
    """Draw a panel per rating: model, best metric and ceiling under every protocol."""
    from matplotlib.lines import Line2D

    names = list(dict.fromkeys(lines["protocol"]))
    height = 1.1 + 0.26 * len(names)
    label = "Spearman correlation of predictions with ratings"
    figure, axes = make_panels(ratings, height, label, sharey=True, sharex=True)
    places = np.arange(len(names))
    turned = lines["best_metric"].map(lambda metric: -1.0 if higher_is_better.get(metric) is False else 1.0)
    lines = lines.assign(best_metric_spearman=turned * lines["best_metric_spearman"])
    hollow: dict[str, Any] = {"marker": "D", "facecolors": "none", "edgecolors": METRIC}
    for panel, rating in zip(axes, ratings, strict=True):
        rows = lines[lines["rating"] == rating].drop_duplicates("protocol").set_index("protocol").reindex(names)
        panel.barh(places, rows["ceiling_high"] - rows["ceiling_low"], left=rows["ceiling_low"], height=0.7, color=RULE)
        panel.scatter(rows["ceiling"], places, marker="|", s=60, color=MUTED)
        draw_dots(panel, rows["low"], rows["spearman"], rows["high"], MODEL, size=18)
        panel.scatter(rows["best_metric_spearman"], places, s=18, zorder=3, **hollow)
        panel.axvline(0, color=INK_COLOUR, lw=0.7)
    label_rows(axes[0], names)
    marks = [
        Line2D([], [], color=MODEL, lw=1.5, marker="o", ms=4, label="RAINBOW"),
        Line2D([], [], color=METRIC, lw=0, marker="D", ms=4, fillstyle="none", label="best single metric"),
        Line2D([], [], color=MUTED, lw=0, marker="|", ms=7, label="ceiling"),
    ]
    figure.legend(handles=marks, loc="outside upper right", ncols=3)
    return figure


def prediction_figure(lines: pd.DataFrame, ratings: Sequence[str]) -> Canvas:
    """Draw a panel per rating: predictions by human rating (rows of one protocol)."""
    figure, axes = make_panels(ratings, 2.5, "rated", lines="y", sharex=True, sharey=True)
    for panel, rating in zip(axes, ratings, strict=True):
        rows = lines[lines["rating"] == rating].dropna(subset=["rated", "predicted"])
        given = sorted(rows["rated"].unique())
        step = min(np.diff(given), default=1.0)
        boxes = [rows.loc[rows["rated"] == value, "predicted"].to_numpy() for value in given]
        line = {"color": INK_COLOUR, "linewidth": 0.8}
        panel.boxplot(
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
            panel.plot([given[0], given[-1]], [given[0], given[-1]], color=MUTED, lw=0.8, ls=(0, (4, 2)))
    axes[0].set_ylabel("held-out prediction")
    return figure


def reliability_figure(lines: pd.DataFrame, ratings: Sequence[str]) -> Canvas:
    """Draw a panel per rating: accuracy of the most probable point by its probability."""
    figure, axes = make_panels(
        ratings, 2.5, "probability of the most probable point", lines="y", sharex=True, sharey=True
    )
    for panel, rating in zip(axes, ratings, strict=True):
        rows = lines[lines["rating"] == rating]
        panel.plot([0, 1], [0, 1], color=MUTED, lw=0.8, ls=(0, (4, 2)))
        panel.plot(rows["probability"], rows["share"], color=MODEL, lw=1)
        panel.scatter(
            rows["probability"], rows["share"], color=MODEL, s=4 + 100 * rows["n"] / rows["n"].sum(), zorder=3
        )
    axes[0].set_ylabel("accuracy")
    return figure


def curve_figure(table: pd.DataFrame, ratings: Sequence[str]) -> Canvas:
    """Draw a panel per rating: agreement of every score by the number of rated outputs."""
    figure, axes = make_panels(ratings, 2.6, "rated outputs that were learned from", lines="y", sharey=True)
    names = list(dict.fromkeys(table["score"]))
    for panel, rating in zip(axes, ratings, strict=True):
        for name in names:
            rows = table[(table["rating"] == rating) & (table["score"] == name)].sort_values("rated")
            colour = CURVES.get(name, MUTED)
            panel.plot(rows["rated"], rows["spearman"], color=colour, lw=1.2, marker="o", ms=3, label=name)
            if name == COMBINATION:
                panel.fill_between(rows["rated"], rows["low"], rows["high"], color=colour, alpha=0.15, lw=0)
        panel.set_xscale("log", base=2)
        sizes = sorted(table.loc[table["rating"] == rating, "rated"].unique())
        panel.set_xticks(sizes, [f"{size:.0f}" for size in sizes])
        panel.minorticks_off()
    axes[0].set_ylabel("Spearman correlation")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper right", ncols=len(names))
    return figure


def importance_figure(table: pd.DataFrame, ratings: Sequence[str]) -> Canvas:
    """Draw a panel per rating: drop of the correlation when a feature is shuffled."""
    shown = {rating: table[table["rating"] == rating].sort_values("rank").head(SHOWN) for rating in ratings}
    most = max(map(len, shown.values()), default=0)
    label = "drop of held-out Spearman correlation when shuffled"
    figure, axes = make_panels(ratings, 0.9 + 0.16 * most, label, sharex=True)
    for panel, lines in zip(axes, shown.values(), strict=True):
        draw_dots(panel, lines["low"], lines["importance"], lines["high"], MODEL, 1.2, 12)
        panel.axvline(0, color=INK_COLOUR, lw=0.7)
        label_rows(panel, lines["feature"].tolist())
        panel.set_ylim(most - 0.4, -0.6)
    return figure


def audit_figure(table: pd.DataFrame, ratings: Sequence[str]) -> Canvas:
    """Draw a panel per rating: share of outputs whose score drops per perturbation."""
    kinds = list(dict.fromkeys(table["kind"]))
    label = "outputs whose score drops, %"
    figure, axes = make_panels(ratings, 0.9 + 0.2 * len(kinds), label, sharey=True, sharex=True)
    for panel, rating in zip(axes, ratings, strict=True):
        lines = table[table["rating"] == rating].set_index("kind").reindex(kinds)
        draw_dots(panel, 100 * lines["low"], 100 * lines["falls"], 100 * lines["high"], MODEL)
        panel.axvline(50, color=INK_COLOUR, lw=0.7)
    label_rows(axes[0], kinds)
    axes[0].set_xlim(-2, 102)
    return figure
