"""The main findings of a run in a few sentences."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from shlex import quote
from typing import Any

from rainbow.analysis.verdicts.candidate_columns import MINIMUM_RATED
from rainbow.pipeline.stages import Stage

MOST = 5  # sentences
EXPLAINED = 2  # verdicts


def summarise_findings(name: str, stages: Sequence[Stage], file: str | None = None) -> tuple[str, ...]:
    """Return at most five sentences: the findings, what to do next, and the verdicts last."""
    done = {stage.name: stage.says for stage in stages if stage.state != "left out"}
    results = [
        *([f"systems: {done['preferences']}"] if "preferences" in done else []),
        *([f"learned score: {done['learned score']}"] if "learned score" in done else []),
    ]
    missing = [f"{stage.name}: {stage.says}" for stage in stages if stage.state == "left out"]
    verdicts = load_verdicts(name, stages)
    enough = any(line["n"] >= MINIMUM_RATED for line in verdicts)
    following = [f"next: rainbow fit {quote(file)} learns a metric from these ratings"] if enough and file else []
    ruled = list(_verdict_sentences(verdicts))
    return (*(results + missing)[: MOST - len(following) - len(ruled)], *following, *ruled)


def load_verdicts(name: str, stages: Sequence[Stage]) -> list[dict[str, Any]]:
    """Return the verdicts of the saved analysis; none if the analysis was skipped."""
    if not any(stage.name == "analysis" and stage.state != "left out" for stage in stages):
        return []
    summary = json.loads((Path("analysis") / name / "summary.json").read_text(encoding="utf-8"))
    result: list[dict[str, Any]] = summary["verdicts"]
    return result


def _verdict_sentences(verdicts: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Return the first two verdicts with reasons, and the headlines of the others in one sentence."""
    for line in verdicts[:EXPLAINED]:
        yield " ".join(filter(None, [f"{line['headline']}. {line['because']}", line["left_out"]]))
    if others := verdicts[EXPLAINED:]:
        yield "; ".join(line["headline"] for line in others)
