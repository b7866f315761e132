"""The documentation names what there is."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from rainbow.metrics import all_metrics

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("name", all_metrics())
def test_every_column_is_described(name: str) -> None:
    text = (ROOT / "metrics" / "README.md").read_text()
    missing = [column.name for column in all_metrics()[name].columns if f"`{column.name}`" not in text]
    assert missing == [], "add a line to metrics/README.md"


def test_every_file_of_the_kernels_is_described() -> None:
    text = (ROOT / "native" / "README.md").read_text()
    missing = [file.name for file in (ROOT / "native").glob("*.cpp") if f"`{file.name}`" not in text]
    assert missing == [], "add a line to native/README.md"


@pytest.mark.parametrize("page", [
    "README.md", "docs/own-files.md",
    *(
        pytest.param(f"docs/{page}.md", marks=pytest.mark.slow)
        for page in (
            *("clusters", "few-ratings", "judges", "large-files", "notebooks"),
            *("reference-tools", "serving", "studies"),
        )
    ),
])  # fmt: skip
def test_the_code_on_a_page_runs(page: str, tmp_path: Path) -> None:
    code = "\n".join(block.split("```")[0] for block in (ROOT / page).read_text().split("```python\n")[1:])
    printing, promised = with_prints(code)
    command = [sys.executable, "-c", printing]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "MPLBACKEND": "agg"}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert [line for line in done.stdout.splitlines() if line.startswith("-> ")] == promised


# What stands behind ```python are packages that the block needs: it runs where these are installed.
BLOCKS = [
    (page, *block)
    for page in ("docs/serving.md", "docs/serve.md")
    for block in re.findall(r"```python (\w[\w ]*)\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)
]


@pytest.mark.xdist_group("trl")  # one worker imports torch, not all
@pytest.mark.parametrize(
    ("page", "packages", "code"),
    [pytest.param(*block, id=block[1], marks=[pytest.mark.slow] * (block[1] == "ray")) for block in BLOCKS],
)
def test_the_code_for_another_package_runs_where_it_is_installed(page: str, packages: str, code: str) -> None:
    for package in packages.split():
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is not installed")
    exec(compile(code, f"{page}, {packages}", "exec"), {})


@pytest.mark.parametrize("page", ["README.md", *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md")))])
def test_the_files_that_a_page_names_are_there(page: str) -> None:
    named = re.findall(r"\b(?:rainbow|native|scripts|benchmarks|tests)/[\w/]+\.\w+", (ROOT / page).read_text())
    assert [name for name in named if not (ROOT / name).exists()] == []


def with_prints(code: str) -> tuple[str, list[str]]:
    """Return the code with a print of every value that a comment ``# -> value`` promises, and these comments.

    What stands behind a comma is for the reader; numbers are compared to two decimals.
    """
    lines, promised = ["import numpy as _np"], []
    for line in code.splitlines():
        expression, arrow, value = line.partition("  # -> ")
        if arrow:
            promised.append("-> " + re.fullmatch(r"([\d.\[\], -]*[\d\]]).*", value)[1])
            line = f'print("->", _np.round({expression}, 2).tolist())'
        lines.append(line)
    return "\n".join(lines), promised
