"""Parallel plain text files: one per system, references and inputs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from os.path import commonpath
from pathlib import Path

from rainbow.base.lazy import pd
from rainbow.corpus import Corpus
from rainbow.datasets.columns import Columns
from rainbow.datasets.lexicon import is_human_written, role_by_name
from rainbow.datasets.plain_text import split_lines
from rainbow.datasets.read.encoding import codec_name, detect_encoding, name_file_in_errors
from rainbow.datasets.roles.column import are_links
from rainbow.datasets.roles.mapping import ColumnMapping
from rainbow.datasets.roles.rating_columns import ColumnRole
from rainbow.datasets.shapes.wide_tables import system_names


def read_parallel_texts(files: Sequence[Path], given: Columns) -> tuple[Corpus, ColumnMapping]:
    """Return the outputs of files with parallel lines, and the role of each file."""
    lines = {file: _read_file_lines(file, given.encoding) for file in files}
    most = max(map(len, lines.values()))
    notes = [file for file in files if 2 * len(lines[file]) < most and not _given_role(file, given)]
    roles = _file_roles([file for file in files if file not in notes], given)
    roles |= {file: "names of inputs" for file in roles if are_links(lines[file]) and not _given_role(file, given)}
    files = [*roles]
    outputs, references, inputs, items = ([file for file in files if roles[file] == role] for role in _OPTIONS)
    if not outputs:
        raise ValueError(f"none of {', '.join(file.name for file in files)} is an output file: name one with --output")
    _check_lengths({file: lines[file] for file in files})
    systems = _file_systems(outputs)
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
    folder = _common_folder(files)
    taken = tuple(
        ColumnRole(
            file.relative_to(folder).as_posix(),
            f"output of {systems[file]}" if role == "output" else role,
            "from its name",
            _OPTIONS[role],
        )
        for file, role in roles.items()
    )
    taken += tuple(
        ColumnRole(file.name, "unused", f"{len(lines[file])} lines, but others have {most}", "") for file in notes
    )
    frame = pd.DataFrame(rows, columns=["item", "system", "output", "references", *(["mr"] if inputs else [])])
    return Corpus(frame.assign(dataset=folder.name), mr_format=given.mr_format, language=given.language), ColumnMapping(
        given, taken
    )


_OPTIONS = {
    "output": "--reference FILE",
    "reference": "--output FILE",
    "input": "--output FILE",
    "names of inputs": "--output FILE",
}
_ROLES = {"reference": "reference", "input": "input", "item": "names of inputs", "output": "output", "system": "output"}
_LANGUAGE = re.compile(r"[a-z]{2}(?:[_-][A-Za-z]{2,4})?")  # "de", "pt-BR", "zh_Hans"
_OUTPUTS = (".out", ".hyp", ".pred", ".sys")


def _file_roles(files: Sequence[Path], given: Columns) -> dict[Path, str]:
    """Return the role of each file."""
    apart = len({file.parent for file in files}) > 1
    roles = {file: _file_role(file, given, file.parent.name if apart else "") for file in files}
    if given.output:
        return roles
    if not given.mr and (by_language := _roles_by_language(files)):
        roles = {file: "output" if role == "input" else role for file, role in roles.items()} | by_language
    roles |= dict.fromkeys(_numbered_references(roles), "reference")
    people = [file for file in files if roles[file] == "output" and is_human_written(file.stem)]
    if "reference" not in roles.values() and len(people) < [*roles.values()].count("output"):
        roles |= dict.fromkeys(people, "reference")
    return roles


def _numbered_references(roles: dict[Path, str]) -> list[Path]:
    """Return numbered files named like the input, e.g. `asset.simp.0` next to `asset.orig`."""
    sources = {file.name.split(".")[0] for file, role in roles.items() if role == "input"}
    outputs = [file for file, role in roles.items() if role == "output"]
    candidates = [file for file in outputs if file.name.split(".")[0] in sources]
    numbered = {file.name.removesuffix(".txt").rstrip("0123456789") for file in candidates}
    return candidates if 1 < len(candidates) < len(outputs) and len(numbered) == 1 else []


def _given_role(file: Path, given: Columns) -> str:
    """Return the role given for a file; an empty string if none is."""
    patterns = {"output": given.output, "reference": given.references, "input": (given.mr,)}
    return next((role for role, names in patterns.items() if {file.name, str(file)} & {*names}), "")


def _file_role(file: Path, given: Columns, folder: str) -> str:
    """Return the role of a file: as given, by its name, or by its folder's name."""
    if role := _given_role(file, given):
        return role
    if file.suffix.lower() in _OUTPUTS:
        return "output"
    parts = file.name.removesuffix(".txt").split(".")
    for name in (*parts, folder):
        by_name = role_by_name(name)
        if by_name in _ROLES and not (by_name == "item" and name == parts[-1] != parts[0]):  # ".no" is a language
            return _ROLES[by_name]
    return "output"


def _roles_by_language(files: Sequence[Path]) -> dict[Path, str]:
    """Return the input and reference, e.g. `dev.en` and `dev.es` next to outputs `a.es`, `b.es`."""
    parted = {file: file.name.removesuffix(".txt").rpartition(".")[::2] for file in files}
    languages = [language for _, language in parted.values()]
    sources = [file for file, (_, language) in parted.items() if languages.count(language) == 1]
    if len(sources) != 1 or len({*languages}) != 2 or not all(map(_LANGUAGE.fullmatch, languages)):
        return {}
    stem, _ = parted[sources[0]]
    others = [file for file in files if parted[file][0] == stem and file is not sources[0]]
    return {sources[0]: "input"} | dict.fromkeys(others, "reference")


def _common_folder(files: Sequence[Path]) -> Path:
    """Return the common folder of all files."""
    return Path(commonpath([file.parent for file in files]))


def _file_systems(outputs: Sequence[Path]) -> dict[Path, str]:
    """Return the system of each output file: the distinctive part of its path."""
    if len(outputs) == 1:
        return {outputs[0]: outputs[0].stem}
    folder = _common_folder(outputs)
    paths = {file: file.relative_to(folder).as_posix().removesuffix(".txt") for file in outputs}
    names = system_names([*paths.values()])
    return {file: names[path] for file, path in paths.items()}


def _read_file_lines(file: Path, encoding: str | None) -> list[str]:
    with name_file_in_errors(file, encoding):
        return split_lines(file.read_bytes().decode(codec_name(encoding or detect_encoding(file))))


def _check_lengths(lines: dict[Path, list[str]]) -> None:
    first = next(iter(lines))
    for file, own in lines.items():
        if len(own) != len(lines[first]):
            raise ValueError(
                f"{file} has {len(own)} lines, but {first} has {len(lines[first])}: line n of every file must be "
                "for input n"
            )
