"""The page of every column of every metric, from the registry."""

from __future__ import annotations

from pathlib import Path

from docs.pages.commands import save
from rainbow.metrics import Column, Metric, all_metrics
from rainbow.metrics.contract.metric_description import plain_sentence

GROUPS = {
    "word": "Word-based",
    "grammar": "Grammar-based",
    "meaning": "Meaning-based",
    "language-model": "Language model",
}
BETTER = {True: "higher", False: "lower", None: "neither"}

HEAD = """# Metrics and their columns

Every column that a metric gives for an output, and what it says. Each metric has its definition and sources below the
tables; [the tables of scores](../../metrics/README.md) say how they are kept. `rainbow list METRIC` prints the same,
with what a row costs on your machine and how well the metric agreed with people on the datasets that you have.
"""


def write(folder: Path) -> None:
    """Write the page."""
    parts = [HEAD]
    for group, title in GROUPS.items():
        metrics = [metric for metric in all_metrics().values() if metric.group == group]
        parts += [f"## {title}\n\n| column | better | range | what it says |\n| --- | --- | --- | --- |"]
        parts += [_row(metric, column) for metric in metrics for column in metric.columns]
        parts += ["", *(_definition(metric) for metric in metrics)]
    save(folder / "columns.md", "\n".join(parts))


def _row(metric: type[Metric], column: Column) -> str:
    bounds = f"{column.low:g} to {column.high:g}".replace("inf", "∞")
    better = BETTER[column.higher_is_better]
    return f"| [`{column.name}`](#{metric.name}) | {better} | {bounds} | {plain_sentence(column.name)} |"


def _definition(metric: type[Metric]) -> str:
    """Return the metric's own words; they are reStructuredText."""
    needs = ", ".join(sorted(metric.needs)) or "the output alone"
    tools = ", ".join(sorted({tool.package for tool in metric.tools}))
    checked = f" Checked against {tools}: `rainbow verify --metrics {metric.name}`." if tools else ""
    return (
        f"### {metric.name}\n\nNeeds: {needs}.{checked}\n\n"
        f"```{{eval-rst}}\n.. autoclass:: {metric.__module__}.{metric.__qualname__}\n   :no-members:\n```\n"
    )
