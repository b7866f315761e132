"""`rainbow list`: every metric and what it needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from rainbow.cli.console import AsJson, print_json, print_table

if TYPE_CHECKING:
    from rainbow.metrics.contract.base import Metric


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("list")(list_metrics)


def list_metrics(as_json: AsJson = False) -> None:
    """List every metric: group, columns with direction and range, what it needs, whether it works here."""
    from rainbow.metrics import all_metrics

    metrics = [_described(metric) for metric in all_metrics().values()]
    if as_json:
        print_json(metrics)
        return
    header = ("metric", "group", "column", "better", "range", "needs", "works here")
    print_table(header, [row for metric in metrics for row in _rows(metric)])


def _described(metric: type[Metric]) -> dict[str, Any]:
    return {
        "metric": metric.name,
        "group": metric.group,
        "columns": [column._asdict() for column in metric.columns],
        "needs": sorted(metric.needs),
        "about": (metric.__doc__ or "").strip().split("\n")[0],
        "unavailable": metric.unavailable(),
    }


def _rows(metric: dict[str, Any]) -> list[tuple[str, ...]]:
    """Return one line per column; what holds for the whole metric stands in its first."""
    better = {True: "higher", False: "lower", None: "-"}
    works = metric["unavailable"] or "yes"
    about = [(metric["metric"], metric["group"], ", ".join(metric["needs"]) or "-", works)]
    about += [("", "", "", "")] * (len(metric["columns"]) - 1)
    return [
        (name, group, column["name"], better[column["higher_is_better"]], _range(column), needs, works)
        for (name, group, needs, works), column in zip(about, metric["columns"], strict=True)
    ]


def _range(column: dict[str, Any]) -> str:
    return f"{column['low']:g} to {column['high']:g}".replace("-inf", "-∞").replace("inf", "∞")
