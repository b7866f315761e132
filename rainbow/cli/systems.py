"""`rainbow systems`: compare systems by metrics and judgements."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from rainbow.base.files import Note
from rainbow.base.formatting import format_count, format_number
from rainbow.base.lazy import pd
from rainbow.cli.column_options import add_column_options, default_scores_path, resolve_columns
from rainbow.cli.console import AsJson, Guard, command_line, print_json, print_records, rows_bar, track
from rainbow.datasets.columns import NO_COLUMNS, Columns

if TYPE_CHECKING:
    from rainbow.corpus import Corpus
    from rainbow.systems.text_measures.textual_measures import Trees

# Texts between two moves of the progress bar.
PARSED_AT_ONCE = 40
PRINTED = ("normalised_average", "BLEU", "NIST", "METEOR", "ROUGE-L", "CIDEr", "TER", "chrF++")


class _Evaluation(NamedTuple):
    """A named corpus to evaluate, with judgements and notes on its files."""

    name: str
    corpus: Corpus
    judgements: pd.DataFrame | None
    notes: tuple[Note, ...]


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(add_column_options(systems))


def systems(
    context: typer.Context,
    dataset: Annotated[str | None, typer.Argument(help="Dataset, or your own table with a system column.")] = None,
    outputs: Annotated[
        list[Path] | None,
        typer.Option(help="Outputs of one system, tab-separated MR and output, or plain text (may be repeated)."),
    ] = None,
    references: Annotated[
        Path | None, typer.Option(help="With --outputs: file of references (columns mr, ref) or plain text.")
    ] = None,
    judgements: Annotated[
        Path | None,
        typer.Option(help="Table of individual judgements: judgement, item, system, criterion, kind, value."),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Output folder; default analysis/DATASET.")] = None,
    resamples: Annotated[int, typer.Option(min=1, help="Number of bootstrap resamples and permutations.")] = 10_000,
    seed: Annotated[int, typer.Option(min=0, help="Random seed.")] = 2017,
    threads: Annotated[int | None, typer.Option(min=1, help="Number of threads; default one per processor.")] = None,
    as_published: Annotated[
        bool, typer.Option("--as-published", help="Use texts, measures and rankings as published.", hidden=True)
    ] = False,
    belz_reiter: Annotated[
        bool,
        typer.Option(
            "--belz-reiter",
            help="Add the analysis of Belz and Reiter (2006): NIST-5, BLEU-4, ROUGE-4, SE, rater groups.",
            hidden=True,
        ),
    ] = False,
    lenient: Annotated[
        bool | None,
        typer.Option("--lenient/--strict", help="Leave out items that lack a text; default unless --outputs is given."),
    ] = None,
    metrics: Annotated[str | None, typer.Option(help="Additional corpus-level metrics, comma-separated.")] = None,
    view: Annotated[
        str | None, typer.Option(help="Texts for word-based metrics, e.g. a tokeniser of sacrebleu: 13a, zh, ja-mecab.")
    ] = None,
    parse: Annotated[
        bool, typer.Option("--parse", help="Parse all texts for syntactic complexity (needs make parser).")
    ] = False,
    columns: Columns = NO_COLUMNS,
    guard: Guard = False,
    as_json: AsJson = False,
) -> None:
    """Compare systems by metrics, with intervals and significance tests; tables go into analysis/DATASET.

    \b
    Examples:
      rainbow fetch e2e && rainbow systems e2e
      rainbow systems mine.csv --system model --output text --reference gold
      rainbow systems --outputs tgen.tsv --outputs slug.tsv --references refs.csv

    Systems that share a letter in the printed table do not differ significantly in the metric that they are sorted by
    (approximate randomisation, Holm's correction, 5 %).
    """  # noqa: D301  # the backslash is click's: what follows is not wrapped
    from rainbow.systems.replications.belz_reiter import belz_reiter_tables as tables_of_study
    from rainbow.systems.replications.e2e_challenge.challenge_options import CHALLENGE
    from rainbow.systems.system_evaluation import DEFAULT_OPTIONS, evaluate_systems
    from rainbow.systems.system_files import report_texts, save_systems

    _check_usage(dataset, outputs, references, columns)
    if parse:
        _check_parser()
    lenient = not outputs if lenient is None else lenient  # as `rainbow run` compares the systems of a table
    if outputs and references:
        loaded = _load_files(outputs, references, columns.encoding, as_published, lenient)
    else:
        loaded = _load_table(str(dataset), columns, as_published)
    if judgements:
        from rainbow.datasets import judgements as read

        loaded = loaded._replace(judgements=read(judgements))
    further = [name.strip() for name in (metrics or "").split(",") if name.strip()]
    own = bool(outputs) or Path(str(dataset)).suffix != ""
    tables = evaluate_systems(
        loaded.corpus,
        loaded.judgements,
        rng=seed,
        resamples=resamples,
        options=CHALLENGE if as_published else DEFAULT_OPTIONS,
        lenient=lenient or not own,  # published texts are taken as they are
        trees=_parse_texts(loaded.corpus) if parse else None,
        threads=threads or os.cpu_count() or 1,
        extra=tables_of_study if belz_reiter else None,
        progress=track,
        metrics=further,
        view=view,
    )
    tables["notes"] = _merge_notes(loaded.notes, tables["notes"])
    tables |= report_texts(loaded.corpus)
    folder = out or Path("analysis") / (f"{loaded.name}-published" if as_published else loaded.name)
    about = {"seed": seed, "resamples": resamples, "command": command_line(context)}
    summary = save_systems(folder, tables, about, guard)
    if as_json:
        print_json(summary)
    else:
        _print_systems(tables, folder, tuple(dict.fromkeys((*PRINTED[1:], *further))))
        if out is None:
            published = " --scores published" if as_published else ""
            typer.echo(f"as one page: rainbow report {loaded.name}{published} --open")


def _check_usage(dataset: str | None, outputs: list[Path] | None, references: Path | None, columns: Columns) -> None:
    """Raise a usage error before anything is loaded."""
    if (dataset is None) == (not outputs):
        raise typer.BadParameter("name a dataset, a table, or several files of outputs", param_hint="DATASET")
    if outputs and references is None:
        raise typer.BadParameter("output files need a file of references", param_hint="--references")
    if references is not None and not outputs:
        raise typer.BadParameter("name the output files too", param_hint="--outputs")
    if outputs and columns.without("encoding").set_options():
        raise typer.BadParameter("column options apply to a table, not to --outputs", param_hint="--output ...")


def _load_files(
    outputs: Sequence[Path], references: Path, encoding: str | None, as_published: bool, lenient: bool
) -> _Evaluation:
    from rainbow.datasets.text_files import read_systems

    for path in (*outputs, references):
        if not path.is_file():
            raise FileNotFoundError(f"no such file: {str(path)!r}")
    corpus, notes = read_systems(outputs, references, encoding=encoding, as_published=as_published, lenient=lenient)
    left = set(corpus.frame["system"])
    gone = [path for path in outputs if path.stem not in left]
    if gone and len(left) < 2:
        note = next(note for note in notes if note.place.startswith(f"{gone[0]}, "))
        raise ValueError(f"at least two systems are needed: {note.place}: {note.problem}; {note.fix}")
    return _Evaluation(references.stem, corpus, None, notes)


def _load_table(dataset: str, given: Columns, as_published: bool) -> _Evaluation:
    from rainbow.datasets import dataset_names, load_dataset, source
    from rainbow.datasets import judgements as read

    columns = resolve_columns(dataset, given, default_scores_path(dataset)).set_options()
    if dataset not in dataset_names():
        return _Evaluation(Path(dataset).stem, load_dataset(dataset, **columns), None, ())
    module = source(dataset)
    if as_published and "as_published" in getattr(module, "OPTIONS", ()):
        columns = columns | {"as_published": True}
    corpus = load_dataset(dataset, **columns)
    return _Evaluation(dataset, corpus, read(dataset) if hasattr(module, "judgements") else None, ())


def _check_parser() -> None:
    """Raise an error before anything is loaded if the parser is not installed."""
    from rainbow.metrics.contract.base import MissingResourceError
    from rainbow.programs.stanford_parser import parser_unavailable_reason

    if missing := parser_unavailable_reason():
        raise MissingResourceError(f"--parse: {missing}")


def _parse_texts(corpus: Corpus) -> Trees:
    """Parse every text once with a progress bar, and return a lookup for the trees."""
    from rainbow.programs.stanford_parser import AT_ONCE, parse_trees
    from rainbow.systems.text_measures.textual_measures import texts_to_parse

    texts = texts_to_parse(corpus)
    result: dict[str, tuple[str, ...] | None] = {}
    with rows_bar() as show:
        for start in range(0, len(texts), PARSED_AT_ONCE):
            part = texts[start : start + PARSED_AT_ONCE]
            result |= zip(part, parse_trees(part, AT_ONCE), strict=True)
            show("parsing", len(result), len(texts))
    return lambda wanted: [result[text] for text in wanted]


def _merge_notes(notes: Sequence[Note], table: pd.DataFrame) -> pd.DataFrame:
    """Return the notes on files before those on their content."""
    first = pd.DataFrame([(note.place, note.problem, note.fix) for note in notes], columns=list(_NOTE_COLUMNS))
    return pd.concat([first, table], ignore_index=True) if len(first) else table


_NOTE_COLUMNS = ("place", "problem", "fix")


def _print_systems(tables: dict[str, pd.DataFrame], folder: Path, names: Sequence[str]) -> None:
    scores = tables["corpus_metrics"]
    by_dataset = list(scores.groupby("dataset", sort=False)) if "dataset" in scores else [("system", scores)]
    items = sum(int(part["n"].iloc[0]) for _, part in by_dataset)
    for name, part in by_dataset:
        average = ("average", f"{{{PRINTED[0]}:value}}"), ("95 % interval", f"{{range[{PRINTED[0]}]:value}}")
        measured = [(name, f"{{{name}:value}}") for name in names]
        columns = (str(name), "{system}"), *average, "groups", *measured
        print_records(part.to_dict("records"), *columns, value=_format_value)
    if "judgement_agreement" in tables:
        _print_judgements(tables)
    for note in tables["notes"].head(_MOST_NOTES).itertuples():
        typer.echo(f"{note.place}: {note.problem}; {note.fix}")
    if (rest := len(tables["notes"]) - _MOST_NOTES) > 0:
        typer.echo(f"and {rest} more notes of this kind: {folder}/notes.csv")
    typer.echo(
        f"{format_count(len(scores), 'system')}, {format_count(items, 'item')}: "
        f"{', '.join(f'{name}.csv' for name in tables)}"
    )
    typer.echo(f"in {folder}/")


_MOST_NOTES = 5


def _print_judgements(tables: dict[str, pd.DataFrame]) -> None:
    """Print the best-rated systems and the agreement of the judgements for each criterion."""
    from rainbow.systems.rankings.judgement_agreement import PAIR_MEASURE

    agreed, rated = tables["judgement_agreement"], tables["system_ratings"]
    keys = [name for name in ("dataset", "rating") if name in rated]
    pairs = {
        tuple(row[name] for name in keys): row for row in agreed[agreed["measure"] == PAIR_MEASURE].to_dict("records")
    }
    for key, part in rated.groupby(keys, sort=False):
        best = ", ".join(
            f"{row['system']} {_format_value(row['mean'])}" for row in part.head(_MOST_RATED).to_dict("records")
        )
        line = pairs[key]
        share = f"two judgements agree on {line['estimate']:.1%} of pairs" if line["n_items"] else line["reason"]
        typer.echo(f"{', '.join(map(str, key))}, mean {part['scale'].iloc[0]}: {best}; {share}")


_MOST_RATED = 3


def _format_value(value: float) -> str:
    """Return a number with four significant digits; a hyphen if undefined."""
    return f"{value:.4f}" if abs(value) < 1 else format_number(value)
