"""`rainbow score`: a number a line for texts that are typed, piped, or written as JSON."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import rainbow
from rainbow.cli import app

MR = "inform(name='the inn',area=soma,price_range=cheap)"
GOOD, BAD = "the inn is a cheap hotel in soma.", "inn the the in in soma"


def run(*arguments: str, lines: str | None = None) -> list[str]:
    result = CliRunner().invoke(app, ["score", *arguments], input=lines)
    if result.exception:
        raise result.exception
    return result.output.splitlines()


def test_typed_texts_get_the_scores_of_the_library() -> None:
    expected = [f"{value:.4f}" for value in rainbow.score([GOOD, BAD], mrs=[MR, MR], rating="naturalness")]
    assert run(GOOD, BAD, "--mr", MR, "--rating", "naturalness") == expected


def test_many_lines_get_a_score_each_in_their_order() -> None:
    texts = [f"the inn number {place} is cheap." for place in range(300)]
    assert run("--mr", MR, lines="\n".join(texts)) == [f"{value:.4f}" for value in rainbow.score(texts, mrs=[MR] * 300)]


def test_references_choose_the_model_that_reads_them() -> None:
    [line] = run("--json", lines=json.dumps({"output": GOOD, "references": [GOOD, BAD]}))
    told = json.loads(line)
    assert told["score"] == pytest.approx(rainbow.score(GOOD, [GOOD, BAD]))
    assert told["low"] < told["score"] < told["high"] and told["reason"] == ""


def test_fields_are_read_whatever_they_are_called() -> None:
    usual = {"output": GOOD, "input": MR, "references": [BAD]}
    others = {"id": 1, "model": "a", "prediction": GOOD, "source": MR, "gold": BAD, "quality": 5}
    first, second = run(lines=f"{json.dumps(usual)}\n{json.dumps(others)}")
    assert first == second


def test_the_name_of_a_file_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("output\nthe inn\n")
    with pytest.raises(ValueError, match=r"mine\.csv is a file: rainbow run "):
        run(str(tmp_path / "mine.csv"))


@pytest.mark.parametrize("texts", [[""], ["  "], [GOOD, ""]])
def test_an_empty_text_is_refused_with_exit_status_2(texts: list[str]) -> None:
    result = CliRunner().invoke(app, ["score", *texts])
    assert result.exit_code == 2 and "a text is empty" in result.stderr


def test_one_warning_counts_the_empty_lines() -> None:
    with pytest.warns(UserWarning, match="empty texts: 2 of 3") as told:
        scores = run(lines=f"\n{GOOD}\n  \n")
    assert len([warning for warning in told if "empty" in str(warning.message)]) == 1
    assert scores == [f"{value:.4f}" for value in rainbow.score(["", GOOD, "  "])]


TABLES = {
    "commas": "id,output,quality\n1,the inn is cheap.,4\n2,an inn.,3\n",
    "quoted": 'id,text\n1,"cheap, and in soma."\n2,"an inn,\nin soma."\n',
    "tabs": "MR\toutput\ninform(area=soma)\tan inn in soma.\n", "semicolons": "Text;Note\nein Gasthaus.;2\n",
    "bars": "system|text\na|an inn.\n", "one column": "output\nthe inn is cheap.\n",
    "a byte order mark": "\ufefftext,quality\nthe inn is cheap.,4\n",
    "one column, a byte order mark": "\ufeffoutput\nthe inn is cheap.\n",
    "many rows": "id,text\n" + "".join(f"{row},the inn is cheap.\n" for row in range(600)),
}  # fmt: skip


@pytest.mark.parametrize("kind", TABLES)
def test_a_table_on_standard_input_is_refused(kind: str) -> None:
    message = r"standard input is a table with the columns .*: save it as a file, then rainbow run"
    with pytest.raises(ValueError, match=message):
        run(lines=TABLES[kind])


@pytest.mark.parametrize("indent", [None, 2])
def test_a_json_list_on_standard_input_is_refused(indent: int | None) -> None:
    rows = [{"output": GOOD}, {"output": "an inn."}]
    with pytest.raises(ValueError, match="standard input is a JSON list: save it as a file, then rainbow run"):
        run(lines=json.dumps(rows, indent=indent) + "\n")


def test_a_byte_order_mark_is_not_part_of_a_text() -> None:
    assert run(lines=f"\ufeff{GOOD}\n") == run(lines=f"{GOOD}\n")


@pytest.mark.parametrize("lines", [
    "[inn] is cheap\n[far] from soma\n", "Cheap, and in soma.\nIt is cheap, but far.\n",
    "The inn, a good hotel\nIt is cheap, but far\n", "the text is short.\n", "id,text\n",
    "the inn\tsoma\nan inn\tsoma\n", '{"output": "the inn, in soma."}\n{"output": "an inn, in soma."}\n',
])  # fmt: skip
def test_texts_with_commas_are_no_table(lines: str) -> None:
    assert len(run(lines=lines)) == len(lines.splitlines())


def test_one_line_never_harms_another() -> None:
    lines = [
        json.dumps({"output": GOOD, "mr": MR}), "no input", "{bad", '{"output": 3}', '{"output": "x", "foo": 1}',
        "{}", '{"output": "x", "references": [1]}', json.dumps({"output": BAD, "mr": MR}),
    ]  # fmt: skip
    command = [sys.executable, "-c", "from rainbow.cli import main; main()", "score", "--model", "fast"]
    done = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, check=False)
    expected = [f"{value:.4f}" for value in rainbow.score([GOOD, "no input", BAD], mrs=[MR, None, MR], model="fast")]
    assert done.stdout.splitlines() == [*expected[:2], *["nan"] * 5, expected[2]]
    assert [line.split(": ")[1] for line in done.stderr.splitlines()] == [f"line {line}" for line in range(3, 8)]


def test_contributions_add_up_to_the_score() -> None:
    [line] = run(GOOD, "--mr", MR, "--explain", "--json")
    told = json.loads(line)
    assert sum(told["explanation"].values()) == pytest.approx(told["score"], abs=1e-6)
    shown = run(GOOD, "--mr", MR, "--explain")
    assert (float(shown[0]), shown[1].split()[1]) == (pytest.approx(told["score"], abs=1e-4), "base")


def test_ends_of_the_interval_stand_behind_tabs() -> None:
    score, low, high = map(float, run(GOOD, "--mr", MR, "--interval")[0].split("\t"))
    assert 1 <= low < score < high <= 6


def test_points_of_the_scale_with_their_probabilities() -> None:
    found = rainbow.score([GOOD, BAD], mrs=[MR, MR], classes=True).classes
    lines = run(GOOD, BAD, "--mr", MR, "--classes")
    assert [float(line.split("\t")[1]) for line in lines] == found.most_probable.tolist()
    told = json.loads(run(GOOD, "--mr", MR, "--classes", "--json")[0])
    assert list(map(float, told["probabilities"])) == found.points.tolist()
    assert sum(told["probabilities"].values()) == pytest.approx(1)


def test_what_is_wanting_is_said() -> None:
    assert run(lines="") == []
