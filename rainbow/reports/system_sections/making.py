"""How it was made: commands, seed, hashes, what was mended; and every table to take away."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from rainbow._version import __version__
from rainbow.reports.number import count
from rainbow.reports.saved.saved_systems import RATED, SavedSystems
from rainbow.reports.section import Section
from rainbow.reports.sections.making import listed
from rainbow.reports.system_sections.outputs import INPUTS, OUTPUTS, texts

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["downloads", "section"]

# What every table answers.
QUESTIONS = {
    "corpus_metrics": "Which system do metrics of all its outputs call better?",
    "corpus_metric_differences": "Is the difference of two systems real?",
    "similarity": "How alike are the outputs of two systems?",
    "similarity_means": "Which systems say what no other says?",
    "textual": "How long, rich and varied are the texts?",
    "slot_errors": "Do the texts say what they are to say?",
    "utterance_slot_errors": "Which text says what wrong?",
    "outputs": "What does every system say, and what was it to say?",
    "rankings": "Which system do people prefer?",
    "system_ratings": "How high do people rate each system?",
    "judgement_agreement": "Do people who judged the same outputs agree?",
    "belz_reiter_scores": "How good are the systems by the metrics of Belz and Reiter (2006)?",
    "belz_reiter_differences": "Do two systems differ in these?",
    "belz_reiter_raters": "How well does one rater stand for a group?",
    "notes": "What was mended or left out, and what could not be computed?",
}

PUBLISHED = "-published"


def section(saved: SavedSystems) -> Section:
    """Return all that is needed to make the numbers again."""
    data = {
        "commands": _commands(saved),
        "versions": {"systems": saved.summary["version"], "report": __version__},
        "seed": saved.summary["seed"],
        "resamples": count(saved.summary["resamples"]),
        "notes": saved.tables["notes"].to_dict("records"),
        "downloads": listed(downloads(saved), QUESTIONS),
        "files": [(file.name, file.sha256) for file in saved.files],
    }
    return Section("systems-making", "How it was made", data)


def downloads(saved: SavedSystems) -> dict[str, pd.DataFrame]:
    """Return the tables that the page holds, by the names of their files: outputs with their inputs."""
    elsewhere = {INPUTS, *(PurePosixPath(name).stem for name in RATED)}  # with the outputs, and in the report
    tables = {name: table for name, table in saved.by_file.items() if PurePosixPath(name).stem not in elsewhere}
    return {name: texts(saved) if PurePosixPath(name).stem == OUTPUTS else table for name, table in tables.items()}


def _commands(saved: SavedSystems) -> list[str]:
    name = saved.name.removesuffix(PUBLISHED)
    option = " --scores published" if saved.name.endswith(PUBLISHED) else ""
    return [saved.summary.get("command", f"rainbow systems {name}"), f"rainbow report {name}{option}"]
