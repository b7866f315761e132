"""`rainbow judge`: rate outputs with a language model on a server."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rainbow.base.formatting import format_count
from rainbow.base.lazy import pd
from rainbow.cli.column_options import add_column_options, default_scores_path, resolve_columns
from rainbow.cli.console import AsJson, Guard, print_json, print_records, rows_bar
from rainbow.datasets.columns import NO_COLUMNS, Columns

if TYPE_CHECKING:
    from rainbow.corpus import Corpus
    from rainbow.judging.answer_store import Answers
    from rainbow.judging.judge import Criterion, Judge
    from rainbow.judging.questions import Judged, Question, Request

LONGEST_SHOWN = 3  # reasons of missing marks


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(add_column_options(judge))


def judge(
    dataset: Annotated[str, typer.Argument(help="Dataset or your own file.")],
    judge: Annotated[Path, typer.Option(help="Judge file: models and prompts (docs/judges.md).")] = Path("judge.toml"),
    columns: Columns = NO_COLUMNS,
    items: Annotated[int, typer.Option(min=0, help="Number of inputs, evenly spaced; 0 for all.")] = 0,
    budget: Annotated[
        int | None, typer.Option(min=1, help="Maximum number of tokens, prompts and answers together.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Start without confirmation.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the first prompt and the cost estimate, then stop.")
    ] = False,
    answers: Annotated[Path, typer.Option(help="Folder of cached answers.", hidden=True)] = Path(
        "judged/answers.sqlite"
    ),
    out: Annotated[Path | None, typer.Option(help="Output file (.csv); default judged/DATASET.csv.")] = None,
    guard: Guard = False,
    as_json: AsJson = False,
) -> None:
    """Rate every output with a language model, through any OpenAI-compatible server.

    Writes judged/DATASET.csv, with a column of marks for each table in judge.toml and the reason of each missing
    mark, and judged/DATASET.json, with signatures. Then it prints the command that compares the marks with human
    ratings. Answers are cached: an interrupted run resumes, and no prompt is sent twice. The API key is read from the
    environment and is never saved.

    \b
    Examples:
      rainbow judge mine.csv --dry-run
      rainbow judge mine.csv --items 20 --budget 50000
      rainbow judge sfhotel --judge local.toml --yes
    """  # noqa: D301  # the backslash is click's: what follows is not wrapped
    from rainbow.datasets import load_dataset
    from rainbow.judging.answer_store import Answers
    from rainbow.judging.judge import read_judge
    from rainbow.judging.questions import make_questions

    if out and out.suffix != ".csv":
        raise typer.BadParameter(f"{out} is not a .csv file", param_hint="--out")
    asked_of, path = read_judge(judge), out or Path("judged") / f"{Path(dataset).stem}.csv"
    known = resolve_columns(dataset, columns, default_scores_path(dataset))
    corpus = _sample_items(load_dataset(dataset, **known.without("scores", "joined").set_options()), items)
    _check_names(asked_of, corpus, dataset)
    _check_destination(path, dataset)
    asked = make_questions(corpus, asked_of)
    with Answers(answers) as kept, _resume_hint(answers):
        result = _ask_judge(asked_of, corpus, asked, kept, budget, dry_run=dry_run, yes=yes)
    if result is None:
        return
    _write_ratings(path, result, guard)
    if as_json:
        print_json({"table": str(path), "tokens": result.tokens, "columns": result.about})
        return
    _print_ratings(result, len(corpus))
    _check_join(dataset, known, path, result)
    typer.echo(f"{path}. Evaluate the judge next:\n{_next_command(dataset, columns, path, asked_of, corpus.ratings)}")


def _check_names(judge: Judge, corpus: Corpus, dataset: str) -> None:
    """Raise an error if judge columns clash with columns of the dataset or metrics."""
    from rainbow.corpus.corpus_table import COLUMNS, rater_columns
    from rainbow.datasets.columns import REFERENCE_COLUMN
    from rainbow.judging.judge import MISSING
    from rainbow.metrics.contract.registry import all_columns

    for criterion in judge.criteria:
        for name in (criterion.column, criterion.column + MISSING):
            rater = any(name in rater_columns(pd.DataFrame(columns=[name]), each) for each in corpus.ratings)
            if name in corpus.frame or name in COLUMNS or REFERENCE_COLUMN.fullmatch(name):
                raise ValueError(f"[{criterion.column}]: {dataset} already has a column {name}: rename the table")
            if name in all_columns() or rater:
                other = "a metric" if name in all_columns() else "a single rater"
                raise ValueError(f"[{criterion.column}]: {name} is the name of {other}: rename the table")


def _check_destination(path: Path, dataset: str) -> None:
    """Raise an error if the ratings cannot be written or would overwrite the input."""
    from rainbow.base.files import check_writable

    for each in (path, path.with_suffix(".json")):
        if each.exists() and (each.is_dir() or each.resolve() == Path(dataset).resolve()):
            what = "a folder" if each.is_dir() else "the judged file"
            raise ValueError(f"{each} is {what} and would be overwritten: choose another --out")
    check_writable(path.parent)


def _sample_items(corpus: Corpus, items: int) -> Corpus:
    """Return the outputs of a limited number of evenly spaced items."""
    groups = list(corpus.frame.groupby(["dataset", "item"], sort=False).indices.values())
    if not items or items >= len(groups):
        return corpus
    chosen = (groups[number * len(groups) // items] for number in range(items))
    return corpus.take(sorted(int(row) for rows in chosen for row in rows))


@contextmanager
def _resume_hint(answers: Path) -> Iterator[None]:
    """Print how to resume after Ctrl-C."""
    try:
        yield
    except KeyboardInterrupt:
        typer.echo(f"interrupted: answers are saved in {answers}; run the same command to resume", err=True)
        raise typer.Exit(130) from None


def _ask_judge(
    judge: Judge,
    corpus: Corpus,
    asked: list[Question],
    stored: Answers,
    budget: int | None,
    *,
    dry_run: bool,
    yes: bool,
) -> Judged | None:
    """Send the requests without an answer after confirmation; return None for a dry run."""
    from rainbow.judging.questions import collect_ratings, request_key
    from rainbow.judging.requests_sender import send_requests
    from rainbow.judging.server import Server

    keyed = [(request_key(judge.url, request), request, each.criterion) for each in asked for request in each.requests]
    requests = {key: request for key, request, _ in keyed}
    left, tokens = _estimate_tokens(requests, stored)
    announcement = f"{format_count(len(requests), 'request')} to {judge.model} at {judge.url}"
    typer.echo(
        f"{announcement}, {len(requests) - left:,} already answered; about {tokens:,} tokens for the rest", err=True
    )
    if dry_run:
        typer.echo(next(iter(requests.values()))["messages"][0]["content"] if requests else "there is nothing to ask")
        return None
    if budget is not None and tokens > budget:
        raise ValueError(f"about {tokens:,} tokens are needed but the budget is {budget:,}: reduce --items")
    if left and not yes:
        typer.confirm("Send them (--yes skips this question)?", abort=True, err=True)
    reasons: dict[str, str] = {}
    if left:
        criteria = {key: criterion for key, _, criterion in keyed}
        with rows_bar() as progress:
            reasons = send_requests(
                requests,
                Server(judge),
                stored,
                at_once=judge.at_once,
                budget=budget,
                check=partial(_check_probabilities, judge, criteria, stored),
                progress=progress,
            )
    return collect_ratings(corpus, judge, asked, stored.lookup(requests), reasons)


def _estimate_tokens(requests: dict[str, Request], stored: Answers) -> tuple[int, int]:
    """Return the number of requests without an answer and their estimated tokens."""
    from rainbow.judging.questions import estimate_tokens
    from rainbow.judging.requests_sender import characters_per_token

    known = stored.lookup(requests)
    left = [request for key, request in requests.items() if key not in known]
    return len(left), sum(estimate_tokens(left, characters_per_token(requests, known)))


def _check_probabilities(judge: Judge, criteria: dict[str, Criterion], stored: Answers, key: str, answer: Any) -> None:
    """Raise an error at the first answer of a server that returns no probabilities."""
    from rainbow.judging.answer_parser import NO_LOGPROBS, parse_mark

    if parse_mark(answer, criteria[key]).reason != NO_LOGPROBS:
        return
    same = [each for each, criterion in criteria.items() if criterion is criteria[key]]
    if all(parse_mark(each, criteria[key]).reason == NO_LOGPROBS for each in stored.lookup(same).values()):
        raise ValueError(
            f"{judge.url} returns no probabilities (logprobs) for {judge.model}: set "
            f'read = "text" under [{criteria[key].column}]'
        )


def _write_ratings(path: Path, judged: Judged, guard: bool) -> None:
    from rainbow.base.files import write_csv, write_json

    write_csv(path, judged.table, guard=guard)
    write_json(path.with_suffix(".json"), {"tokens": judged.tokens, "columns": judged.about})


def _print_ratings(judged: Judged, rows: int) -> None:
    from rainbow.stats.order.position_bias import position_sentence

    print_records(
        [{"column": column, "reasons": _missing_reasons(about), **about} for column, about in judged.about.items()],
        *("column", ("outputs", str(rows)), ("marked", "{answered}"), ("mean", "{mean:number}")),
        *(("sd", "{deviation:number}"), ("missing", "{reasons}")),
    )
    for column, about in judged.about.items():
        if "position" in about:
            typer.echo(f"{column}: {position_sentence(about['position'])}")
    typer.echo(f"{judged.tokens:,} tokens, as counted by the server")


def _missing_reasons(details: dict[str, Any]) -> str:
    missing = sorted(details["missing"].items(), key=lambda entry: -entry[1])
    return "; ".join(f"{format_count(count, 'row')}: {reason}" for reason, count in missing[:LONGEST_SHOWN])


def _check_join(dataset: str, known: Columns, path: Path, judged: Judged) -> None:
    """Warn if ratings could be joined to the wrong rows because the file has no unique rows or IDs."""
    import numpy as np

    from rainbow.datasets import load_dataset

    scores = [f"{column}:higher" for column in judged.about]
    columns = known.with_defaults(Columns.create(scores=scores, joined=[path]))
    frame = load_dataset(dataset, **columns.set_options()).frame
    own = judged.table.set_index("id").reindex(frame["id"])
    for column in judged.about:
        marks, joined = own[column].to_numpy(float), frame[column].to_numpy(float)
        wrong = int((~np.isnan(marks) & ~np.isclose(marks, joined, equal_nan=True)).sum())
        if wrong:
            typer.echo(
                f"caution: {column} of {wrong} rows may be joined to other equal rows: add an id column to {dataset}"
            )


def _next_command(dataset: str, given: Columns, path: Path, judge: Judge, ratings: tuple[str, ...]) -> str:
    """Return the command that evaluates the judge."""
    arguments = []
    for criterion in judge.criteria:
        stands_for = f"={criterion.rating}" if criterion.rating in ratings else ""
        arguments.append(f"{criterion.column}:higher{stands_for}")
    options = given.with_defaults(Columns.create(scores=arguments, joined=[path]))
    return f"rainbow analyse {shlex.quote(dataset)} {options}"
