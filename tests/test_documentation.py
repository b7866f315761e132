"""The documentation names what there is."""

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


@pytest.mark.parametrize("page", ["README.md", "docs/large-files.md", "docs/serving.md"])
def test_the_code_on_a_page_runs(page: str) -> None:
    blocks = (ROOT / page).read_text().split("```python\n")[1:]
    code = "\n".join(block.split("```")[0] for block in blocks)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
