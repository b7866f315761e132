"""Files of one system's outputs and of references, in the formats of the E2E challenge or as plain text."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from rainbow.base.files import Note, raise_problems
from rainbow.base.lazy import pd
from rainbow.corpus import Corpus
from rainbow.datasets.read.encoding import read_text
from rainbow.datasets.read.formats import DELIMITED

# Marks that some programs put round every field, besides the double quotes that are part of the format.
QUOTE_MARKS = ("'", "`", "\u2019", "|")
_COLUMNS = {"mr": ("mr", "meaning_representation"), "ref": ("ref", "reference", "text")}


class OutputLine(NamedTuple):
    """An output with its line number and meaning representation (None in plain text)."""

    number: int
    mr: str | None
    output: str


class OutputFile(NamedTuple):
    """The outputs of a file in order, and notes on problems."""

    path: Path
    lines: tuple[OutputLine, ...]
    notes: tuple[Note, ...]


class ReferenceFile(NamedTuple):
    """References of each item in file order."""

    path: Path
    sets: Mapping[str, tuple[str, ...]]
    has_mrs: bool


class SystemFiles(NamedTuple):
    """Outputs of all systems, and notes on problems in their files."""

    corpus: Corpus
    notes: tuple[Note, ...]


def read_systems(
    outputs: Sequence[Path],
    references: Path,
    *,
    encoding: str | None = None,
    as_published: bool = False,
    lenient: bool = False,
) -> SystemFiles:
    """Read several systems' output files and their shared references."""
    shared = read_references(references, encoding)
    rows: list[dict[str, Any]] = []
    notes: list[Note] = []
    seen: dict[str, Path] = {}
    for path in outputs:
        if path.stem in seen:
            raise ValueError(
                f"{path} and {seen[path.stem]} would both get the system name {path.stem!r}: rename one of them"
            )
        seen[path.stem] = path
        file = read_outputs(path, encoding=encoding, as_published=as_published)
        notes += [note for note in file.notes if not (as_published and "is enclosed in" in note.problem)]
        matched, wrong = _match_outputs(file, shared)
        notes += wrong
        for line, item in matched:
            row: dict[str, Any] = {
                "dataset": references.stem,
                "system": path.stem,
                "item": item,
                "mr": item if shared.has_mrs else "",
            }
            row |= {"output": line.output, "references": shared.sets[item], "file": str(path), "line": line.number}
            rows.append(row)
    if not lenient:
        raise_problems(notes)
    if not rows:
        raise ValueError(f"no output matches one of the {len(shared.sets)} inputs of {references}")
    return SystemFiles(Corpus(pd.DataFrame(rows)), tuple(notes))


def _match_outputs(file: OutputFile, shared: ReferenceFile) -> tuple[list[tuple[OutputLine, str]], list[Note]]:
    """Return the outputs with their items, and notes on those without one."""
    if all(line.mr is None for line in file.lines):
        if len(file.lines) == len(shared.sets):
            return list(zip(file.lines, shared.sets, strict=True)), []
        place = f"{file.path}, line {file.lines[-1].number if file.lines else 1}"
        problem = f"{len(file.lines)} outputs, but {len(shared.sets)} inputs in {shared.path}"
        return [], [Note(place, problem, "the system is ignored")]
    if not shared.has_mrs:
        raise ValueError(
            f"{file.path} has meaning representations, but {shared.path} does not: give references with mr and ref"
        )
    unknown = [
        Note(
            f"{file.path}, line {line.number}", f"{shared.path} has no reference for {line.mr!r}", "the line is ignored"
        )
        for line in file.lines
        if line.mr not in shared.sets
    ]
    return [(line, line.mr) for line in file.lines if line.mr is not None and line.mr in shared.sets], unknown


def read_references(path: Path, encoding: str | None = None) -> ReferenceFile:
    """Read a file of references."""
    text = read_text(path, encoding)
    if path.suffix.lower() != ".txt":
        return ReferenceFile(path, _parse_table(path, text), has_mrs=True)
    blocks = groupby(text.replace("\r", "").split("\n"), key=lambda line: bool(line.strip()))
    sets = [tuple(lines) for filled, lines in blocks if filled]
    return ReferenceFile(path, {str(number): texts for number, texts in enumerate(sets, 1)}, has_mrs=False)


def read_background(path: Path, encoding: str | None = None) -> Corpus:
    """Read references for inputs without outputs, in the format of a corpus background."""
    file = read_references(path, encoding)
    try:
        return Corpus.from_texts([""] * len(file.sets), [*file.sets.values()], [*file.sets] if file.has_mrs else None)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def _parse_table(path: Path, text: str) -> dict[str, tuple[str, ...]]:
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=DELIMITED.get(path.suffix.lower(), ","))
    header = [name.strip().lower() for name in next(rows, [])]
    places = [next((header.index(name) for name in names if name in header), -1) for names in _COLUMNS.values()]
    if -1 in places:
        missing = [*_COLUMNS][places.index(-1)]
        raise ValueError(f"{path}, line 1: the column {missing!r} is missing: write the header mr,ref")
    sets: dict[str, list[str]] = {}
    for row in filter(None, rows):
        if len(row) <= max(places):
            raise ValueError(
                f"{path}, line {rows.line_num}: it has {len(row)} fields, but the header has {len(header)}"
            )
        mr, reference = (row[place] for place in places)
        if not reference.strip():
            raise ValueError(f"{path}, line {rows.line_num}: the reference is empty: remove the line")
        sets.setdefault(mr.strip(), []).append(reference)
    return {mr: tuple(texts) for mr, texts in sets.items()}


def read_outputs(path: Path, *, encoding: str | None = None, as_published: bool = False) -> OutputFile:
    """Read a file of one system's outputs."""
    texts, notes = read_lines(path, encoding)
    if not texts:
        raise ValueError(f"{path}: the file is empty: write one output per line, or MR and output separated by a tab")
    header = [field.strip().strip("".join(('"', *QUOTE_MARKS))).lower() for field in texts[0][1].split("\t")]
    if header[:2] == ["mr", "output"]:
        lines, wrong = _parse_two_columns(path, texts[1:])
    else:
        lines, wrong = [OutputLine(number, None, text) for number, text in texts], []
    tidied, more = _clean_lines(path, lines, as_published)
    return OutputFile(path, tuple(tidied), (*notes, *wrong, *more))


def read_lines(path: Path, encoding: str | None = None) -> tuple[list[tuple[int, str]], list[Note]]:
    """Return the numbered lines of a text file without carriage returns or a final blank line."""
    texts = read_text(path, encoding).split("\n")
    if not texts[-1].strip("\r"):
        texts.pop()
    ends = [number for number, text in enumerate(texts, 1) if text.endswith("\r")]
    notes = []
    if ends:
        problem = f"{len(ends)} lines end with a carriage return"
        notes.append(Note(f"{path}, line {ends[0]}", problem, "it is removed", harmless=True))
    return [(number, text.rstrip("\r")) for number, text in enumerate(texts, 1)], notes


def _parse_two_columns(path: Path, texts: Sequence[tuple[int, str]]) -> tuple[list[OutputLine], list[Note]]:
    lines, notes = [], []
    for number, text in texts:
        mr, tab, output = text.partition("\t")
        if tab:
            lines.append(OutputLine(number, remove_quotes(mr.strip()), remove_quotes(output)))
        else:
            problem = "there is no tab between meaning representation and output"
            notes.append(Note(f"{path}, line {number}", problem, "the line is ignored"))
    return lines, notes


def remove_quotes(field: str) -> str:
    """Return a field without enclosing double quotes, with doubled inner quotes reduced."""
    inner = _remove_marks(field, '"')
    return inner.replace('""', '"') if inner != field and '"' not in inner.replace('""', "") else field


def _remove_marks(field: str, mark: str) -> str:
    """Return a field without the mark at both of its ends; unchanged if an end has none."""
    return field[1:-1] if len(field) > 1 and field[0] == field[-1] == mark else field


def _clean_lines(path: Path, lines: Sequence[OutputLine], as_published: bool) -> tuple[list[OutputLine], list[Note]]:
    """Remove quotes and outer spaces, with notes; if as published, only quotes of the MRs."""
    notes = []
    outputs = [line.output.strip() for line in lines]
    enclosed = (mark for mark in QUOTE_MARKS if len(outputs) > 1 and all(_remove_marks(o, mark) != o for o in outputs))
    if wrapper := next(enclosed, None):
        problem = f"every output is enclosed in {wrapper} and {wrapper}, in all {len(lines)} lines"
        notes.append(Note(f"{path}, line {lines[0].number}", problem, "the quotes are removed"))
        lines = [
            line._replace(
                mr=line.mr and _remove_marks(line.mr, wrapper),
                output=line.output if as_published else _remove_marks(line.output, wrapper),
            )
            for line in lines
        ]
    blanks = [line for line in lines if line.output != line.output.strip()]
    if blanks and not as_published:
        problem = f"{len(blanks)} outputs begin or end with a space"
        notes.append(Note(f"{path}, line {blanks[0].number}", problem, "it is removed", harmless=True))
        lines = [line._replace(output=line.output.strip()) for line in lines]
    return list(lines), notes
