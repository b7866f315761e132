"""A file that is not a model, wherever one is expected: the message says what was expected and what to type."""

from pathlib import Path

import pytest

import rainbow as library
from tests.commands import Rainbow

TABLE = "output,quality\nthe inn is cheap,4\nan inn,2\n"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("audit mine.csv", "mine.csv is a table: name a metric or a model first, rainbow audit METEOR"),
        ("audit mine.csv mine.csv", "rainbow audit METEOR mine.csv"),
        ("audit mine.csv --search", "rainbow audit METEOR mine.csv"),
        ("audit mine.csv --words", "rainbow audit METEOR mine.csv"),
        (
            "audit other.rainbow",
            "name a model file, e.g. models/demo-quality-all.rainbow, or a model, e.g. quality-fast",
        ),
        ("score --model mine.csv hello", "name a model file"),
        ("score --model other.rainbow hello", "name a model file"),
        ("score --model part.rainbow hello", "the model file is incomplete: copy it again, or run `rainbow fit`"),
        ("serve mine.csv", "name a model file"),
        ("fit other.rainbow", "cannot read .rainbow"),
        ("run other.xlsx --yes", "it is not an Excel workbook: save it as .xlsx or .csv"),
    ],
)
def test_commands_say_what_was_expected(rainbow: Rainbow, tmp_path: Path, words: str, told: str) -> None:
    (tmp_path / "mine.csv").write_text(TABLE)
    (tmp_path / "other.rainbow").write_text("an inn")
    (tmp_path / "other.xlsx").write_text(TABLE)
    (tmp_path / "part.rainbow").write_bytes(b"PK\x03\x04" * 30)
    done = rainbow(*words.split())
    assert done.status == 1 and told in done.err and "zip" not in done.err


def test_the_library_says_it_too(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(TABLE)
    for load in (library.Scorer, library.load_model):
        with pytest.raises(
            ValueError, match=r"mine\.csv is not a usable model: it was not written by `rainbow fit`: name a"
        ):
            load(str(path))
