"""Exports of error spans: the JSON objects of a file, their annotations, and what is wrong with them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from rainbow.corpus.error_spans import ErrorSpan
from rainbow.text.utf16 import from_utf16_position

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


SEVERITIES = ("neutral", "minor", "major", "critical")
NO_POSITION = 0, 0


class Annotation(NamedTuple):
    """An output as one annotator saw it; no spans means that no error was found."""

    annotator: str
    about: Mapping[str, Any]  # columns of the output: `output`, and `system`, `item`, `mr` ... if known
    spans: tuple[ErrorSpan, ...]
    ratings: Mapping[str, float] = {}  # further ratings of the same annotator


@dataclass
class Export:
    """The annotations of an export."""

    tool: str
    is_table: bool = False  # whether a file without any span can be read as a table with other ratings
    annotations: list[Annotation] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)  # rows and spans that could not be read as they are
    skipped: Counter[str] = field(default_factory=Counter)  # how many rows of each kind are not outputs

    def collect(self, entries: Iterable[Entry], read: Callable[[Entry], Iterable[Annotation]]) -> Export:
        """Add what can be read; an entry that cannot be read is a problem and harms no other."""
        for entry in entries:
            try:
                self.annotations += read(entry)
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                reason = f"{error} is missing" if isinstance(error, KeyError) else error
                self.problems.append(f"{entry.place}: {reason}: left out")
        return self

    def locate(self, place: str, output: str, start: Any, end: Any, marked: str = "") -> tuple[int, int]:
        """Return the characters of a span; a wrong position is a problem, and the span has none."""
        if (found := locate(output, start, end, marked)) is None:
            text = f" ({marked!r:.40})" if marked else ""
            self.problems.append(f"{place}: no span{text} from {start} to {end}: counted without a position")
        return found or NO_POSITION


def locate(output: str, start: Any, end: Any, marked: str = "") -> tuple[int, int] | None:
    """Return the characters of a span, counted in UTF-16 units or characters; None if its text differs."""
    if not (isinstance(start, int) and isinstance(end, int) and 0 <= start < end):
        return None
    browser = from_utf16_position(output, start), from_utf16_position(output, end)
    if marked:
        return next((place for place in (browser, (start, end)) if output[slice(*place)] == marked), None)
    return browser if end <= len(output.encode("utf-16-le", "surrogatepass")) // 2 else None


def parse_numbers(labels: Iterable[tuple[str, str, Any]], skipped: Counter[str]) -> dict[str, float]:
    """Return the labels of a whole output that are numbers, by scheme, or by scheme and name if it has several."""
    schemes: dict[str, dict[str, float]] = {}
    for scheme, name, value in labels:
        try:
            schemes.setdefault(scheme, {})[name] = float(value)
        except (TypeError, ValueError):
            skipped["labels that are not numbers"] += 1
    return {
        scheme if len(numbers) == 1 else f"{scheme} {name}": number
        for scheme, numbers in schemes.items()
        for name, number in numbers.items()
    }


def split_labels(labels: Iterable[Any]) -> tuple[str, str]:
    """Return category and severity of labels such as ``Major``, ``Fluency`` or ``major, Fluency``."""
    categories, severity = [], ""
    for label in map(str, labels):
        first, _, rest = label.partition(", ")
        if first.casefold() in SEVERITIES:
            severity, label = first.casefold(), rest
        if label:
            categories.append(label)
    return "/".join(categories), severity
