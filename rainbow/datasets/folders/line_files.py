"""Parallel plain text files: one per system, references, inputs, and tables that rate their lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from os.path import commonpath
from pathlib import Path
from typing import Any

from rainbow.base.lazy import pd
from rainbow.corpus import Corpus
from rainbow.datasets.columns import Columns
from rainbow.datasets.lexicon import is_human_written, role_by_name
from rainbow.datasets.plain_text import split_lines
from rainbow.datasets.read.encoding import codec_name, detect_encoding, name_file_in_errors
from rainbow.datasets.roles.column import are_links
from rainbow.datasets.roles.mapping import ColumnMapping, map_columns
from rainbow.datasets.roles.rating_columns import ColumnRole
from rainbow.datasets.shapes.cell_values import fold_cell
from rainbow.datasets.shapes.invalid_cells import clear_invalid_numbers
from rainbow.datasets.shapes.shape import Shape
from rainbow.datasets.shapes.wide_tables import system_names
from rainbow.datasets.table_mapping import read_table


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
    for file in files:
        if len(lines[file]) != len(lines[files[0]]):
            raise ValueError(
                f"{file} has {len(lines[file])} lines, but {files[0]} has {len(lines[files[0]])}: line n of every file "
                "must be for input n"
            )
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
    taken = []
    for file, role in roles.items():
        shown = f"output of {systems[file]}" if role == "output" else role
        taken.append(ColumnRole(file.relative_to(folder).as_posix(), shown, "from its name", _OPTIONS[role]))
    for file in notes:
        taken.append(ColumnRole(file.name, "unused", f"{len(lines[file])} lines, but others have {most}", ""))
    frame = pd.DataFrame(rows, columns=["item", "system", "output", "references", *(["mr"] if inputs else [])])
    corpus = Corpus(frame.assign(dataset=folder.name), mr_format=given.mr_format, language=given.language)
    return corpus, ColumnMapping(given, tuple(taken))


_OPTIONS = {"output": "--reference FILE"} | dict.fromkeys(("reference", "input", "names of inputs"), "--output FILE")
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


_KNOWN = ("item", "system", "output", "references", "mr")


def add_line_ratings(corpus: Corpus, mapping: ColumnMapping, path: Path) -> tuple[Corpus, ColumnMapping]:
    """Add the ratings of a table to the outputs; also return the role of each of its columns."""
    with name_file_in_errors(path):
        table = read_table(path)
    outputs = corpus.frame[[name for name in _KNOWN if name in corpus.frame]]
    line, system = _matching_column(table, outputs["item"]), _matching_column(table, outputs["system"])
    if not line or not system:
        missing = "no column identifies lines of the texts" if system else "no column identifies systems of the texts"
        return corpus, replace(mapping, taken=(*mapping.taken, ColumnRole(path.name, "unused", missing, "")))
    marks = table.drop(columns=list({line, system} | {*_KNOWN} & {*table}))
    spelled = {"item": _match_spelling(table[line], outputs["item"])}
    marks = marks.assign(**spelled, system=_match_spelling(table[system], outputs["system"]))
    fixed = Columns.create(output="output", references="references", item="item", system="system")
    fixed = replace(fixed, mr="mr" if any(outputs["mr"]) else None)
    result = map_columns(outputs.merge(marks, on=["item", "system"]), fixed)
    shape = Shape(replace(result.columns, id=None, scores=()))
    rows = shape.rows(outputs.merge(marks, how="left", on=["item", "system"]))
    rows = clear_invalid_numbers(rows, shape.left.ratings, 0, str(path))
    taken = [ColumnRole(line, "line number", "its values are line numbers of the texts", "")]
    taken += [ColumnRole(system, "system", "its values are systems of the texts", "")]
    taken += [reason for reason in result.taken if reason.column in table and reason.column not in (line, system)]
    named_here = (reason._replace(column=f"{path.name}: {reason.column}") for reason in taken)
    rated = Corpus(rows.assign(dataset=corpus.frame["dataset"].iloc[0]), shape.left.ratings, mr_format=corpus.mr_format)
    columns = replace(mapping.columns, ratings=shape.left.ratings)
    return rated, ColumnMapping(columns, (*mapping.taken, *named_here))


def _matching_column(table: pd.DataFrame, names: pd.Series[Any]) -> str | None:
    """Return the column with the most distinct values that all match these names."""
    fitting = [name for name in map(str, table) if set(_match_spelling(table[name], names)) <= {*names}]
    return max(fitting, key=lambda name: table[name].nunique(), default=None)


def _match_spelling(cells: pd.Series[Any], names: pd.Series[Any]) -> list[str]:
    """Return cells in the spelling of these names; lines numbered from 0 are renumbered from 1."""
    spelled = {fold_cell(name): name for name in names}
    folded = [*map(fold_cell, cells)]
    from_zero = "0" in folded and "0" not in spelled and all(map(str.isdecimal, folded))
    return [spelled.get(str(int(cell) + 1) if from_zero else cell, cell) for cell in folded]
