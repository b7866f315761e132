"""What is said of a file is said once: every command takes the same options, and finds what an earlier one was told."""

import json
import os
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rainbow import load_dataset
from rainbow.cli import app
from rainbow.scoring.saved_scores import load_scores
from tests.commands import Rainbow

OPTIONS = (
    "output", "reference", "separator", "mr", "mr-format", "system", "item", "rating", "encoding", "delimiter", "score",
    "join",
)  # fmt: skip

SAID = ("--output", "text", "--reference", "gold", "--rating", "mark", "--delimiter", ";", "--system", "who")


@pytest.fixture
def rainbow(rainbow: Rainbow, few_trees: None, figures_unwritten: None) -> Rainbow:
    """Run `rainbow ARGUMENTS` in a folder with `mine.csv`, whose columns have names of their own."""
    frame = load_dataset("demo").frame.query("system != 'template'").head(80)
    frame = frame.assign(gold=[texts[0] for texts in frame["references"]], other=range(80), worse=range(80, 0, -1))
    columns = {"output": "text", "gold": "gold", "mr": "mr", "item": "item", "system": "who", "quality": "mark"}
    columns |= {"other": "other", "worse": "worse"}
    frame[[*columns]].rename(columns=columns).to_csv("mine.csv", index=False, sep=";")
    return rainbow


@pytest.mark.parametrize("command", ["metrics", "analyse", "systems", "fit", "report", "audit"])
def test_every_command_that_takes_a_dataset_takes_the_same_options(command: str) -> None:
    import typer

    (found,) = [known for name, known in typer.main.get_command(app).commands.items() if name == command]
    declared = {option: parameter.help for parameter in found.params for option in parameter.opts}
    assert {f"--{name}" for name in OPTIONS} <= {*declared}


def test_what_metrics_was_told_other_commands_find(rainbow: Rainbow, tmp_path: Path) -> None:
    assert rainbow("metrics", "mine.csv", *SAID, "--metrics", "len,SE,cpw").status == 0
    commands = [
        ("analyse", "mine.csv", "--resamples", "10"),
        ("report", "mine.csv"),
        ("audit", "TER", "mine.csv", "--kinds", "empty", "--rows", "5"),
        ("systems", "mine.csv", "--resamples", "20"),
        ("fit", "mine.csv", "--model", "gbm", "--protocol", "kfold", "--resamples", "10"),
        ("metrics", "mine.csv", "--metrics", "TER"),
    ]
    for command in commands:
        result = rainbow(*command, status=0)
        if command[0] != "report":
            assert "mine.csv: --output text --reference gold" in result.err
            assert "from metrics/mine.parquet" in result.err
    table = load_scores(tmp_path / "metrics" / "mine.parquet")
    assert ({*table.attrs["signatures"]}, table.attrs["columns"]["delimiter"]) == ({"SE", "cpw", "len", "TER"}, ";")


def test_a_file_beside_says_it_too_and_what_is_given_wins(rainbow: Rainbow, tmp_path: Path) -> None:
    (tmp_path / "rainbow.toml").write_text(
        'delimiter = ";"\nrating = ["other"]\n["mine.csv"]\noutput = "text"\nreference = "gold"\nrating = "mark"\n'
    )
    result = rainbow("metrics", "mine.csv", "--metrics", "len,SE")
    assert "--rating mark --delimiter ';', as rainbow.toml has it" in result.err
    assert load_scores(tmp_path / "metrics" / "mine.parquet").attrs["ratings"] == ["mark"]
    rainbow("analyse", "mine.csv", "--rating", "other", "--resamples", "10")
    assert json.loads((tmp_path / "analysis/mine/summary.json").read_text())["ratings"] == ["other"]


def test_rainbow_toml_comes_before_what_is_saved(rainbow: Rainbow, tmp_path: Path) -> None:
    rainbow("metrics", "mine.csv", *SAID, "--metrics", "len")
    (tmp_path / "rainbow.toml").write_text('output = "gold"\nrating = "mark"\ndelimiter = ";"\n')
    again = rainbow("metrics", "mine.csv", "--metrics", "cpw")
    assert "--output gold" in again.err and "as rainbow.toml has it" in again.err
    assert "computed for other rows" in again.err
    assert "--output gold" in rainbow("metrics", "mine.csv", "--metrics", "cpw", "--anew").err


def test_a_rating_that_the_table_lacks_is_read_from_the_file_and_is_not_the_default(rainbow, tmp_path) -> None:
    """The numbers of a text file are no numbers before."""
    rainbow("metrics", "mine.csv", *SAID, "--metrics", "len,SE")
    before = json.loads(rainbow("analyse", "mine.csv", "--json").out)["ratings"]
    rainbow("analyse", "mine.csv", "--rating", "other", "--resamples", "10", status=0)
    table = load_scores(tmp_path / "metrics" / "mine.parquet")
    assert ("other" in table, {"len", "SE"} <= {*table.attrs["signatures"]}) == (True, True)
    assert json.loads(rainbow("analyse", "mine.csv", "--json").out)["ratings"] == before


@pytest.mark.parametrize(("options", "message"), [
    (("--rating", "item"), "mine.csv: row 1, item: '"),
    (("--rating", "beauty"), "mine.csv: unknown rating column 'beauty': other columns are"),
    (("--output", "item"), "metrics/mine.parquet has 2 metrics that were computed for other rows (row 1 differs)"),
    (("--score", "other"), "score 'other': set the better direction, other:higher or :lower"),
    (("--score", "missing:higher"), "mine.csv: unknown score column 'missing': other columns are"),
])  # fmt: skip
def test_what_cannot_be_is_one_sentence(rainbow: Rainbow, options: tuple[str, ...], message: str) -> None:
    rainbow("metrics", "mine.csv", *SAID, "--metrics", "len,SE")
    result = rainbow("analyse", "mine.csv", *options)
    assert result.status == 1 and message in result.err and "Traceback" not in result.err


def test_scores_of_others_are_metrics_like_any_other(rainbow: Rainbow, tmp_path: Path) -> None:
    scores = ("--score", "other:higher", "--score", "worse:lower")
    rainbow("analyse", "mine.csv", *SAID, *scores, "--resamples", "10", status=0)
    summary = json.loads((tmp_path / "analysis/mine/summary.json").read_text())
    assert (summary["metrics"], summary["best_metrics"][0]["group"]) == (["other", "worse"], "external")
    assert "other" in (tmp_path / "analysis/mine/metric_differences.csv").read_text()
    assert rainbow("report", "mine.csv").status == 0 and "other" in (tmp_path / "reports/mine.html").read_text()
    rainbow("metrics", "mine.csv", "--metrics", "len", status=0)
    assert {*load_scores(tmp_path / "metrics/mine.parquet").attrs["signatures"]} == {"other", "worse", "len"}


def test_scores_of_others_turn_with_their_direction(rainbow: Rainbow, tmp_path: Path) -> None:
    from rainbow.reports.saved.saved_analysis import load_analysis

    rainbow("analyse", "mine.csv", *SAID, "--score", "other:higher", "--score", "worse:lower", "--resamples", "10")
    saved = load_analysis("mine.csv")
    assert {name: saved.higher_is_better[name] for name in saved.metrics} == {"other": True, "worse": False}
    table = saved.tables["metric_differences"]
    # One is the other turned round: oriented, they agree with the rating alike.
    assert table["difference"].abs().max() < 1e-9


def test_a_file_of_scores_that_has_changed_is_read_again(rainbow: Rainbow, tmp_path: Path) -> None:
    command = ("analyse", "mine.csv", *SAID, "--score", "other:higher", "--score", "worse:lower", "--resamples", "10")
    rainbow(*command)
    before = load_scores(tmp_path / "metrics/mine.parquet")
    text = (tmp_path / "mine.csv").read_text().splitlines()
    (tmp_path / "mine.csv").write_text("\n".join([text[0], text[1] + "9", *text[2:]]) + "\n")
    rainbow(*command)
    after = load_scores(tmp_path / "metrics/mine.parquet")
    assert after["worse"][0] != before["worse"][0] and after.attrs["signatures"] != before.attrs["signatures"]


def test_a_score_of_others_cannot_be_audited(rainbow: Rainbow) -> None:
    result = rainbow("audit", "other", "mine.csv", *SAID, "--score", "other:higher")
    assert result.status == 1 and "other is an external score and cannot be computed for changed texts" in result.err


def test_fit_sets_scores_of_others_beside_what_it_learns(rainbow: Rainbow, tmp_path: Path) -> None:
    quick = ("--model", "gbm", "--protocol", "kfold", "--resamples", "10")
    result = rainbow("fit", "mine.csv", *SAID, *quick, "--score", "other:higher", status=0)
    assert "external score" in result.out
    table = (tmp_path / "analysis/mine/learned_external.csv").read_text()
    assert table.startswith("protocol,rating,dataset,system,score,score_spearman,spearman,score_t,score_p,n")


def test_a_report_is_on_what_was_analysed(rainbow: Rainbow) -> None:
    rainbow("metrics", "mine.csv", *SAID, "--metrics", "len,SE")
    rainbow("analyse", "mine.csv", "--resamples", "10")
    assert rainbow("report", "mine.csv", *SAID).status == 0
    result = rainbow("report", "mine.csv", "--rating", "other")
    assert (
        "mine.csv was not analysed with these columns: run `rainbow analyse mine.csv --rating other` first"
    ) in result.err


def test_metrics_that_are_saved_stay_and_it_is_said(rainbow: Rainbow, tmp_path: Path) -> None:
    rainbow("metrics", "demo", "--metrics", "len,cpw,SE")
    result = rainbow("metrics", "demo", "--metrics", "len,TER")
    assert "metrics/demo.parquet: 1 metric added, 1 recomputed, 2 kept (--anew leaves those out)" in result.out
    assert {"len", "cpw", "SE", "TER"} <= {*load_scores(tmp_path / "metrics/demo.parquet")}
    told = json.loads(rainbow("metrics", "demo", "--metrics", "len", "--anew", "--json").out)
    assert (told["kept"], list(told["signatures"])) == ([], ["len"])


def test_usual_names_are_read_and_told(rainbow: Rainbow, tmp_path: Path) -> None:
    (tmp_path / "u.csv").write_text("hypothesis,target\nx,y\n")
    assert (
        "u.csv: --output hypothesis --reference target, detected; `rainbow run u.csv` shows why"
        in rainbow("metrics", "u.csv", "--metrics", "TER").err
    )


def test_files_of_outputs_are_read_in_the_encoding_that_is_told(rainbow: Rainbow, tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("caf\xe9\nbar\n", encoding="latin-1")
    (tmp_path / "refs.txt").write_text("caf\xe9\n\nbar\n", encoding="latin-1")
    command = ("systems", "--outputs", "a.txt", "--outputs", "b.txt", "--references", "refs.txt", "--resamples", "20")
    assert "byte 0xe9 is not valid UTF-8: set the encoding with --encoding latin-1" in rainbow(*command).err
    assert rainbow(*command, "--encoding", "latin-1").status == 0


def test_texts_that_look_like_formulas_are_guarded_where_that_is_asked_for(rainbow: Rainbow, tmp_path: Path) -> None:
    (tmp_path / "g.csv").write_text('output,quality,note\n=1+1,1,-5\n"@home, +x",2,+x\nan inn,3,a=b\n')
    rainbow("metrics", "g.csv", "--metrics", "len", "--out", "plain.csv")
    rainbow("metrics", "g.csv", "--metrics", "len", "--out", "safe.csv", "--guard")
    plain, safe = ((tmp_path / name).read_text().splitlines()[1:] for name in ("plain.csv", "safe.csv"))
    assert [line.split(",")[6] for line in plain] == ["=1+1", '"@home', "an inn"]
    assert [line.split(",")[6] for line in safe] == ["'=1+1", "\"'@home", "an inn"]
    assert [line.split(",")[-2] for line in safe] == ["-5", "'+x", "a=b"]


def test_ratings_that_were_edited_since_the_file_was_scored_are_read_and_other_texts_refused(
    tmp_path, monkeypatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [f"an inn {number},{number % 5 + 1}" for number in range(12)]
    later = 10 + time.time()

    def write(lines: list[str]) -> None:
        Path("mine.csv").write_text("\n".join(["output,quality", *lines]) + "\n")
        os.utime("mine.csv", (later, later))

    write(rows)
    assert CliRunner().invoke(app, ["metrics", "mine.csv", "--metrics", "len", "--rating", "quality"]).exit_code == 0
    analyse = ["analyse", "mine.csv", "--resamples", "20"]
    write([f"{row[:-1]}{6 - int(row[-1])}" for row in rows])
    assert CliRunner().invoke(app, analyse).exit_code == 0
    assert load_scores(Path("metrics/mine.parquet"))["quality"].tolist() == [5 - number % 5 for number in range(12)]
    write([row.replace("inn", "bar") for row in rows])
    refused = CliRunner().invoke(app, analyse)
    assert refused.exit_code != 0 and "`rainbow metrics mine.csv --anew` scores it again" in str(refused.exception)
