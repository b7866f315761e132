"""How it was made: signatures, versions, hashes, seeds, commands; and every table to take away."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from rainbow._version import __version__
from rainbow.reports.number import count
from rainbow.reports.saved.saved_analysis import PUBLISHED, Saved
from rainbow.reports.saved.saved_tables import TABLES
from rainbow.reports.section import Section
from rainbow.scoring.missing import count_missing

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Download", "downloads", "listed", "section"]

SCORES = "Texts, ratings and scores of every output"


class Download(NamedTuple):
    """A table that can be taken out of the page: its file, what it answers, how many rows it has."""

    name: str
    question: str
    rows: str


class Signature(NamedTuple):
    """What some columns depend on, and how often they are missing, with the reasons."""

    columns: str
    text: str
    missing: str


def section(saved: Saved) -> Section:
    """Return all that is needed to make the numbers again."""
    data = {
        "signatures": _signatures(saved),
        "view": saved.scores.attrs["view"],
        "versions": {"analysis": saved.summary["version"], "report": __version__},
        "seed": saved.summary["seed"],
        "resamples": count(saved.summary["resamples"]),
        "commands": _commands(saved),
        "further": list(_further(saved)),
        "files": [(file.name, file.sha256) for file in saved.files],
        "downloads": listed(downloads(saved)),
    }
    return Section("making", "How it was made", data)


def downloads(saved: Saved) -> dict[str, pd.DataFrame]:
    """Return the tables that the page holds, by the names of their files: the scores, and all of the analysis."""
    return {f"metrics/{saved.name}.csv": saved.scores} | saved.by_file


def listed(tables: Mapping[str, pd.DataFrame]) -> list[Download]:
    """Return how tables stand in the list of those that can be taken out of the page."""
    paths = {PurePosixPath(name): count(len(table)) for name, table in tables.items()}
    return [
        Download(str(path), SCORES if path.parts[0] == "metrics" else TABLES[path.stem].question, rows)
        for path, rows in paths.items()
    ]


def _signatures(saved: Saved) -> list[Signature]:
    """Return every signature once, with the columns that share it."""
    columns: dict[tuple[str, str], list[str]] = {}
    for name, signature in saved.scores.attrs["signatures"].items():
        columns.setdefault((signature, _missing(saved, name)), []).append(name)
    return [Signature(", ".join(names), text, missing) for (text, missing), names in columns.items()]


def _missing(saved: Saved, column: str) -> str:
    reasons = saved.scores.attrs["missing"].get(column, {})
    return "; ".join(
        f"{count(count_missing(places, len(saved.scores)))}: {reason}" for reason, places in reasons.items()
    )


def _further(saved: Saved) -> Iterator[tuple[str, str]]:
    """Return commands that would add something to the page, and what."""
    name = saved.name.removesuffix(f"-{PUBLISHED}")
    if "learned_protocols" not in saved.tables:
        yield f"rainbow fit {name}", "learns a score from these ratings, and tests it on outputs that it has not seen"
    if "audit_search" not in saved.tables:
        yield f"rainbow audit METRIC {name} --search", "looks for word salad that a score puts above good texts"
    if not saved.compared:
        published = " --as-published" if name != saved.name else ""
        yield f"rainbow systems {name}{published}", "compares systems as wholes, on a page of its own"


def _commands(saved: Saved) -> list[str]:
    dataset, option = saved.name, ""
    if saved.scores.attrs["view"] == PUBLISHED:
        dataset, option = saved.name.removesuffix(f"-{PUBLISHED}"), f" --scores {PUBLISHED}"
    drawn = f" --resamples {saved.summary['resamples']} --seed {saved.summary['seed']}"
    commands = [f"rainbow metrics {dataset}", f"rainbow analyse {dataset}{option}{drawn}"]
    if "learned_protocols" in saved.tables:
        commands.append(f"rainbow fit {dataset}")
    if "word_changes" in saved.tables:
        explained = dict.fromkeys(saved.tables["word_changes"]["metric"])
        commands += [f"rainbow audit {metric} {dataset} --words" for metric in explained]
    return [*commands, f"rainbow report {dataset}{option}"]
