"""`rainbow audit`: test whether a score drops when texts get worse."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rainbow.audit.audit import BLIND
from rainbow.base.formatting import format_share, format_signed
from rainbow.base.lazy import pd
from rainbow.cli.column_options import add_column_options, default_scores_path, order_arguments, resolve_columns
from rainbow.cli.console import AsJson, Guard, print_json, print_records, rows_bar, track
from rainbow.cli.scorers.score_arguments import load_score
from rainbow.datasets.columns import NO_COLUMNS, Columns

if TYPE_CHECKING:
    from rainbow.audit.audit import Score as ScoreOfRows
    from rainbow.corpus import Corpus

# Share of texts that a trustworthy score should see fall.
TRUSTWORTHY = 0.95

# A line with \b alone keeps the line breaks of what follows.
HELP = """Perturb texts and test whether the score drops.

A reliable score drops if a slot is missing, a value is wrong, words are repeated, or the text is empty. For each kind
of perturbation the table has the number of texts, the share whose score drops with its 95 % interval, and the mean
change. A tie is not a drop. Metrics for which lower is better are reversed.

\b
Kinds of perturbation:
  dropped-slot        a slot is removed
  wrong-value         a slot gets another value of the same slot
  swapped-values      the values of two slots are swapped
  repeated-word       a word is repeated once or twice
  repeated-phrase     two to five words are repeated
  shuffled-words      the words are in random order
  truncated           the last 30 to 60 % of the words are removed
  empty               the text is empty
  unrelated-sentence  an unrelated everyday sentence (English outputs)
  other-reference     a reference of another item
  mr-copied           the input itself: a text, or a meaning representation
  length-padding      one to three empty phrases are added (English outputs)
  previous-turn       the last turn (line) of an input that is free text
  empty-but-fluent    a generic answer that fits any input (English outputs)

Bad outputs have little to lose: --texts references perturbs references instead.

--search looks for nonsense with a good score. It starts from twelve random words of the domain, tries 48 random edits
at a time, and keeps the best; once with any word edited (plain), once with the words that contribute least (guided). A
score that ranks nonsense above human texts can be exploited by a generator that is trained on it. The texts found
are compared with the references (or outputs) of the same input in analysis/DATASET/audit_found.csv and in the report.

--words leaves out each word of every output in turn and prints the words that change the score most. All changes are
in analysis/DATASET/word_changes.csv, and rainbow report colours the outputs by them.

\b
Examples:
  rainbow audit BLEU4
  rainbow audit METEOR sfhotel --kinds dropped-slot,wrong-value
  rainbow audit TER mine.csv --texts references --out audit.csv
  rainbow audit naturalness-fast --search --items 10
  rainbow audit METEOR mine.csv --words && rainbow report mine.csv
"""


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(help=HELP)(add_column_options(audit))


def audit(
    model: Annotated[str, typer.Argument(help="Metric, metric column, model name, or model file.")],
    dataset: Annotated[str, typer.Argument(help="Dataset or file whose texts are perturbed.")] = "demo",
    kinds: Annotated[
        str | None, typer.Option(help="Kinds of perturbation, comma-separated; default all (see below).")
    ] = None,
    texts: Annotated[str, typer.Option(help="Texts to perturb: outputs, or one reference per item.")] = "outputs",
    rows: Annotated[int | None, typer.Option(min=1, help="Number of rows, sampled at random; default all.")] = None,
    search: Annotated[
        bool, typer.Option("--search", help="Search for nonsense with a good score (see above).")
    ] = False,
    words: Annotated[
        bool, typer.Option("--words", help="Leave out each word of every output in turn (see above).")
    ] = False,
    items: Annotated[
        int | None, typer.Option(min=1, help="With --search: number of inputs, sampled at random.", show_default="25")
    ] = None,
    evaluations: Annotated[
        int | None,
        typer.Option(
            min=1, help="With --search: texts to score per input and strategy.", show_default="3840", hidden=True
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Random seed.")] = 2017,
    columns: Columns = NO_COLUMNS,
    out: Annotated[Path | None, typer.Option(help="Output file (.csv).", show_default=False)] = None,
    guard: Guard = False,
    as_json: AsJson = False,
) -> None:
    """Perturb texts and test whether the score drops."""
    from rainbow.cli.scorers.audit_search import SearchOptions, audit_search
    from rainbow.cli.scorers.audit_words import audit_words
    from rainbow.datasets import load_dataset

    model, dataset = order_arguments(model, dataset)
    chosen = _check_usage(texts, kinds)
    options = SearchOptions(items, evaluations, seed, out, guard, as_json)
    if search and words:
        raise typer.BadParameter("cannot be combined with --search", param_hint="--words")
    options.check(search, words, kinds=kinds, texts=None if texts == "outputs" else texts, rows=rows)
    score = load_score(model, columns)
    if search:
        audit_search(score, model, dataset, columns, options)
        return
    if words:
        audit_words(score, model, dataset, columns, out, guard=guard, as_json=as_json)
        return
    columns = resolve_columns(dataset, columns, default_scores_path(dataset)).without("ratings", "scores", "joined")
    corpus = _sample_texts(load_dataset(dataset, **columns.set_options()), texts, rows, seed)
    table = _run_audit(score, model, corpus, chosen, seed)
    if out:
        from rainbow.base.files import write_csv

        write_csv(out, table, guard=guard)
    if as_json:
        about = {"model": model, "dataset": dataset, "texts": texts, "rows": len(corpus), "seed": seed}
        print_json(about | _audit_summary(table))
        return
    _print_audit(table)
    typer.echo(f"{len(corpus)} {texts} of {dataset}, seed {seed}" + (f": {out}" if out else ""))


def _check_usage(texts: str, kinds: str | None) -> list[str] | None:
    """Return the requested kinds, None for all, or raise a usage error before anything is loaded."""
    from rainbow.audit.perturbations import validate_kinds

    if texts not in ("outputs", "references"):
        raise typer.BadParameter(f"{texts!r} is not one of outputs, references", param_hint="--texts")
    try:
        return validate_kinds([kind.strip() for kind in kinds.split(",")]) if kinds else None
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--kinds") from None


def _sample_texts(corpus: Corpus, texts: str, rows: int | None, seed: int) -> Corpus:
    """Return the outputs or references of a corpus, all or a random sample in order."""
    from rainbow.audit.audit import reference_corpus

    if texts == "references":
        corpus = reference_corpus(corpus)
    if rows is None or rows >= len(corpus):
        return corpus
    return corpus.take(sorted(Random(seed).sample(range(len(corpus)), rows)))


def _run_audit(
    score: ScoreOfRows | None, metric: str, corpus: Corpus, kinds: list[str] | None, seed: int
) -> pd.DataFrame:
    from rainbow.audit.audit import audit, audit_metrics

    if score is None:
        with rows_bar() as progress:
            return audit_metrics(corpus, metric, kinds=kinds, seed=seed, progress=progress)
    return audit(score, corpus, kinds=kinds, seed=seed, progress=track)


def _group_by_metric(table: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    """Return the rows of each metric; rows of a model have an empty name."""
    if "metric" not in table:
        return [("", table)]
    return [(str(name), lines) for name, lines in table.groupby("metric", sort=False)]


def _kinds_between(lines: pd.DataFrame, low: float, high: float) -> dict[str, float]:
    """Return the kinds whose share of drops is between `low` and `high`, lowest first."""
    weak = lines[lines["falls"].between(low, high, inclusive="left")].sort_values("falls", kind="stable")
    return dict(zip(weak["kind"], weak["falls"], strict=True))


def _audit_summary(table: pd.DataFrame) -> dict[str, Any]:
    return {
        "kinds": table.to_dict("records"),
        "weak": [
            {
                "metric": name or None,
                "below_80": list(_kinds_between(lines, 0, BLIND)),
                "below_95": list(_kinds_between(lines, 0, TRUSTWORTHY)),
            }
            for name, lines in _group_by_metric(table)
        ],
    }


def _print_audit(table: pd.DataFrame) -> None:
    for name, lines in _group_by_metric(table):
        unscored = bool(lines["unscored"].any())
        print_records(
            [row | {"unscored": row["unscored"] if row["n"] else "-"} for row in lines.to_dict("records")],
            *((name or "kind", "{kind}"), ("texts", "{n}"), ("falls", "{falls:share}")),
            *(("95 % interval", "{range:share}"), ("mean change", "{mean_change:signed}")),
            *[("no score", "{unscored}")] * unscored,
            signed=format_signed,
        )
        typer.echo(_audit_verdict(name, lines))


def _audit_verdict(name: str, lines: pd.DataFrame) -> str:
    """Name the kinds for which the score often does not drop, and define a drop if unclear."""
    from rainbow.audit.audit import column_direction

    if not lines["n"].any():
        return "no text could be perturbed this way, or none has a score"
    blind, weak = _kinds_between(lines, 0, BLIND), _kinds_between(lines, BLIND, TRUSTWORTHY)
    sentences = [
        f"{what}: {', '.join(f'{kind} ({format_share(share)})' for kind, share in kinds.items())}"
        for what, kinds in (("falls below 80 %", blind), ("drops below 95 %, not below 80 %", weak))
        if kinds
    ]
    if not sentences:
        sentences = ["drops for at least 95 % of the texts of every kind"]
    if column_direction(name) is None:
        sentences.append("this metric has no better direction: a drop is a lower value")
    return "\n".join(sentences)
