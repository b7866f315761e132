"""A plot of a training: reward and length over the steps, and reward against length."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rainbow.base.lazy import pd
from rainbow.reports.figures.style import STYLE, categorical_colour, draw_grid, make_canvas

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def plot_training(table: pd.DataFrame, scores: Sequence[str]) -> Figure:
    """Return the figure; without lengths it has the first panel only."""
    from matplotlib import rc_context

    with rc_context(STYLE | {"figure.facecolor": "white", "savefig.facecolor": "white"}):
        figure, axes = make_canvas(3 if "length" in table else 1, 2.6)
        _draw_lines(axes[0], table, ["reward", *scores])
        if "length" in table:
            _draw_lines(axes[1], table, ["length"])
            axes[1].set_ylabel("mean length (tokens)")
            # Reward against length, a dot per step, later ones darker.
            axes[2].plot(table["length"], table["reward"], color="#bbb", lw=0.5, zorder=1)
            dots = axes[2].scatter(table["length"], table["reward"], c=table["step"], cmap="viridis_r", s=10, zorder=2)
            figure.colorbar(dots, ax=axes[2], label="step")
            axes[2].set(xlabel="mean length (tokens)", ylabel="mean reward")
            draw_grid(axes[2], "y")
        figure.canvas.draw()  # laid out with these settings
    return figure


def _draw_lines(axes: Axes, table: pd.DataFrame, names: Sequence[str]) -> None:
    for place, name in enumerate(names):
        axes.plot(
            table["step"], table[name], color=categorical_colour(place), lw=1.2 if place == 0 else 0.8, label=name
        )
    axes.set_xlabel("step")
    axes.set_ylabel("mean reward")
    draw_grid(axes, "y")
    if len(names) > 1:
        axes.legend(loc="best")
