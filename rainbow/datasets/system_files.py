"""A corpus from several systems' output files and one reference file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rainbow.base.files import Note, raise_problems
from rainbow.base.lazy import pd
from rainbow.corpus import Corpus
from rainbow.datasets.output_files import OutputFile, OutputLine, read_outputs
from rainbow.datasets.reference_files import ReferenceFile, read_references


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
        rows += [_make_row(path, line, item, shared) for line, item in matched]
    if not lenient:
        raise_problems(notes)
    if not rows:
        raise ValueError(f"no output matches one of the {len(shared.sets)} inputs of {references}")
    return SystemFiles(Corpus(pd.DataFrame(rows)), tuple(notes))


def _make_row(path: Path, line: OutputLine, item: str, shared: ReferenceFile) -> dict[str, Any]:
    mr = item if shared.has_mrs else ""
    row = {"dataset": shared.path.stem, "system": path.stem, "item": item, "mr": mr, "output": line.output}
    return row | {"references": shared.sets[item], "file": str(path), "line": line.number}


def _match_outputs(file: OutputFile, shared: ReferenceFile) -> tuple[list[tuple[OutputLine, str]], list[Note]]:
    """Return the outputs with their items, and notes on those without one."""
    if all(line.mr is None for line in file.lines):
        return _match_by_order(file, shared)
    if not shared.has_mrs:
        raise ValueError(
            f"{file.path} has meaning representations, but {shared.path} does not: give references with mr and ref"
        )
    known = [(line, line.mr) for line in file.lines if line.mr in shared.sets]
    return [(line, mr) for line, mr in known if mr is not None], list(_note_unknown(file, shared))


def _note_unknown(file: OutputFile, shared: ReferenceFile) -> Iterator[Note]:
    for line in file.lines:
        if line.mr not in shared.sets:
            problem = f"{shared.path} has no reference for {line.mr!r}"
            yield Note(f"{file.path}, line {line.number}", problem, "the line is ignored")


def _match_by_order(file: OutputFile, shared: ReferenceFile) -> tuple[list[tuple[OutputLine, str]], list[Note]]:
    if len(file.lines) == len(shared.sets):
        return list(zip(file.lines, shared.sets, strict=True)), []
    last = file.lines[-1].number if file.lines else 1
    problem = f"{len(file.lines)} outputs, but {len(shared.sets)} inputs in {shared.path}"
    return [], [Note(f"{file.path}, line {last}", problem, "the system is ignored")]
