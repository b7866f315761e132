"""Potato's ``user_state.json`` files, one per rater."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from rainbow.study.responses.answer import Answer, File, belonging_study
from rainbow.text.utf16 import from_utf16_position

if TYPE_CHECKING:
    from rainbow.study.study import Study

_SIDES = {"A": 1.0, "B": 0.0, "tie": 0.5}


def read_potato(data: Any, study: Study) -> File | None:
    """Return the answers in a ``user_state.json`` of Potato; None for any other file."""
    if not isinstance(data, Mapping) or not {"user_id", "instance_id_to_label_to_value"} <= {*data}:
        return None
    order = list(data.get("instance_id_ordering", []))
    return File(belonging_study(order), _read_answers(data, order, study))


def _read_answers(data: Mapping[str, Any], order: list[str], study: Study) -> Iterator[Answer]:
    labels, times = data["instance_id_to_label_to_value"], data.get("instance_id_to_behavioral_data", {})
    done = {*order[: data.get("current_instance_index", 0)], *labels}
    for instance in (name for name in order if name in done):
        task = instance.partition("-")[2]
        known = times.get(instance, {})
        seconds, at = (float(known.get(name) or 0) for name in ("total_time_ms", "session_end"))
        for rating, value in _read_values(labels.get(instance, []), task, study):
            yield Answer(str(data["user_id"]), task, rating, value, seconds / 1000, at * 1000)


def _read_values(labels: list[Any], task: str, study: Study) -> Iterator[tuple[str, Any]]:
    """Yield the answers of a task, including "no error marked", which Potato does not store."""
    given = {label["schema"]: value for label, value in labels}
    about = study.tasks[study.tasks["task"] == task]
    for question in study.settings.questions:
        if question.kind == "errors" and (about["asks"] == "single").all():
            marked = json.loads(given.pop(question.name, "{}")).get("errors", [])
            yield question.name, [_read_span(span, "".join(about["output"])) for span in marked]
        elif question.name in given:
            value = given.pop(question.name)
            yield question.name, _SIDES.get(value, value) if question.is_pairs else value
    yield from given.items()


def _read_span(span: Mapping[str, Any], text: str) -> dict[str, Any]:
    start, end = (from_utf16_position(text, span[side]) for side in ("start", "end"))
    return {"start": start, "end": end, "kind": span["type"], "severity": span["severity"]}
