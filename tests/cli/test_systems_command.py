"""`rainbow systems`: what a user types, what is printed and written, and what is said of bad files."""

import json
from pathlib import Path

import pandas as pd
import pytest

from tests.commands import Rainbow, Result

MRS = [f"name[Place {number}], food[Thai]" for number in range(8)]
REFERENCES = "mr,ref\n" + "".join(
    f'"{mr}",Place {n} serves Thai food.\n"{mr}",Thai: Place {n}.\n' for n, mr in enumerate(MRS)
)


def outputs(pattern: str, mrs: list[str] = MRS) -> str:
    return "MR\toutput\n" + "".join(f"{mr}\t{pattern.format(MRS.index(mr))}\n" for mr in mrs)


@pytest.fixture
def rainbow(rainbow: Rainbow) -> Rainbow:
    """Run `rainbow systems ARGUMENTS` in a folder with two systems' files and one of references."""
    Path("refs.csv").write_text(REFERENCES)
    Path("good.tsv").write_text(outputs("Place {} serves Thai food."))
    Path("bad.tsv").write_text(outputs("There are places {}, and places."))

    def run(*arguments: str, **expected: int) -> Result:
        done = rainbow("systems", *arguments, "--resamples", "50", **expected)
        return done._replace(err=" ".join(done.err.split()))

    return run


FILES = ("--outputs", "good.tsv", "--outputs", "bad.tsv", "--references", "refs.csv")


def test_files_of_outputs_are_compared_and_the_tables_written(rainbow: Rainbow) -> None:
    result = rainbow(*FILES, status=0)
    lines = result.out.splitlines()
    assert [line.split()[0] for line in lines[1:3]] == ["good", "bad"]
    assert pd.read_csv("analysis/refs/corpus_metrics.csv").loc[0, ["system", "BLEU", "n"]].tolist() == ["good", 1.0, 8]
    names = {path.name for path in Path("analysis/refs").iterdir()}
    assert {"corpus_metric_differences.csv", "similarity.csv", "similarity_means.csv", "systems.json"} <= names
    assert not [name for name in names if name.endswith(".part")]
    assert lines[-1] == "as one page: rainbow report refs --open"


def test_what_was_typed_is_kept_with_the_tables(rainbow: Rainbow) -> None:
    rainbow(*FILES, "--lenient")
    kept = json.loads(Path("analysis/refs/systems.json").read_text())["command"]
    assert kept == f"rainbow systems {' '.join(FILES)} --resamples 50 --lenient"


def test_json_has_the_systems_and_where_the_rest_is(rainbow: Rainbow) -> None:
    report = json.loads(rainbow(*FILES, "--json", "--out", "here", "--seed", "3").out)
    assert (report["folder"], report["seed"], report["resamples"]) == ("here", 3, 50)
    assert report["systems"][0]["system"] == "good" and "similarity.csv" in report["files"]
    assert json.loads(Path("here/systems.json").read_text()) == report


def test_one_long_file_with_a_column_of_systems_will_do(rainbow: Rainbow) -> None:
    rows = [
        {"model": name, "said": text.format(n), "gold": f"Place {n} is Thai.", "input": str(n)}
        for name, text in (("x", "Place {} is Thai."), ("y", "no {}"))
        for n in range(6)
    ]
    pd.DataFrame(rows).to_csv("mine.csv", index=False)
    rainbow("mine.csv", "--system", "model", "--output", "said", "--reference", "gold", "--item", "input", status=0)
    assert pd.read_csv("analysis/mine/corpus_metrics.csv")["system"].tolist() == ["x", "y"]


@pytest.mark.parametrize(("name", "content", "message"), [
    ("bad.tsv", outputs("B {}.", MRS[:-1]), r"bad.tsv: bad has no output for 'name[Place 7], food[Thai]'"),
    ("bad.tsv", outputs("B {}.", [*MRS, MRS[2]]), "bad.tsv, line 10: bad already has an output for 'name[Place 2]"),
    ("bad.tsv", outputs("'B {}.'"), "bad.tsv, line 2: every output is enclosed in ' and '"),
    ("bad.tsv", outputs("B {}.") + "name[Z]\tZ.\n", "bad.tsv, line 10: refs.csv has no reference for 'name[Z]'"),
    ("bad.tsv", outputs("B {}.") + "no tab\n", "bad.tsv, line 10: there is no tab"),
    ("refs.csv", REFERENCES.split('"name[Place 7]')[0], "line 9: refs.csv has no reference for 'name[Place 7]"),
])  # fmt: skip
def test_a_bad_file_is_named_with_its_line_and_lenient_goes_on(rainbow, name, content, message) -> None:
    Path(name).write_text(content)
    strict = rainbow(*FILES)
    assert strict.status == 1 and message in strict.err and "--lenient" in strict.err
    lenient = rainbow(*FILES, "--lenient", status=0)
    notes = pd.read_csv("analysis/refs/notes.csv")
    assert len(notes[notes["place"].str.contains("tsv")]) >= 1 and notes["place"][0] in lenient.out


def test_carriage_returns_are_told_of(rainbow: Rainbow) -> None:
    Path("bad.tsv").write_text(outputs("B {}.").replace("\n", "\r\n"), newline="")
    result = rainbow(*FILES, status=0)
    assert "bad.tsv, line 1: 9 lines end with a carriage return" in result.out


@pytest.mark.parametrize("mark", ['"', "'"])
def test_quotes_round_every_field_may_stand_round_those_of_the_header_too(rainbow: Rainbow, mark: str) -> None:
    quoted = ["\t".join(f"{mark}{field}{mark}" for field in line.split("\t")) for line in outputs("B {}.").splitlines()]
    Path("bad.tsv").write_text("\n".join(quoted) + "\n")
    rainbow(*FILES, "--lenient", status=0)
    assert pd.read_csv("analysis/refs/corpus_metrics.csv")["n"].tolist() == [8, 8]


def test_where_one_system_alone_is_left_the_reason_is_told(rainbow: Rainbow) -> None:
    Path("refs.txt").write_text("one .\n\ntwo .\n\nthree .\n")
    Path("x.txt").write_text("one .\ntwo .\nthree .\n")
    Path("y.txt").write_text("one .\ntwo .\n")
    result = rainbow("--outputs", "x.txt", "--outputs", "y.txt", "--references", "refs.txt", "--lenient")
    assert result.status == 1
    assert "at least two systems are needed: y.txt, line 2: 2 outputs, but 3 inputs" in result.err


def test_plain_text_of_unequal_length_is_named(rainbow: Rainbow) -> None:
    Path("refs.txt").write_text("one .\n\ntwo .\n\nthree .\n")
    Path("x.txt").write_text("one .\ntwo .\nthree .\n")
    Path("y.txt").write_text("one .\ntwo .\n")
    result = rainbow("--outputs", "x.txt", "--outputs", "y.txt", "--references", "refs.txt")
    assert result.status == 1 and "y.txt, line 2: 2 outputs, but 3 inputs in refs.txt" in result.err


@pytest.mark.parametrize(("arguments", "status", "message"), [
    ([], 2, "name a dataset, a table, or several files"),
    (["demo", *FILES], 2, "name a dataset, a table, or several files"),
    (["--outputs", "good.tsv"], 2, "need a file of references"),
    (["demo", "--references", "refs.csv"], 2, "name the output files too"),
    ([*FILES, "--mr", "x"], 2, "column options apply to a table"),
    (["--outputs", "none.tsv", "--references", "refs.csv"], 1, "no such file: 'none.tsv'"),
    (["--outputs", "good.tsv", "--references", "refs.csv"], 1, "at least two systems are needed"),
    (["nowhere"], 1, "unknown dataset 'nowhere'"),
    ([*FILES, "--judgements", "none.csv"], 1, "no such file: 'none.csv'"),
])  # fmt: skip
def test_mistakes_end_with_one_sentence_and_their_status(rainbow, arguments, status, message) -> None:
    result = rainbow(*arguments)
    assert result.status == status, result.out
    assert message in result.err and "Traceback" not in result.err


def test_parsing_without_a_parser_names_the_command_that_brings_it(rainbow, monkeypatch) -> None:
    monkeypatch.setattr(
        "rainbow.programs.stanford_parser.parser_unavailable_reason", lambda: "run `rainbow fetch parser`"
    )
    result = rainbow(*FILES, "--parse")
    assert (result.status, result.err) == (1, "rainbow: --parse: run `rainbow fetch parser`")
    assert not Path("analysis").exists()


def test_parsed_texts_get_their_syntactic_complexity(rainbow: Rainbow, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = "(S (NP (PRP It)) (VP (VBZ is) (ADJP (JJ cheap))))"
    monkeypatch.setattr("rainbow.programs.stanford_parser.parser_unavailable_reason", lambda: None)
    monkeypatch.setattr("rainbow.programs.stanford_parser.parse_trees", lambda texts, threads: [(tree,) for _ in texts])
    rainbow(*FILES, "--parse", status=0)
    table = pd.read_csv("analysis/refs/textual.csv")
    levels = table[table["measure"] == "level_0_2_percent"].set_index("system")["value"]
    assert levels["good"] == levels["test set all"] == 100.0
