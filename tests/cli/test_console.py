"""Tables on terminals and in pipes, their digits, completion by Tab, and quiet."""

import os
import pty
import re
import subprocess
import sys

import pytest

from rainbow.cli import main
from rainbow.cli.console import print_table

NAMES = ["system", *(f"measure_{place}" for place in range(12)), "description"]
ROWS = [
    [f"system-{row}", *(f"0.{row}{place:03d} (1.00 to 2.00)" for place in range(12)), "a sentence of many words " * 4]
    for row in range(3)
]


@pytest.mark.parametrize("width", [40, 80, 132])
def test_on_a_terminal_columns_that_are_too_many_stand_below_and_nothing_is_cut(width, monkeypatch, capsys) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    print_table(NAMES, ROWS)
    printed = re.sub(r"\x1b\[\d*m", "", capsys.readouterr().out)
    assert "…" not in printed
    lines = printed.splitlines()
    for row in ROWS:
        for cell in row[:-1]:
            assert any(cell in line and line.split()[0] == row[0] for line in lines), cell
    assert all(name in printed for name in NAMES) and printed.split().count("sentence") == 3 * 4
    assert max(len(line.rstrip()) for line in lines) <= width


def test_what_stands_below_begins_with_all_that_names_a_row(monkeypatch, capsys) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("FORCE_COLOR", "1")
    rows = [
        ("mine", rating, group, *["0.123 (0.100 to 0.200)"] * 4) for rating in ("quality", "ease") for group in "ab"
    ]
    print_table(("dataset", "rating", "group", *"wxyz"), rows)
    lines = [line.split()[:3] for line in re.sub(r"\x1b\[\d*m", "", capsys.readouterr().out).splitlines()]
    assert [line for line in lines if line[0] == "mine"] == [list(row[:3]) for row in rows] * 2


def test_in_a_pipe_a_row_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(NAMES, ROWS)
    header, *lines = capsys.readouterr().out.splitlines()
    assert (len(lines), header.split()[0]) == (len(ROWS), "system")
    assert all(cell.strip() in line for row, line in zip(ROWS, lines, strict=True) for cell in row)


def test_a_table_without_rows_has_its_header(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(["metric", "mean"], [])
    assert capsys.readouterr().out.split() == ["metric", "mean"]


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


COMMAND = [sys.executable, "-c", "import sys; sys.argv[0] = 'rainbow'; from rainbow.cli import main; main()"]
UNFAMILIAR = ["score", "hello", "--mr", "inform(x=y)"]


def run(*arguments: str, **environment: str) -> tuple[int, list[str], str]:
    done = subprocess.run(
        [*COMMAND, *arguments], capture_output=True, text=True, check=False, env=os.environ | environment
    )
    return done.returncode, done.stdout.split(), done.stderr


def test_tab_completes_commands_and_options() -> None:
    bash = {"_RAINBOW_COMPLETE": "complete_bash", "COMP_WORDS": "rainbow me", "COMP_CWORD": "1"}
    assert run(**bash)[1] == ["metrics"]
    assert run(**(bash | {"COMP_WORDS": "rainbow score --ex", "COMP_CWORD": "2"}))[1] == ["--explain"]


def test_a_shell_is_told_how_to_complete() -> None:
    status, words, _ = run("--show-completion", "bash")
    assert (status, words[-2:]) == (0, ["_rainbow_completion", "rainbow"])


def test_quiet_prints_results_alone() -> None:
    loud, quiet = run(*UNFAMILIAR), run("--quiet", *UNFAMILIAR)
    assert quiet == (0, loud[1], "")
    assert "of the words of these outputs and inputs: scores are rough outside the domain" in loud[2]


def test_quiet_keeps_nothing_back_from_whoever_fails() -> None:
    for wrong in (["score", "hello", "--rating", "beauty"], ["score", "hello", "--nope"], ["no-command"]):
        status, _, told = run("--quiet", *wrong)
        assert status in (1, 2) and told == run(*wrong)[2] != ""


def test_a_terminal_shows_the_scale_of_scores_once() -> None:
    _, terminal = pty.openpty()
    command = [*COMMAND, "score", "--model", "fast", "--interval", "the inn is cheap.", "the inn"]
    told = subprocess.run(command, stdout=terminal, stderr=subprocess.PIPE, text=True, check=True).stderr
    assert told.count("score, low, high: predicted quality, from 1 to 6\n") == 1
