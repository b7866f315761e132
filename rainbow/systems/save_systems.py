"""What was found of systems as wholes, as files: a CSV file for each table, and a summary."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rainbow._version import __version__
from rainbow.base.files import write_atomically, write_csv
from rainbow.base.printed import plain

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["save_systems"]


def save_systems(
    folder: Path, tables: Mapping[str, pd.DataFrame], about: Mapping[str, Any], guard: bool = False
) -> dict[str, Any]:
    """Write ``NAME.csv`` for each table and ``systems.json``, the summary, into a folder; return the summary.

    `about` is added to the summary: how the tables were made. `guard` keeps cells from being taken for formulas.
    """
    summary = {
        "folder": str(folder),
        "files": [f"{name}.csv" for name in tables],
        "systems": tables["corpus_metrics"].to_dict("records"),
        "notes": tables["notes"].to_dict("records"),
        "version": __version__,
        **about,
    }
    for name, table in tables.items():
        write_csv(folder / f"{name}.csv", table, guard=guard)
    text = json.dumps(plain(summary), ensure_ascii=False, indent=1)
    write_atomically(folder / "systems.json", lambda path: path.write_text(text, encoding="utf-8"))
    return summary
