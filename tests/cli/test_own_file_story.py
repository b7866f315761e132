"""What a newcomer types with a file of their own: the file is described once, by nobody."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rainbow.cli import main
from tests.datasets.strangers import SHAPES

Rainbow = Callable[..., str]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a file whose id repeats and whose raters have a column each, and its metrics."""
    folder = tmp_path_factory.mktemp("story")
    SHAPES["a_repeating_id"](folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(sys, "argv", ["rainbow", "metrics", "r4.csv", "--metrics", "METEOR,TER,len"])
        with pytest.raises(SystemExit) as end:
            main()
        assert not end.value.code
    return folder


@pytest.mark.parametrize("command", [
    ("analyse", "r4.csv", "--resamples", "10"),
    ("estimate", "r4.csv", "--score", "METEOR", "--resamples", "100"),
    ("plan", "r4.csv", "--resamples", "20"),
    ("audit", "r4.csv", "METEOR", "--kinds", "empty", "--rows", "5"),
    ("fit", "r4.csv", "--rating", "rating", "--model", "gbm", "--protocol", "kfold", "--resamples", "10"),
], ids=lambda command: command[0])  # fmt: skip
def test_what_was_found_once_every_command_knows(command, folder, monkeypatch, capsys) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "argv", ["rainbow", *command])
    with pytest.raises(SystemExit) as end:
        main()
    assert not end.value.code, capsys.readouterr().err


def test_help_fits_a_terminal_of_80_columns(monkeypatch, capsys) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys, "argv", ["rainbow", "--help"])
    with pytest.raises(SystemExit):
        main()
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert not [line for line in lines if line.endswith(("...", "…")) and not line.startswith("Usage")]
