"""The files about a study in its folder ``paper``, with a picture of each question as raters saw it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from textwrap import wrap
from typing import Any

from rainbow.base.files import write_text
from rainbow.base.fingerprint import file_sha256
from rainbow.base.formatting import format_interval, format_number
from rainbow.stats.agreement.rating_matrix import Agreement
from rainbow.stats.tidy_tables import records
from rainbow.study.annotation.rater_pages import task_texts, text_labels
from rainbow.study.paper.methods import describe_methods, write_datasheet
from rainbow.study.questions import Question
from rainbow.study.results import Results
from rainbow.text.latex import latex_table

HASHED = ("study.toml", "design/outputs.csv", "design/tasks.csv", "answers.csv", "left_out.csv", "raters.csv")


def write_paper(results: Results) -> list[Path]:
    """Write methods, datasheet, LaTeX tables, question pictures and data hashes."""
    folder = results.study.folder / "paper"
    parts = {
        "methods.md": describe_methods(results) + "\n",
        "datasheet.md": write_datasheet(results) + "\n",
        **_latex_tables(results),
    }
    tasks = results.study.tasks[results.study.tasks["control"] == ""]
    for question in results.study.settings.questions:
        own = tasks[tasks["asks"] == ("pairs" if question.is_pairs else "single")]
        shown = task_texts(results.study, {str(name): value for name, value in own.iloc[0].items()})
        parts[f"question-{question.name}.svg"] = question_svg(question, shown)
    there = [name for name in HASHED if (results.study.folder / name).is_file()]
    parts["SHA256SUMS"] = "".join(f"{file_sha256(results.study.folder / name)}  ../{name}\n" for name in there)
    return [write_text(folder / name, text) for name, text in parts.items()]


def _latex_tables(results: Results) -> dict[str, str]:
    about = f"Study {results.study.name}."
    usual = results.counting[results.counting["control"] == ""]
    grouped = usual.groupby(["rating", "system"])["value"].agg(["mean", "std", "size"]).reset_index()
    means = [
        [row["system"], row["rating"], format_number(row["mean"]), format_number(row["std"]), str(int(row["size"]))]
        for row in records(grouped)
    ]
    whole = "intervals hold jointly for all pairs and looks in 95 %"
    return {
        "agreement.tex": latex_table(
            ["rating", "raters", "95 % interval", "with themselves", "95 % interval"],
            [
                [name, *_agreement_table(results.agreement[name]), *_agreement_table(own)]
                for name, own in results.self_agreement.items()
            ],
            f"Krippendorff's alpha (interval level), intervals over resampled outputs. {about}",
        ),
        "systems.tex": latex_table(
            ["system", "rating", "mean", "sd", "ratings"], means, f"Mean ratings, without controls. {about}"
        ),
        "differences.tex": latex_table(
            ["systems", "rating", "difference", "interval", "inputs"],
            [_pair_label(row) for row in records(results.differences)],
            f"Differences of mean ratings; {whole}. {about}",
        ),
    }


def _agreement_table(agreement: Agreement) -> list[str]:
    return [format_number(agreement.estimate), format_interval(agreement.low, agreement.high, format_number)]


def _pair_label(row: dict[str, Any]) -> list[str]:
    interval, difference = format_interval(row["low"], row["high"], format_number), format_number(row["difference"])
    return [f"{row['first']} - {row['second']}", row["rating"], difference, interval, str(row["n"])]


WIDTH, LINE, CHARACTERS = 640, 22, 78


def question_svg(question: Question, shown: Mapping[str, Any]) -> str:
    """Return an SVG picture of a question with the texts of a task."""
    lines = list(_text_lines(question, shown))
    texts = [
        f'<text x="10" y="{LINE * (n + 1)}" {style}>{escape(line)}</text>' for n, (line, style) in enumerate(lines)
    ]
    errors = [f"{n} {kind}" for n, kind in enumerate(question.error_kinds, 1)]
    sides = ["1 the first", "2 the second", "3 both alike"]
    buttons = {"pairs": sides, "errors": errors}.get(question.kind, question.marks or [""])
    top = LINE * (len(lines) + 1)
    boxes = [
        f'<rect x="{10 + n * width}" y="{top}" width="{width - 8}" height="34" rx="5" fill="none" stroke="#56606c"/>'
        f'<text x="{10 + n * width + (width - 8) / 2}" y="{top + 22}" text-anchor="middle">{escape(label)}</text>'
        for labels in [buttons]
        for width in [min(160, (WIDTH - 20) // len(labels))]
        for n, label in enumerate(labels)
    ]
    size = f'width="{WIDTH}" height="{top + 50}" font-family="sans-serif" font-size="15"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>'
    return "\n".join([head, *texts, *boxes, "</svg>", ""])


def _text_lines(question: Question, shown: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    reference = [shown["reference"]] if question.kind == "magnitude" else []
    names = text_labels("pairs" if question.is_pairs else "single", bool(reference))
    for name, text in zip(names, [shown["input"], *reference, *shown["texts"]], strict=True):
        if text:
            yield name, 'fill="#56606c" font-size="13"'
            yield from ((line, "") for line in wrap(text, CHARACTERS))
    yield from ((line, 'font-weight="bold"') for line in wrap(question.text, CHARACTERS - 6))
    if question.kind == "scale":
        yield question.ends, 'fill="#56606c" font-size="13"'
