"""Tables on the console have at most four significant digits; files and JSON have all of them."""

import re
import sys

import pytest

from rainbow.cli import main

DECIMAL = re.compile(r"(?<![\w.,])-?(\d+\.\d+)(?![\w.,])")
COMMANDS = ("metrics demo --metrics TER,len,NIST,chrF++,RE", "systems demo --resamples 120", "list readability")


def significant(number: str) -> int:
    """Return the number of significant digits of a decimal number."""
    return len(number.replace(".", "").lstrip("0"))


@pytest.mark.once
@pytest.mark.parametrize("command", COMMANDS)
def test_a_table_has_at_most_four_significant_digits(command, monkeypatch, capsys, tmp_path) -> None:
    monkeypatch.chdir(str(tmp_path))
    monkeypatch.setattr(sys, "argv", ["rainbow", *command.split()])
    with pytest.raises(SystemExit) as end:
        main()
    assert not end.value.code
    tables = [line for line in capsys.readouterr().out.splitlines() if line.startswith(" ")]
    numbers = [number for line in tables for number in DECIMAL.findall(line)]
    assert [number for number in numbers if significant(number) > 4 and float(number) < 1000] == []
