"""What `--help` shows: in a terminal of 80 columns, and not more than a reader can take."""

import pytest
import typer

from rainbow.cli import app
from rainbow.cli.tasks import TASKS
from tests.commands import Rainbow

COMMANDS = [name for commands in TASKS.values() for name in commands]
WIDTH = 80


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_is_whole_in_80_columns(command: str, rainbow: Rainbow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(WIDTH))
    done = rainbow(*command.split(), "--help")
    lines = done.out.splitlines()
    assert done.status == 0
    assert [line for line in lines if len(line) > WIDTH or "\u2026" in line] == []
    assert len(lines) <= 100  # two screens


def test_options_are_few_enough_to_be_known() -> None:
    commands = typer.main.get_command(app).commands.values()
    shown = [
        option.opts[0]
        for command in commands
        for option in command.params
        if option.param_type_name == "option" and not option.hidden
    ]
    assert len(shown) <= 200
    assert len({*shown}) <= 80
