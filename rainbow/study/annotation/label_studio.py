"""Label Studio projects, one per rater, and the answers in its JSON exports."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

from rainbow.base.files import write_text
from rainbow.datasets.shapes.comparisons import preference_value
from rainbow.stats.tidy_tables import records
from rainbow.study.annotation.rater_pages import task_texts, text_labels
from rainbow.study.questions import SEVERITIES, Answer, File, Question, belonging_study
from rainbow.study.study import Study
from rainbow.text.utf16 import from_utf16_position

PAIR = ("first", "second", "both")

# Characters that no XML file may hold, however they are written.
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_label_studio(study: Study) -> Path:
    """Write ``label-studio/`` with tasks and a labelling configuration per rater and kind of task."""
    folder = study.folder / "label-studio"
    for (rater, asks), own in study.tasks.groupby(["rater", "asks"], sort=False):
        tasks = []
        for task in records(own):
            seen = task_texts(study, task)
            texts = {f"text{place}": text for place, text in enumerate(seen.pop("texts"), 1)}
            tasks.append({"data": {"task": f"{study.name}-{task['task']}", **seen, **texts}})
        write_text(folder / f"{rater}-{asks}.json", json.dumps(tasks, ensure_ascii=False, indent=1))
        write_text(folder / f"{asks}.xml", _config(study, str(asks)))
    return folder


def _config(study: Study, question_kind: str) -> str:
    questions = study.settings.asked(question_kind)
    with_reference = any(question.kind == "magnitude" for question in questions)
    names = ["input", *["reference"] * with_reference, "text1", *["text2"] * (question_kind == "pairs")]
    shown = [
        f'<Header value={quoteattr(label)} size="6"/><Text name="{name}" value="${name}"/>'
        for label, name in zip(text_labels(question_kind, with_reference), names, strict=True)
    ]
    paragraphs = study.instructions.split("\n\n")
    headers = "".join(f'<Header value={quoteattr(paragraph)} size="6"/>' for paragraph in paragraphs)
    return _NOT_IN_XML.sub("\ufffd", "\n".join(["<View>", headers, *shown, *map(_control, questions), "</View>", ""]))


def _control(question: Question) -> str:
    name = quoteattr(question.name)
    head = f"<Header value={quoteattr(question.text)}/>"
    if question.kind == "errors":
        labels = (f"{severity}, {kind}" for kind in question.error_kinds for severity in SEVERITIES)
        marks = "".join(f"<Label value={quoteattr(label)}/>" for label in labels)
        return f'{head}<Labels name={name} toName="text1">{marks}</Labels>'
    if question.kind == "pairs":
        marks = "".join(f"<Choice value={quoteattr(value)}/>" for value in PAIR)
        return f'{head}<Choices name={name} toName="text1" choice="single-radio" required="true">{marks}</Choices>'
    if question.marks:
        marks = "".join(f'<Choice value="{mark}"/>' for mark in question.marks)
        choices = f'<Choices name={name} toName="text1" choice="single-radio" showInline="true" required="true">'
        return f'{head}<Header value={quoteattr(question.ends)} size="6"/>{choices}{marks}</Choices>'
    limits = {"scale": f'min="{question.low}" max="{question.high}" step="1"', "magnitude": 'min="1"'}
    return f'{head}<Number name={name} toName="text1" {limits[question.kind]} required="true"/>'


def read_label_studio(data: Any, study: Study) -> File | None:
    """Return the answers in a Label Studio export; None for any other file. Accounts are ignored."""
    if not isinstance(data, list) or not data or not all({"data", "annotations"} <= {*task} for task in data):
        return None
    return File(belonging_study(task["data"]["task"] for task in data), _read_answers(data, study))


def _read_answers(data: list[Mapping[str, Any]], study: Study) -> Iterator[Answer]:
    for task in data:
        name = str(task["data"]["task"]).partition("-")[2]
        asks = "pairs" if "text2" in task["data"] else "single"
        for annotation in task["annotations"]:
            if annotation.get("was_cancelled"):
                continue
            at = datetime.fromisoformat(annotation["created_at"]).timestamp() * 1000
            seconds = float(annotation.get("lead_time") or 0)
            for question in study.settings.asked(asks):
                own = [entry for entry in annotation["result"] if entry["from_name"] == question.name]
                if own or question.kind == "errors":
                    value = _read_value(question.kind, own, task["data"]["text1"])
                    yield Answer(name.partition("-")[0], name, question.name, value, seconds, at)


def _read_value(kind: str, own: list[Mapping[str, Any]], text: str) -> Any:
    if kind == "errors":
        return [_read_span(entry["value"], text) for entry in own]
    value = own[-1]["value"]
    answer = value["number"] if "number" in value else value["choices"][0]
    won = preference_value(answer, "first", "second") if kind == "pairs" else None
    return answer if won is None else won


def _read_span(value: Mapping[str, Any], text: str) -> dict[str, Any]:
    severity, _, kind = value["labels"][0].partition(", ")
    start, end = (from_utf16_position(text, value[side]) for side in ("start", "end"))
    return {"start": start, "end": end, "kind": kind, "severity": severity}
