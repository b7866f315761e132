"""`rainbow fit`: learn a metric from scores and ratings, and evaluate it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, cast

import typer

from rainbow.base.lazy import pd
from rainbow.cli.column_options import add_column_options, default_scores_path, resolve_columns
from rainbow.cli.console import Guard, track
from rainbow.cli.fitting.fit_corpus import load_merged_corpus, load_rated_corpus
from rainbow.cli.fitting.fit_results import print_datasets, print_recommendations, print_results, write_results
from rainbow.datasets.columns import NO_COLUMNS, Columns, Score

if TYPE_CHECKING:
    from rainbow.corpus import Corpus
    from rainbow.learned.fitting import Request
    from rainbow.learned.learner.regressor import Preset
    from rainbow.learned.protocols.cross_validation import Statistics

SEED = 2017

HELP = """Learn a metric from scores and human ratings, and evaluate it on held-out outputs.

Computes the metrics of the dataset, unless metrics/DATASET.parquet has them, and learns to predict each rating from
them. Writes a model and a model card for each rating into models/, and the evaluation into
analysis/DATASET/learned_*.csv. Use a model with `rainbow.score(..., model=FILE)`.

\b
Feature sets (--model):
  all            every metric of the base package that works on this machine
  all+extra      also parser, LanguageTool and word frequencies
  referenceless  metrics that need no reference
  wbm+gbm, wbm, gbm   word-based, grammar-based metrics, as in the 2017 paper

With --top5 or --top N, recursive feature elimination keeps the best features for each rating; no texts are used.

\b
Presets (--preset):
  default  kernel ridge regression on the residuals of the general score
           (--start), over scores, texts and n-gram vectors; 50 rated
           outputs are enough to help
  combination   a linear combination of at most five columns, for few ratings:
           the recommended score of a report
  paper    the random forest over quantised scores of Novikova et al. (2017);
           the default with --top5 or --top

The random forest of the paper is always evaluated too, on the same scores, rows and folds.

\b
Evaluation protocols (--protocol, may be repeated; default the first four):
  by-item-and-text, by-template, leave-one-system-out, leave-one-dataset-out
  leave-one-corpus-out, leave-one-domain-out   for several datasets
  kfold   inputs and texts may be in both parts
  paper   as in 2017, training rows among the test rows: it leaks

For each protocol it reports how many test rows share their input or text with training rows, the score of a lookup
baseline, and the accuracy of predictions rounded to the scale.

Several datasets are combined: ratings are mapped by rank to the scale of the first one, and weighted by rater
agreement if it is known.

\b
Examples:
  rainbow fit demo
  rainbow fit mine.csv --score comet:higher      next to another score
  rainbow fit emnlp2017 --model referenceless --rating quality
  rainbow fit sfhotel --top5
  rainbow fit emnlp2017 e2e rankme --model referenceless --rating quality
  rainbow fit emnlp2017 webnlg2020 --rename fluency=naturalness
  rainbow fit emnlp2017 --scores published --model wbm+gbm --protocol paper
"""


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(help=HELP)(add_column_options(fit))


def fit(
    dataset: Annotated[
        list[str] | None, typer.Argument(help="Datasets or files with ratings.", show_default="demo")
    ] = None,
    dataset_option: Annotated[
        str | None, typer.Option("--dataset", help="Dataset or file with ratings.", hidden=True)
    ] = None,
    model: Annotated[str, typer.Option(help="Feature set, see above.")] = "all",
    top5: Annotated[bool, typer.Option("--top5", help="Keep the five best features (--top 5).", hidden=True)] = False,
    top: Annotated[int | None, typer.Option(min=1, help="Number of features to keep.")] = None,
    preset: Annotated[
        str | None, typer.Option(help="Learning preset, see above.", show_default="default, or paper with --top")
    ] = None,
    start: Annotated[
        str, typer.Option(help="General score to start from: fast, full (needs SmolLM2) or none.")
    ] = "fast",
    protocol: Annotated[
        list[str] | None, typer.Option(help="Evaluation protocol, see above (may be repeated).")
    ] = None,
    scores: Annotated[str, typer.Option(help="Scores: ours, or published.", hidden=True)] = "ours",
    statistics: Annotated[
        str, typer.Option(help="References for corpus statistics: all items or training items.", hidden=True)
    ] = "all",
    rename: Annotated[
        list[str] | None, typer.Option(help="Rename a rating, e.g. fluency=naturalness (several datasets).")
    ] = None,
    columns: Columns = NO_COLUMNS,
    seed: Annotated[int, typer.Option(min=0, help="Random seed.")] = SEED,
    resamples: Annotated[int, typer.Option(min=1, help="Number of bootstrap resamples.")] = 1000,
    out: Annotated[Path | None, typer.Option(help="Folder of models; default models/.")] = None,
    guard: Guard = False,
    as_json: Annotated[Path | None, typer.Option("--json", help="Write results as JSON to this file.")] = None,
) -> None:
    """Learn from scores and ratings; see the help text above."""
    from rainbow.base.files import check_writable
    from rainbow.scoring.result_tables import write_tables
    from rainbow.serving.learning import FitSettings, make_request

    if top5 and top not in (None, 5):
        raise typer.BadParameter(f"--top5 and --top {top} cannot be combined", param_hint="--top")
    names = _unique_names(dataset or [], dataset_option)
    check_names(
        model=[model], preset=[preset], protocol=protocol, scores=[scores], statistics=[statistics], start=[start]
    )
    check_combinations(names, rename, scores)
    asked = FitSettings(
        model,
        cast("Preset | None", preset),
        5 if top5 else top,
        start,
        protocol or (),
        scores=cast("Literal['ours', 'published']", scores),
        statistics=cast("Statistics", statistics),
        seed=seed,
        resamples=resamples,
    )
    corpus, columns = _load_corpus(names, columns, rename or [], seed)
    external = {score.name: score.higher_is_better for score in map(Score.parse, columns.scores)}
    known = _current_scores(names[0], corpus) if len(names) == 1 else None
    request = make_request(corpus, columns.rating_names, asked, known, external)
    label = "+".join(Path(name).stem for name in names)
    folder, models = Path("analysis") / (label if scores == "ours" else f"{label}-{scores}"), out or Path("models")
    for place in (folder, models):
        check_writable(place)
    tables, paths = _fit_models(request, scores, models, label)
    write_tables(folder, tables, guard=guard)
    measured = tables["learned_protocols"]
    pooled = measured[(measured["dataset"] == "all") & (measured["system"] == "all")].to_dict("records")
    print_results(request, pooled, tables, paths)
    if len(names) > 1:
        print_datasets(measured)
    print_recommendations(pooled, names, paths)
    if as_json:
        write_results(as_json, pooled)


def _unique_names(datasets: list[str], option: str | None) -> list[str]:
    """Return the named datasets without repetition; `demo` if none is named."""
    if option and any(name != option for name in datasets):
        raise typer.BadParameter(f"name the dataset once: {datasets[0]!r} or {option!r}", param_hint="--dataset")
    return list(dict.fromkeys([*datasets, *([option] if option else [])])) or ["demo"]


def _load_corpus(names: list[str], columns: Columns, rename: list[str], seed: int) -> tuple[Corpus, Columns]:
    """Return one dataset, or several merged, with a description of its columns."""
    if len(names) > 1:
        return load_merged_corpus(names, columns, rename, seed), columns
    [name] = names
    columns = resolve_columns(name, columns, default_scores_path(name))
    corpus = load_rated_corpus(name, columns)
    if unknown := sorted(set(columns.rating_names) - set(corpus.ratings)):
        raise ValueError(f"{name} has no rating {unknown[0]!r}: it has {', '.join(corpus.ratings) or 'none'}")
    return corpus, columns


def _fit_models(request: Request, scores: str, models: Path, label: str) -> tuple[dict[str, pd.DataFrame], list[Path]]:
    """Return the result tables and model paths; published scores give no model."""
    from rainbow.learned.fitting import evaluate_recipe
    from rainbow.learned.fitting import fit_models as learn

    if scores == "published":
        return evaluate_recipe(request, request.examples(), lambda what, steps: track(steps, lambda step: what)), []
    fitted = learn(request, lambda what, steps: track(steps, lambda step: what))
    return fitted.tables, fitted.save(models, label)


def _current_scores(dataset: str, corpus: Corpus) -> pd.DataFrame | None:
    """Return saved scores whose metric definitions are unchanged."""
    from rainbow.scoring.saved_scores import load_scores
    from rainbow.scoring.table_schema import TEXTS

    path = default_scores_path(dataset)
    if not path.is_file():
        return None
    saved = load_scores(path)
    return saved if all(saved[name].tolist() == corpus.frame[name].tolist() for name in TEXTS) else None


def check_names(**given: Sequence[str | None] | None) -> None:
    """Raise a usage error for unknown names."""
    from rainbow.learned.learner.regressor import PRESETS
    from rainbow.learned.protocols.groups import PROTOCOLS, REPLACED
    from rainbow.learned.training.features import FEATURE_SETS
    from rainbow.serving.learning import STARTS

    known: dict[str, Iterable[str]] = {
        "model": FEATURE_SETS,
        "preset": PRESETS,
        "protocol": PROTOCOLS,
        "scores": ("ours", "published"),
        "statistics": ("all", "training"),
        "start": STARTS,
    }
    for option, names in given.items():
        for name in filter(None, names or ()):
            if name not in known[option]:
                instead = f": use {REPLACED[name]} instead" if name in REPLACED else ""
                message = f"{name!r} is not one of {', '.join(known[option])}{instead}"
                raise typer.BadParameter(message, param_hint=f"--{option}")


def check_combinations(names: list[str], rename: list[str] | None, scores: str) -> None:
    """Raise a usage error for options that do not fit the number of datasets."""
    if wrong := next((pair for pair in rename or [] if not all(pair.partition("="))), None):
        raise typer.BadParameter(f"{wrong!r}: write OTHER_NAME=NAME", param_hint="--rename")
    if rename and len(names) == 1:
        raise typer.BadParameter("needs several datasets", param_hint="--rename")
    if scores == "published" and len(names) > 1:
        raise typer.BadParameter("published scores exist only for single datasets", param_hint="--scores")
