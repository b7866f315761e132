"""How it was made: commands, seed, hashes, what was mended; and every table to take away."""

from __future__ import annotations

from pathlib import PurePosixPath
from shlex import quote
from typing import TYPE_CHECKING

from rainbow.reports.making import made, making
from rainbow.reports.saved.saved_systems import RATED, SavedSystems
from rainbow.reports.section import Section
from rainbow.reports.system_sections.outputs import INPUTS, OUTPUTS, texts

if TYPE_CHECKING:
    import pandas as pd

PUBLISHED = "-published"


def section(saved: SavedSystems) -> Section:
    """Return all that is needed to make the numbers again."""
    files = ((file.name, file.sha256) for file in saved.files)
    notes = saved.tables["notes"].to_dict("records")
    return making(_commands(saved), {"Tables": made(saved.summary)}, downloads(saved), files, notes=notes)


def downloads(saved: SavedSystems) -> dict[str, pd.DataFrame]:
    """Return the tables that the page holds, by the names of their files: outputs with their inputs."""
    elsewhere = {INPUTS, *(PurePosixPath(name).stem for name in RATED)}  # with the outputs, and in the report
    tables = {name: table for name, table in saved.by_file.items() if PurePosixPath(name).stem not in elsewhere}
    return {name: texts(saved) if PurePosixPath(name).stem == OUTPUTS else table for name, table in tables.items()}


def _commands(saved: SavedSystems) -> list[str]:
    name = quote(saved.name.removesuffix(PUBLISHED))
    option = " --scores published" if saved.name.endswith(PUBLISHED) else ""
    command = saved.summary.get("command", f"rainbow systems {name}")
    return [command] if command.startswith("rainbow run ") else [command, f"rainbow report {name}{option}"]
