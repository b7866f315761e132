"""What 1,000 outputs cost: seconds of a metric on this machine, tokens of a judge."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from pathlib import Path

from rainbow._version import __version__
from rainbow.analysis.benchmark.rated import RatedCorpus
from rainbow.base.files import write_json
from rainbow.scoring.saved_scores import About

# Outputs that are timed.
_TIMED = 200
# What takes seconds a row, or minutes to start, is not timed.
_SLOW = frozenset({"neural", "named", "java"})


def seconds_of_columns(names: Iterable[str], path: Path) -> dict[str, float]:
    """Return the seconds that 1,000 outputs take, for those columns that metrics of ours give."""
    from rainbow.metrics import all_metrics

    known = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    seconds: dict[str, float] = known["seconds"] if known.get("version") == __version__ else {}
    wanted, before = set(names), len(seconds)
    of_column = dict[str, float]()
    for metric in all_metrics().values():
        own = wanted & {column.name for column in metric.columns}
        if own and metric.unavailable() is None and metric.needs.isdisjoint(_SLOW):
            if metric.name not in seconds:
                seconds[metric.name] = _measured(metric.name)
            of_column |= dict.fromkeys(own, seconds[metric.name])
    if len(seconds) > before or not path.is_file():
        write_json(path, {"version": __version__, "seconds": seconds})
    return of_column


def _measured(name: str) -> float:
    from rainbow.datasets import load_dataset
    from rainbow.metrics import find
    from rainbow.scoring.cost import seconds_per_row

    return float(f"{1000 * seconds_per_row(find(name), load_dataset('demo').take(range(_TIMED))):.2g}")


def tokens_of_columns(corpora: Sequence[RatedCorpus]) -> dict[tuple[str, str], float]:
    """Return by corpus and column the tokens of a judge for 1,000 outputs, where ``rainbow judge`` told them."""
    found = dict[tuple[str, str], float]()
    for corpus in corpora:
        columns = About.of(corpus.frame).columns
        for path in map(Path, columns.get("joined", ())):
            told = path.with_suffix(".json")
            about = json.loads(told.read_text(encoding="utf-8")) if told.is_file() else {}
            for column, known in about.get("columns", {}).items():
                if column in corpus.scores and known.get("tokens"):
                    found[corpus.name, column] = 1000 * known["tokens"] / (known["answered"] or math.nan)
    return found
