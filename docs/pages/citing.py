"""The page that says how to cite, from CITATION.cff."""

from __future__ import annotations

from pathlib import Path

from docs.pages.commands import save

ROOT = Path(__file__).parents[2]

TEXT = """# How to cite

`CITATION.cff` in the repository says how, for programs that read it:

```yaml
{cff}```

Beside the version, a paper should give the *signature* of every column that it uses: `rainbow metrics` saves it
with the table, and a report prints it. Each metric's own publication stands in [its definition](columns.md).
"""


def write(folder: Path) -> None:
    """Write the page."""
    save(folder / "citing.md", TEXT.format(cff=(ROOT / "CITATION.cff").read_text(encoding="utf-8")))
