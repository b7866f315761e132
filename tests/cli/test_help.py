"""What `--help` shows: in a terminal of 80 columns, and not more than a reader can take."""

import re
from pathlib import Path

import pytest
import typer

from rainbow.cli import app
from rainbow.cli.command_groups import TASKS
from rainbow.cli.fit import HELP
from rainbow.learned.learner.regressor import PRESETS
from tests.commands import Rainbow

COMMANDS = [name for commands in TASKS.values() for name in commands]
WIDTH = 80
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_is_whole_in_80_columns(command: str, rainbow: Rainbow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(WIDTH))
    done = rainbow(*command.split(), "--help")
    lines = done.out.splitlines()
    assert (done.status, [line for line in lines if len(line) > WIDTH or "\u2026" in line]) == (0, [])
    assert len(lines) <= 100  # two screens


def test_every_command_has_a_place_in_the_documentation() -> None:
    pages = "".join(page.read_text() for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
    assert [name for name in COMMANDS if not re.search(rf"\brainbow {name}\b", pages)] == [], "say what it is for"


def test_every_preset_is_described() -> None:
    assert [name for name in PRESETS if not re.search(rf"(?m)^  {name} ", HELP)] == []


def test_options_are_few_enough_to_be_known() -> None:
    commands = typer.main.get_command(app).commands.values()
    shown = [
        option.opts[0]
        for command in commands
        for option in command.params
        if option.param_type_name == "option" and not option.hidden
    ]
    assert len(shown) <= 200 and len({*shown}) <= 80
