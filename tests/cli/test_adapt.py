"""`rainbow adapt`: a model for another domain, from texts that people wrote there."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

import rainbow
from rainbow.cli import app
from rainbow.datasets import load_dataset
from rainbow.learned.scorer import load_model

TRAIN = 'mr,ref\n"inform(name=zap,power=11kw)",zap charges at 11kw .\n"inform(name=spark)",this is spark .\n'


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, arguments)
    if result.exception:
        raise result.exception
    return result.output


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_file_of_references(folder: Path) -> None:
    (folder / "train.csv").write_text(TRAIN)
    said = run("adapt", "quality-referenceless", "--references", "train.csv")
    assert "2 references of 2 inputs added to quality-referenceless" in said
    assert "Adapted to another domain" in (folder / "models" / "train-quality-referenceless.md").read_text()
    assert load_model("models/train-quality-referenceless.rainbow").card["adapted"]["references"] == 2


def test_a_table_whose_columns_are_named(folder: Path) -> None:
    table = load_dataset("demo").frame.iloc[:30][["mr", "output"]].assign(text="an inn .")
    table.rename(columns={"mr": "input"}).to_csv(folder / "mine.csv", index=False)
    options = ("--references", "mine.csv", "--mr", "input", "--reference", "text", "--out", "mine.rainbow")
    run("adapt", "naturalness-referenceless", *options)
    assert load_model("mine.rainbow").card["adapted"]["datasets"] == ["mine"]


@pytest.mark.parametrize(
    ("text", "message"),
    [("an inn .\n\na pub .\n", "give the references' mrs"), ("", "there is no reference")],
)
def test_what_cannot_adapt_is_refused_and_nothing_is_written(folder: Path, text: str, message: str) -> None:
    (folder / "refs.txt").write_text(text)
    with pytest.raises(ValueError, match=message):
        run("adapt", "quality-referenceless", "--references", "refs.txt")
    assert not (folder / "models").exists()


HOSTILE = {
    "no reference.csv": (b"mr,ref\n", "there is no reference"),
    "blank.csv": (b"mr,ref\ninform(name=x),the inn\ninform(name=y),  \n", "line 3: the reference is empty"),
    "short.csv": (b"mr,ref\ninform(name=x)\n", "line 2: it has 1 fields, the header has 2"),
    "latin.csv": ("mr,ref\ninform(name=x),caf\u00e9\n".encode("latin-1"), "line 2: byte 0xe9 is not UTF-8"),
    "unreadable.csv": (b'mr,ref\n"inform(((name=",the inn\n', "give the references' mrs"),
    "half.jsonl": (rb'{"mr": "inform(name=x)", "ref": "the \ud800 inn"}', "line 1 holds .* half of a character"),
    "nested.jsonl": (b'{"ref": ' + b"[" * 5000 + b"]" * 5000 + b"}", "line 1 holds lists within lists"),
    "number.jsonl": (b'{"mr": "inform(name=x)", "ref": 5}', "no column 'output'"),
    "word.txt": (b"x" * 10**6, "give the references' mrs"),
    "nothing.csv": (b"", "nothing.csv: the file is empty"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_references_that_are_none_are_refused_by_file_and_line(folder: Path, name: str) -> None:
    content, message = HOSTILE[name]
    (folder / name).write_bytes(content)
    with pytest.raises(ValueError, match=message):
        run("adapt", "quality-referenceless", "--references", name)
    assert not (folder / "models").exists()


@pytest.mark.parametrize(
    "text", ["the \x00 inn", "\x1b[31mred\x1b[0m", "=cmd|' /C calc'!A0", "\U0001f600" * 5000, "word " * 20_000]
)
def test_odd_references_leave_a_model_that_scores(folder: Path, text: str) -> None:
    (folder / "train.csv").write_text(f"mr,ref\ninform(name=zap),{text}\n")
    run("adapt", "quality-referenceless", "--references", "train.csv", "--out", "odd.rainbow")
    [score] = rainbow.score(["zap is cheap."], inputs=["inform(name=zap)"], model="odd.rainbow")
    assert 1 <= score <= 6


def test_a_table_with_outputs_whose_references_have_another_name_is_told_so(folder: Path) -> None:
    (folder / "mine.csv").write_text("mr,human_words,output\ninform(name=x),x is cheap .,x is .\n")
    with pytest.raises(ValueError, match=r"mine\.csv has no references: .* --reference NAME"):
        run("adapt", "quality-referenceless", "--references", "mine.csv")
