"""A project for the annotation tool Potato, and the answers in its ``user_state.json`` files."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from typing import Any

from rainbow.base.files import write_text
from rainbow.stats.tidy_tables import records
from rainbow.study.annotation.rater_pages import TEXTS, task_texts, text_labels
from rainbow.study.questions import SEVERITIES, Answer, File, Question, belonging_study
from rainbow.study.study import Study
from rainbow.text.utf16 import from_utf16_position


def write_potato(study: Study) -> list[str]:
    """Write ``potato/single`` and ``potato/pairs`` as needed; return the start commands."""
    commands: list[str] = []
    for asks in ("single", "pairs"):
        if questions := study.settings.asked(asks):
            folder = study.folder / "potato" / asks
            lists = _write_task_lists(study, asks, folder)
            config = _config(study, asks, questions, lists)
            write_text(folder / "config.yaml", json.dumps(config, indent=1))  # which is YAML, too
            # Potato reads no configuration outside its working folder.
            commands.append(f"cd {shlex.quote(str(folder))} && potato start config.yaml -p 8000")
    return commands


def _write_task_lists(study: Study, question_kind: str, folder: Path) -> dict[str, str]:
    """Write a task file per rater, and return the names."""
    names = {}
    for rater, own in study.tasks[study.tasks["asks"] == question_kind].groupby("rater", sort=False):
        lines = []
        for task in records(own):
            seen = task_texts(study, task)
            lines.append({"id": f"{study.name}-{task['task']}", "text": seen["texts"][0], **seen})
        names[str(rater)] = f"data/{rater}.jsonl"
        write_text(folder / names[str(rater)], "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines))
    return names


def _config(study: Study, question_kind: str, questions: list[Question], lists: dict[str, str]) -> dict[str, Any]:
    with_reference = any(question.kind == "magnitude" for question in questions)
    keys = ["input", *["reference"] * with_reference, *["text"] * (question_kind == "single")]
    fields = [
        {"key": key, "type": "text", "label": label}
        for key, label in zip(keys, text_labels(question_kind, with_reference), strict=False)
    ]
    groups = [{"name": rater, "annotators": [rater], "data_file": file} for rater, file in lists.items()]
    return {
        **{"annotation_task_name": f"Study {study.name}", "task_dir": "."},
        **{"output_annotation_dir": "annotation_output", "output_annotation_format": "json"},
        **{"require_password": False, "hide_navbar": False},
        **{"user_config": {"allow_all_users": False, "users": list(lists)}, "authentication": {"method": "in_memory"}},
        **{"data_files": [], "item_properties": {"id_key": "id", "text_key": "text"}},
        "annotation_instructions": escape(study.instructions),
        **{"assignment_strategy": "batch", "batch_assignment": {"groups": groups}},
        "instance_display": {"fields": fields},
        "annotation_schemes": [_annotation_scheme(question) for question in questions],
    }


def _annotation_scheme(question: Question) -> dict[str, Any]:
    head = {"name": question.name, "description": question.text, "label_requirement": {"required": True}}
    if question.kind == "pairs":
        sides = {"labels": list(TEXTS[1:]), "allow_tie": True, "tie_label": "Both alike", "items_key": "texts"}
        return {**head, "annotation_type": "pairwise", "mode": "binary", **sides}
    if question.kind == "errors":
        kinds = [{"name": kind} for kind in question.error_kinds]
        weights = [{"name": name, "weight": -points} for name, points in SEVERITIES.items()]
        spans = {"error_types": kinds, "severities": weights, "show_score": False, "source_field": "text"}
        return {"name": question.name, "description": question.text, "annotation_type": "error_span", **spans}
    if question.marks:
        shown = {"description": f"{question.text} {question.ends}", "labels": question.marks}
        return {**head, **shown, "annotation_type": "radio", "sequential_key_binding": True}
    limits = {"scale": {"min_value": question.low, "max_value": question.high}, "magnitude": {"min_value": 1}}
    return {**head, "annotation_type": "number", **limits[question.kind]}


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
