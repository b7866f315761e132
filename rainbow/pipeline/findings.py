"""What a run found, in a few sentences, and what to do next."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rainbow.base.printed import between, three
from rainbow.metrics.contract.registry import all_columns
from rainbow.pipeline.stages import Stage

__all__ = ["findings"]


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
        *(_agreement(name) if "analysis" in done else []),
        *([f"systems: {done['preferences']}"] if "preferences" in done else []),
        *([f"learned score: {done['learned score']}"] if "learned score" in done else []),
    ]
    lacking = [f"{stage.name}: {stage.says}" for stage in stages if stage.state == "left out"]
    following = f"next: rainbow fit {file}, to learn a metric from these ratings" if "analysis" in done and file else ""
    return (*(found + lacking)[: 4 if following else 5], *([following] if following else []))


def _agreement(name: str) -> Iterator[str]:
    """Say which column agrees best with each rating, and whether that may be chance."""
    summary = json.loads((Path("analysis") / name / "summary.json").read_text(encoding="utf-8"))
    whole = [row for row in summary["best_metrics"] if row["dataset"] == summary["best_metrics"][-1]["dataset"]]
    for rating in summary["ratings"][:2]:
        rows = [row for row in whole if row["rating"] == rating and row["r"] is not None and _is_metric(row["metric"])]
        best: dict[str, Any] | None = max(rows, key=lambda row: abs(row["r"]), default=None)
        if best is None:
            yield f"{rating}: no column correlates with it"
            continue
        bounds = f"{between(best['low'], best['high'], three)}, n {best['n']}"
        chance = best["p_selected"] is None or best["p_selected"] >= 0.05
        beware = "; of so many columns the best is as good by chance" if chance else ""
        yield f"{rating}: {best['metric']} correlates most with it, {three(best['r'])} ({bounds}){beware}"


def _is_metric(column: Any) -> bool:
    """Return whether a column says how good a text is: of a type, or a class of words, neither direction is better."""
    if not isinstance(column, str):
        return False
    known = all_columns().get(column)
    return known is None or known[0].higher_is_better is not None
