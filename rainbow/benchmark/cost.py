"""The cost of 1,000 outputs: seconds of a metric, tokens of a judge."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from pathlib import Path

from rainbow._version import __version__
from rainbow.analysis.benchmark.rated_corpus import RatedCorpus
from rainbow.base.files import write_json
from rainbow.scoring.saved_scores import About

# Outputs that are timed.
_TIMED = 200
# Metrics that take seconds per row, or minutes to start, are not timed.
_SLOW = frozenset({"neural", "named", "java"})


def column_seconds(names: Iterable[str], path: Path) -> dict[str, float]:
    """Return the seconds per 1,000 outputs of built-in metric columns."""
    from rainbow.metrics import all_metrics

    known = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    seconds: dict[str, float] = known["seconds"] if known.get("version") == __version__ else {}
    wanted, before = set(names), len(seconds)
    of_column = dict[str, float]()
    for metric in all_metrics().values():
        own = wanted & {column.name for column in metric.columns}
        if own and metric.unavailable() is None and metric.needs.isdisjoint(_SLOW):
            if metric.name not in seconds:
                seconds[metric.name] = _measure_seconds(metric.name)
            of_column |= dict.fromkeys(own, seconds[metric.name])
    if len(seconds) > before or not path.is_file():
        write_json(path, {"version": __version__, "seconds": seconds})
    return of_column


def _measure_seconds(name: str) -> float:
    from rainbow.datasets import load_dataset
    from rainbow.metrics import find
    from rainbow.scoring.plan import seconds_per_row

    return float(f"{1000 * seconds_per_row(find(name), load_dataset('demo').take(range(_TIMED))):.2g}")


def column_tokens(corpora: Sequence[RatedCorpus]) -> dict[tuple[str, str], float]:
    """Return a judge's tokens per 1,000 outputs by corpus and column, if ``rainbow judge`` saved them."""
    result = dict[tuple[str, str], float]()
    for corpus in corpora:
        columns = About.from_table(corpus.frame).columns
        for path in map(Path, columns.get("joined", ())):
            sidecar = path.with_suffix(".json")
            about = json.loads(sidecar.read_text(encoding="utf-8")) if sidecar.is_file() else {}
            for column, known in about.get("columns", {}).items():
                if column in corpus.scores and known.get("tokens"):
                    result[corpus.name, column] = 1000 * known["tokens"] / (known["answered"] or math.nan)
    return result
