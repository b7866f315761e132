"""What a run found, in a few sentences, and what to do next."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from rainbow.pipeline.stages import Stage

__all__ = ["findings"]

EXPLAINED = 2  # verdicts


def findings(name: str, stages: Sequence[Stage], file: str | None = None) -> tuple[str, ...]:
    """Return at most five sentences, the last of which says what to do next.

    Parameters
    ----------
    name
        What the tables are called.
    stages
        What was done and left out.
    file
        What other commands take; None where the rows stand in several files.
    """
    done = {stage.name: stage.says for stage in stages if stage.state != "left out"}
    found = [
        *(_verdicts(name) if "analysis" in done else []),
        *([f"systems: {done['preferences']}"] if "preferences" in done else []),
        *([f"learned score: {done['learned score']}"] if "learned score" in done else []),
    ]
    lacking = [f"{stage.name}: {stage.says}" for stage in stages if stage.state == "left out"]
    following = f"next: rainbow fit {file}, to learn a metric from these ratings" if "analysis" in done and file else ""
    return (*(found + lacking)[: 4 if following else 5], *([following] if following else []))


def _verdicts(name: str) -> Iterator[str]:
    """Say for two ratings whether a metric may be used for them and why, and of the others the first."""
    summary = json.loads((Path("analysis") / name / "summary.json").read_text(encoding="utf-8"))
    yield from (f"{line['headline']}. {line['because']}" for line in summary["verdicts"][:EXPLAINED])
    if others := summary["verdicts"][EXPLAINED:]:
        yield "; ".join(line["headline"] for line in others)
