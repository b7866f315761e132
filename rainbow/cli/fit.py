"""`rainbow fit`: learn a better metric from scores and ratings, and say how good it is."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rainbow.cli.columns import saved_path, settled, takes_columns
from rainbow.cli.console import Guard, Told, track
from rainbow.cli.fit_checks import check_readers, check_several, check_unrated, check_usage, fabricated_kinds
from rainbow.cli.fit_corpus import rated_corpus, several_corpora, unrated_corpus, with_first
from rainbow.cli.fit_results import print_parts, print_paths, print_results, write_results
from rainbow.datasets.columns import NOTHING, Columns, Score

if TYPE_CHECKING:
    import pandas as pd

    from rainbow.corpus import Corpus
    from rainbow.learned.network.fine_tuning import Tuning
    from rainbow.learned.training.features import Features, StoredColumns
    from rainbow.learned.training.fitting import Request

SEED = 2017

HELP = """Learn a better metric from scores and human ratings, and measure it on outputs it has not learned from.

Computes the metrics of the dataset (or takes those of metrics/DATASET.parquet that are current), learns to predict each
rating from them, and writes a model for each rating into models/, its card beside it, and tables of how good
it is into analysis/DATASET/learned_*.csv. The models serve `rainbow.score(..., model=FILE)`.

\b
What it learns from (--model):
  all            every metric of the bare package that works on this machine
  all+extra      the parser, LanguageTool and word frequencies besides
  referenceless  metrics that need no reference of the output's own input
  without-mr     metrics that need neither a meaning representation nor Java
  wbm+gbm, wbm, gbm   word-based, grammar-based metrics, as in the 2017 paper

With --top5 or --top N recursive feature elimination keeps the best of these, for every rating; no texts are read then.

\b
How it learns (--preset):
  default  starts from the general score of any text (--start), and learns by
           kernel ridge regression, over scores, texts and vectors of their
           n-grams, how the ratings differ from that; 50 rated outputs help
  neural   that kernel alone, with likelihoods and vectors of SmolLM2
           (pip install 'rainbow-nlg[neural]', rainbow fetch smollm2)
  paper    the random forest over quantised scores of Novikova et al. (2017);
           the default with --top5 or --top
  network, encoder   of two published studies: docs/network.md, encoders.md

Whatever learns, that forest is measured beside it: on the same scores, rows and folds.

Without any rating (--unrated) it learns from references alone, taken for the best there is, and from copies of them
with one to four wrong words; ratings that there are only measure it.

\b
How it is measured (--protocol, may be repeated; the first four by default):
  by-item-and-text, by-template, leave-one-system-out, leave-one-dataset-out
  leave-one-corpus-out, leave-one-domain-out   of several datasets
  by-item, by-text, kfold, split   an input or text may stand on both sides
  paper   correlates over the training rows too, as was done in 2017: it leaks

Beside each stands how many test rows have their input or text in training, and what looking them up there scores; and
how often predictions are right as points of the scale.

Several datasets are learned from as one: ratings on the scale of the first, by their ranks within each, weighed by how
far its raters agree where that is known.

\b
Examples:
  rainbow fit demo
  rainbow fit mine.csv --score comet:higher      a score of others beside it
  rainbow fit emnlp2017 --model referenceless --rating quality
  rainbow fit sfhotel --top5
  rainbow fit emnlp2017 e2e rankme --model referenceless --rating quality
  rainbow fit emnlp2017 webnlg2020 --rename fluency=naturalness
  rainbow fit emnlp2017 --scores published --model wbm+gbm --protocol paper
"""


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(help=HELP)(takes_columns(fit))


def fit(
    dataset: Annotated[
        list[str] | None, typer.Argument(help="A dataset or file with ratings, or several.", show_default="demo")
    ] = None,
    dataset_option: Annotated[
        str | None, typer.Option("--dataset", help="The same, as an option.", hidden=True)
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            help="The feature set to learn from, see above.", show_default="all, or referenceless with --unrated"
        ),
    ] = None,
    top5: Annotated[bool, typer.Option("--top5", help="Keep the five best features, as --top 5.", hidden=True)] = False,
    top: Annotated[int | None, typer.Option(min=1, help="Keep this many features; --top5: five.")] = None,
    preset: Annotated[
        str | None, typer.Option(help="How to learn, see above.", show_default="default, or paper with --top")
    ] = None,
    start: Annotated[
        str, typer.Option(help="The general score to start from: fast, full (asks SmolLM2), or none.")
    ] = "fast",
    protocol: Annotated[list[str] | None, typer.Option(help="How to measure, see above (may be repeated).")] = None,
    scores: Annotated[
        str, typer.Option(help="ours, or published: the scores that the authors stored.", hidden=True)
    ] = "ours",
    statistics: Annotated[
        str,
        typer.Option(
            help="References that corpus statistics are counted on: of all items, or of training items.", hidden=True
        ),
    ] = "all",
    rename: Annotated[
        list[str] | None, typer.Option(help="Of several: what a rating is called elsewhere, fluency=naturalness.")
    ] = None,
    columns: Columns = NOTHING,
    corrupted: Annotated[
        bool, typer.Option(help="Learn from corrupted copies of the outputs as well.", hidden=True)
    ] = True,
    unrated: Annotated[
        bool, typer.Option("--unrated", help="Learn from references and copies with errors alone, see above.")
    ] = False,
    seed: Annotated[int, typer.Option(min=0, help="Of folds and of everything that is drawn.")] = SEED,
    fabricated: Annotated[
        list[str] | None, typer.Option(help="What the network also reads, see above.", hidden=True)
    ] = None,
    as_published: Annotated[
        bool,
        typer.Option(
            "--as-published",
            help="Rate fabricated errors as the code of Dušek et al. does, not as their paper says.",
            hidden=True,
        ),
    ] = False,
    nets: Annotated[int, typer.Option(min=1, help="Networks whose predictions are averaged.", hidden=True)] = 1,
    device: Annotated[
        str,
        typer.Option(help="What trains network or encoder: cpu, cuda, or auto (cuda where there is one).", hidden=True),
    ] = "auto",
    encoder: Annotated[
        str, typer.Option(help="minilm, a folder, or a name of Hugging Face's hub.", hidden=True)
    ] = "minilm",
    reads: Annotated[str, typer.Option(help="What it reads, see above.", hidden=True)] = "output",
    layers: Annotated[str, typer.Option(help="What of it is trained, see above.", hidden=True)] = "all",
    lora: Annotated[
        bool, typer.Option("--lora", help="Train matrices of low rank instead (LoRA).", hidden=True)
    ] = False,
    first: Annotated[
        list[str] | None,
        typer.Option(help="A rating to learn before those wanted (may be repeated).", hidden=True),
    ] = None,
    resamples: Annotated[int, typer.Option(min=1, help="Draws for intervals.")] = 1000,
    out: Annotated[Path | None, typer.Option(help="The folder of the models; by default models/.")] = None,
    guard: Guard = False,
    as_json: Annotated[
        Path | None, typer.Option("--json", help="Write the results by protocol and rating here.")
    ] = None,
) -> None:
    """Learn from scores and ratings; the help text above says how."""
    from rainbow.base.files import check_writable
    from rainbow.learned.training.fitting import fit as learn
    from rainbow.learned.training.fitting import measure
    from rainbow.scoring.tables import write_tables

    names = list(dict.fromkeys([*(dataset or []), *([dataset_option] if dataset_option else [])])) or ["demo"]
    if dataset_option and dataset and len(names) > 1:
        raise typer.BadParameter(f"both {dataset[0]!r} and {dataset_option!r} are named", param_hint="--dataset")
    if top5 and top not in (None, 5):
        raise typer.BadParameter(f"--top5 and --top {top} do not go together", param_hint="--top")
    kept = 5 if top5 else top
    preset = preset or ("paper" if kept else "default")
    model = model or ("referenceless" if unrated else "all")
    check_usage(
        model=[model],
        preset=[preset],
        protocol=protocol,
        scores=[scores],
        statistics=[statistics],
        fabricated=fabricated,
        device=[device],
        reads=[reads],
        layers=[layers],
        start=[start],
    )
    tuned = {"encoder": encoder, "layers": layers, "lora": lora, "reads": reads, "first": first}
    check_readers(preset, kept, scores, **tuned, fabricated=fabricated, nets=nets)
    check_several(names, rename, scores)
    if unrated:
        check_unrated(names, preset, model, kept, scores)
    if len(names) > 1:
        name = "+".join(Path(part).stem for part in names)
        corpus = several_corpora(names, with_first(columns, first), rename or [], seed)
    else:
        name = names[0]
        found, columns = unrated_corpus(name, columns) if unrated else (None, settled(name, columns, saved_path(name)))
        corpus = found or rated_corpus(name, with_first(columns, first))
    rating = list(columns.rating_names)
    chosen: dict[str, Any] = {"model": model, "top": kept, "preset": preset, "scores": scores, "seed": seed}
    chosen |= {
        "fabricated": fabricated_kinds(fabricated, unrated),
        "rated": not unrated,
        "nets": nets,
        "device": device,
    }
    chosen["start"] = "" if start == "none" or unrated else start
    chosen |= {"rule": "code" if as_published else "paper", **tuned}
    request = _request(name, corpus, rating, chosen, protocol, statistics, corrupted)
    brought = {score.name: score.higher_is_better for score in map(Score.of, columns.scores)}
    told = Told()
    request = request._replace(resamples=resamples, brought=brought, recipe=request.recipe._replace(tell=told))
    progress = partial(_progress, told)
    label = name if len(names) > 1 else Path(name).stem
    folder = Path("analysis") / (label if scores == "ours" else f"{label}-{scores}")
    for place in (folder, out or Path("models")):
        check_writable(place)
    if scores == "published":
        tables, paths = measure(request, progress=progress), list[Path]()
    else:
        fitted = learn(request, progress)
        tables, paths = fitted.tables, fitted.save(out or Path("models"), label)
    write_tables(folder, tables, guard=guard)
    if not tables:
        typer.echo("no output has a rating: how good this is, is not known (what to expect: docs/learned-metrics.md)")
        print_paths(paths)
        return
    measured = tables["learned_protocols"]
    pooled = measured[(measured["dataset"] == "all") & (measured["system"] == "all")].to_dict("records")
    print_results(request, pooled, tables, paths)
    if len(names) > 1:
        print_parts(measured)
    if as_json:
        write_results(as_json, pooled)


def _request(
    dataset: str,
    corpus: Corpus,
    ratings: list[str] | None,
    chosen: dict[str, Any],
    protocols: list[str] | None,
    statistics: str,
    corrupted: bool,
) -> Request:
    from rainbow.analysis.agreement.best_ceilings import ceiling_intervals, ceilings, why_no_ceiling
    from rainbow.learned.learner.regressor import READERS
    from rainbow.learned.network.training import UNRATED_TIMES, Network
    from rainbow.learned.training.fitting import Request, applicable_protocols
    from rainbow.learned.training.learn import Recipe

    if unknown := sorted(set(ratings or ()) - set(corpus.ratings)):
        raise ValueError(f"{dataset} has no rating {unknown[0]!r}: it has {', '.join(corpus.ratings) or 'none'}")
    published = chosen["scores"] == "published"
    features = _features(chosen, corpus)
    network = Network(nets=chosen["nets"], device=chosen["device"])
    recipe = Recipe(
        features=features,
        preset=chosen["preset"],
        top=chosen["top"],
        corrupted=corrupted
        and chosen["rated"]
        and chosen["preset"] not in (*READERS, "paper")
        and chosen["start"] != "full"
        and not published,
        seed=chosen["seed"],
        network=network if chosen["rated"] else network._replace(steps=UNRATED_TIMES * network.steps),
        **{name: chosen[name] for name in ("fabricated", "rule", "rated")},
        tuning=_tuning(chosen),
        first=_first(dataset, corpus, chosen["first"]),
    )
    name = f"top{chosen['top']}" if chosen["top"] else chosen["preset" if chosen["preset"] in READERS else "model"]
    name = name if chosen["rated"] or chosen["preset"] in READERS else "unrated"
    rated = list(ratings or corpus.ratings)
    # Over people who used scales in their own ways no ceiling can be told.
    highest = ceilings(corpus.frame.iloc[:0] if "corpus" in corpus.frame else corpus.frame, rated, recipe.seed)
    return Request(
        corpus,
        rated,
        recipe,
        name,
        protocols or applicable_protocols(corpus),
        statistics,  # type: ignore[arg-type]  # checked before
        known=_current_scores(dataset, corpus),
        ceilings=ceiling_intervals(highest),
        notes=[
            f"How high any metric could correlate with {rating} is not known: {reason}."
            for rating, reason in why_no_ceiling(highest).items()
        ],
    )


def _first(dataset: str, corpus: Corpus, ratings: list[str] | None) -> tuple[str, ...]:
    if unknown := [rating for rating in ratings or () if rating not in corpus.ratings]:
        raise ValueError(f"{dataset} has no rating {unknown[0]!r} that could be learned first")
    return tuple(ratings or ())


def _tuning(chosen: dict[str, Any]) -> Tuning:
    """Return what the encoder is; what it lacks is said before anything is computed."""
    from rainbow.learned.network.fine_tuning import Tuning, missing_tuning

    tuning = Tuning(**{name: chosen[name] for name in ("encoder", "layers", "lora", "device")})
    if chosen["preset"] == "encoder" and (lacking := missing_tuning(tuning)):
        raise RuntimeError(lacking)
    return tuning


def _features(chosen: dict[str, Any], corpus: Corpus) -> Features | StoredColumns:
    from rainbow.learned.training.features import StoredColumns, feature_columns, features_for

    if chosen["scores"] == "ours":
        return features_for(
            corpus, chosen["model"], chosen["preset"], chosen["reads"], bool(chosen["top"]), chosen["start"]
        )
    # The one stored column that no metric here gives is the parser's score, a grammar-based one.
    columns = feature_columns(chosen["model"], neural=chosen["preset"] == "neural")
    wanted = {*columns, *(["prs"] if "gbm" in chosen["model"] or "all" in chosen["model"] else [])}
    stored = [name.removeprefix("published.") for name in map(str, corpus.frame) if name.startswith("published.")]
    if not wanted & set(stored):
        raise ValueError("this dataset brings no such scores along: take our own, --scores ours")
    return StoredColumns(tuple(name for name in stored if name in wanted))


def _current_scores(dataset: str, corpus: Corpus) -> pd.DataFrame | None:
    """Return the scores that were computed before, of which those are taken whose definition is still the same.

    A file may have changed since, or another one have had its name: then there are none.
    """
    from rainbow.scoring.saved_scores import load_scores
    from rainbow.scoring.schema import TEXTS

    path = saved_path(dataset)
    if not path.is_file():
        return None
    saved = load_scores(path)
    return saved if all(saved[name].tolist() == corpus.frame[name].tolist() for name in TEXTS) else None


def _progress(told: Told, what: str, steps: list[Any]) -> Iterable[Any]:
    return track(steps, lambda step: what, told)
