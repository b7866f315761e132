"""Runs tutorials and compares what they print with what stands in them: `python -m examples.tutorial three-systems`.

A tutorial is a Markdown page. A cell is a block of Python, or of commands (`sh`, or below `%%bash`); what it printed
stands in the block of text behind it. `--write` puts there what it prints now.
"""

from __future__ import annotations

import contextlib
import difflib
import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

FOLDER = Path(__file__).parent
ROOT = FOLDER.parent
BASH = "%%bash\n"  # how a notebook marks a cell of commands
CELL = re.compile(r"(```(?:\{code-cell\} )?(python|sh)\n(.*?)```\n)(?:\n```text\n(.*?)```\n)?", re.DOTALL)


class Cell(NamedTuple):
    """A cell: its code, and what it printed when the page was written."""

    code: str
    printed: str


def cells(text: str) -> list[Cell]:
    """Return the cells of a page."""
    return [Cell(BASH * (found[2] == "sh") + found[3], found[4] or "") for found in CELL.finditer(text)]


def without_printed(text: str) -> str:
    """Return a page without what its cells printed."""
    return CELL.sub(r"\1", text)


def run(page: str) -> Iterator[str]:
    """Give what every cell of a page prints, in an empty folder."""
    names: dict[str, object] = {"__name__": "__main__"}
    text = (FOLDER / f"{page}.md").read_text(encoding="utf-8")
    os.environ |= surroundings("rainbow fetch" in text)
    with TemporaryDirectory() as folder, contextlib.chdir(folder):
        for cell in cells(text):
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                _do(cell.code, names)
            yield "".join(f"{line.rstrip()}\n" for line in printed.getvalue().splitlines())


def surroundings(fetched: bool = False) -> dict[str, str]:
    """Return the environment of a cell: this package, its command, and tables of one width without colours.

    Programs that were fetched are not found, but by pages that say that they need them: else scores would be others.
    """
    places = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    programs = {} if fetched else {"RAINBOW_JARS": str(FOLDER / "none")}
    return {"PATH": places, "PYTHONPATH": str(ROOT), "COLUMNS": "100", "TTY_COMPATIBLE": "0", **programs}


def _do(code: str, names: dict[str, object]) -> None:
    if code.startswith(BASH):
        code = code.removeprefix(BASH)
        done = subprocess.run(["bash", "-e"], input=code, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr)
        print(done.stdout, end="")
    else:
        exec(compile(code, "a cell", "exec"), names)


def main(pages: list[str], write: bool) -> int:
    """Run pages; return 1 if one prints something else than it says."""
    different = 0
    for page in pages:
        path = FOLDER / f"{page}.md"
        text = path.read_text(encoding="utf-8")
        now = list(run(page))
        before = [cell.printed for cell in cells(text)]
        lines = difflib.unified_diff("".join(before).splitlines(), "".join(now).splitlines(), page, "now", lineterm="")
        print("\n".join(lines))
        different |= now != before
        if write:
            printed = iter([f"\n```text\n{text}```\n" if text else "" for text in now])
            path.write_text(CELL.sub(lambda found, rest=printed: found[1] + next(rest), text), encoding="utf-8")
    return int(different and not write)


if __name__ == "__main__":
    chosen = [name for name in sys.argv[1:] if name != "--write"]
    sys.exit(main(chosen, "--write" in sys.argv))
