"""Files saved by a rater's page."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from rainbow.study.responses.answer import Answer, File


def read_page_file(data: Any) -> File | None:
    """Return the answers in a file saved by a page; None for any other file."""
    if not isinstance(data, Mapping) or not {"study", "rater", "answers", "check"} <= {*data}:
        return None
    entries = data["answers"] if isinstance(data["answers"], list) else []
    edited = data["check"] != _checksum(_compact_json(data["answers"]))
    return File(str(data["study"]), _read_answers(str(data["rater"]), entries), edited)


def page_json(study: str, rater: str, tasks: int, answers: list[dict[str, Any]]) -> str:
    """Return the file that a rater's page saves for these answers."""
    check = _checksum(_compact_json(answers))
    return _compact_json({"study": study, "rater": rater, "tasks": tasks, "answers": answers, "check": check})


def _read_answers(rater: str, entries: list[Any]) -> Iterator[Answer]:
    for entry in entries:
        own = entry if isinstance(entry, Mapping) else {}
        given = (own.get(name) for name in ("seconds", "at"))
        seconds, at = (float(number) if isinstance(number, (int, float)) else 0.0 for number in given)
        yield Answer(rater, str(own.get("task", "")), str(own.get("rating", "")), own.get("value"), seconds, at)


def _compact_json(value: Any) -> str:
    """Serialise as JSON.stringify does."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _checksum(text: str) -> str:
    """Return the FNV-1a hash of a text as 8 hexadecimal digits, as page.js does."""
    value = 0x811C9DC5
    for byte in text.encode("utf-8", "backslashreplace"):
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    return f"{value:08x}"
