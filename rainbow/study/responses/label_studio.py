"""Label Studio JSON exports: tasks with annotations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from rainbow.datasets.shapes.pairs import preference_value
from rainbow.study.responses.answer import Answer, File, belonging_study
from rainbow.text.utf16 import from_utf16_position

if TYPE_CHECKING:
    from rainbow.study.study import Study


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
