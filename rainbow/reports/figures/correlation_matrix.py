"""Which metrics, and which ratings, say the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rainbow.reports.clustering import clustered, correlations_between
from rainbow.reports.figures.heat import colour_bar, squares
from rainbow.reports.figures.style import WIDTH

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas
    from numpy.typing import NDArray

    from rainbow.reports.saved.saved_analysis import Saved

__all__ = ["correlation_matrix"]


def correlation_matrix(saved: Saved, dataset: str) -> Canvas:
    """Draw the correlations of ratings (above) and metrics (below) with every metric of a dataset, clustered."""
    from matplotlib.figure import Figure as Canvas

    names = clustered(saved, dataset)
    figure = Canvas(figsize=(WIDTH, WIDTH * (len(names) + len(saved.ratings)) / (len(names) + 3)), layout="constrained")
    heights = [len(saved.ratings), max(1, len(names))]
    above, below = figure.subplots(2, 1, sharex=True, gridspec_kw={"height_ratios": heights})
    squares(above, _with_ratings(saved, dataset, names), 1.0, saved.ratings, names)
    squares(below, correlations_between(saved, dataset, names), 1.0, names, names)
    above.tick_params(labelbottom=False)
    for axes in (above, below):
        axes.tick_params(labelsize=6.5 if len(names) > 30 else 7)
    colour_bar(figure, [above, below], 1.0, "Spearman correlation")
    return figure


def _with_ratings(saved: Saved, dataset: str, names: list[str]) -> NDArray[np.float64]:
    table = saved.rows("correlations", dataset=dataset, system="all", level="pooled")
    wide = table.pivot_table(index="rating", columns="metric", values="r", dropna=False)
    return wide.reindex(index=saved.ratings, columns=names).to_numpy(dtype=float)
