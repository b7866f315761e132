"""Commands as a user gives them, run in this process."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest


class Result(NamedTuple):
    """How a command ended, and what it wrote."""

    status: int
    out: str
    err: str


Rainbow = Callable[..., Result]


@pytest.fixture
def rainbow(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Rainbow:
    """Run `rainbow ARGUMENTS` in an empty folder, and expect an exit status where one is given."""
    from rainbow.cli import main

    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, status: int | None = None) -> Result:
        monkeypatch.setattr(sys, "argv", ["rainbow", *arguments])
        with pytest.raises(SystemExit) as end:
            main()
        result = Result(int(end.value.code or 0), *capsys.readouterr())
        assert status in (None, result.status), result.err
        return result

    return run
