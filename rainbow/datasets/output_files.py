"""Files with one system's outputs: the two columns of the E2E challenge, or plain text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from rainbow.base.notes import Note
from rainbow.datasets.encoding import decoded

__all__ = ["OutputFile", "OutputLine", "read_lines", "read_outputs", "unquoted"]

# Marks that some programs put round every field, besides the double quotes that are part of the format.
WRAPPERS = ("'", "`", "\u2019", "|")


class OutputLine(NamedTuple):
    """An output, where it stands, and for which meaning representation (None in plain text)."""

    number: int
    mr: str | None
    output: str


class OutputFile(NamedTuple):
    """The outputs of a file, in its order, and what is wrong with it."""

    path: Path
    lines: tuple[OutputLine, ...]
    notes: tuple[Note, ...]


def read_outputs(path: Path, *, encoding: str | None = None, as_published: bool = False) -> OutputFile:
    r"""Read a file with one system's outputs.

    Parameters
    ----------
    path
        A text. Either two columns with a tab between, under the header ``MR`` and ``output`` (the format of the
        E2E challenge; a field may stand between double quotes), or an output per line and nothing else.
    encoding
        Of the text, by default UTF-8.
    as_published
        Keep quotes round every text, and blanks round texts, as they are; by default both are taken off.

    Returns
    -------
    OutputFile
        `notes` names lines without an output column, quotes round every field, carriage returns, and blanks at ends.

    Raises
    ------
    ValueError
        If it is not encoded so, or is empty.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "mine.tsv"
    ...     _ = path.write_text("MR\toutput\nname[Zizzi]\t\"Zizzi is a pub.\"\n")
    ...     read_outputs(path).lines
    (OutputLine(number=2, mr='name[Zizzi]', output='Zizzi is a pub.'),)
    """
    texts, notes = read_lines(path, encoding)
    if not texts:
        raise ValueError(f"{path}: it is empty: write an output per line, or MR and output with a tab between")
    header = [field.strip().strip("".join(('"', *WRAPPERS))).lower() for field in texts[0][1].split("\t")]
    if header[:2] == ["mr", "output"]:
        lines, wrong = _two_columns(path, texts[1:])
    else:
        lines, wrong = [OutputLine(number, None, text) for number, text in texts], []
    tidied, more = _tidied(path, lines, as_published)
    return OutputFile(path, tuple(tidied), (*notes, *wrong, *more))


def read_lines(path: Path, encoding: str | None = None) -> tuple[list[tuple[int, str]], list[Note]]:
    """Return the lines of a text file with their numbers, without carriage returns; a blank last line is none.

    Raises
    ------
    ValueError
        If it is not encoded so.
    """
    texts = decoded(path, encoding).split("\n")
    if not texts[-1].strip("\r"):
        texts.pop()
    ends = [number for number, text in enumerate(texts, 1) if text.endswith("\r")]
    notes = []
    if ends:
        told = f"{len(ends)} lines end with a carriage return"
        notes.append(Note(f"{path}, line {ends[0]}", told, "they are read without it", harmless=True))
    return [(number, text.rstrip("\r")) for number, text in enumerate(texts, 1)], notes


def _two_columns(path: Path, texts: Sequence[tuple[int, str]]) -> tuple[list[OutputLine], list[Note]]:
    lines, notes = [], []
    for number, text in texts:
        mr, tab, output = text.partition("\t")
        if tab:
            lines.append(OutputLine(number, unquoted(mr.strip()), unquoted(output)))
        else:
            problem = "there is no tab between meaning representation and output"
            notes.append(Note(f"{path}, line {number}", problem, "the line is left out"))
    return lines, notes


def unquoted(field: str) -> str:
    '''Give a field without the double quotes that may stand round it; those inside are then written twice.

    Examples
    --------
    >>> unquoted('"the ""inn"""'), unquoted('"the inn" is "cheap"')
    ('the "inn"', '"the inn" is "cheap"')
    '''
    inner = field[1:-1].replace('""', "")
    if len(field) > 1 and field[0] == field[-1] == '"' and '"' not in inner:
        return field[1:-1].replace('""', '"')
    return field


def _tidied(path: Path, lines: Sequence[OutputLine], as_published: bool) -> tuple[list[OutputLine], list[Note]]:
    """Take quotes off every field and blanks off every output, and say so; as published, off the MRs only."""
    notes = []
    if wrapper := _wrapper(lines):
        told = f"every output stands between {wrapper} and {wrapper}, in all {len(lines)} lines"
        notes.append(Note(f"{path}, line {lines[0].number}", told, "the quotes are taken off"))
        lines = [
            line._replace(
                mr=line.mr and _without(line.mr, wrapper),
                output=line.output if as_published else _without(line.output, wrapper),
            )
            for line in lines
        ]
    blanks = [line for line in lines if line.output != line.output.strip()]
    if blanks and not as_published:
        told = f"{len(blanks)} outputs begin or end with a blank"
        notes.append(Note(f"{path}, line {blanks[0].number}", told, "it is taken off", harmless=True))
        lines = [line._replace(output=line.output.strip()) for line in lines]
    return list(lines), notes


def _wrapper(lines: Sequence[OutputLine]) -> str | None:
    """Return the mark that stands round every output of two or more; None if there is none."""
    texts = [line.output.strip() for line in lines]
    for mark in WRAPPERS:
        if len(texts) > 1 and all(len(text) > 1 and text[0] == text[-1] == mark for text in texts):
            return mark
    return None


def _without(field: str, wrapper: str) -> str:
    if not (len(field) > 1 and field[0] == field[-1] == wrapper):
        return field
    return field[1:-1]
