"""One self-contained offline HTML page per rater, and the files that it saves."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from rainbow.base.files import write_text
from rainbow.base.lazy import pd
from rainbow.reports.colours import stylesheet
from rainbow.reports.embedding import script_json
from rainbow.stats.tidy_tables import records
from rainbow.study.questions import SEVERITIES, Answer, File
from rainbow.study.study import Study

TEXTS = ("The text", "The first text", "The second text")


def write_pages(study: Study) -> list[Path]:
    """Write ``pages/r1.html``, ``pages/r2.html``, ... to the folder of a study."""
    return [
        write_text(study.folder / "pages" / f"{rater}.html", _render_page(study, str(rater), tasks))
        for rater, tasks in study.tasks.groupby("rater", sort=False)
    ]


def text_labels(question_kind: str, with_reference: bool) -> list[str]:
    """Return the labels above the texts of a task: input, optional reference, outputs."""
    texts = TEXTS[1:] if question_kind == "pairs" else TEXTS[:1]
    return ["The input", *(["The first text, worth 100"] if with_reference else []), *texts]


def task_texts(study: Study, task: Mapping[str, Any]) -> dict[str, Any]:
    """Return the texts of a task: `input`, `texts` (one or two), `reference` if shown."""
    texts = [task["output"], *([task["other_output"]] if task["asks"] == "pairs" else [])]
    reference = task["references"][0] if study.settings.shows_reference and task["asks"] == "single" else ""
    return {"input": task["input"], "texts": texts, "reference": reference}


def _render_page(study: Study, rater: str, tasks: pd.DataFrame) -> str:
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    data = {
        "study": study.name,
        "rater": rater,
        "questions": [
            {
                **{"name": question.name, "kind": question.kind, "text": question.text, "low": question.low},
                **{"high": question.high, "ends": [question.low_end, question.high_end]},
                **{"kinds": list(question.error_kinds), "severities": list(SEVERITIES)},
            }
            for question in study.settings.questions
        ],
        "tasks": [{"task": task["task"], **task_texts(study, task)} for task in records(tasks)],
    }
    script = f'"use strict";\n(() => {{\n{_read_asset("page.js")}}})();\n'
    template = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True).from_string(
        _read_asset("page.html")
    )
    return template.render(
        study=study.name,
        rater=rater,
        instructions=study.settings.instructions,
        examples=study.examples,
        data=Markup(script_json(data)),
        colours=Markup(stylesheet()),
        stylesheet=Markup(_read_asset("page.css")),
        script=Markup(script),
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    )


@cache
def _read_asset(name: str) -> str:
    return files("rainbow.study.annotation").joinpath(name).read_text(encoding="utf-8")


def read_page_file(data: Any) -> File | None:
    """Return the answers in a file saved by a page; None for any other file."""
    if not isinstance(data, Mapping) or not {"study", "rater", "answers", "check"} <= {*data}:
        return None
    entries = data["answers"] if isinstance(data["answers"], list) else []
    edited = data["check"] != _checksum(_compact_json(data["answers"]))
    answers = (_read_answer(str(data["rater"]), entry if isinstance(entry, Mapping) else {}) for entry in entries)
    return File(str(data["study"]), answers, edited)


def page_json(study: str, rater: str, tasks: int, answers: list[dict[str, Any]]) -> str:
    """Return the file that a rater's page saves for these answers."""
    check = _checksum(_compact_json(answers))
    return _compact_json({"study": study, "rater": rater, "tasks": tasks, "answers": answers, "check": check})


def _read_answer(rater: str, entry: Mapping[str, Any]) -> Answer:
    given = (entry.get(name) for name in ("seconds", "at"))
    seconds, at = (float(number) if isinstance(number, (int, float)) else 0.0 for number in given)
    return Answer(rater, str(entry.get("task", "")), str(entry.get("rating", "")), entry.get("value"), seconds, at)


def _compact_json(value: Any) -> str:
    """Serialise as JSON.stringify does."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _checksum(text: str) -> str:
    """Return the FNV-1a hash of a text as 8 hexadecimal digits, as page.js does."""
    value = 0x811C9DC5
    for byte in text.encode("utf-8", "backslashreplace"):
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    return f"{value:08x}"
