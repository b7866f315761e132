"""Which systems write alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from rainbow.reports.figures.heat import colour_bar, squares
from rainbow.reports.figures.style import WIDTH, colour_of, grid_lines

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas
    from numpy.typing import NDArray

__all__ = ["similarity_matrix"]


def similarity_matrix(
    names: Sequence[str], values: NDArray[np.float64], means: Sequence[float], limit: float
) -> Canvas:
    """Draw the similarity of every system (columns) with every other as reference (rows), and the mean of each row.

    Parameters
    ----------
    names
        Of the systems, those that write alike side by side.
    values
        Shape (systems, systems), NaN on the diagonal.
    means
        Of each system with all others.
    limit
        The similarity at the end of the colour scale.
    """
    from matplotlib.figure import Figure as Canvas

    height = 1.4 + 0.72 * WIDTH * len(names) / (len(names) + 4)
    figure = Canvas(figsize=(WIDTH, height), layout="constrained")
    matrix, bars = figure.subplots(1, 2, sharey=True, gridspec_kw={"width_ratios": [4, 1]})
    squares(matrix, values, limit, names, names)
    matrix.set_ylabel("with those of this system as references")
    matrix.set_xlabel("outputs of this system")
    places = np.arange(len(names))
    bars.barh(places, means, height=0.7, color=colour_of(0))
    bars.set_xlabel("mean with all others")
    bars.tick_params(labelleft=False)
    grid_lines(bars)
    bars.spines["left"].set_visible(False)
    colour_bar(figure, [matrix], limit, "similarity", lowest=0)
    return figure
