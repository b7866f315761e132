"""Write an analysis into a folder, where a report finds it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rainbow.analysis.analyse import QUESTIONS
from rainbow.base.files import write_atomically, write_csv
from rainbow.base.printed import plain

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["save_analysis"]


def save_analysis(
    folder: Path, tables: Mapping[str, pd.DataFrame], summary: Mapping[str, Any], *, guard: bool = False
) -> Path:
    """Write every table as a CSV file, and the summary as JSON; return the path of that.

    Tables that an analysis of other columns left in the folder are removed.

    Parameters
    ----------
    folder
        Where to write.
    tables, summary
        As :func:`~rainbow.analysis.analyse.analyse` and :func:`~rainbow.analysis.summary.summarise` give them.
    guard
        Whether texts are guarded against spreadsheets.
    """
    for name, table in tables.items():
        write_csv(folder / f"{name}.csv", table, guard=guard)
    for name in QUESTIONS.keys() - tables.keys():
        (folder / f"{name}.csv").unlink(missing_ok=True)
    # A summary of ratings is what a report on metrics is made from.
    file = folder / ("summary.json" if summary["ratings"] else "meta_evaluation.json")
    text = json.dumps(plain(dict(summary)), ensure_ascii=False, indent=1)
    return write_atomically(file, lambda path: path.write_text(text, encoding="utf-8"))
