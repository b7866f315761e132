"""Plain text outputs, one per line, with reference files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from rainbow.base.lazy import pd
from rainbow.base.storage import Place
from rainbow.datasets.read.encoding import name_file_in_errors, read_text
from rainbow.datasets.read.line_limits import check_lines


def text_table(path: Place, references: Sequence[str], encoding: str) -> pd.DataFrame:
    """Return the outputs in a file, one per line, with their references."""
    check_lines(path)
    outputs = split_lines(path.read_bytes().decode(encoding))
    if not references:
        return pd.DataFrame({"output": outputs}, dtype=object)
    if gone := [name for name in references if not Path(name).is_file()]:
        raise ValueError(
            f"no such file: {gone[0]!r} with references: for plain text, references must be in a file, not a column"
        )
    for name in references:
        with name_file_in_errors(Path(name)):
            check_lines(Path(name))
    files = [split_lines(read_text(Path(name), encoding)) for name in references]
    blocks = re.split(r"\n\s*\n", "\n".join(files[0]).strip("\n")) if len(files) == 1 else []
    sets = [tuple(block.split("\n")) for block in blocks]
    if len(sets) != len(outputs):
        for name, lines in zip(references, files, strict=True):
            if len(lines) != len(outputs):
                lengths = f"{len(sets)} sets of references and " * bool(sets) + f"{len(lines)} lines"
                raise ValueError(
                    f"{len(outputs)} outputs, but {name} has {lengths}: give one line per output, or separate the "
                    "references of different outputs by blank lines"
                )
        sets = [tuple(text for text in texts if text) for texts in zip(*files, strict=True)]
    return pd.DataFrame({"output": pd.Series(outputs, dtype=object), "references": pd.Series(sets, dtype=object)})


def split_lines(text: str) -> list[str]:
    """Return the lines of a text, split at line feeds only (not at Unicode separators)."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines[:-1] if lines[-1] == "" else lines
