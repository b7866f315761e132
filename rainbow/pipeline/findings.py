"""What a run found, in a few sentences."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from shlex import quote

from rainbow.pipeline.stages import Stage

__all__ = ["findings"]

MOST = 5  # sentences
EXPLAINED = 2  # verdicts


def findings(name: str, stages: Sequence[Stage], file: str | None = None) -> tuple[str, ...]:
    """Return at most five sentences: what was found, what to do next, and last the verdicts.

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
        *([f"systems: {done['preferences']}"] if "preferences" in done else []),
        *([f"learned score: {done['learned score']}"] if "learned score" in done else []),
    ]
    lacking = [f"{stage.name}: {stage.says}" for stage in stages if stage.state == "left out"]
    analysed = "analysis" in done
    following = [f"next: rainbow fit {quote(file)}, to learn a metric from these ratings"] if analysed and file else []
    ruled = list(_verdicts(name)) if analysed else []
    return (*(found + lacking)[: MOST - len(following) - len(ruled)], *following, *ruled)


def _verdicts(name: str) -> Iterator[str]:
    """Say for two ratings whether a metric may be used for them and why, and of the others the first."""
    summary = json.loads((Path("analysis") / name / "summary.json").read_text(encoding="utf-8"))
    yield from (f"{line['headline']}. {line['because']}" for line in summary["verdicts"][:EXPLAINED])
    if others := summary["verdicts"][EXPLAINED:]:
        yield "; ".join(line["headline"] for line in others)
