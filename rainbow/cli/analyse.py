"""`rainbow analyse`: compare metrics with human ratings."""

from __future__ import annotations

import math
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from rainbow.base.formatting import format_count, format_interval, format_number
from rainbow.base.lazy import pd
from rainbow.cli.column_options import add_column_options, default_scores_path, resolve_columns
from rainbow.cli.console import RANGE, AsJson, Guard, print_json, print_records, print_verdicts, rows_bar, track
from rainbow.datasets.columns import NO_COLUMNS, Columns
from rainbow.scoring.saved_scores import About

if TYPE_CHECKING:
    from rainbow.analysis.analysis_inputs import Inputs

MOST_PRINTED = 5  # metrics for each criterion
PUBLISHED = "published."  # what the names of stored columns begin with


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(add_column_options(analyse))


def analyse(
    dataset: Annotated[str, typer.Argument(help="Dataset or file with computed metrics.")],
    scores: Annotated[
        str, typer.Option(help="Score source: ours, or published (sfhotel, sfrest, bagel).", hidden=True)
    ] = "ours",
    table: Annotated[Path | None, typer.Option(help="Table of scores; default metrics/DATASET.parquet.")] = None,
    columns: Columns = NO_COLUMNS,
    judgements: Annotated[
        Path | None,
        typer.Option(help="Table of individual judgements: judgement, item, system, criterion, kind, value."),
    ] = None,
    differences: Annotated[
        str,
        typer.Option(
            help="Test of two correlations: jackknife (by item), williams, or jackknife and a permutation test over "
            "outputs (perm-both), inputs (perm-inputs) or systems (perm-systems)."
        ),
    ] = "jackknife",
    out: Annotated[Path | None, typer.Option(help="Output folder; default analysis/DATASET.")] = None,
    resamples: Annotated[int, typer.Option(min=1, help="Number of bootstrap resamples and permutations.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Random seed.")] = 2017,
    raters: Annotated[
        str,
        typer.Option(
            help="Raters: experts, skilled or crowd (margin .2, .15 or .1 of the alternative annotator test)."
        ),
    ] = "crowd",
    guard: Guard = False,
    form: Annotated[
        Literal["text", "md", "latex", "json"],
        typer.Option("--format", help="Print the correlations as a table: md or latex."),
    ] = "text",
    as_json: AsJson = False,
) -> None:
    """Compare metrics with human ratings; tables go into analysis/DATASET.

    If there are single judgements instead of a column of ratings (e2e, rankme, or --judgements), it reports how often
    metrics order outputs the way people do, with output length as the baseline.

    \b
    Examples:
      rainbow metrics demo && rainbow analyse demo
      rainbow analyse demo --format latex > table.tex
      rainbow analyse emnlp2017 --scores published
      rainbow analyse mine.csv --rating quality --resamples 10000
      rainbow analyse mine.csv --score comet:higher --rating quality
      rainbow analyse mine.csv --judgements judgements.csv
      rainbow analyse mine.csv --score judge:higher=quality --raters skilled
    """  # noqa: D301  # the backslash is click's: what follows is not wrapped
    from rainbow.analysis.analyse import analyse as answer
    from rainbow.analysis.differences.metric_differences import TESTS
    from rainbow.analysis.paper_table import paper_table
    from rainbow.analysis.summary import save_analysis, summarise
    from rainbow.pipeline.recommendation import recommendation_sentences, save_recommendation
    from rainbow.stats.agreement.alternative_annotator import EPSILON

    if scores not in ("ours", "published"):
        raise typer.BadParameter(f"{scores!r} is not one of ours, published", param_hint="--scores")
    if differences not in TESTS:
        raise typer.BadParameter(f"{differences!r} is not one of {', '.join(TESTS)}", param_hint="--differences")
    if raters not in EPSILON:
        raise typer.BadParameter(f"{raters!r} is not one of {', '.join(EPSILON)}", param_hint="--raters")
    name = Path(dataset).stem
    inputs = _analysis_inputs(dataset, table or default_scores_path(dataset), scores, columns)
    inputs = inputs._replace(resamples=resamples, seed=seed, differences=differences, raters=raters)
    inputs = inputs._replace(judgements=_load_judgements(dataset, judgements))
    tables = answer(inputs, track)
    summary = summarise(inputs, tables)
    folder = out or Path("analysis") / (name if scores == "ours" else f"{name}-{scores}")
    file = save_analysis(folder, tables, summary, guard=guard)
    if inputs.ratings and scores == "ours":
        recommended = save_recommendation(folder, inputs, dataset)
    if as_json or form == "json":
        print_json(summary | {"folder": str(folder)})
        return
    if form != "text":
        typer.echo(paper_table(tables["correlations"], form))
        return
    if inputs.ratings:
        _print_summary(summary)
    if "judges" in summary:
        _print_judges(summary["judges"])
    for sentence in summary.get("judge_labels", ()):
        typer.echo(sentence)
    if "meta_evaluation" in summary:
        _print_segment_metrics(summary["meta_evaluation"])
    typer.echo(f"{format_count(summary['outputs'], 'output')}: {file}")
    if inputs.ratings and scores == "ours":
        typer.echo(f"recommended: {recommendation_sentences(recommended)}")
    print_verdicts(summary.get("verdicts", ()))


def _analysis_inputs(dataset: str, path: Path, scores: str, given: Columns) -> Inputs:
    from rainbow.analysis.analysis_inputs import analysis_inputs
    from rainbow.pipeline.score_table import complete_table, update_table
    from rainbow.scoring.saved_scores import load_scores

    columns = resolve_columns(dataset, given, path)
    if scores == "ours":
        with rows_bar() as progress:
            complete_table(dataset, path, progress)
    update_table(dataset, path, columns)  # last: it may add columns that are asked for once
    if not path.is_file():
        raise FileNotFoundError(f"{path} does not exist: run `rainbow metrics {dataset}` first")
    frame = load_scores(path)
    inputs = analysis_inputs(frame, columns.rating_names or None)
    return inputs if scores == "ours" else _with_published_scores(inputs, path)


def _with_published_scores(inputs: Inputs, path: Path) -> Inputs:
    """Return the inputs with the scores that the authors published."""
    frame = inputs.frame
    stored = [name.removeprefix(PUBLISHED) for name in map(str, frame) if name.startswith(PUBLISHED)]
    if not stored:
        raise ValueError(f"{path} has no published scores: only sfhotel, sfrest, bagel and emnlp2017 have them")
    groups, better = About.from_table(frame).groups_and_directions(stored)
    frame = frame.drop(columns=list(inputs.metrics)).rename(columns=lambda name: name.removeprefix(PUBLISHED))
    return inputs._replace(
        frame=frame, metrics=stored, groups=groups, higher_is_better=better, stands_for={}, external=(), undirected=()
    )


def _load_judgements(dataset: str, path: Path | None) -> pd.DataFrame | None:
    """Return judgements of single outputs; None if there are none."""
    from rainbow.datasets import dataset_names, judgements, source

    known = dataset in dataset_names() and hasattr(source(dataset), "judgements")
    return judgements(path or dataset) if path or known else None


def _print_summary(summary: dict[str, Any]) -> None:
    from rainbow.analysis.checks.findings import WORDS

    best = [
        line | {"metric": line["metric"] if isinstance(line["metric"], str) else "-"}
        for line in summary["best_metrics"]
    ]
    names = ("dataset", "rating", "group", ("best metric", "{metric}"))
    print_records(best, *names, ("Spearman", "{r:number}"), RANGE, ("p", "{p_selected:p}"), "n")
    typer.echo("p-values are corrected for the number of metrics in the group (Bonferroni)")
    for ceiling in summary["ceilings"]:
        bounds = format_interval(ceiling["low"], ceiling["high"], format_number)
        typer.echo(f"{ceiling['measure']}, {ceiling['rating']}: {format_number(ceiling['estimate'])} ({bounds})")
    for rating, reason in summary["no_ceilings"].items():
        typer.echo(f"The ceiling for {rating} is unknown: {reason}")
    for cause in summary["warnings"]:
        typer.echo(f"{WORDS[cause['severity']]}: {cause['names']}: {cause['sentence']}: {cause['advice']}")


def _print_judges(rows: list[dict[str, Any]]) -> None:
    """Print the alternative annotator test of scores that stand for a rating, with baselines."""
    print_records(
        [row | {"passed": {True: "yes", False: "no"}.get(row["passes"], "-")} for row in rows],
        *("rating", ("predicts", "{metric}"), ("description", "{kind}")),
        *(("raters won", "{winning_rate:number}"), ("advantage", "{advantage:number}"), ("passes", "{passed}")),
        *(("Spearman", "{spearman:number}"), ("of a rater", "{spearman_rater:number}")),
    )
    constants = [row["rating"] for row in rows if row["kind"] == "constant" and row["passes"]]
    if constants:
        typer.echo(f"caution: a constant also passes for {', '.join(constants)}, so passing means nothing there")


def _print_segment_metrics(rows: list[dict[str, Any]]) -> None:
    """Print output length and the metrics with the highest segment-level accuracy per criterion."""
    shown: list[dict[str, Any]] = []
    lines = []
    for rating in dict.fromkeys(row["rating"] for row in rows):
        length, *metrics = [row for row in rows if row["rating"] == rating]
        by = "accuracy" if length["pairs"] else "spearman"  # outputs seen one at a time make no pairs
        better = [row for row in metrics if row[by] > length[by]]
        shown += [length, *sorted(better, key=itemgetter(by), reverse=True)[:MOST_PRINTED]]
        lines.append(f"{rating}: {len(better)} of {len(metrics)} metrics agree better than output length")
    print_records(
        [row | {"correct": row["accuracy"] if row["pairs"] else math.nan} for row in shown],
        *(("judged", "{rating}"), "metric", ("pairs ordered correctly", "{correct:number}")),
        *(("Spearman", "{spearman:number}"), RANGE, ("outputs", "{n}"), "pairs"),
    )
    typer.echo("\n".join(lines))
