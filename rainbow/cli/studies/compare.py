"""`rainbow compare`: whether a second run is better than a first on the same items."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from rainbow.base.lazy import pd
from rainbow.cli.column_options import add_column_options, default_scores_path, resolve_columns
from rainbow.cli.console import RANGE, AsJson, print_json, print_records
from rainbow.datasets.columns import NO_COLUMNS, Columns
from rainbow.text.languages.detection import ENGLISH, language_name

SIGNIFICANT = 0.05


class _Run(NamedTuple):
    """The rows of a run with its scores, whether higher is better for each, and the rating that each predicts."""

    frame: pd.DataFrame
    directions: dict[str, bool | None]  # None if it is not known
    predicts: dict[str, str]
    scale: tuple[str, ...]  # words of the ratings
    language: str  # that metrics were computed for


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(add_column_options(compare))


def compare(
    before: Annotated[str, typer.Argument(help="Table of the first run: outputs with scores or ratings per item.")],
    after: Annotated[str, typer.Argument(help="Table of the second run, on the same items.")],
    metrics: Annotated[
        str | None, typer.Option(help="Metrics to compute for both runs as well, comma-separated.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder for compared.csv and changed_items.csv; default analysis/compared.")
    ] = None,
    columns: Columns = NO_COLUMNS,
    as_json: AsJson = False,
) -> None:
    """Compare two runs item by item, and list the items that got worse.

    Scores and ratings that both tables have are compared on the items that both have (--item), such as the samples of
    lm-evaluation-harness, Inspect, HELM or promptfoo. Scores of 0 and 1 are tested by McNemar's exact test, others by
    flipping the signs of the differences, with Holm's correction. If a score predicts a rating, as with two versions of
    a judge (--score judge:higher=quality), it is also tested which run agrees with people better on the same outputs.

    \b
    Examples:
      rainbow compare samples_base.jsonl samples_tuned.jsonl
      rainbow compare v1.csv v2.csv --metrics METEOR,chrF++
      rainbow compare v1.csv v2.csv --rating quality --score judge:higher=quality
    """  # noqa: D301  # the backslash is click's: what follows is not wrapped
    from rainbow.analysis.judges.judge_errors import TABLES as JUDGED
    from rainbow.analysis.judges.judge_errors import compare_judge_runs, has_same_outputs
    from rainbow.analysis.judges.judge_sentences import run_sentences
    from rainbow.analysis.run_comparison import changed_items, compare_runs
    from rainbow.scoring.result_tables import write_tables
    from rainbow.stats.tidy_tables import records

    runs = [_read_run(name, columns, metrics) for name in (before, after)]
    shared = {name: better for name, better in runs[0].directions.items() if name in runs[1].directions}
    if not shared:
        raise ValueError(f"{before} and {after} have no score and no rating in common: name some, --metrics METEOR")
    _check_languages(runs[0], runs[1])
    frames = runs[0].frame, runs[1].frame
    predicts = {name: rating for name, rating in runs[0].predicts.items() if runs[1].predicts.get(name) == rating}
    judges = predicts if has_same_outputs(*frames) else {}
    shared = {name: better for name, better in shared.items() if name not in {*judges, *judges.values()}}
    tables = compare_judge_runs(*frames, judges, runs[0].scale)
    if shared:
        tables |= {"compared": compare_runs(*frames, shared), "changed_items": changed_items(*frames, shared)}
    folder = out or Path("analysis") / "compared"
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("compared", "changed_items", *JUDGED):
        (folder / f"{name}.csv").unlink(missing_ok=True)
    write_tables(folder, tables)
    rows = records(tables["compared"]) if shared else []
    if as_json:
        print_json(rows + [row for name in JUDGED[:2] if name in tables for row in records(tables[name])])
        return
    if rows:
        _print_runs(rows)
    for sentence in run_sentences(tables):
        typer.echo(sentence)
    typer.echo(f"in {folder}/")


def _check_languages(before: _Run, after: _Run) -> None:
    """Raise ValueError if metrics were computed for two languages."""
    if before.language != after.language:
        raise ValueError(
            f"the first run is scored as {language_name(before.language)}, the second as "
            f"{language_name(after.language)}: give both one --language"
        )


def _print_runs(rows: list[dict[str, Any]]) -> None:
    print_records(
        [row | {"p": "-" if row["p_holm"] != row["p_holm"] else f"{row['p_holm']:.2g} {row['test']}"} for row in rows],
        *("metric", ("items", "{n}"), ("before", "{before:number}"), ("after", "{after:number}")),
        *(("difference", "{difference:number}"), RANGE, "p", "better", "worse"),
        ("detectable", "{detectable:number}"),
    )
    for row in rows:
        typer.echo(_verdict(row))
    typer.echo("detectable: a true difference of this size is found 8 times in 10")


def _read_run(name: str, given: Columns, metrics: str | None) -> _Run:
    """Return the rows of a table with its own scores and ratings, and with computed metrics."""
    from rainbow.corpus import Corpus
    from rainbow.datasets import open_dataset
    from rainbow.metrics.contract.registry import all_columns
    from rainbow.scoring.score_corpus import score_corpus

    rows = open_dataset(name, **resolve_columns(name, given, default_scores_path(name)).set_options())
    corpus = Corpus.concatenate(list(rows.chunks(1 << 62)))
    external = rows.metadata().get("external", {})
    directions: dict[str, bool | None] = {
        score: None if about.get("unknown") else about["higher_is_better"] for score, about in external.items()
    }
    directions |= dict.fromkeys(corpus.ratings, True)
    predicts = {score: about["rating"] for score, about in external.items() if about.get("rating") in corpus.ratings}
    frame, language = corpus.frame, ENGLISH
    if metrics:
        scores = score_corpus(corpus, [part.strip() for part in metrics.split(",") if part.strip()])
        frame = frame.assign(**{str(column): scores[column].to_numpy() for column in scores})
        directions |= {str(column): all_columns()[str(column)][0].higher_is_better for column in scores}
        language = scores.attrs.get("language", ENGLISH)
    scale = tuple(rows.metadata()["columns"].get("scale", ()))
    return _Run(frame, directions, predicts, scale, language)


def _verdict(row: dict[str, Any]) -> str:
    """Return in one sentence whether the second run is better."""
    name, better = row["metric"], row["higher_is_better"]
    if isinstance(row["reason"], str):
        return f"{name}: {row['reason']}"
    if not row["p_holm"] < SIGNIFICANT:
        return f"{name}: no difference found"
    if better is None or better != better:
        return f"{name}: {'higher' if row['difference'] > 0 else 'lower'} in the second run"
    return f"{name}: the second run is {'better' if (row['difference'] > 0) == bool(better) else 'worse'}"
