"""Saved results of `rainbow systems`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from rainbow.reports.saved.saved_tables import SavedFile, SavedTables, read_tables

SUMMARY = "systems.json"
# The page also shows the analysis of metrics and ratings of the same outputs.
RATED = ("verdicts.csv", "systems.csv")


class ComparedDataset(NamedTuple):
    """A dataset whose outputs were analysed separately."""

    label: str  # what a heading says; empty where there is one dataset only
    suffix: str  # makes names in the page differ from those of other datasets
    filters: Mapping[str, str]  # what its rows have in the tables

    @property
    def where(self) -> str:
        """Phrase that names the dataset in a sentence."""
        return f" on {self.label}" if self.label else ""


@dataclass(frozen=True, kw_only=True)
class SavedSystems(SavedTables):
    """Everything saved about the systems of a dataset."""

    summary: Mapping[str, Any]  # ``systems.json``
    analysed: bool  # whether there is a report on metrics and ratings of the same outputs

    @property
    def parts(self) -> list[ComparedDataset]:
        """Datasets with the systems compared on each."""
        table = self.tables["corpus_metrics"]
        if "dataset" not in table:
            return [ComparedDataset("", "", {})]
        names = dict.fromkeys(table["dataset"])
        return [ComparedDataset(name, f"-{place}", {"dataset": name}) for place, name in enumerate(names, 1)]

    def systems(self, part: ComparedDataset) -> list[str]:
        """Return the systems of a dataset by normalised average, best first."""
        return self.rows("corpus_metrics", **part.filters)["system"].tolist()


def has_systems(dataset: str, scores: str = "ours") -> bool:
    """Return whether `rainbow systems` was run on a dataset."""
    return (analysis_folder(dataset, scores) / SUMMARY).is_file()


def saved_folder(dataset: str) -> Path:
    """Return the folder with the ``metrics/`` and ``analysis/`` of a dataset argument."""
    path = Path(dataset)
    return path.parent if not path.suffix and (path.parent / "analysis" / path.name).is_dir() else Path()


def analysis_folder(dataset: str, scores: str, folder: Path | None = None) -> Path:
    """Return the analysis folder of a dataset, with own or published scores."""
    stem = Path(dataset).stem
    return (folder or saved_folder(dataset)) / "analysis" / (stem if scores == "ours" else f"{stem}-{scores}")


def load_systems(dataset: str, scores: str = "ours", folder: Path | None = None) -> SavedSystems:
    """Load what ``rainbow systems`` saved about a dataset."""
    folder = folder or saved_folder(dataset)
    analysis = analysis_folder(dataset, scores, folder)
    command = f"rainbow systems {dataset}" + ("" if scores == "ours" else " --as-published")
    if not (analysis / SUMMARY).is_file():
        raise FileNotFoundError(f"{analysis / SUMMARY} does not exist: run `{command}` first")
    summary = json.loads((analysis / SUMMARY).read_text(encoding="utf-8"))
    paths = [analysis / file for file in [*sorted(summary["files"]), SUMMARY]]
    for path in paths:
        if not path.is_file():
            raise FileNotFoundError(f"{path} no longer exists: run `{command}` again")
    analysed = (analysis / "summary.json").is_file() and all((analysis / name).is_file() for name in RATED)
    paths += [analysis / name for name in RATED if analysed]
    files = tuple(SavedFile(path.relative_to(folder).as_posix(), path.read_bytes()) for path in paths)
    name = (saved_folder(dataset) / analysis.name).as_posix()
    return SavedSystems(name=name, tables=read_tables(files), files=files, summary=summary, analysed=analysed)
