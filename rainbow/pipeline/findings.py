"""What a run found, in a few sentences."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from shlex import quote
from typing import Any

from rainbow.analysis.minimum_outputs import MINIMUM_RATED
from rainbow.pipeline.stages import Stage

MOST = 5  # sentences
EXPLAINED = 2  # verdicts


def findings(name: str, stages: Sequence[Stage], file: str | None = None) -> tuple[str, ...]:
    """Return at most five sentences: what was found, what to do next, and last the verdicts."""
    done = {stage.name: stage.says for stage in stages if stage.state != "left out"}
    found = [
        *([f"systems: {done['preferences']}"] if "preferences" in done else []),
        *([f"learned score: {done['learned score']}"] if "learned score" in done else []),
    ]
    lacking = [f"{stage.name}: {stage.says}" for stage in stages if stage.state == "left out"]
    verdicts = saved_verdicts(name, stages)
    enough = any(line["n"] >= MINIMUM_RATED for line in verdicts)
    following = [f"next: rainbow fit {quote(file)}, to learn a metric from these ratings"] if enough and file else []
    ruled = list(_sentences(verdicts))
    return (*(found + lacking)[: MOST - len(following) - len(ruled)], *following, *ruled)


def saved_verdicts(name: str, stages: Sequence[Stage]) -> list[dict[str, Any]]:
    """Return the verdicts that the analysis saved; none where it was left out."""
    if not any(stage.name == "analysis" and stage.state != "left out" for stage in stages):
        return []
    summary = json.loads((Path("analysis") / name / "summary.json").read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = summary["verdicts"]
    return found


def _sentences(verdicts: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Return the first two verdicts with their reasons, and the headlines of the others in one sentence."""
    for line in verdicts[:EXPLAINED]:
        yield " ".join(filter(None, [f"{line['headline']}. {line['because']}", line["left_out"]]))
    if others := verdicts[EXPLAINED:]:
        yield "; ".join(line["headline"] for line in others)
