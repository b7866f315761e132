"""Tables on terminals and in pipes: no name and no number is cut."""

import re

import pytest

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
