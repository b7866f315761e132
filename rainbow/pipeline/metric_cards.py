"""What each metric costs, and which faults it does not see, measured on outputs of the file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rainbow.audit.audit import BLIND, audit_sample, sample_rows
from rainbow.audit.audit_tables import COSTS, WEAKNESSES
from rainbow.base.files import write_csv
from rainbow.base.formatting import format_count
from rainbow.base.lazy import pd
from rainbow.corpus import Corpus
from rainbow.metrics.contract.registry import all_columns, find
from rainbow.scoring.plan import SLOW, seconds_per_row

SLOWEST = 0.005  # seconds per output of a metric that is audited


def card_files(folder: Path) -> list[Path]:
    """Return the files that :func:`save_cards` writes."""
    return [folder / f"{table.name}.csv" for table in (WEAKNESSES, COSTS)]


def save_cards(folder: Path, corpus: Corpus, columns: Iterable[str]) -> str:
    """Measure each computed column on a sample, write the tables, and return a summary."""
    known = {name: find(name) for name in columns if name in all_columns()}
    known = {
        name: metric for name, metric in known.items() if metric.needs.isdisjoint(SLOW) and not metric.unavailable()
    }
    rows = sample_rows(corpus)
    seconds = {metric: seconds_per_row(metric, rows) for metric in dict.fromkeys(known.values())}
    costs = pd.DataFrame(
        [(name, 1e6 * seconds[metric], len(rows)) for name, metric in known.items()],
        columns=["metric", "microseconds", "n"],
    )
    audited = audit_sample(rows, [name for name, metric in known.items() if seconds[metric] < SLOWEST])
    for path, table in zip(card_files(folder), (audited, costs), strict=True):
        write_csv(path, table)
    blind = (audited["falls"] < BLIND).groupby(audited["metric"]).any()
    return (
        f"{format_count(int(blind.sum()), 'column')} of {len(blind)} do not reliably fall for some kind of worse text"
    )
