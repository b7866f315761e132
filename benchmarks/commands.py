"""`python -m benchmarks.commands`: what the commands and the larger tables take, into benchmarks/RESULTS.md."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.results import replace_part, waited_for
from benchmarks.serving import Waiting
from rainbow import load_dataset
from rainbow.analysis.correlations.correlation_table import correlation_table
from rainbow.analysis.differences.metric_differences import metric_differences
from rainbow.analysis.ranking.ranking_accuracy import ranking_accuracy

__all__ = ["commands", "loading", "tables"]

RESULTS = Path(__file__).parent / "RESULTS.md"
COMMANDS = (("metrics", "sfhotel"), ("analyse", "sfhotel"), ("report", "sfhotel"), ("systems", "e2e"))
AIMS = {"report": 8.0, "systems": 120.0}
DATASETS = ("sfhotel", "sfrest", "bagel", "emnlp2017")
RATINGS = ["informativeness", "naturalness", "quality"]
SEED = 2017


def main() -> None:
    """Measure everything and write the part of the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.commands", description=__doc__)
    parser.add_argument("--out", type=Path, default=RESULTS, help="the Markdown file to write")
    replace_part(parser.parse_args().out, "commands", "\n".join(_page()))


def _page() -> Iterator[str]:
    loaded = os.getloadavg()[0]
    yield "## Commands and tables"
    yield ""
    yield "Made by `python -m benchmarks.commands`: seconds by the clock, once. Commands run one after the other, each"
    yield "in a process of its own, with what they save for the next; tables and loading in one process."
    yield f"Load average when it began: {loaded:.1f} on {os.cpu_count()} processors."
    yield ""
    yield from waited_for([*commands(), *loading(), *tables()])


def commands() -> Iterator[Waiting]:
    """Type the commands in an empty folder; one that fails says why, and ends this."""
    with tempfile.TemporaryDirectory() as folder:
        for command, dataset in COMMANDS:
            typed = [sys.executable, "-m", "rainbow", command, dataset]
            quiet = {"cwd": folder, "check": True, "stdout": subprocess.DEVNULL}
            yield _waited(f"`rainbow {command} {dataset}`", AIMS.get(command), subprocess.run, typed, **quiet)


def loading() -> Iterator[Waiting]:
    """Load every dataset that has ratings."""
    for name in DATASETS:
        yield _waited(f'`load_dataset("{name}")`', 2.0, load_dataset, name)


def tables() -> Iterator[Waiting]:
    """Make the larger tables of the analysis from the scores that the authors of emnlp2017 stored."""
    frame = load_dataset("emnlp2017").frame
    frame = frame.rename(columns=lambda name: name.removeprefix("published."))
    metrics = frame.loc[:, "TER":"prs"].columns.tolist()
    chosen = (frame, metrics, RATINGS)
    better = dict.fromkeys(metrics, True) | {"TER": False}
    many = f"{len(metrics)} metrics, 3 ratings"
    yield _waited(f"BCa intervals of 1,000 resamples, {many}", 15.0, correlation_table, *chosen, rng=SEED)
    for scores in ("raw", "quantised"):
        what = f"Order of pairs by {scores} scores, {many}"
        yield _waited(what, 5.0, ranking_accuracy, *chosen, better, scores=scores, permutations=1000, rng=SEED)
    yield _waited(f"Williams tests of all pairs of {many}", 2.0, metric_differences, *chosen, better)


def _waited(what: str, target: float | None, work: Callable[..., object], *arguments: Any, **options: Any) -> Waiting:
    """Do the work once, by the clock."""
    sys.stderr.write(f"{what}\n")
    start = time.perf_counter()
    work(*arguments, **options)
    return Waiting(what, time.perf_counter() - start, target)


if __name__ == "__main__":
    main()
