"""The page of every column of every metric, from the registry."""

from __future__ import annotations

from pathlib import Path

from docs.pages.commands import save
from rainbow.metrics import Metric, all_metrics
from rainbow.metrics.contract.metric_card import describe_needs, metric_card

GROUPS = {
    "word": "Word-based",
    "grammar": "Grammar-based",
    "meaning": "Meaning-based",
    "language-model": "Language model",
}
HEAD = """# Metrics and their columns

Every column that a metric gives for an output. Definitions and sources are below the tables;
[the tables of scores](../../metrics/README.md) have their own page. `rainbow list METRIC` prints the same card, with
the time per row on your machine, the faults that it does not see, and its agreement with people on your datasets.
"""


def write(folder: Path) -> None:
    """Write the page."""
    parts = [HEAD]
    for group, title in GROUPS.items():
        metrics = [metric for metric in all_metrics().values() if metric.group == group]
        parts += [f"## {title}\n\n| column | range | what it measures |\n| --- | --- | --- |"]
        parts += [_row(metric, column.name) for metric in metrics for column in metric.columns]
        parts += ["", *(_definition(metric) for metric in metrics)]
    save(folder / "columns.md", "\n".join(parts))


def _row(metric: type[Metric], column: str) -> str:
    card = metric_card(column)
    assert card is not None
    return f"| [`{column}`](#{metric.name}) | {card.values} | {card.measures} |"


def _definition(metric: type[Metric]) -> str:
    """Return the metric's own words; they are reStructuredText."""
    tools = ", ".join(sorted({tool.package for tool in metric.tools}))
    checked = f" Checked against {tools}: `rainbow verify --metrics {metric.name}`." if tools else ""
    return (
        f"### {metric.name}\n\nNeeds {describe_needs(metric)}.{checked}\n\n"
        f"```{{eval-rst}}\n.. autoclass:: {metric.__module__}.{metric.__qualname__}\n   :no-members:\n```\n"
    )
