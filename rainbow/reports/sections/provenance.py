"""How it was made: signatures, versions, hashes, seeds, commands and downloads."""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote
from typing import NamedTuple

from rainbow.analysis.verdicts.candidate_columns import MINIMUM_RATED
from rainbow.base.lazy import pd
from rainbow.reports.number_format import format_count
from rainbow.reports.provenance import analysis_facts, provenance_section
from rainbow.reports.saved.saved_analysis import PUBLISHED, SavedAnalysis
from rainbow.reports.section import Section
from rainbow.scoring.missing import count_missing


class Signature(NamedTuple):
    """Dependencies of some columns, and their missing values with reasons."""

    columns: str
    text: str
    missing: str


def section(saved: SavedAnalysis) -> Section:
    """Return everything needed to reproduce the numbers."""
    facts = {"Analysis": analysis_facts(saved.summary)} if saved.ratings else {}
    facts["Texts"] = f"word-based metrics use the {saved.about.view} texts"
    files = ((file.name, file.sha256) for file in saved.files)
    more = {"signatures": _unique_signatures(saved), "further": list(_further_commands(saved))}
    return provenance_section(_reproduction_commands(saved), facts, downloadable_tables(saved), files, **more)


def downloadable_tables(saved: SavedAnalysis) -> dict[str, pd.DataFrame]:
    """Return the tables in the page by file name."""
    return {f"metrics/{saved.name}.csv": saved.scores} | saved.by_file


def _unique_signatures(saved: SavedAnalysis) -> list[Signature]:
    """Return every signature once, with its columns."""
    columns: dict[tuple[str, str], list[str]] = {}
    for name, signature in saved.about.signatures.items():
        columns.setdefault((signature, _missing_counts(saved, name)), []).append(name)
    return [Signature(", ".join(names), text, missing) for (text, missing), names in columns.items()]


def _missing_counts(saved: SavedAnalysis, column: str) -> str:
    reasons = saved.about.missing.get(column, {})
    return "; ".join(
        f"{format_count(count_missing(places, len(saved.scores)))}: {reason}" for reason, places in reasons.items()
    )


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


def _reproduction_commands(saved: SavedAnalysis) -> list[str]:
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
