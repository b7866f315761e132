"""How the page was made: command, tables and hashes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rainbow.reports.comparison_sections.datasets import Datasets
from rainbow.reports.provenance import provenance_section
from rainbow.reports.section import Section

if TYPE_CHECKING:
    import pandas as pd

NAMES = ("correlations", "best_metrics", "ceilings")


def section(datasets: Datasets) -> Section:
    """Return the command, the tables, and the hashes of all input files."""
    files = ((f"{saved.name}: {file.name}", file.sha256) for saved in datasets.saved for file in saved.files)
    return provenance_section(
        [f"rainbow report --compare {' '.join(datasets.names)}"], {}, downloadable_tables(datasets), files
    )


def downloadable_tables(datasets: Datasets) -> dict[str, pd.DataFrame]:
    """Return the tables behind the page, with the dataset in their names."""
    return {f"{saved.name}-{name}.csv": saved.tables[name] for saved in datasets.saved for name in NAMES}
