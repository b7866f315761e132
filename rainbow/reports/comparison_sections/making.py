"""How the page was made: the command, the tables that it was made from, and their hashes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rainbow.reports.comparison_sections.datasets import Datasets
from rainbow.reports.making import making
from rainbow.reports.section import Section

if TYPE_CHECKING:
    import pandas as pd

NAMES = ("correlations", "best_metrics", "ceilings")


def section(datasets: Datasets) -> Section:
    """Return the command, the tables, and hashes of all files that were read."""
    files = ((f"{saved.name}: {file.name}", file.sha256) for saved in datasets.saved for file in saved.files)
    return making([f"rainbow report --compare {' '.join(datasets.names)}"], {}, downloads(datasets), files)


def downloads(datasets: Datasets) -> dict[str, pd.DataFrame]:
    """Return the tables that the page was made from; the dataset stands in their names."""
    return {f"{saved.name}-{name}.csv": saved.tables[name] for saved in datasets.saved for name in NAMES}
