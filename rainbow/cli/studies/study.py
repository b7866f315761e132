"""`rainbow study`: set up a human evaluation and analyse its results."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rainbow.base.formatting import format_count
from rainbow.cli.console import RANGE, AsJson, print_json, print_records
from rainbow.stats.tidy_tables import records

if TYPE_CHECKING:
    from rainbow.study.results import Results
    from rainbow.study.settings import Settings
    from rainbow.study.study import Study


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(study)


def study(
    what: Annotated[str, typer.Argument(help="File or dataset with outputs, or the folder of a study.")],
    returned: Annotated[list[Path] | None, typer.Argument(exists=True, help="Files returned by raters.")] = None,
    rating: Annotated[
        list[str] | None,
        typer.Option(help="NAME (from 1 to 6), NAME=0-100, =magnitude, =pairs or =errors (may be repeated)."),
    ] = None,
    items: Annotated[
        int | None, typer.Option(min=1, help="Number of inputs; default what the target needs, or 50.")
    ] = None,
    raters: Annotated[int, typer.Option(min=1, help="Raters per output.")] = 3,
    people: Annotated[
        int | None, typer.Option(min=1, help="Number of participants; default: enough for about 100 tasks each.")
    ] = None,
    difference: Annotated[
        float | None, typer.Option(help="Target: difference of two systems to detect (needs pilot ratings).")
    ] = None,
    margin: Annotated[
        float | None, typer.Option(help="Target: half-width of the confidence interval of a difference.")
    ] = None,
    power: Annotated[float, typer.Option(help="Power of the test.")] = 0.8,
    format: Annotated[list[str] | None, typer.Option(help="Format: page, potato, label-studio or table.")] = None,
    out: Annotated[Path | None, typer.Option(help="Output folder; default studies/NAME.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Random seed.")] = 2017,
    as_json: AsJson = False,
) -> None:
    """Set up a human evaluation of a file's outputs, or read the returned files of a study.

    For a FILE, it writes a folder with the questions (study.toml) and one self-contained page per rater (pages/). Edit
    study.toml and run `rainbow study FOLDER` to write the pages again. Put the returned files into returned/. For a
    FOLDER, it then writes answers.csv, reports progress, unreliable raters and whether there are enough ratings, and
    writes methods, datasheet and tables into paper/.

    \b
    Examples:
      rainbow study mine.csv --items 20
      rainbow study mine.csv --rating fluency=0-100 --rating better=pairs
      rainbow study pilot.csv --rating quality --margin 0.3 --raters 2
      rainbow study studies/mine --format potato
      rainbow study studies/mine downloads/*.json
      rainbow run studies/mine/answers.csv
    """  # noqa: D301  # the backslash is click's: what follows is not wrapped
    from rainbow.study.annotation.interfaces import INTERFACES, write_interface
    from rainbow.study.settings import FILE
    from rainbow.study.study import Study

    ways = format or []
    if unknown := [interface for interface in ways if interface not in INTERFACES]:
        raise typer.BadParameter(f"{unknown[0]!r}: choose from {', '.join(INTERFACES)}", param_hint="--format")
    if (Path(what) / FILE).is_file():
        opened = Study.open(Path(what))
        _copy_returned(opened, returned or [])
        if opened.returned and not ways:
            _print_results(opened, as_json)
            return
    else:
        if returned:
            raise ValueError(f"{what} is not a study folder: it has no {FILE}")
        sizes = {"items": items, "raters": raters, "people": people, "difference": difference, "margin": margin}
        opened = _create_study(what, rating or ["quality"], {**sizes, "power": power, "seed": seed}, out)
    _print_study(opened, {interface: write_interface(opened, interface) for interface in ways or ["page"]}, as_json)


def _create_study(source: str, ratings: list[str], options: dict[str, Any], out: Path | None) -> Study:
    from rainbow.cli.column_options import resolve_columns
    from rainbow.datasets import load_dataset
    from rainbow.datasets.columns import NO_COLUMNS
    from rainbow.study.design import choose_sizes
    from rainbow.study.questions import Question
    from rainbow.study.settings import FILE, Settings, Target
    from rainbow.study.study import Study

    folder = out or Path("studies") / Path(source).stem
    if (folder / FILE).is_file():
        raise ValueError(
            f"{folder} is already a study: continue it with `rainbow study {folder}`, or create another with --out"
        )
    corpus = load_dataset(source, **resolve_columns(source, NO_COLUMNS).set_options())
    questions = tuple(map(Question.parse, ratings))
    goal = {name: options[name] for name in ("difference", "margin") if options[name] is not None}
    target = Target(questions[0].name, power=options["power"], **goal) if goal else None
    people = options["people"] or options["raters"]
    settings = Settings(source, questions, 1, options["raters"], people, seed=options["seed"], target=target)
    settings = choose_sizes(corpus.frame, settings, options["items"], options["people"])
    return Study.make(corpus, settings, folder)


def _copy_returned(study: Study, files: list[Path]) -> None:
    """Copy returned files into the folder of the study without overwriting others."""
    from rainbow.base.fingerprint import file_sha256

    for path in files:
        target = study.folder / "returned" / path.name
        if target.exists() and file_sha256(target) != file_sha256(path):
            target = target.with_stem(f"{target.stem}-{file_sha256(path)[:8]}")
        if path.resolve() != target.resolve() and not target.exists():
            shutil.copyfile(path, target)


def _print_study(study: Study, written: dict[str, Any], as_json: bool) -> None:
    tasks = study.tasks.groupby("rater", sort=False).size()
    if as_json:
        print_json({"folder": str(study.folder), "study": study.name, "tasks": tasks.to_dict(), "ways": written})
        return
    settings = _format_settings(study.settings)
    typer.echo(
        f"{study.folder}: {settings}; {format_count(len(tasks), 'rater')}, {tasks.min()} to {tasks.max()} tasks each"
    )
    for interface, location in written.items():
        typer.echo(f"{interface}: {location}")
    typer.echo(f"put returned files into {study.folder}/returned, then run `rainbow study {study.folder}`")


def _format_settings(settings: Settings) -> str:
    asked = ", ".join(question.to_string() for question in settings.questions)
    return f"{asked}; {format_count(settings.items, 'input')}, {format_count(settings.raters, 'rater')} per output"


def _print_results(current: Study, as_json: bool) -> None:
    from rainbow.study.paper.paper_files import write_paper
    from rainbow.study.results import read_results, write_results

    now = read_results(current)
    written = [*write_results(now), *write_paper(now)]
    if as_json:
        print_json(_as_json(now, written))
        return
    for note in now.notes:
        typer.echo(f"beware: {note}")
    print_records(
        records(now.raters),
        *("rater", "answers", ("controls failed", "{failed} of {controls}")),
        *(("seconds", "{seconds:.1f}"), ("agrees", "{agrees:number}"), "flagged"),
    )
    print_records(
        [
            result._asdict() | {"rating": name, "own": own.estimate, "own_low": own.low, "own_high": own.high}
            for name, result in now.agreement.items()
            for own in [now.self_agreement[name]]
        ],
        *("rating", ("inter-rater alpha", "{estimate:number}"), RANGE),
        *(("with themselves", "{own:number}"), ("95 % interval", "{range[own]:number}")),
    )
    _print_differences(now)
    typer.echo(now.verdict.because)
    typer.echo(f"{current.folder}/answers.csv: rainbow run {current.folder}/answers.csv; {current.folder}/paper")


def _print_differences(now: Results) -> None:
    """Print system differences, with and without flagged raters."""
    both = bool(now.raters["flagged"].ne("").any()) and len(now.unflagged) == len(now.differences)
    others = records(now.unflagged if both else now.differences)
    rows = [
        row | {f"without_{name}": other[name] for name in ("difference", "low", "high")}
        for row, other in zip(records(now.differences), others, strict=True)
    ]
    without = ("without flagged", "{without_difference:number}"), ("interval", "{range[without]:number}")
    print_records(
        rows,
        *("rating", ("systems", "{first} - {second}"), ("inputs", "{n}")),
        *(("difference", "{difference:number}"), ("interval", RANGE[1]), *(without if both else ())),
    )


def _as_json(now: Results, written: list[Path]) -> dict[str, Any]:
    return {
        "enough": now.verdict.enough,
        "because": now.verdict.because,
        "missing": now.missing,
        "notes": now.notes,
        "raters": now.raters.to_dict("records"),
        "agreement": {name: result._asdict() for name, result in now.agreement.items()},
        "self_agreement": {name: result._asdict() for name, result in now.self_agreement.items()},
        "differences": now.differences.to_dict("records"),
        "without_flagged": now.unflagged.to_dict("records"),
        "files": list(map(str, written)),
    }
