"""The last section of every page: how it was made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from shlex import quote
from typing import Any

from rainbow._version import __version__
from rainbow.analysis.verdicts.candidate_columns import MINIMUM_RATED
from rainbow.base.lazy import pd
from rainbow.reports.number_format import format_count
from rainbow.reports.saved.saved_analysis import PUBLISHED, SavedAnalysis
from rainbow.reports.saved.saved_systems import RATED, SavedSystems
from rainbow.reports.saved.saved_tables import TABLES
from rainbow.reports.section import Section
from rainbow.reports.system_sections.output_browser import INPUTS, OUTPUTS, output_table
from rainbow.scoring.missing import count_missing

SCORES = "Texts, ratings and scores of every output"


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
        {"name": name, "question": _table_question(name), "rows": format_count(len(table))}
        for name, table in tables.items()
    ]
    return Section("making", "How it was made", data | more)


def _table_question(name: str) -> str:
    """Return the question that a table answers."""
    path = PurePosixPath(name)
    return SCORES if path.parts[0] == "metrics" else TABLES[path.stem.rpartition("-")[2]].question


def _analysis_facts(summary: Mapping[str, Any]) -> str:
    """Return version, seed and number of resamples from a summary."""
    return f"RAINBOW {summary['version']}, seed {summary['seed']}, {format_count(summary['resamples'])} resamples"


def metrics_provenance(saved: SavedAnalysis) -> Section:
    """Return everything needed to reproduce the numbers of a report."""
    facts = {"Analysis": _analysis_facts(saved.summary)} if saved.ratings else {}
    facts["Texts"] = f"word-based metrics use the {saved.about.view} texts"
    files = ((file.name, file.sha256) for file in saved.files)
    more = {"signatures": _unique_signatures(saved), "further": list(_further_commands(saved))}
    return provenance_section(_metrics_commands(saved), facts, metrics_tables(saved), files, **more)


def metrics_tables(saved: SavedAnalysis) -> dict[str, pd.DataFrame]:
    """Return the tables in a report by file name."""
    return {f"metrics/{saved.name}.csv": saved.scores} | saved.by_file


def _unique_signatures(saved: SavedAnalysis) -> list[dict[str, str]]:
    """Return every signature once, with its columns, and their missing values with reasons."""
    columns: dict[tuple[str, str], list[str]] = {}
    for name, signature in saved.about.signatures.items():
        missing = "; ".join(
            f"{format_count(count_missing(places, len(saved.scores)))}: {reason}"
            for reason, places in saved.about.missing.get(name, {}).items()
        )
        columns.setdefault((signature, missing), []).append(name)
    return [
        {"columns": ", ".join(names), "text": text, "missing": missing} for (text, missing), names in columns.items()
    ]


def _further_commands(saved: SavedAnalysis) -> Iterator[tuple[str, str]]:
    """Return commands that would extend the page."""
    if not saved.ratings:
        return
    name = quote(saved.name.removesuffix(f"-{PUBLISHED}"))
    rated = saved.scores[saved.ratings].notna().sum()
    if "learned_protocols" not in saved.tables and rated.max() >= MINIMUM_RATED:
        yield f"rainbow fit {name}", "learns a score from these ratings and evaluates it on held-out outputs"
    if "audit_search" not in saved.tables:
        yield f"rainbow audit METRIC {name} --search", "searches for nonsense that scores above good texts"
    if not saved.compared:
        published = " --as-published" if saved.name.endswith(f"-{PUBLISHED}") else ""
        yield f"rainbow systems {name}{published}", "compares systems on a separate page"


def _metrics_commands(saved: SavedAnalysis) -> list[str]:
    dataset, option = quote(saved.name), ""
    if saved.about.view == PUBLISHED:
        dataset, option = quote(saved.name.removesuffix(f"-{PUBLISHED}")), f" --scores {PUBLISHED}"
    if command := saved.summary.get("command"):
        commands = [command]
    else:
        drawn = f" --resamples {saved.summary['resamples']} --seed {saved.summary['seed']}"
        commands = [f"rainbow metrics {dataset}", f"rainbow analyse {dataset}{option}{drawn}"]
    if "learned_protocols" in saved.tables:
        commands.append(f"rainbow fit {dataset}")
    if "word_changes" in saved.tables:
        explained = dict.fromkeys(saved.tables["word_changes"]["metric"])
        commands += [f"rainbow audit {metric} {dataset} --words" for metric in explained]
    again = not command or len(commands) > 1
    return [*commands, *([f"rainbow report {dataset}{option}"] if again else [])]


def systems_provenance(saved: SavedSystems) -> Section:
    """Return everything needed to reproduce the numbers of a page on systems."""
    facts, files = {"Tables": _analysis_facts(saved.summary)}, ((file.name, file.sha256) for file in saved.files)
    name = quote(saved.name.removesuffix(f"-{PUBLISHED}"))
    option = f" --scores {PUBLISHED}" if saved.name.endswith(f"-{PUBLISHED}") else ""
    command = saved.summary.get("command", f"rainbow systems {name}")
    commands = [command] if command.startswith("rainbow run ") else [command, f"rainbow report {name}{option}"]
    notes = saved.tables["notes"].to_dict("records")
    return provenance_section(commands, facts, systems_tables(saved), files, notes=notes)


def systems_tables(saved: SavedSystems) -> dict[str, pd.DataFrame]:
    """Return the tables in a page on systems by file name: outputs with their inputs."""
    elsewhere = {INPUTS, *(PurePosixPath(name).stem for name in RATED)}  # with the outputs, and in the report
    stems = {name: PurePosixPath(name).stem for name in saved.by_file}
    return {
        name: output_table(saved) if stems[name] == OUTPUTS else table
        for name, table in saved.by_file.items()
        if stems[name] not in elsewhere
    }
