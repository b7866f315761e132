"""`rainbow audit`: whether a metric or a model falls when the text gets worse."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rainbow.base.printed import between
from rainbow.cli.columns import in_order, saved_path, settled, takes_columns
from rainbow.cli.console import AsJson, Guard, print_json, print_table, rows_bar, track
from rainbow.cli.scorers.chosen import chosen_score
from rainbow.datasets.columns import NOTHING, Columns

if TYPE_CHECKING:
    import pandas as pd

    from rainbow.audit.audit import Score as ScoreOfRows
    from rainbow.corpus import Corpus

# Shares of texts that a trustworthy score should see fall, and below which it is blind to a kind of fault.
TRUSTWORTHY, BLIND = 0.95, 0.8

# A line with \b alone keeps the line breaks of what follows.
HELP = """Make texts worse on purpose and see whether the score falls.

A score that people may rely on, or train a generator with, has to fall when a slot is left out, a value is wrong,
words are repeated, or the text is empty. For each kind of fault the table has the number of texts that it could be
made of, the share of them whose score falls, the 95 % interval of that share, and the mean change in units of the
score. A tie is no fall. Metrics for which lower is better are turned round.

\b
Kinds of perturbation:
  dropped-slot        a slot is not said any more
  wrong-value         another value is said, one that the slot has elsewhere
  swapped-values      the values of two slots change places
  repeated-word       a word is said twice or three times
  repeated-phrase     two to five words are said twice
  shuffled-words      the words stand in random order
  truncated           the last 30 to 60 % of words are cut off
  empty               nothing is said
  unrelated-sentence  a sentence from everyday life
  other-reference     a reference of another item
  mr-copied           the meaning representation as it is written
  length-padding      one to three sentences more that say nothing

An output that is bad already has little to lose; --texts references starts from good texts.

--search goes the other way: for each of some inputs it looks for a text with a good score, from twelve random words of
the domain, 48 random edits at a time, the best of which is kept; once with any words edited (plain), once with those
that earn least by the score itself (guided). A score that puts word salad above what people wrote will be cheated
when a generator is trained to please it. Found texts stand beside the worst, the median and the best reference of the
same input, or beside its outputs where there are no references, in analysis/DATASET/audit_found.csv, which rainbow
report shows.

--words leaves out the words of every output one by one: what changes the score most, on average, is printed; every word
of every output goes to analysis/DATASET/word_changes.csv, and rainbow report colours the outputs by it.

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
    app.command(help=HELP)(takes_columns(audit))


def audit(
    model: Annotated[str, typer.Argument(help="A metric or one of its columns, a model's name, or a model file.")],
    dataset: Annotated[
        str, typer.Argument(help="Whose texts to perturb: demo, sfhotel ..., or your own file.")
    ] = "demo",
    kinds: Annotated[
        str | None, typer.Option(help="Kinds of perturbation, with commas between; by default all (see below).")
    ] = None,
    texts: Annotated[
        str, typer.Option(help="outputs, or references: perturb a reference of each item, compared with the others.")
    ] = "outputs",
    rows: Annotated[int | None, typer.Option(min=1, help="Only so many rows, drawn at random; all by default.")] = None,
    search: Annotated[
        bool, typer.Option("--search", help="Search for word salad with a good score (see above).")
    ] = False,
    words: Annotated[
        bool, typer.Option("--words", help="Leave out the words of every output one by one (see above).")
    ] = False,
    items: Annotated[
        int | None, typer.Option(min=1, help="With --search: for so many inputs, drawn at random.", show_default="25")
    ] = None,
    evaluations: Annotated[
        int | None,
        typer.Option(
            min=1, help="With --search: score so many texts for each input and way.", show_default="3840", hidden=True
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of everything that is drawn.")] = 2017,
    columns: Columns = NOTHING,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Write the table to this file, .csv; with --search and --words, not into analysis/.",
            show_default=False,
        ),
    ] = None,
    guard: Guard = False,
    as_json: AsJson = False,
) -> None:
    """Make texts worse on purpose and see whether the score falls."""
    from rainbow.cli.scorers.audit_search import SearchOptions, audit_search
    from rainbow.cli.scorers.audit_words import audit_words
    from rainbow.datasets import load_dataset

    model, dataset = in_order(model, dataset)
    chosen = _check_usage(texts, kinds)
    options = SearchOptions(items, evaluations, seed, out, guard, as_json)
    if search and words:
        raise typer.BadParameter("it does not go with --search", param_hint="--words")
    options.check(search, words, kinds=kinds, texts=None if texts == "outputs" else texts, rows=rows)
    score = chosen_score(model, columns)
    if search:
        audit_search(score, model, dataset, columns, options)
        return
    if words:
        audit_words(score, model, dataset, columns, out, guard=guard, as_json=as_json)
        return
    columns = settled(dataset, columns, saved_path(dataset)).without("ratings", "scores", "joined")
    corpus = _texts_to_perturb(load_dataset(dataset, **columns.declared()), texts, rows, seed)
    table = _audited(score, model, corpus, chosen, seed)
    if out:
        from rainbow.base.files import write_csv

        write_csv(out, table, guard=guard)
    if as_json:
        about = {"model": model, "dataset": dataset, "texts": texts, "rows": len(corpus), "seed": seed}
        print_json(about | _summary(table))
        return
    _print(table)
    typer.echo(f"{len(corpus)} {texts} of {dataset}, seed {seed}" + (f": {out}" if out else ""))


def _check_usage(texts: str, kinds: str | None) -> list[str]:
    """Return the kinds that are meant; refuse wrong ones before anything is loaded."""
    from rainbow.audit.perturbations import known_kinds

    if texts not in ("outputs", "references"):
        raise typer.BadParameter(f"{texts!r} is neither outputs nor references", param_hint="--texts")
    try:
        return known_kinds([kind.strip() for kind in kinds.split(",")] if kinds else None)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--kinds") from None


def _texts_to_perturb(corpus: Corpus, texts: str, rows: int | None, seed: int) -> Corpus:
    """Return the outputs or the references of a corpus, all or so many random ones in their order."""
    from rainbow.audit.audit import corpus_of_references

    if texts == "references":
        corpus = corpus_of_references(corpus)
    if rows is None or rows >= len(corpus):
        return corpus
    return corpus.take(sorted(Random(seed).sample(range(len(corpus)), rows)))


def _audited(score: ScoreOfRows | None, metric: str, corpus: Corpus, kinds: list[str], seed: int) -> pd.DataFrame:
    from rainbow.audit.audit import audit, audit_metrics

    if score is None:
        with rows_bar() as progress:
            return audit_metrics(corpus, metric, kinds=kinds, seed=seed, progress=progress)
    return audit(score, corpus, kinds=kinds, seed=seed, progress=track)


def _by_metric(table: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    """Return the lines of each metric; those of a model stand under no name."""
    if "metric" not in table:
        return [("", table)]
    return [(str(name), lines) for name, lines in table.groupby("metric", sort=False)]


def _weak(lines: pd.DataFrame, low: float, high: float) -> dict[str, float]:
    """Return the kinds whose share of falls is at least `low` and below `high`, the lowest first."""
    weak = lines[lines["falls"].between(low, high, inclusive="left")].sort_values("falls", kind="stable")
    return dict(zip(weak["kind"], weak["falls"], strict=True))


def _summary(table: pd.DataFrame) -> dict[str, Any]:
    return {
        "kinds": table.to_dict("records"),
        "weak": [
            {
                "metric": name or None,
                "below_80": list(_weak(lines, 0, BLIND)),
                "below_95": list(_weak(lines, 0, TRUSTWORTHY)),
            }
            for name, lines in _by_metric(table)
        ],
    }


def _print(table: pd.DataFrame) -> None:
    for name, lines in _by_metric(table):
        unscored = bool(lines["unscored"].any())
        header = [name or "kind", "texts", "falls", "95 % interval", "mean change", *["no score"] * unscored]
        print_table(header, [_cells(lines.loc[place], unscored) for place in lines.index])
        typer.echo(_verdict(name, lines))


def _cells(line: pd.Series[Any], unscored: bool) -> list[str]:
    if not line["n"]:
        return [line["kind"], "0", "-", "-", "-", *["-"] * unscored]
    return [
        line["kind"],
        str(line["n"]),
        _percent(line["falls"]),
        between(line["low"], line["high"], _percent),
        "-" if line["mean_change"] != line["mean_change"] else f"{line['mean_change']:+.3f}",
        *[str(line["unscored"])] * unscored,
    ]


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _verdict(name: str, lines: pd.DataFrame) -> str:
    """Say for which kinds the score often does not fall, and what a fall is where that is not plain."""
    from rainbow.audit.audit import direction

    if not lines["n"].any():
        return "no text could be perturbed in these ways, or none has a score"
    blind, weak = _weak(lines, 0, BLIND), _weak(lines, BLIND, TRUSTWORTHY)
    said = [
        f"{what}: {', '.join(f'{kind} ({_percent(share)})' for kind, share in kinds.items())}"
        for what, kinds in (("falls below 80 %", blind), ("falls below 95 %, not below 80 %", weak))
        if kinds
    ]
    if not said:
        said = ["falls for at least 95 % of the texts of every kind"]
    if direction(name) is None:
        said.append("neither direction of this metric is better by itself: a fall is a lower number")
    return "\n".join(said)
