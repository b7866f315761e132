"""`rainbow metrics`: from a dataset to a table of scores."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rainbow.cli.console import AsJson, print_json, print_table, track

if TYPE_CHECKING:
    import pandas as pd

    from rainbow.metrics.scoring import Selected

GROUPS = ("word", "grammar", "meaning", "language-model")

Column = Annotated[str | None, typer.Option(rich_help_panel="Your own file")]


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(metrics)


def metrics(
    dataset: Annotated[str, typer.Argument(help="demo, sfhotel, sfrest, bagel, emnlp2017, or your own file.")],
    names: Annotated[
        str | None, typer.Option("--metrics", help="Metrics or columns, with commas between; by default all.")
    ] = None,
    group: Annotated[str | None, typer.Option(help="Only word, grammar, meaning or language-model metrics.")] = None,
    view: Annotated[
        str | None,
        typer.Option(help="What word-based metrics see: surface, delexicalised (the default with MRs), published."),
    ] = None,
    as_published: Annotated[
        bool, typer.Option("--as-published", help="Texts and definitions of Novikova et al. 2017, faults and all.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(help="Where to write, .parquet or .csv; by default metrics/DATASET.parquet.")
    ] = None,
    csv: Annotated[bool, typer.Option("--csv", help="Write a CSV file beside the Parquet file.")] = False,
    output: Annotated[str | None, typer.Option(help="Your file: the column of outputs.")] = None,
    reference: Annotated[
        list[str] | None,
        typer.Option(help="Your file: a column of references (may be repeated); for .txt the file of references."),
    ] = None,
    separator: Annotated[str | None, typer.Option(help="Your file: what stands between references in a cell.")] = None,
    mr: Annotated[str | None, typer.Option(help="Your file: the column of meaning representations.")] = None,
    system: Annotated[str | None, typer.Option(help="Your file: the column of system names.")] = None,
    item: Annotated[str | None, typer.Option(help="Your file: the column that names the input.")] = None,
    rating: Annotated[list[str] | None, typer.Option(help="Your file: a column of ratings (may be repeated).")] = None,
    as_json: AsJson = False,
) -> None:
    r"""Compute metrics for every output of a dataset and save them as one table.

    \b
    Examples:
      rainbow metrics demo
      rainbow metrics sfhotel --metrics BLEU4,METEOR,RE
      rainbow metrics mine.csv --output text --reference gold_1 --reference gold_2 --mr input
      rainbow metrics outputs.txt --reference references.txt --group word
    """
    from rainbow.datasets import load_dataset
    from rainbow.metrics.scoring import score_corpus
    from rainbow.metrics.table import save_scores

    _check_usage(names, group)
    columns = {
        "output": output,
        "references": reference[0] if reference and dataset.endswith(".txt") else reference,
        "reference_separator": separator,
        "mr": mr,
        "system": system,
        "item": item,
        "ratings": rating,
    }
    corpus = load_dataset(dataset, **{key: value for key, value in columns.items() if value})
    chosen = [name.strip() for name in names.split(",")] if names else None
    scores = score_corpus(corpus, chosen, view, group=group, as_published=as_published, progress=_progress)
    paths = [save_scores(out or Path("metrics") / f"{Path(dataset).stem}.parquet", corpus, scores)]
    if csv and paths[0].suffix != ".csv":
        paths.append(save_scores(paths[0].with_suffix(".csv"), corpus, scores))
    (_print_json if as_json else _print_summary)(paths, scores)


def _check_usage(names: str | None, group: str | None) -> None:
    """Refuse unknown metrics as a wrong use of the command, before anything is loaded."""
    from rainbow.metrics import find

    try:
        for name in names.split(",") if names else []:
            find(name.strip())
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--metrics") from None
    if group is not None and group not in GROUPS:
        raise typer.BadParameter(f"{group!r} is none of {', '.join(GROUPS)}", param_hint="--group")


def _progress(selected: list[Selected]) -> Iterator[Selected]:
    return track(selected, lambda entry: entry.metric.name)


def _missing(scores: pd.DataFrame) -> dict[str, dict[str, int]]:
    """Count the missing values of each column by their reason."""
    return {
        column: {reason: len(scores) if rows == "all" else len(rows) for reason, rows in reasons.items()}
        for column, reasons in scores.attrs["missing"].items()
    }


def _print_json(paths: list[Path], scores: pd.DataFrame) -> None:
    summary: dict[str, Any] = {"files": [str(path) for path in paths], "rows": len(scores)}
    summary |= {"view": scores.attrs["view"], "mean": scores.mean().to_dict(), "missing": _missing(scores)}
    print_json(summary | {"signatures": scores.attrs["signatures"]})


def _print_summary(paths: list[Path], scores: pd.DataFrame) -> None:
    missing = _missing(scores)
    rows = []
    for column, values in scores.items():
        numbers = (values.mean(), values.std(), values.min(), values.max())
        reasons = "; ".join(f"{count} rows: {reason}" for reason, count in missing.get(str(column), {}).items())
        rows.append((str(column), *("-" if n != n else f"{n:.3f}" for n in numbers), reasons))
    print_table(("metric", "mean", "sd", "lowest", "highest", "missing"), rows)
    typer.echo(f"{len(scores)} rows, view {scores.attrs['view']}: {', '.join(map(str, paths))}")
