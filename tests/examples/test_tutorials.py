"""Tutorials print what stands in them."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from examples.tutorial import FOLDER, cells, main, surroundings

ROOT = Path(__file__).parents[2]
# What takes minutes (`make published`), and the package that it needs.
LONG = {"judge": "openai", "reward": "trl"}
SLOW = ("messy", "millions", "own-metric", "ratings", "study")


def page(name: str) -> object:
    if name not in LONG:
        return pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name
    missing = importlib.util.find_spec(LONG[name]) is None
    return pytest.param(
        name, marks=[pytest.mark.published, pytest.mark.skipif(missing, reason=f"{LONG[name]} is missing")]
    )


@pytest.mark.once
@pytest.mark.parametrize("name", [page(path.stem) for path in sorted(FOLDER.glob("[a-z]*.md"))])
def test_a_tutorial_prints_what_it_says(name: str) -> None:
    command = [sys.executable, "-m", "examples.tutorial", name]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (
        f"{done.stdout}{done.stderr}\nto put it there: python -m examples.tutorial {name} --write"
    )


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a page whose cells print something else than it says."""
    monkeypatch.setattr("examples.tutorial.FOLDER", tmp_path)
    for name in surroundings():  # what a page sets is as it was afterwards
        monkeypatch.setenv(name, os.environ.get(name, ""))
    path = tmp_path / "page.md"
    path.write_text(
        "```python\nn = 1\n```\n\nThen:\n\n```python\nprint(n)\n```\n\n```text\n2\n```\n\n```sh\necho $0\n```\n"
    )
    return path


def test_what_differs_is_told_and_can_be_written(written: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["page"], write=False) == 1 and "-2\n+1\n+bash" in capsys.readouterr().out
    assert main(["page"], write=True) == 0
    assert [cell.printed for cell in cells(written.read_text())] == ["", "1\n", "bash\n"]
    assert main(["page"], write=False) == 0


def test_a_command_that_fails_fails_the_page(written: Path) -> None:
    written.write_text("```python\n%%bash\nrainbow metrics nothing.csv\necho on\n```\n")
    with pytest.raises(RuntimeError, match=r"nothing\.csv"):
        main(["page"], write=False)
