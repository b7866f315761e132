"""How it was made: signatures, versions, hashes, seeds, commands; and every table to take away."""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote
from typing import TYPE_CHECKING, NamedTuple

from rainbow.analysis.minimum_outputs import MINIMUM_RATED
from rainbow.reports.making import made, making
from rainbow.reports.number import count
from rainbow.reports.saved.saved_analysis import PUBLISHED, Saved
from rainbow.reports.section import Section
from rainbow.scoring.missing import count_missing

if TYPE_CHECKING:
    import pandas as pd


class Signature(NamedTuple):
    """What some columns depend on, and how often they are missing, with the reasons."""

    columns: str
    text: str
    missing: str


def section(saved: Saved) -> Section:
    """Return all that is needed to make the numbers again."""
    facts = {"Analysis": made(saved.summary)} if saved.ratings else {}
    facts["Texts"] = f"word-based metrics saw the {saved.about.view} texts"
    files = ((file.name, file.sha256) for file in saved.files)
    more = {"signatures": _signatures(saved), "further": list(_further(saved))}
    return making(_commands(saved), facts, downloads(saved), files, **more)


def downloads(saved: Saved) -> dict[str, pd.DataFrame]:
    """Return the tables that the page holds, by the names of their files: the scores, and all of the analysis."""
    return {f"metrics/{saved.name}.csv": saved.scores} | saved.by_file


def _signatures(saved: Saved) -> list[Signature]:
    """Return every signature once, with the columns that share it."""
    columns: dict[tuple[str, str], list[str]] = {}
    for name, signature in saved.about.signatures.items():
        columns.setdefault((signature, _missing(saved, name)), []).append(name)
    return [Signature(", ".join(names), text, missing) for (text, missing), names in columns.items()]


def _missing(saved: Saved, column: str) -> str:
    reasons = saved.about.missing.get(column, {})
    return "; ".join(
        f"{count(count_missing(places, len(saved.scores)))}: {reason}" for reason, places in reasons.items()
    )


def _further(saved: Saved) -> Iterator[tuple[str, str]]:
    """Return commands that would add something to the page, and what."""
    if not saved.ratings:
        return
    name = quote(saved.name.removesuffix(f"-{PUBLISHED}"))
    rated = saved.scores[saved.ratings].notna().sum()
    if "learned_protocols" not in saved.tables and rated.max() >= MINIMUM_RATED:
        yield f"rainbow fit {name}", "learns a score from these ratings, and tests it on outputs that it has not seen"
    if "audit_search" not in saved.tables:
        yield f"rainbow audit METRIC {name} --search", "looks for word salad that a score puts above good texts"
    if not saved.compared:
        published = " --as-published" if saved.name.endswith(f"-{PUBLISHED}") else ""
        yield f"rainbow systems {name}{published}", "compares systems as wholes, on a page of its own"


def _commands(saved: Saved) -> list[str]:
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
