"""Plain texts whose lines belong together: a file for each system, files of references, a file of inputs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from os.path import commonpath
from pathlib import Path

from rainbow.corpus import Corpus
from rainbow.datasets.columns import Columns
from rainbow.datasets.lexicon import people_wrote, role_by_name
from rainbow.datasets.plain_text import lines_of
from rainbow.datasets.read.encoding import codec, encoding_of, named
from rainbow.datasets.roles.column import are_links
from rainbow.datasets.roles.mapping import Mapping
from rainbow.datasets.roles.marks import Taken
from rainbow.datasets.shapes.wide import system_names


def line_corpus(files: Sequence[Path], given: Columns) -> tuple[Corpus, Mapping]:
    """Return the outputs in files whose line n is about input n, and what each file is taken as."""
    import pandas as pd

    lines = {file: _lines(file, given.encoding) for file in files}
    most = max(map(len, lines.values()))
    notes = [file for file in files if 2 * len(lines[file]) < most and not _said(file, given)]
    roles = _roles([file for file in files if file not in notes], given)
    roles |= {file: "names of inputs" for file in roles if are_links(lines[file]) and not _said(file, given)}
    files = [*roles]
    outputs, references, inputs, items = ([file for file in files if roles[file] == role] for role in _OPTIONS)
    if not outputs:
        raise ValueError(f"none of {', '.join(file.name for file in files)} is a file of outputs: name one, --output")
    _check_lengths({file: lines[file] for file in files})
    systems = _systems(outputs)
    rows = [
        {
            "item": lines[items[0]][place] if items else str(place + 1),
            "system": systems[file],
            "output": lines[file][place],
            "references": tuple(text for other in references if (text := lines[other][place])),
            **({"mr": lines[inputs[0]][place]} if inputs else {}),
        }
        for place in range(len(lines[outputs[0]]))
        for file in outputs
    ]
    folder = _folder(files)
    taken = tuple(
        Taken(
            file.relative_to(folder).as_posix(),
            f"output of {systems[file]}" if role == "output" else role,
            "by its name",
            _OPTIONS[role],
        )
        for file, role in roles.items()
    )
    taken += tuple(Taken(file.name, "unused", f"{len(lines[file])} lines, others have {most}", "") for file in notes)
    frame = pd.DataFrame(rows, columns=["item", "system", "output", "references", *(["mr"] if inputs else [])])
    return Corpus(frame.assign(dataset=folder.name), mr_format=given.mr_format), Mapping(given, taken)


_OPTIONS = {
    "output": "--reference FILE",
    "reference": "--output FILE",
    "input": "--output FILE",
    "names of inputs": "--output FILE",
}
_ROLES = {
    "reference": "reference",
    "input": "input",
    "item": "names of inputs",
    "output": "output",
    "system": "output",
}
_LANGUAGE = re.compile(r"[a-z]{2}(?:[_-][A-Za-z]{2,4})?")  # "de", "pt-BR", "zh_Hans"
_OUTPUTS = (".out", ".hyp", ".pred", ".sys")


def _roles(files: Sequence[Path], given: Columns) -> dict[Path, str]:
    """Return what each file is taken as."""
    apart = len({file.parent for file in files}) > 1
    roles = {file: _role(file, given, file.parent.name if apart else "") for file in files}
    if given.output:
        return roles
    if not given.mr and (told := _by_language(files)):
        roles = {file: "output" if role == "input" else role for file, role in roles.items()} | told
    roles |= dict.fromkeys(_beside_input(roles), "reference")
    people = [file for file in files if roles[file] == "output" and people_wrote(file.stem)]
    if "reference" not in roles.values() and len(people) < [*roles.values()].count("output"):
        roles |= dict.fromkeys(people, "reference")
    return roles


def _beside_input(roles: dict[Path, str]) -> list[Path]:
    """Return numbered files that are called after the input, as `asset.simp.0` beside `asset.orig`; no output is."""
    sources = {file.name.split(".")[0] for file, role in roles.items() if role == "input"}
    outputs = [file for file, role in roles.items() if role == "output"]
    beside = [file for file in outputs if file.name.split(".")[0] in sources]
    numbered = {file.name.removesuffix(".txt").rstrip("0123456789") for file in beside}
    return beside if 1 < len(beside) < len(outputs) and len(numbered) == 1 else []


def _said(file: Path, given: Columns) -> str:
    """Return what is said of a file; nothing where nothing is."""
    said = {"output": given.output, "reference": given.references, "input": (given.mr,)}
    return next((role for role, names in said.items() if {file.name, str(file)} & {*names}), "")


def _role(file: Path, given: Columns, folder: str) -> str:
    """Return what is said of a file, or what its name says, or that of a folder in which not all lie."""
    if said := _said(file, given):
        return said
    if file.suffix.lower() in _OUTPUTS:
        return "output"
    parts = file.name.removesuffix(".txt").split(".")
    for name in (*parts, folder):
        by_name = role_by_name(name)
        if by_name in _ROLES and not (by_name == "item" and name == parts[-1] != parts[0]):  # ".no" is a language
            return _ROLES[by_name]
    return "output"


def _by_language(files: Sequence[Path]) -> dict[Path, str]:
    """Return the input and its translation by people, `dev.en` and `dev.es` beside the outputs `a.es`, `b.es`."""
    parted = {file: file.name.removesuffix(".txt").rpartition(".")[::2] for file in files}
    languages = [language for _, language in parted.values()]
    sources = [file for file, (_, language) in parted.items() if languages.count(language) == 1]
    if len(sources) != 1 or len({*languages}) != 2 or not all(map(_LANGUAGE.fullmatch, languages)):
        return {}
    stem, _ = parted[sources[0]]
    others = [file for file in files if parted[file][0] == stem and file is not sources[0]]
    return {sources[0]: "input"} | dict.fromkeys(others, "reference")


def _folder(files: Sequence[Path]) -> Path:
    """Return the folder that all files lie in."""
    return Path(commonpath([file.parent for file in files]))


def _systems(outputs: Sequence[Path]) -> dict[Path, str]:
    """Return the system of each file of outputs: what its path has of its own."""
    if len(outputs) == 1:
        return {outputs[0]: outputs[0].stem}
    folder = _folder(outputs)
    paths = {file: file.relative_to(folder).as_posix().removesuffix(".txt") for file in outputs}
    names = system_names([*paths.values()])
    return {file: names[path] for file, path in paths.items()}


def _lines(file: Path, encoding: str | None) -> list[str]:
    with named(file, encoding):
        return lines_of(file.read_bytes().decode(codec(encoding or encoding_of(file))))


def _check_lengths(lines: dict[Path, list[str]]) -> None:
    first = next(iter(lines))
    for file, own in lines.items():
        if len(own) != len(lines[first]):
            raise ValueError(
                f"{file} has {len(own)} lines, {first} has {len(lines[first])}: line n of every file is about input n"
            )
