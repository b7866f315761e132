"""The last section of every page: how it was made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from rainbow._version import __version__
from rainbow.base.lazy import pd
from rainbow.reports.number_format import format_count
from rainbow.reports.saved.saved_tables import TABLES
from rainbow.reports.section import Section

SCORES = "Texts, ratings and scores of every output"


class Download(NamedTuple):
    """A downloadable table: file, question and number of rows."""

    name: str
    question: str
    rows: str


def provenance_section(
    commands: Sequence[str],
    facts: Mapping[str, str],
    tables: Mapping[str, pd.DataFrame],
    files: Iterable[tuple[str, str]],
    **more: Any,
) -> Section:
    """Return commands, facts, tables and files with hashes as a section."""
    data: dict[str, Any] = {"commands": commands, "facts": {**facts, "Page": f"RAINBOW {__version__}"}}
    data |= {"files": list(files), "further": (), "notes": (), "signatures": ()}
    data["downloads"] = [
        Download(name, _table_question(name), format_count(len(table))) for name, table in tables.items()
    ]
    return Section("making", "How it was made", data | more)


def analysis_facts(summary: Mapping[str, Any]) -> str:
    """Return version, seed and number of resamples from a summary."""
    return f"RAINBOW {summary['version']}, seed {summary['seed']}, {format_count(summary['resamples'])} resamples"


def _table_question(name: str) -> str:
    """Return the question that a table answers."""
    path = PurePosixPath(name)
    return SCORES if path.parts[0] == "metrics" else TABLES[path.stem.rpartition("-")[2]].question
