"""A folder that cannot be written, and a file that changes between two runs."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.once

CSV = "output,ref,system\n" + "".join(f"an inn {k}.,the inn {k}.,a\na cafe {k}.,the inn {k}.,b\n" for k in range(9))
# Root may write everywhere, unless this right is taken away.
ROOT = ["setpriv", "--bounding-set", "-dac_override"] if os.geteuid() == 0 else []


def rainbow(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [*ROOT, sys.executable, "-m", "rainbow", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)


@pytest.fixture
def read_only(tmp_path: Path) -> Iterator[Path]:
    if ROOT and not shutil.which(ROOT[0]):
        pytest.skip("root may write everywhere, and setpriv is not installed")
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "mine.csv").write_text(CSV)
    folder.chmod(0o555)
    yield folder
    folder.chmod(0o755)


@pytest.mark.parametrize(("command", "named"), [
    (["run", "mine.csv", "--yes"], "metrics: permission denied"),
    (["metrics", "mine.csv", "--metrics", "len"], "metrics: permission denied"),
    (["fit", "demo"], "analysis/demo is not writable (Permission denied): choose another place with --out"),
])  # fmt: skip
def test_a_folder_that_cannot_be_written_is_named(command: list[str], named: str, read_only: Path) -> None:
    ended = rainbow(read_only, *command)
    assert ended.returncode == 1 and named in ended.stderr and "Traceback" not in ended.stderr
    assert [path.name for path in read_only.iterdir()] == ["mine.csv"]


def test_a_folder_that_became_read_only_keeps_what_was_made_before(tmp_path: Path) -> None:
    if ROOT and not shutil.which(ROOT[0]):
        pytest.skip("root may write everywhere, and setpriv is not installed")
    (tmp_path / "mine.csv").write_text(CSV)
    assert rainbow(tmp_path, "metrics", "mine.csv", "--metrics", "len").returncode == 0
    table = tmp_path / "metrics" / "mine.parquet"
    before = table.read_bytes()
    table.parent.chmod(0o555)
    ended = rainbow(tmp_path, "metrics", "mine.csv", "--metrics", "BLEU4")
    table.parent.chmod(0o755)
    assert ended.returncode == 1 and "permission denied" in ended.stderr.lower()
    assert "Traceback" not in ended.stderr and table.read_bytes() == before


@pytest.mark.slow
def test_what_is_made_of_an_input_that_was_replaced_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text(CSV)
    assert rainbow(tmp_path, "run", "mine.csv", "--yes", "--resamples", "20").returncode == 0
    page = tmp_path / "reports" / "mine.html"
    before = page.read_bytes()
    (tmp_path / "mine.csv").write_text(CSV.replace("cafe", "bar"))
    assert rainbow(tmp_path, "run", "mine.csv", "--yes", "--resamples", "20").returncode == 0
    assert page.read_bytes() != before
    (tmp_path / "mine.csv").write_text("output,judge\na text,5\n")  # another file of the same name: other columns
    ended = rainbow(tmp_path, "run", "mine.csv", "--yes", "--resamples", "20")
    assert ended.returncode == 0, ended.stderr
    assert "rainbow.toml names a column" in ended.stderr and "the columns are detected again" in " ".join(
        ended.stderr.split()
    )
    assert "system" not in (tmp_path / "rainbow.toml").read_text()
