"""Saving of an analysis to a folder for reports."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rainbow.analysis.analyse import TABLES
from rainbow.base.files import write_json
from rainbow.base.lazy import pd
from rainbow.scoring.result_tables import write_tables


def analysis_files(folder: Path) -> list[Path]:
    """Return the files that an analysis may write, the summary first."""
    return [folder / "summary.json", *(folder / f"{table.name}.csv" for table in TABLES)]


def save_analysis(
    folder: Path, tables: Mapping[str, pd.DataFrame], summary: Mapping[str, Any], *, guard: bool = False
) -> Path:
    """Write every table as CSV and the summary as JSON; return the path of the summary."""
    write_tables(folder, tables, guard=guard)
    for table in TABLES:
        if table.name not in tables:
            (folder / f"{table.name}.csv").unlink(missing_ok=True)
    # A summary of ratings is what a report on metrics is made from.
    return write_json(folder / ("summary.json" if summary["ratings"] else "meta_evaluation.json"), summary)
