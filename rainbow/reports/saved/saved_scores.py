"""Saved scores of outputs without ratings, or comparisons of systems."""

from __future__ import annotations

from pathlib import Path

from rainbow._version import __version__
from rainbow.audit.audit_tables import COSTS, WEAKNESSES
from rainbow.base.lazy import pd
from rainbow.reports.saved.saved_analysis import SavedAnalysis, groups_and_directions
from rainbow.reports.saved.saved_systems import analysis_folder
from rainbow.reports.saved.saved_tables import SavedFile, read_tables
from rainbow.systems.tables import PREFERENCES


def load_scores_without_ratings(dataset: str, command: str) -> SavedAnalysis:
    """Load scores without ratings, metric cards, and how often people prefer each system."""
    from rainbow.scoring.saved_scores import About, load_scores

    path, analysis = Path("metrics") / f"{dataset}.parquet", analysis_folder(dataset, "ours")
    tables = (analysis / f"{table.name}.csv" for table in (PREFERENCES, COSTS, WEAKNESSES))
    results = [file for file in (path, *tables) if file.is_file()]
    files = tuple(SavedFile(file.as_posix(), file.read_bytes()) for file in results)
    frame = load_scores(path) if path.is_file() else pd.DataFrame()
    metrics = list(About.from_table(frame).signatures)
    groups, better = groups_and_directions(frame, metrics)
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
    return SavedAnalysis(
        name=dataset,
        scores=frame,
        tables=read_tables(files),
        summary=summary,
        groups=groups,
        higher_is_better=better,
        files=files,
        compared=(analysis / "systems.json").is_file(),
    )
