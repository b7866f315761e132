"""How it was made: commands, seed, hashes, repairs and downloads."""

from __future__ import annotations

from pathlib import PurePosixPath
from shlex import quote

from rainbow.base.lazy import pd
from rainbow.reports.provenance import analysis_facts, provenance_section
from rainbow.reports.saved.saved_systems import RATED, SavedSystems
from rainbow.reports.section import Section
from rainbow.reports.system_sections.output_browser import INPUTS, OUTPUTS, output_table

PUBLISHED = "-published"


def section(saved: SavedSystems) -> Section:
    """Return everything needed to reproduce the numbers."""
    files = ((file.name, file.sha256) for file in saved.files)
    notes = saved.tables["notes"].to_dict("records")
    return provenance_section(
        _reproduction_commands(saved),
        {"Tables": analysis_facts(saved.summary)},
        downloadable_tables(saved),
        files,
        notes=notes,
    )


def downloadable_tables(saved: SavedSystems) -> dict[str, pd.DataFrame]:
    """Return the tables in the page: outputs with their inputs."""
    elsewhere = {INPUTS, *(PurePosixPath(name).stem for name in RATED)}  # with the outputs, and in the report
    tables = {name: table for name, table in saved.by_file.items() if PurePosixPath(name).stem not in elsewhere}
    return {
        name: output_table(saved) if PurePosixPath(name).stem == OUTPUTS else table for name, table in tables.items()
    }


def _reproduction_commands(saved: SavedSystems) -> list[str]:
    name = quote(saved.name.removesuffix(PUBLISHED))
    option = " --scores published" if saved.name.endswith(PUBLISHED) else ""
    command = saved.summary.get("command", f"rainbow systems {name}")
    return [command] if command.startswith("rainbow run ") else [command, f"rainbow report {name}{option}"]
