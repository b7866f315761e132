"""`rainbow list`: all metrics with their requirements, or one in detail."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rainbow.base.lazy import pd
from rainbow.cli.column_options import default_scores_path
from rainbow.cli.console import RANGE, AsJson, print_json, print_records
from rainbow.metrics.contract.metric_card import describe_needs, value_range

if TYPE_CHECKING:
    from rainbow.corpus import Corpus
    from rainbow.metrics.contract.base import Metric

# Rows for measuring cost, and most rows per corpus for agreement.
TIMED, COMPARED = 200, 1500


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("list")(list_metrics)


def list_metrics(
    metric: Annotated[str | None, typer.Argument(help="Metric or column to describe.")] = None, as_json: AsJson = False
) -> None:
    """List metrics: group, columns, direction, range, requirements, and whether each works here.

    With a name, it prints the definition, the source, the time per row, the kinds of worse texts for which the metric
    does not reliably fall, and the agreement with human ratings on every available dataset (rainbow fetch sfhotel
    downloads one): on at most 1,500 outputs, or on all of a saved table.

    \b
    Examples:
      rainbow list
      rainbow list METEOR
    """  # noqa: D301  # the backslash is click's: what follows is not wrapped
    from rainbow.metrics import all_metrics, find

    if metric is not None:
        try:
            chosen = find(metric)
        except ValueError as error:
            raise typer.BadParameter(str(error), param_hint="METRIC") from None
        about = _metric_details(chosen) | _measure_metric(chosen)
        (print_json if as_json else _print_details)(about)
        return
    metrics = [_metric_details(each) for each in all_metrics().values()]
    if as_json:
        print_json(metrics)
        return
    print_records(
        [row for entry in metrics for row in _column_rows(entry)],
        *("metric", "group", *_COLUMNS, "needs"),
        *(("works here", "{works}"), ("description", "{plain}")),
    )
    typer.echo("rainbow list METRIC: definition, source, cost, and agreement with people")


def _metric_details(metric: type[Metric]) -> dict[str, Any]:
    from rainbow.metrics.contract.metric_card import describe_metric

    result = describe_metric(metric)
    return {
        "metric": metric.name,
        "group": metric.group,
        "plain": result.plain,
        "columns": [
            column._asdict() | {"languages": sorted(metric.languages_of(column.name))} for column in metric.columns
        ],
        "needs": sorted(metric.needs),
        "needs_in_words": describe_needs(metric),
        "about": result.definition.split("\n")[0],
        "definition": result.definition,
        "sources": result.sources,
        "tools": sorted({tool.package for tool in metric.tools}),
        "unavailable": metric.unavailable(),
    }


def _measure_metric(metric: type[Metric]) -> dict[str, Any]:
    """Return the cost per row, the weaknesses, and the agreement with ratings on every available dataset."""
    from rainbow.audit.audit import audit_sample
    from rainbow.datasets import load_dataset
    from rainbow.scoring.plan import SLOW, seconds_per_row

    works = metric.unavailable() is None and metric.needs.isdisjoint(SLOW)
    demo = load_dataset("demo").take(range(TIMED))
    return {
        "seconds_per_row": seconds_per_row(metric, demo) if works else None,
        "weaknesses": audit_sample(demo, [metric.name]).to_dict("records") if works else [],
        "agreement": [line for lines in _agreement_rows(metric, works) for line in lines],
    }


def _agreement_rows(metric: type[Metric], works: bool) -> Iterator[list[dict[str, Any]]]:
    """Yield Spearman's correlation over all outputs per dataset, rating and column."""
    from rainbow.analysis.correlations.correlation_table import correlation_table
    from rainbow.datasets import dataset_names, source

    seen: set[str] = set()
    columns = [column.name for column in metric.columns]
    for name in dataset_names():
        if not source(name).FILES[name]:
            continue  # what comes with the package was not rated by people
        scored = _score_dataset(name, metric, works, seen)
        if scored is None:
            continue
        frame, ratings = scored
        seen |= set(frame["dataset"])
        table = correlation_table(frame, columns, ratings, "dataset", interval="fisher")
        kept = table[["dataset", "rating", "metric", "r", "low", "high", "n"]].dropna(subset="r")
        yield [dict(zip(kept.columns, line, strict=True)) for line in kept.itertuples(index=False, name=None)]


def _score_dataset(
    name: str, metric: type[Metric], works: bool, seen: set[str]
) -> tuple[pd.DataFrame, list[str]] | None:
    """Return a dataset's scores and ratings; None if missing or already used."""
    from rainbow.datasets import load_dataset
    from rainbow.scoring.saved_scores import About, is_score_table, load_scores
    from rainbow.scoring.score_corpus import score_corpus

    path = default_scores_path(name)
    if is_score_table(path):
        frame = load_scores(path)
        if all(column.name in frame for column in metric.columns):
            return (frame, list(About.from_table(frame).ratings)) if not set(frame["dataset"]) <= seen else None
    try:
        corpus = load_dataset(name) if works else None
    except (FileNotFoundError, ValueError):
        return None
    if corpus is None or not corpus.ratings or set(corpus.frame["dataset"]) <= seen:
        return None
    corpus = _sample_rows(corpus)
    return corpus.frame.join(score_corpus(corpus, [metric.name])), list(corpus.ratings)


def _sample_rows(corpus: Corpus) -> Corpus:
    """Return a limited number of evenly spaced rows of a corpus."""
    step = -(-len(corpus) // COMPARED)
    return corpus if step == 1 else corpus.take(range(0, len(corpus), step))


def _column_rows(metric: dict[str, Any]) -> list[dict[str, str]]:
    """Return one row per column; the first holds what applies to the whole metric."""
    about = {name: metric[name] for name in ("metric", "group", "plain")}
    about |= {"needs": ", ".join(metric["needs"]) or "-", "works": metric["unavailable"] or "yes"}
    return [
        (dict.fromkeys(about, "") if place else about) | _describe_column(column)
        for place, column in enumerate(metric["columns"])
    ]


_COLUMNS = "column", "better", ("range", "{range_of_values}")


def _describe_column(column: dict[str, Any]) -> dict[str, str]:
    better = {True: "higher", False: "lower", None: "-"}[column["higher_is_better"]]
    values = value_range(column["low"], column["high"])
    return {"column": column["name"], "better": better, "range_of_values": values}


def _print_details(details: dict[str, Any]) -> None:
    typer.echo(f"{details['metric']}: {details['plain']}\n")
    print_records(map(_describe_column, details["columns"]), *_COLUMNS)
    typer.echo(f"\n{details['definition']}\n")
    for source in details["sources"]:
        typer.echo(f"Source: {source}")
    typer.echo(f"Group: {details['group']}. Needs: {details['needs_in_words']}.")
    typer.echo(f"Available here: {details['unavailable'] or 'yes'}.")
    if details["tools"]:
        typer.echo(f"Checked against {', '.join(details['tools'])}: rainbow verify --metrics {details['metric']}")
    if details["seconds_per_row"] is not None:
        typer.echo(
            f"Cost: {1e6 * details['seconds_per_row']:,.0f} microseconds per row ({TIMED} rows of demo, one thread)"
        )
    _print_weaknesses(details["weaknesses"])
    if details["agreement"]:
        typer.echo("\nAgreement with people: Spearman over all outputs, original sign, 95 % interval (Fisher's z):")
        columns = "dataset", "rating", ("column", "{metric}"), ("Spearman", "{r:number}")
        print_records(details["agreement"], *columns, ("95 %", RANGE[1]), "n")
    else:
        typer.echo("Agreement with people: no rated dataset available: rainbow fetch sfhotel, then metrics")


def _print_weaknesses(lines: list[dict[str, Any]]) -> None:
    from rainbow.audit.audit import ROWS, weakness_sentence

    for column, part in pd.DataFrame(lines, columns=["metric", "kind", "falls"]).groupby("metric", sort=False):
        typer.echo(f"{column} {weakness_sentence(part)} ({ROWS} outputs of demo; rainbow audit {column})")
