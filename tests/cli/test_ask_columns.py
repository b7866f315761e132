"""`rainbow run` on a terminal: a reading that is not right is corrected column by column, and kept once accepted."""

import os
import pty
import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from rainbow.cli.column_questions import ask_directions, confirm_columns
from rainbow.datasets.columns import NO_COLUMNS, Columns
from rainbow.datasets.folders.user_files import open_user_files
from rainbow.datasets.roles.plausibility_checks import Doubt
from tests.commands import Rainbow

ROWS = "model,source,text,gold,ann\n" + "".join(
    f"{system},name={place},the inn {place} is cheap and {word},an inn {place} that is {word},{1 + place % 5}\n"
    for place, word in enumerate(["quiet", "lively", "small", "lovely", "modern", "rustic"])
    for system in ("alpha", "beta")
)


def confirm(folder: Path, answers: str, given: Columns = NO_COLUMNS) -> tuple[Columns, str]:
    """Return the columns that are accepted with these answers, and what was printed."""
    path = folder / "mine.csv"
    path.write_text(ROWS)
    accepted, app = [], typer.Typer()

    @app.command()
    def ask() -> None:
        opened = open_user_files([str(path)], given)
        doubt = Doubt("gold", "reference", "output", "its name and cells fit both", True, stops=True)
        opened = confirm_columns(replace(opened, mapping=replace(opened.mapping, doubts=(doubt,))), given)
        assert opened.rows is not None
        accepted.append(opened.mapping.columns)

    done = CliRunner().invoke(app, [], input=answers, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return accepted[0], done.output


def test_enter_keeps_every_column(tmp_path: Path) -> None:
    once, _ = confirm(tmp_path, "y\n")
    again, printed = confirm(tmp_path, "n\n\n\n\n\n\ny\n")
    for field in ("output", "references", "mr", "system", "ratings"):
        assert getattr(once, field) == getattr(again, field), field
    assert printed.count("Is that right?") == 2


def test_a_column_that_is_named_takes_the_role_and_gives_up_the_one_it_had(tmp_path: Path) -> None:
    columns, printed = confirm(tmp_path, "n\ngold\n\n\n\n\ny\n")
    assert columns.output == ("gold",) and "gold" not in columns.references and "output: gold" in printed


def test_a_dash_means_none(tmp_path: Path) -> None:
    columns, _ = confirm(tmp_path, "n\n\n\n-\n-\n-\ny\n")
    assert (columns.references, columns.system, columns.ratings) == ((), None, ())
    assert {"gold", "model"} <= {*columns.ignored}


def test_several_columns_are_separated_and_a_wrong_name_is_asked_again(tmp_path: Path) -> None:
    columns, printed = confirm(tmp_path, "n\n\n\nsource; gold\nmodels\nmodel\n\ny\n")
    assert columns.references == ("source", "gold") and columns.mr is None and columns.system == "model"
    assert "unknown column 'models'; the columns are model, source, text, gold, ann" in printed


def test_what_was_dropped_may_be_named_in_the_next_round(tmp_path: Path) -> None:
    columns, printed = confirm(tmp_path, "n\n-\n\n\n\n\ntext\n\n\n\n\ny\n", Columns.create(score="ann:higher"))
    assert columns.output == ("text",) and "text" not in columns.ignored and "No column holds the outputs." in printed


def test_a_reading_without_outputs_is_not_written_beside_the_file(rainbow: Rainbow, tmp_path: Path) -> None:
    (tmp_path / "n.csv").write_text("a,b\n1,2\n")
    done = rainbow("run", "n.csv", "--yes")
    assert done.status == 1 and "name it with --output COLUMN" in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["n.csv"]


@pytest.mark.once
def test_on_a_terminal_the_corrected_reading_is_kept(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text(ROWS)
    terminal, other_end = pty.openpty()
    command = [sys.executable, "-m", "rainbow", "run", "mine.csv", "--resamples", "5"]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    ends = {"stdin": other_end, "stdout": other_end, "stderr": other_end}
    process = subprocess.Popen(command, cwd=tmp_path, env=environment, **ends)
    os.close(other_end)
    printed = b""
    for wanted, answer in [(b"right?", "n")] + [(b"]:", "")] * 4 + [(b"]:", "-"), (b"right?", "y")]:
        start = len(printed)
        while wanted not in printed[start:]:
            printed += os.read(terminal, 1)
        os.write(terminal, f"{answer}\n".encode())
    while chunk := read(terminal):
        printed += chunk
    os.close(terminal)
    assert process.wait(60) == 0, printed.decode()
    kept = tomllib.loads((tmp_path / "rainbow.toml").read_text())["mine.csv"]
    assert "rating" not in kept and kept["output"] == "text"


def read(terminal: int) -> bytes:
    """Return what the terminal shows next; nothing after its end."""
    try:
        return os.read(terminal, 4096)
    except OSError:
        return b""


def test_the_direction_of_a_score_is_asked_where_nobody_has_said_it(tmp_path: Path) -> None:
    path, rows = tmp_path / "mine.csv", ROWS.splitlines()
    lines = [f"{line},{0.3 + 0.07 * (place % 7):.3f}" for place, line in enumerate(rows[1:])]
    path.write_text("\n".join([f"{rows[0]},facts", *lines]) + "\n")
    given, accepted = Columns.create(score="facts:unknown"), []
    app = typer.Typer()

    @app.command()
    def ask() -> None:
        accepted.append(ask_directions(open_user_files([str(path)], given)).mapping.columns.scores)

    for answer, scores in (("higher", ("facts:higher",)), ("", ("facts:unknown",)), ("up\nlower", ("facts:lower",))):
        done = CliRunner().invoke(app, [], input=f"{answer}\n", catch_exceptions=False)
        assert done.exit_code == 0, done.output
        assert accepted[-1] == scores


def test_a_run_that_fails_leaves_what_stands_beside_the_file(rainbow: Rainbow, tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text(ROWS)
    (tmp_path / "rainbow.toml").write_text('["mine.csv"]\nrating = "ann"\n')
    before = (tmp_path / "rainbow.toml").read_text()
    assert rainbow("run", "mine.csv", "--yes", "--rating", "nope").status == 1
    assert (tmp_path / "rainbow.toml").read_text() == before
