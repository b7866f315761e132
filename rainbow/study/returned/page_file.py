"""What the page of a rater saves."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from rainbow.study.returned.answer import Answer, File


def page_file(found: Any) -> File | None:
    """Return what is in a file that a page saved; None for another file."""
    if not isinstance(found, Mapping) or not {"study", "rater", "answers", "check"} <= {*found}:
        return None
    entries = found["answers"] if isinstance(found["answers"], list) else []
    edited = found["check"] != _check(_compact(found["answers"]))
    return File(str(found["study"]), _answers(str(found["rater"]), entries), edited)


def page_json(study: str, rater: str, tasks: int, answers: list[dict[str, Any]]) -> str:
    """Return what the page of a rater with these answers saves."""
    check = _check(_compact(answers))
    return _compact({"study": study, "rater": rater, "tasks": tasks, "answers": answers, "check": check})


def _answers(rater: str, entries: list[Any]) -> Iterator[Answer]:
    for entry in entries:
        own = entry if isinstance(entry, Mapping) else {}
        given = (own.get(name) for name in ("seconds", "at"))
        seconds, at = (float(number) if isinstance(number, (int, float)) else 0.0 for number in given)
        yield Answer(rater, str(own.get("task", "")), str(own.get("rating", "")), own.get("value"), seconds, at)


def _compact(value: Any) -> str:
    """Write as JSON.stringify does."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _check(text: str) -> str:
    """Return the FNV-1a hash of a text, 8 hexadecimal digits, as page.js does."""
    value = 0x811C9DC5
    for byte in text.encode("utf-8", "backslashreplace"):
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    return f"{value:08x}"
