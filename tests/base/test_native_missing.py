"""Where the kernels were not built, this is told once on a machine."""

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import sys
sys.modules["rainbow._native"] = None  # as where it was not built
import rainbow
print(rainbow.score_corpus(rainbow.Corpus.from_texts(["an inn"], [["the inn"]]), ["TER"]))
"""


def told(home: Path, **environment: str) -> str:
    settings = os.environ | {"HOME": str(home), "XDG_CACHE_HOME": str(home / "cache"), "RAINBOW_NATIVE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=settings | environment, capture_output=True, text=True, check=True
    )
    assert done.stdout
    return done.stderr


def test_it_is_told_at_the_first_use_and_once_on_a_machine(tmp_path: Path) -> None:
    first = told(tmp_path)
    assert first.startswith("the compiled kernels are not built, Python runs (slowly): apt-get install g++, then pip")
    assert (first.count("\n"), told(tmp_path), told(tmp_path / "another")) == (1, "", first)


def test_who_has_switched_them_off_is_told_nothing(tmp_path: Path) -> None:
    assert told(tmp_path, RAINBOW_NATIVE="0") == ""


def test_without_a_cache_it_is_told_again(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("no folder")
    assert told(tmp_path) == told(tmp_path) != ""
