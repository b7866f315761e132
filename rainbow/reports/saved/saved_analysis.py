"""Saved scores and analysis of a dataset."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from rainbow._version import __version__
from rainbow.audit.audit_tables import COSTS, WEAKNESSES
from rainbow.base.lazy import pd
from rainbow.reports.saved.saved_systems import SUMMARY, ComparedDataset, analysis_folder, saved_folder
from rainbow.reports.saved.saved_tables import TABLES, SavedFile, SavedTables, read_tables
from rainbow.scoring.saved_scores import About, load_scores
from rainbow.systems.tables import PREFERENCES
from rainbow.systems.tables import TABLES as SYSTEMS

# Name in tables for all datasets, or all systems, pooled.
ALL = "all"

PUBLISHED = "published"


class Part(NamedTuple):
    """A group of outputs; ``all`` pools datasets or systems."""

    dataset: str
    system: str

    @property
    def label(self) -> str:
        names = [name for name in self if name != ALL]
        return " · ".join(names) or ALL

    @property
    def filters(self) -> dict[str, str]:
        """Column values of its rows in the tables."""
        return self._asdict()


@dataclass(frozen=True, kw_only=True)
class SavedAnalysis(SavedTables):
    """Everything saved about the outputs of a dataset, their scores and ratings."""

    scores: pd.DataFrame  # a row per output, as :func:`rainbow.scoring.saved_scores.load_scores` gives it
    summary: Mapping[str, Any]  # ``summary.json``
    # of every metric, whether it was analysed or not
    groups: Mapping[str, str]
    higher_is_better: Mapping[str, bool | None]
    compared: bool = False  # whether systems were also compared at corpus level, on a separate page

    @property
    def about(self) -> About:
        """Metadata of the scores."""
        return About.from_table(self.scores)

    @property
    def ratings(self) -> list[str]:
        """Rating columns."""
        return list(self.summary["ratings"])

    @property
    def metrics(self) -> list[str]:
        """Metric columns."""
        return list(self.summary["metrics"])

    @property
    def datasets(self) -> list[str]:
        """Datasets in the table."""
        return list(self.summary["datasets"])

    @property
    def by_dataset(self) -> list[ComparedDataset]:
        """Dataset names for headings; empty if there is only one."""
        several = len(self.datasets) > 1
        return [
            ComparedDataset(name * several, f"-{place}" * several, {"dataset": name})
            for place, name in enumerate(self.datasets, 1)
        ]

    @property
    def all_outputs(self) -> Part:
        """All outputs."""
        return Part(self.datasets[0] if len(self.datasets) == 1 else ALL, ALL)

    @property
    def parts(self) -> list[Part]:
        """All outputs, then each dataset, each system on a dataset, and each system overall."""
        table = self.tables["correlations"]
        pairs = dict.fromkeys(zip(table["dataset"], table["system"], strict=True))
        parts = [Part(*pair) for pair in pairs if len(self.datasets) > 1 or pair[0] != ALL]
        systems = {part.system for part in parts if part.system != ALL}
        if len(systems) < 2:  # the only system is the whole
            parts = [part for part in parts if part.system == ALL]
        return sorted(parts, key=lambda part: (part != self.all_outputs, part.system != ALL, part.dataset == ALL))

    def label(self, part: Part) -> str:
        """Return the column label of a part, without the dataset if there is only one."""
        if part == self.all_outputs:
            return "all outputs"
        return part.system if len(self.datasets) == 1 else part.label


def has_analysis(dataset: str, scores: str = "ours") -> bool:
    """Return whether `rainbow analyse` was run on a dataset."""
    return (analysis_folder(dataset, scores) / "summary.json").is_file()


def load_analysis(dataset: str, scores: str = "ours", folder: Path | None = None) -> SavedAnalysis:
    """Load what ``rainbow metrics``, ``analyse`` and ``fit`` saved about a dataset."""
    folder = folder or saved_folder(dataset)
    path, analysis = folder / "metrics" / f"{Path(dataset).stem}.parquet", analysis_folder(dataset, scores, folder)
    option = "" if scores == "ours" else f" --scores {scores}"
    if not path.is_file():
        raise FileNotFoundError(
            f"{path} does not exist: run `rainbow metrics {dataset}` first (or `rainbow systems {dataset}`, to "
            "compare systems)"
        )
    if (analysis / "meta_evaluation.json").is_file() and not (analysis / "summary.json").is_file():
        raise FileNotFoundError(
            f"{dataset} has judgements but no ratings: read {analysis}/meta_evaluation.csv, or run `rainbow "
            f"systems {dataset}` and report that"
        )
    if not (analysis / "summary.json").is_file():
        raise FileNotFoundError(f"{analysis} does not exist: run `rainbow analyse {dataset}{option}` first")
    frame = load_scores(path)
    if scores == PUBLISHED:
        frame = _use_published_scores(frame)
    summary = json.loads((analysis / "summary.json").read_text(encoding="utf-8"))
    _check_consistent(frame, summary, analysis, f"rainbow analyse {dataset}{option}")
    files = tuple(_report_files(folder, path, analysis))
    return _assemble((saved_folder(dataset) / analysis.name).as_posix(), frame, summary, files, analysis)


def _assemble(
    name: str, frame: pd.DataFrame, summary: dict[str, Any], files: tuple[SavedFile, ...], analysis: Path
) -> SavedAnalysis:
    groups, better = groups_and_directions(frame, summary["metrics"])
    return SavedAnalysis(
        name=name,
        scores=frame,
        tables=read_tables(files),
        summary=summary,
        groups=groups,
        higher_is_better=better,
        files=files,
        compared=(analysis / SUMMARY).is_file(),
    )


def _report_files(folder: Path, scores: Path, analysis: Path) -> Iterator[SavedFile]:
    """Return the files for a report, without those of the systems page."""
    named = (analysis / f"{name}.csv" for name in sorted({*TABLES} - {table.name for table in SYSTEMS}))
    for path in (scores, *filter(Path.is_file, named), analysis / "summary.json"):
        yield SavedFile(path.relative_to(folder).as_posix(), path.read_bytes())


def _use_published_scores(frame: pd.DataFrame) -> pd.DataFrame:
    """Replace our scores with the published ones."""
    prefix = f"{PUBLISHED}."
    frame = frame.drop(columns=list(About.from_table(frame).signatures))
    frame = frame.rename(columns=lambda name: name.removeprefix(prefix))
    frame.attrs = frame.attrs | {"signatures": {}, "missing": {}, "view": PUBLISHED}
    return frame


def _check_consistent(frame: pd.DataFrame, summary: Mapping[str, Any], analysis: Path, command: str) -> None:
    if not (analysis / "verdicts.csv").is_file():
        raise ValueError(f"{analysis} has no verdicts, as an earlier version computed it: run `{command}` again")
    missing = [name for name in [*summary["metrics"], *summary["ratings"]] if name not in frame]
    if summary["outputs"] != len(frame) or missing:
        result = f"has no column {missing[0]!r}" if missing else f"has {len(frame)} outputs, not {summary['outputs']}"
        raise ValueError(f"{analysis} is older than the table of scores, which now {result}: run `{command}` again")


def groups_and_directions(frame: pd.DataFrame, metrics: list[str]) -> tuple[dict[str, str], dict[str, bool | None]]:
    """Return group and direction of every known metric."""
    from rainbow.metrics.contract.registry import all_columns

    return About.from_table(frame).groups_and_directions(dict.fromkeys([*metrics, *all_columns()]))


def load_scores_without_ratings(dataset: str, command: str) -> SavedAnalysis:
    """Load scores without ratings, metric cards, and how often people prefer each system."""
    path, analysis = Path("metrics") / f"{dataset}.parquet", analysis_folder(dataset, "ours")
    tables = (analysis / f"{table.name}.csv" for table in (PREFERENCES, COSTS, WEAKNESSES))
    results = [file for file in (path, *tables) if file.is_file()]
    files = tuple(SavedFile(file.as_posix(), file.read_bytes()) for file in results)
    frame = load_scores(path) if path.is_file() else pd.DataFrame()
    metrics = list(About.from_table(frame).signatures)
    summary = {
        "outputs": len(frame),
        "items": int(frame.groupby(["dataset", "item"]).ngroups) if len(frame) else 0,
        "datasets": list(dict.fromkeys(frame["dataset"])) if len(frame) else [dataset],
        "systems": list(dict.fromkeys(frame["system"])) if len(frame) else [],
        "ratings": [],
        "metrics": metrics,
        "version": __version__,
        "command": command,
    }
    return _assemble(dataset, frame, summary, files, analysis)
