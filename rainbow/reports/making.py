"""How a page was made, as the last section of every page says it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple

from rainbow._version import __version__
from rainbow.reports.number import count
from rainbow.reports.saved.saved_tables import TABLES
from rainbow.reports.section import Section

if TYPE_CHECKING:
    import pandas as pd

SCORES = "Texts, ratings and scores of every output"


class Download(NamedTuple):
    """A table that can be taken out of the page: its file, what it answers, how many rows it has."""

    name: str
    question: str
    rows: str


def making(
    commands: Sequence[str],
    facts: Mapping[str, str],
    tables: Mapping[str, pd.DataFrame],
    files: Iterable[tuple[str, str]],
    **more: Any,
) -> Section:
    """Return commands, facts by what they are about, tables by the names of their files, and files with their
    hashes.
    """
    data: dict[str, Any] = {"commands": commands, "facts": {**facts, "Page": f"RAINBOW {__version__}"}}
    data |= {"files": list(files), "further": (), "notes": (), "signatures": ()}
    data["downloads"] = [Download(name, _question(name), count(len(table))) for name, table in tables.items()]
    return Section("making", "How it was made", data | more)


def made(summary: Mapping[str, Any]) -> str:
    """Return by what version, seed and number of resamples tables were made, from the summary beside them."""
    return f"RAINBOW {summary['version']}, seed {summary['seed']}, {count(summary['resamples'])} resamples"


def _question(name: str) -> str:
    """Return what a table answers; a dataset may stand before its name."""
    path = PurePosixPath(name)
    return SCORES if path.parts[0] == "metrics" else TABLES[path.stem.rpartition("-")[2]].question
