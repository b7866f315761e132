"""The text about a study for the paper: its methods, and the Human Evaluation Datasheet (HEDS)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rainbow._version import __version__
from rainbow.base.formatting import format_count, format_interval, format_number
from rainbow.stats.agreement.rating_matrix import Agreement
from rainbow.study.design import AT_END, EARLY
from rainbow.study.questions import Question
from rainbow.study.results import Results


def describe_methods(results: Results) -> str:
    """Return the paragraph that describes the study and its results."""
    study, settings = results.study, results.study.settings
    tasks, raters = study.tasks, results.counting["rater"].nunique()
    systems = sorted(name for name in tasks["system"].unique() if name)
    usual = tasks[tasks["control"] == ""]
    seconds = results.counting.drop_duplicates(["rater", "task"])["seconds"].median()
    flagged = results.raters[results.raters["flagged"] != ""]
    left_out = ", ".join(settings.left_out) or "nobody"
    sentences = [
        (
            f"We sampled {format_count(settings.items, 'input')} at random from those that all {len(systems)} "
            f"systems ({', '.join(systems)}) had answered, and asked about all of their {usual['id'].nunique()} "
            "outputs."
        ),
        describe_size(results),
        *(describe_question(question) for question in settings.questions),
        (
            f"Each output was assigned to {format_count(settings.raters, 'rater')}; inputs were distributed over "
            f"{format_count(settings.people, 'list')} in balanced incomplete blocks. Raters did not see which "
            "system had written a text; each had an individual order"
        )
        + ("." if settings.neighbours else ", without consecutive outputs for one input."),
        f"{settings.repeated:.0%} of the tasks were repeated, and controls (worthless texts"
        + (", references" if (tasks["control"] == "reference").any() else "")
        + f") were added at a rate of {settings.controls:.0%}.",
        (
            f"{format_count(raters, 'rater')} gave "
            f"{format_count(int((results.counting['control'] == '').sum()), 'rating')} (without controls), with a "
            f"median of {seconds:.0f} seconds per task; {results.missing} of {len(tasks)} planned tasks are missing."
        ),
        (
            f"By rule, {format_count(len(flagged), 'rater')} failed controls or clicked through; {left_out} was "
            "excluded."
        ),
        *(
            f"Krippendorff's alpha (interval level) for {name} is {describe_agreement(results.agreement[name])}; of "
            f"raters with themselves {describe_agreement(same)}."
            for name, same in results.self_agreement.items()
        ),
        (
            "Intervals of differences between systems hold jointly for all pairs and interim looks of a rating "
            f"in 95 % of studies ({EARLY:.1%} spent on interim looks, always-valid, Waudby-Smith et al. 2024; "
            f"{AT_END:.1%} at the end, Student's t; Bonferroni over pairs)."
        ),
        f"Design, answers and tables: RAINBOW {__version__}, study {study.name}, seed {settings.seed}.",
    ]
    return " ".join(sentence for sentence in sentences if sentence)


def describe_size(results: Results) -> str:
    """Return the reason for the number of inputs; empty if the organiser chose it."""
    target = results.study.settings.target
    if target is None:
        return ""
    if target.margin is not None:
        goal = f"intervals of differences of {target.rating} with a half-width of at most {target.margin:g}"
    else:
        points = f"{target.difference:g} points of {target.rating}"
        goal = f"detecting differences of {points} with a power of {target.power:g}"
    return f"The number of inputs was planned for {goal}, for every two systems, from the ratings of a pilot."


def describe_question(question: Question) -> str:
    """Return how a rating was elicited."""
    how = {
        "scale": f"from {question.low} ({question.low_end}) to {question.high} ({question.high_end})",
        "magnitude": "any positive number, relative to a reference worth 100",
        "pairs": "two outputs side by side, ties allowed",
        "errors": f"spans of the text, each {', '.join(question.error_kinds)}, and minor (1 point) or major (5)",
    }[question.kind]
    return f"{question.name.capitalize()} was asked as “{question.text}” ({how})."


def describe_agreement(agreement: Agreement) -> str:
    """Return an agreement coefficient with its interval, or why there is none."""
    if agreement.estimate != agreement.estimate:
        return f"not defined: {agreement.reason}"
    return (
        f"{format_number(agreement.estimate)} (95 % interval "
        f"{format_interval(agreement.low, agreement.high, format_number)}, {agreement.n_items} texts)"
    )


OPEN = "**please fill in**"
_ABOUT = (
    *(("1.1", "paper"), ("1.2", "resources"), ("1.3", "contact"), ("2.1", "type of input")),
    *(("2.2", "type of output"), ("2.3", "task"), ("2.4", "language of inputs"), ("2.5", "language of outputs")),
)
_ETHICS = (
    ("5.1", "ethics committee", OPEN),
    ("5.2", "personal data", f"raters are identified by number only; outputs {OPEN}"),
    ("5.3", "special categories", OPEN),
    ("5.4", "impact assessments", OPEN),
)


def write_datasheet(results: Results) -> str:
    """Return the datasheet in Markdown with unknown answers left open.

    Source: Shimorina, A. and Belz, A. (2022). The Human Evaluation Datasheet: a template for recording details of human
    evaluation experiments in NLP. HumEval: the numbers are those of this version (2.0).
    """
    lines = [
        "# Human Evaluation Datasheet 2.0",
        "",
        *_format_section("Paper, systems", [(number, about, OPEN) for number, about in _ABOUT]),
        *_format_section("Design", _design_section(results)),
    ]
    for number, question in enumerate(results.study.settings.questions, 1):
        lines += _format_section(f"Quality criterion {number}: {question.name}", _criterion_section(question, results))
    return "\n".join([*lines, *_format_section("Ethics", _ETHICS)])


def _format_section(title: str, entries: Iterable[tuple[str, str, str]]) -> list[str]:
    rows = [f"| {number} | {about} | {answer.replace('|', '/')} |" for number, about, answer in entries]
    return [f"## {title}", "", "| question | about | answer |", "| --- | --- | --- |", *rows, ""]


def _design_section(results: Results) -> Iterator[tuple[str, str, str]]:
    settings, tasks = results.study.settings, results.study.tasks
    usual = tasks[(tasks["control"] == "") & (tasks["system"] != "")]
    outputs = usual.groupby("system")["id"].nunique()
    yield "3.1.1", "number of outputs per system", ", ".join(sorted({str(number) for number in outputs}))
    yield "3.1.2", "how they were selected", "random: inputs that all systems answered"
    yield "3.1.3", "statistical power", describe_size(results) or "not planned for a target power"
    yield "3.2.1", "evaluators", str(results.counting["rater"].nunique())
    yield "3.2.2", "kind of evaluators", OPEN
    yield "3.2.3", "recruitment", OPEN
    yield "3.2.4", "training", f"instructions with {len(results.study.examples)} examples: {settings.instructions}"
    yield "3.2.5", "other characteristics", OPEN
    yield "3.3.1", "preregistered", OPEN
    yield "3.3.2", "how responses were collected", OPEN
    checks = f"automatic checks: controls ({settings.controls:.0%}), response time, variety"
    yield "3.3.3", "quality assurance", f"{checks}; excluded: {', '.join(settings.left_out) or 'nobody'}"
    yield "3.3.4", "what evaluators saw", "one text at a time, see the pictures of the questions"
    timing = "neither: no time limit, and answers can be changed until submission"
    yield "3.3.5", "how free they are in timing", timing
    yield "3.3.6", "questions and feedback", OPEN
    yield "3.3.7", "conditions", OPEN
    yield "3.3.8", "conditions, described", OPEN


def _criterion_section(question: Question, results: Results) -> Iterator[tuple[str, str, str]]:
    size, values, presented, form = {
        "scale": (
            str(question.high - question.low + 1),
            f"{question.low} to {question.high}",
            "multiple-choice options" if question.high < 10 else "other: number field",
            "direct quality estimation",
        ),
        "magnitude": (
            "continuous",
            "positive, the reference is 100",
            "other: number field",
            "direct quality estimation",
        ),
        "pairs": ("3", "the first, the second, or equal", "multiple-choice options", "relative quality estimation"),
        "errors": ("N/A", "N/A", "N/A", "evaluation through annotation"),
    }[question.kind]
    for number, about in (("4.1.1", "type of quality"), ("4.1.2", "aspect"), ("4.1.3", "frame of reference")):
        yield number, about, OPEN
    yield "4.2.1", "objective or subjective", "subjective"
    yield "4.2.2", "absolute or relative", "relative" if question.kind in ("pairs", "magnitude") else "absolute"
    yield "4.2.3", "intrinsic or extrinsic", "intrinsic"
    yield "4.3.1", "name shown", question.name
    yield "4.3.2", "definition shown", question.text
    yield "4.3.3", "size of the scale", size
    yield "4.3.4", "possible values", values
    yield "4.3.5", "how it is presented", presented
    yield "4.3.6", "task without instrument", describe_question(question) if question.kind == "errors" else "N/A"
    yield "4.3.7", "verbatim question", question.text
    yield "4.3.8", "form of elicitation", form
    yield "4.3.9", "aggregation", "mean over raters for an output, over inputs for a system"
    yield "4.3.10", "significance", "intervals of paired differences by input, corrected for pairs and looks"
    others, same = results.agreement[question.name], results.self_agreement[question.name]
    both = f"raters {describe_agreement(others)}; with themselves {describe_agreement(same)}"
    yield "4.3.11", "agreement", f"Krippendorff's alpha: {both}"
