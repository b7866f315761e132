"""Files with one system's outputs: E2E challenge format or plain text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from rainbow.base.files import Note
from rainbow.datasets.read.encoding import read_text

# Marks that some programs put round every field, besides the double quotes that are part of the format.
QUOTE_MARKS = ("'", "`", "\u2019", "|")


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
    inner = field[1:-1].replace('""', "")
    if len(field) > 1 and field[0] == field[-1] == '"' and '"' not in inner:
        return field[1:-1].replace('""', '"')
    return field


def _clean_lines(path: Path, lines: Sequence[OutputLine], as_published: bool) -> tuple[list[OutputLine], list[Note]]:
    """Remove quotes and outer spaces, with notes; if as published, only quotes of the MRs."""
    notes = []
    if wrapper := _enclosing_quote(lines):
        problem = f"every output is enclosed in {wrapper} and {wrapper}, in all {len(lines)} lines"
        notes.append(Note(f"{path}, line {lines[0].number}", problem, "the quotes are removed"))
        lines = [
            line._replace(
                mr=line.mr and _remove_quote_mark(line.mr, wrapper),
                output=line.output if as_published else _remove_quote_mark(line.output, wrapper),
            )
            for line in lines
        ]
    blanks = [line for line in lines if line.output != line.output.strip()]
    if blanks and not as_published:
        problem = f"{len(blanks)} outputs begin or end with a space"
        notes.append(Note(f"{path}, line {blanks[0].number}", problem, "it is removed", harmless=True))
        lines = [line._replace(output=line.output.strip()) for line in lines]
    return list(lines), notes


def _enclosing_quote(lines: Sequence[OutputLine]) -> str | None:
    """Return the quote mark around all of at least two outputs, or None."""
    texts = [line.output.strip() for line in lines]
    for mark in QUOTE_MARKS:
        if len(texts) > 1 and all(len(text) > 1 and text[0] == text[-1] == mark for text in texts):
            return mark
    return None


def _remove_quote_mark(field: str, wrapper: str) -> str:
    if not (len(field) > 1 and field[0] == field[-1] == wrapper):
        return field
    return field[1:-1]
