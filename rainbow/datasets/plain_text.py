"""Outputs in plain text, one on a line, with files of references beside them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rainbow.base.storage import Place
from rainbow.datasets.encoding import decoded, named
from rainbow.datasets.tables.frames import check_lines

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["lines_of", "text_table"]


def text_table(path: Place, references: Sequence[str], encoding: str) -> pd.DataFrame:
    r"""Return the outputs in a file, one on a line, with their references.

    Parameters
    ----------
    path
        The outputs.
    references
        Files whose line n is a reference of output n, as many as there are; an empty line is none. Or one file with
        the references of an output on successive lines, and a blank line between those of one output and of the next.
    encoding
        Of all files.

    Raises
    ------
    ValueError
        If a file of references has not one entry for each output; the message names it and both numbers.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     paths = [Path(folder) / name for name in ("out.txt", "ref0.txt", "ref1.txt")]
    ...     for path, text in zip(paths, ["an inn\na bar\n", "the inn\nthe bar\n", "one inn\n\n"]):
    ...         _ = path.write_text(text)
    ...     text_table(paths[0], [str(path) for path in paths[1:]], "utf-8")["references"].tolist()
    [('the inn', 'one inn'), ('the bar',)]
    """
    import pandas as pd

    check_lines(path)
    outputs = lines_of(path.read_bytes().decode(encoding))
    if not references:
        return pd.DataFrame({"output": outputs}, dtype=object)
    if gone := [name for name in references if not Path(name).is_file()]:
        raise ValueError(f"there is no file {gone[0]!r} with references: plain text has them in a file, not a column")
    for name in references:
        with named(Path(name)):
            check_lines(Path(name))
    files = [lines_of(decoded(Path(name), encoding)) for name in references]
    sets = _blocks(files[0]) if len(files) == 1 else []
    if len(sets) != len(outputs):
        for name, lines in zip(references, files, strict=True):
            if len(lines) != len(outputs):
                raise ValueError(_unequal(len(outputs), name, len(lines), len(sets)))
        sets = [tuple(text for text in texts if text) for texts in zip(*files, strict=True)]
    return pd.DataFrame({"output": pd.Series(outputs, dtype=object), "references": pd.Series(sets, dtype=object)})


def lines_of(text: str) -> list[str]:
    r"""Return the lines of a file; only a line feed ends one (a text may hold Unicode's other separators).

    Examples
    --------
    >>> lines_of("an inn\r\n\na bar\n")
    ['an inn', '', 'a bar']
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _blocks(lines: Sequence[str]) -> list[tuple[str, ...]]:
    blocks = re.split(r"\n\s*\n", "\n".join(lines).strip("\n"))
    return [tuple(block.split("\n")) for block in blocks]


def _unequal(outputs: int, name: str, lines: int, sets: int) -> str:
    found = f"{sets} sets of references and {lines} lines" if sets else f"{lines} lines"
    return (
        f"{outputs} outputs, but {name} has {found}: give each output a line of it, or separate the references of one "
        "output from the next by a blank line"
    )
