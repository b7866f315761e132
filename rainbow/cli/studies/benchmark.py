"""`rainbow benchmark`: compare every score, and yours, on every rated corpus."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rainbow.base.formatting import format_count, format_number, format_p
from rainbow.base.lazy import pd
from rainbow.cli.column_options import default_scores_path
from rainbow.cli.console import RANGE, AsJson, print_json, print_records, rows_bar

if TYPE_CHECKING:
    from rainbow.analysis.benchmark.rated_corpus import RatedCorpus

MOST_PRINTED = 15  # scores


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(benchmark)


def benchmark(
    corpora: Annotated[
        list[str] | None,
        typer.Argument(help="Datasets, files with computed metrics, or tables of scores; default all available."),
    ] = None,
    submission: Annotated[
        Path | None, typer.Option(exists=True, help="Your scores: table with id, dataset if several, and scores.")
    ] = None,
    score: Annotated[
        list[str] | None,
        typer.Option(help="Score column of the submission, NAME:higher or NAME:lower (may be repeated)."),
    ] = None,
    texts: Annotated[Path | None, typer.Option(help="Write all texts to this file (.jsonl) and stop.")] = None,
    learned: Annotated[
        bool,
        typer.Option(
            "--learned/--no-learned", help="Include learned metrics, on corpora they did not learn from.", hidden=True
        ),
    ] = True,
    out: Annotated[Path, typer.Option(help="Folder of the table.")] = Path("benchmark"),
    reports: Annotated[Path, typer.Option(help="Folder of the page.", hidden=True)] = Path("reports"),
    resamples: Annotated[int, typer.Option(min=1, help="Number of bootstrap resamples.")] = 500,
    seed: Annotated[int, typer.Option(min=0, help="Random seed.")] = 2017,
    workers: Annotated[int, typer.Option(min=1, help="Number of worker processes.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Benchmark scores against human ratings on every available corpus.

    It ranks metrics, external scores, judges, learned metrics (on corpora they did not learn from), and a submission.
    Each has its agreement, an interval, and the cluster of scores that do not differ; baselines are output length and
    rater agreement. Scores come from metrics/*.parquet; missing ones of fetched datasets are computed. Writes
    benchmark/benchmark.parquet and reports/benchmark.html. An interrupted run resumes.

    \b
    Examples:
      rainbow fetch emnlp2017 e2e webnlg2020 && rainbow benchmark --workers 2
      rainbow benchmark sfhotel mine.csv
      rainbow benchmark --texts texts.jsonl
      rainbow benchmark --submission mine.csv --score mine:higher
    """  # noqa: D301  # the backslash is click's: what follows is not wrapped
    from rainbow.benchmark.corpora import export_texts
    from rainbow.benchmark.run import BENCHMARK, save_benchmark
    from rainbow.benchmark.run import run_benchmark as measured
    from rainbow.reports.pages.benchmark_page import benchmark_page
    from rainbow.reports.pages.page import write_page

    names = _score_names(submission, score)
    result = _load_corpora(corpora, workers)
    if texts:
        typer.echo(
            f"{export_texts(result, texts)}: {format_count(sum(len(corpus.frame) for corpus in result), 'output')}"
        )
        return
    table = measured(
        _add_scores(result, submission, score or [], learned, out), out, resamples=resamples, seed=seed, workers=workers
    )
    path = save_benchmark(table, out / BENCHMARK)
    page = write_page(benchmark_page(table), reports)
    if as_json:
        print_json({"table": str(path), "page": str(page.path), "rows": table.to_dict("records"), **table.attrs})
        return
    (_print_submission if names else _print_means)(table, names)
    typer.echo(f"{path}, {page.path}")


def _score_names(submission: Path | None, score: list[str] | None) -> list[str]:
    from rainbow.datasets.columns import Score

    if bool(submission) != bool(score):
        raise typer.BadParameter("give a file and its columns, --submission and --score", param_hint="--submission")
    try:
        return [Score.parse(entry).name for entry in score or []]
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--score") from None


def _load_corpora(names: list[str] | None, workers: int) -> list[RatedCorpus]:
    """Return the selected corpora with missing scores computed."""
    from rainbow.benchmark.corpora import available_tables, compute_missing_scores, rated_corpora
    from rainbow.scoring.saved_scores import is_score_table

    at_hand = available_tables(default_scores_path("").parent)
    tables = at_hand
    if names:
        own = {name: Path(name) if is_score_table(Path(name)) else default_scores_path(name) for name in names}
        tables = {name: at_hand.get(name, path) for name, path in own.items()}
    with rows_bar() as progress:
        for name, path in tables.items():
            if missing := compute_missing_scores(name, path, workers=workers, progress=progress):
                typer.echo(f"{path}: {format_count(len(missing), 'column')} computed", err=True)
    for name, path in tables.items() if names else ():
        if not path.is_file():
            raise FileNotFoundError(f"{path} does not exist: run `rainbow metrics {name}` first, with its ratings")
    return list(rated_corpora(tables))


def _add_scores(
    corpora: list[RatedCorpus], submission: Path | None, score: list[str], learned: bool, out: Path
) -> list[RatedCorpus]:
    """Return the corpora with learned and submitted scores."""
    from rainbow.benchmark.corpora import add_learned_scores, add_submission
    from rainbow.datasets.columns import Score

    if learned:
        corpora = add_learned_scores(corpora, out / "learned", Path("analysis"))
    return add_submission(corpora, submission, [Score.parse(entry) for entry in score]) if submission else corpora


def _print_means(table: pd.DataFrame, _: list[str]) -> None:
    """Print the best means, and the best score per corpus and rating."""
    from rainbow.analysis.benchmark.agreement import NOT_EVERYWHERE, WHY_DIFFERENT, top_scores

    overall = table[table["corpus"] == "all"].head(MOST_PRINTED)
    columns = ("score", "{metric}"), ("kind", "{group}"), ("mean over corpora", "{value:number}"), ("corpora", "{n}")
    print_records(overall.itertuples(), *columns, ("p (better than length)", "{p_length:p}"))
    if reason := next((each for each in overall["reason"] if each and each != NOT_EVERYWHERE), None):
        typer.echo(f"means are not tested against the best: {reason}")
    best = top_scores(table)
    _print_results(best, table)
    for row in best[~best["named"]].itertuples():
        typer.echo(f"verdict on {row.corpus}: {row.headline}")
    if not best["named"].all():
        typer.echo(WHY_DIFFERENT)


def _print_results(rows: pd.DataFrame, table: pd.DataFrame) -> None:
    """Print results on single corpora, next to the size of the first cluster."""
    cells = table.assign(first=table["cluster"] == 1, ranked=table["rank"].notna()).groupby(["corpus", "rating"])
    sizes = cells[["first", "ranked"]].sum().reset_index()
    print_records(
        rows.merge(sizes, on=["corpus", "rating"]).itertuples(),
        *("corpus", "rating", ("score", "{metric}"), "measure"),
        *(("agreement", "{value:number}"), RANGE, "rank", "cluster"),
        *(("in cluster 1", "{first} of {ranked}"), ("length", "{length:number}"), ("people", "{ceiling:number}")),
    )


def _print_submission(table: pd.DataFrame, names: list[str]) -> None:
    """Print all results of the submitted scores."""
    from rainbow.analysis.benchmark.agreement import NOT_EVERYWHERE

    own = table[table["metric"].isin(names)]
    _print_results(own[own["corpus"] != "all"], table)
    means: list[Any] = list(own[own["corpus"] == "all"].itertuples())
    ranked = int(table[table["corpus"] == "all"]["rank"].notna().sum())
    for row in means:
        place = "" if row.reason == NOT_EVERYWHERE else f"rank {row.rank} of {ranked}; "
        comparison = f"length has {format_number(row.length)}, p = {format_p(row.p_length)}"
        typer.echo(
            f"{row.metric}: {format_number(row.value)} on average over "
            f"{format_count(row.n, 'corpus', 'corpora')}; {place}{comparison}"
        )
