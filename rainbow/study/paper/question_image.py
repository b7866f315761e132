"""A question as an image, as raters saw it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from textwrap import wrap
from typing import Any

from rainbow.study.annotation.rater_pages import text_labels
from rainbow.study.questions import Question

WIDTH, LINE, COLUMNS = 640, 22, 78


def question_svg(question: Question, shown: Mapping[str, Any]) -> str:
    """Return an SVG picture of a question with the texts of a task."""
    lines = list(_text_lines(question, shown))
    texts = [
        f'<text x="10" y="{LINE * (n + 1)}" {style}>{escape(line)}</text>' for n, (line, style) in enumerate(lines)
    ]
    top = LINE * (len(lines) + 1)
    boxes = [
        f'<rect x="{10 + n * width}" y="{top}" width="{width - 8}" height="34" rx="5" fill="none" stroke="#56606c"/>'
        f'<text x="{10 + n * width + (width - 8) / 2}" y="{top + 22}" text-anchor="middle">{escape(label)}</text>'
        for labels in [_labels(question)]
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
            yield from ((line, "") for line in wrap(text, COLUMNS))
    yield from ((line, 'font-weight="bold"') for line in wrap(question.text, COLUMNS - 6))
    if question.kind == "scale":
        yield question.ends, 'fill="#56606c" font-size="13"'


def _labels(question: Question) -> list[str]:
    if question.kind == "pairs":
        return ["1 the first", "2 the second", "3 both alike"]
    if question.kind == "errors":
        return [f"{n} {kind}" for n, kind in enumerate(question.error_kinds, 1)]
    return {"scale": question.marks or [""], "magnitude": [""]}[question.kind]
