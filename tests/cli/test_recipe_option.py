"""`--recipe`, and the options that reproduce a reading."""

from pathlib import Path

import pytest

from tests.commands import Rainbow

RECIPE = 'columns = ["unit", "who"]\n[read]\noutput = "said"\nitem = "unit"\nrater = "who"\nrating = ["mark.*"]\n'
ROWS = "unit,said,who,mark.style\n" + "".join(
    f"{k},there are {k} inns by the river,{who},{1 + (k + len(who)) % 5}\n"
    for k in range(1, 6)
    for who in ("ann", "ben b")
)
OPTIONS = "--output said --item unit --rating mark.style --rater who"


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(RECIPE)
    (tmp_path / "my table.csv").write_text(ROWS)


def test_every_command_takes_a_recipe(rainbow: Rainbow) -> None:
    done = rainbow("metrics", "my table.csv", "--recipe", "mine.toml", "--metrics", "len", status=0)
    assert f"my table.csv: {OPTIONS}" in done.err


def test_a_recipe_that_does_not_fit_is_an_error(rainbow: Rainbow, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(RECIPE.replace("unit", "item"))
    done = rainbow("metrics", "my table.csv", "--recipe", "mine.toml")
    assert done.status == 1 and "my table.csv: recipe mine.toml does not fit: column 'item' is missing" in done.err


@pytest.mark.usefixtures("figures_unwritten")
def test_run_prints_the_options_of_its_reading_unless_they_were_named(rainbow: Rainbow) -> None:
    done = rainbow("run", "my table.csv", "--recipe", "mine.toml", "--resamples", "10", status=0)
    assert done.out.endswith(f"\nsame reading: rainbow run 'my table.csv' {OPTIONS}\n")
    assert "same reading" not in rainbow("run", "my table.csv", "--resamples", "10").out
