"""A file that may be an export of error spans: its JSON objects, and files that accompany it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

Json = dict[str, Any]


class Entry(NamedTuple):
    """A JSON object, and where it is."""

    place: str
    data: Json


@dataclass(frozen=True)
class ExportFile:
    """A file, and files named together with it, which may have its texts."""

    path: Path
    companions: Sequence[Path] = ()

    @cached_property
    def entries(self) -> list[Entry]:
        """The JSON objects of the file; anything else, such as a broken line, is an empty object."""
        return list(_parse_file(self.path))

    def has(self, *keys: str) -> bool:
        """Return whether the first object has these keys."""
        if self.path.suffix.lower() == ".json" and not all(f'"{key}"' in self._text for key in keys):
            return False
        first = next(_parse_file(self.path), None)
        return first is not None and {*keys} <= {*first.data}

    @cached_property
    def _text(self) -> str:
        return self.path.read_text(encoding="utf-8-sig")

    def accompanying(self, is_wanted: Callable[[Mapping[str, Any]], bool]) -> list[Json]:
        """Return the objects of this kind in the files named with this one, else in its folder."""
        neighbours = sorted(file for file in self.path.parent.glob("*.json*") if file != self.path)
        for files in (self.companions, neighbours):
            if found := [data for file in files for _, data in _parse_file(file) if is_wanted(data)]:
                return found
        return []


def _parse_file(path: Path) -> Iterator[Entry]:
    """Yield the objects of a JSON Lines file, or of a list in a JSON file."""
    match path.suffix.lower():
        case ".jsonl" | ".ndjson":
            with path.open(encoding="utf-8-sig") as lines:
                for number, line in enumerate(lines, 1):
                    if line.strip():
                        yield Entry(f"{path.name}, line {number}", _as_object(_parse(line)))
        case ".json":
            data = _parse(path.read_text(encoding="utf-8-sig"))
            for number, each in enumerate(data if isinstance(data, list) else [data], 1):
                yield Entry(f"{path.name}, entry {number}", _as_object(each))


def _parse(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _as_object(data: Any) -> Json:
    return data if isinstance(data, dict) else {}
