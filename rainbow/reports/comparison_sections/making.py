"""How the page was made: the command, the tables that it was made from, and their hashes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rainbow.reports.comparison_sections.datasets import Datasets
from rainbow.reports.section import Section

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["downloads", "section"]

TABLES = ("correlations", "best_metrics", "ceilings")


def section(datasets: Datasets) -> Section:
    """Return the command, names of tables, and hashes of all files that were read."""
    data = {
        "command": f"rainbow report --compare {' '.join(datasets.names)}",
        "downloads": [*downloads(datasets)],
        "files": [(f"{saved.name}: {file.name}", file.sha256) for saved in datasets.saved for file in saved.files],
    }
    return Section("comparison-making", "How it was made", data)


def downloads(datasets: Datasets) -> dict[str, pd.DataFrame]:
    """Return the tables that the page was made from; the dataset stands in their names."""
    return {f"{saved.name}-{table}.csv": saved.tables[table] for saved in datasets.saved for table in TABLES}
