"""The Human Evaluation Datasheet (HEDS), filled in as far as possible."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rainbow.study.paper.methods import describe_agreement, describe_question, describe_size
from rainbow.study.questions import Question

if TYPE_CHECKING:
    from rainbow.study.results import Results

OPEN = "**please fill in**"


def write_datasheet(results: Results) -> str:
    """Return the datasheet in Markdown with unknown answers left open.

    Source: Shimorina, A. and Belz, A. (2022). The Human Evaluation Datasheet: a template for recording details of human
    evaluation experiments in NLP. HumEval: the numbers are those of this version (2.0).
    """
    lines = [
        "# Human Evaluation Datasheet 2.0",
        "",
        *_format_section("Paper, systems", _about_section()),
        *_format_section("Design", _design_section(results)),
    ]
    for number, question in enumerate(results.study.settings.questions, 1):
        lines += _format_section(f"Quality criterion {number}: {question.name}", _criterion_section(question, results))
    return "\n".join([*lines, *_format_section("Ethics", _ethics_section())])


def _format_section(title: str, entries: Iterator[tuple[str, str, str]]) -> list[str]:
    rows = [f"| {number} | {about} | {answer.replace('|', '/')} |" for number, about, answer in entries]
    return [f"## {title}", "", "| question | about | answer |", "| --- | --- | --- |", *rows, ""]


def _about_section() -> Iterator[tuple[str, str, str]]:
    for number, about in (
        *(("1.1", "paper"), ("1.2", "resources"), ("1.3", "contact"), ("2.1", "type of input")),
        *(("2.2", "type of output"), ("2.3", "task"), ("2.4", "language of inputs"), ("2.5", "language of outputs")),
    ):
        yield number, about, OPEN


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
    left_out = f"; excluded: {', '.join(settings.left_out) or 'nobody'}"
    yield (
        "3.3.3",
        "quality assurance",
        f"automatic checks: controls ({settings.controls:.0%}), response time, variety{left_out}",
    )
    yield "3.3.4", "what evaluators saw", "one text at a time, see the pictures of the questions"
    yield (
        "3.3.5",
        "how free they are in timing",
        "neither: no time limit, and answers can be changed until submission",
    )
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
    yield (
        "4.3.11",
        "agreement",
        f"Krippendorff's alpha: raters {describe_agreement(others)}; with themselves {describe_agreement(same)}",
    )


def _ethics_section() -> Iterator[tuple[str, str, str]]:
    yield "5.1", "ethics committee", OPEN
    yield "5.2", "personal data", f"raters are identified by number only; outputs {OPEN}"
    yield "5.3", "special categories", OPEN
    yield "5.4", "impact assessments", OPEN
