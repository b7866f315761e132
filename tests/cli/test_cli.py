"""The command line: what a user types, what is printed and written, and the exit status."""

import json
import re
import tomllib
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from types import ModuleType

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner, Result

import rainbow as library
from rainbow.base.native import NOT_BUILT
from rainbow.cli import app
from rainbow.cli.checks.doctor import PACKAGES
from rainbow.datasets import load_dataset
from rainbow.scoring.saved_scores import load_scores
from tests.commands import Rainbow


def test_metrics_of_the_demo_are_saved_under_its_name(rainbow: Rainbow, tmp_path: Path) -> None:
    result = rainbow("metrics", "demo", "--metrics", "len,SE", status=0)
    assert "metrics/demo.parquet" in result.out
    table = load_scores(tmp_path / "metrics" / "demo.parquet")
    assert table[["len", "SE"]].notna().all(axis=None) and table.attrs["view"] == "delexicalised"


def test_a_pipe_gets_no_progress_bar(rainbow: Rainbow) -> None:
    assert rainbow("metrics", "demo", "--metrics", "len").err == ""


def test_a_terminal_gets_a_progress_bar_in_rows(rainbow: Rainbow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    shown = rainbow("metrics", "demo", "--metrics", "len").err
    for stage in ("reading", "scoring", "writing"):
        assert stage in shown
    assert "1,038 of 1,038 rows" in shown


def test_a_file_of_ones_own_is_scored_from_the_columns_named(rainbow: Rainbow, tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("text,gold,extra,score\nthe inn.,an inn.,the inn.,5\n")
    rainbow(
        *("metrics", "mine.csv", "--output", "text", "--reference", "gold", "--reference", "extra"),
        *("--rating", "score", "--metrics", "TER", "--out", "out.csv"),
        status=0,
    )
    header, row = (tmp_path / "out.csv").read_text().splitlines()
    assert header.endswith("score,TER") and row.endswith("5.0,0.0")


def test_a_file_may_come_with_references_for_other_inputs(rainbow: Rainbow, tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("output,reference\nan inn,the inn\nthe pub,a pub\n")
    (tmp_path / "train.csv").write_text("mr,ref\n,a cheap inn\n,the dear pub\n")
    alone, more = (
        json.loads(rainbow("metrics", "mine.csv", "--metrics", "slor,TER", *given, "--json").out)["mean"]
        for given in ((), ("--background", "train.csv"))
    )
    assert alone["TER"] == more["TER"] and alone["slor"] != more["slor"]
    assert rainbow("metrics", "mine.csv", "--background", "mine.csv").err.count("rainbow: mine.csv, line 1")


def test_a_dataset_of_a_name_takes_references_for_other_inputs_too(tmp_path: Path) -> None:
    (tmp_path / "train.csv").write_text("mr,ref\ninform(name=x),x is a zorp .\n")
    alone, more = load_dataset("demo"), load_dataset("demo", background=tmp_path / "train.csv")
    assert alone.background is None and more.background is not None
    assert more.background.frame["references"].tolist() == [("x is a zorp .",)]


def test_plain_text_takes_a_file_of_references(rainbow: Rainbow, tmp_path: Path) -> None:
    (tmp_path / "out.txt").write_text("the inn\n")
    (tmp_path / "ref.txt").write_text("an inn\nthe inn\n")
    assert rainbow("metrics", "out.txt", "--reference", "ref.txt", "--metrics", "TER").status == 0


def test_csv_is_written_beside_parquet_on_request(rainbow: Rainbow, tmp_path: Path) -> None:
    rainbow("metrics", "demo", "--metrics", "len", "--csv")
    assert sorted(path.name for path in (tmp_path / "metrics").iterdir()) == ["demo.csv", "demo.parquet"]


def test_json_has_files_means_missing_and_signatures(rainbow: Rainbow) -> None:
    report = json.loads(rainbow("metrics", "demo", "--metrics", "len", "--json").out)
    assert report["files"] == ["metrics/demo.parquet"] and report["mean"]["len"] > 0
    assert (report["rows"], report["resumed"]) == (1038, 0) and report["signatures"]["len"].startswith("readability|")


@pytest.mark.parametrize(("arguments", "status", "message"), [
    (["metrics", "nowhere"], 1, "unknown dataset 'nowhere'"),
    (["metrics", "nowhere.csv"], 1, "no such file: 'nowhere.csv'"),
    (["metrics", "demo", "--view", "published", "--metrics", "TER"], 1, "this corpus has no view 'published'"),
    (["metrics", "demo", "--output", "text"], 1, "only for your own files"),
    (["metrics", "demo", "--metrics", "BLUE4"], 2, "did you mean"),
    (["metrics", "demo", "--workers", "0"], 2, "--workers"),
    (["metrics", "demo", "--chunk-rows", "0"], 2, "--chunk-rows"),
    (["metrics", "demo", "--group", "words"], 2, "not one of word, grammar"),
    (["metrics"], 2, "Missing argument"),
    (["measure"], 2, "No such command"),
    (["fetch", "sfhotels"], 1, "did you mean sfhotel?"),
])  # fmt: skip
def test_mistakes_end_with_one_sentence_and_their_status(rainbow, arguments, status, message) -> None:
    result = rainbow(*arguments)
    assert result.status == status and message in " ".join(result.err.split()) and "Traceback" not in result.err


def test_a_wrong_row_is_named_with_its_file(rainbow: Rainbow, tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("output,quality\nx,1\ny,poor\n")
    result = rainbow("metrics", "mine.csv", "--output", "output", "--rating", "quality")
    assert result.status == 1 and "rainbow: mine.csv: row 2, quality: 'poor' is not a number" in result.err


def test_an_input_that_is_no_slots_is_kept_as_text_unless_a_format_is_insisted_on(rainbow, tmp_path) -> None:
    rows = ("output,mr", "The Louvre is in Paris.,Louvre | city | Paris", "an inn,please an inn")
    (tmp_path / "mine.csv").write_text("\n".join(rows))
    assert rainbow("metrics", "mine.csv", "--metrics", "slots,len").status == 0
    scores = load_scores(tmp_path / "metrics" / "mine.parquet")
    assert scores["slots_realised"].isna().tolist() == [False, True] and scores["len"].notna().all()
    result = rainbow("metrics", "mine.csv", "--mr-format", "triples", "--out", "other.parquet")
    assert result.status == 1
    assert "mine.csv: row 2, mr: cannot read the meaning representation 'please an inn' as triples" in result.err


def test_the_list_names_every_column_with_direction_and_range(rainbow: Rainbow) -> None:
    text = rainbow("list").out
    for column in ("TER", "BLEU4", "ROUGE", "NIST", "LEPOR", "CIDEr", "METEOR", "SIM", "RE", "msp"):
        assert any(column in line.split() for line in text.splitlines()), column
    listed = {entry["metric"]: entry for entry in json.loads(rainbow("list", "--json").out)}
    assert listed["ter"]["columns"][0]["higher_is_better"] is False and listed["ter"]["needs"] == ["references"]


def test_the_doctor_says_what_works(rainbow: Rainbow) -> None:
    report = json.loads(rainbow("doctor", "--json").out)
    assert (report["metrics"]["readability"], report["datasets"]["demo"]) == ("works", "part of the package")
    assert rainbow("doctor").status == 0


@pytest.mark.parametrize(("built", "switch", "told"), [
    (True, "1", "run"),
    (True, "0", "compiled, but disabled by RAINBOW_NATIVE=0: Python runs instead"),
    (False, "1", NOT_BUILT),
])  # fmt: skip
def test_the_doctor_says_whether_the_compiled_kernels_run(rainbow, monkeypatch, built, switch, told) -> None:
    monkeypatch.setenv("RAINBOW_NATIVE", switch)
    monkeypatch.setattr("rainbow.base.native.compiled", ModuleType("rainbow._native") if built else None)
    # No metric may meet the module in the place of the real one.
    monkeypatch.setattr("rainbow.cli.checks.doctor._metrics", dict)
    assert json.loads(rainbow("doctor", "--json").out)["kernels"] == {"compiled": told}


def test_the_doctor_names_the_extra_that_brings_what_is_missing(
    rainbow: Rainbow, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("rainbow.cli.checks.doctor.version", missing)
    told = json.loads(rainbow("doctor", "--json").out)["versions"]
    assert told["jpype1"] == "not installed: pip install 'rainbow-nlg[java]'"
    assert told["accelerate"] == "not installed: pip install 'rainbow-nlg[neural]'"
    assert told["numpy"] == "not installed: pip install 'rainbow-nlg'"
    extras = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    for package, requirement in PACKAGES.items():
        extra = requirement.partition("[")[2].rstrip("]")
        named = extras["optional-dependencies"][extra] if extra else extras["dependencies"]
        assert any(entry.startswith(f"{package}>=") for entry in named), package


def test_help_teaches_with_examples(rainbow: Rainbow) -> None:
    assert "rainbow metrics mine.csv --output text" in rainbow("metrics", "--help").out
    assert "rainbow" in rainbow("--version").out


def test_an_analysis_has_a_file_per_question_and_a_summary(rainbow: Rainbow, tmp_path: Path) -> None:
    frame = load_dataset("demo").frame.iloc[::8]
    frame = frame.assign(reference=[texts[0] for texts in frame["references"]])
    frame[["item", "system", "output", "reference", "informativeness"]].to_csv("mine.csv", index=False)
    rainbow("metrics", "mine.csv", "--metrics", "len,SE")
    result = rainbow("analyse", "mine.csv", "--resamples", "20", status=0)
    folder = tmp_path / "analysis" / "mine"
    assert {"checks.csv", "correlations.csv", "best_metrics.csv"} <= {path.name for path in folder.iterdir()}
    summary = json.loads((folder / "summary.json").read_text())
    assert summary["metrics"] == ["len", "SE"]
    assert {best["metric"] for best in summary["best_metrics"]} == {"len", "SE"} and "Spearman" in result.out
    for form, beginning in (("md", "| metric | informativeness |"), ("latex", r"\begin{longtable}"), ("json", "{")):
        assert rainbow("analyse", "mine.csv", "--resamples", "20", "--format", form).out.startswith(beginning)


def test_a_group_whose_metrics_are_constant_has_dashes_and_p_counts_the_choice(rainbow: Rainbow) -> None:
    frame = load_dataset("demo").frame.head(60)
    frame[["item", "system", "mr", "output", "quality"]].assign(reference="an inn").to_csv("mine.csv", index=False)
    rainbow("metrics", "mine.csv", "--metrics", "len,SE,type_other", "--rating", "quality")
    result = rainbow("analyse", "mine.csv", "--resamples", "20", status=0)
    (constant,) = [line.split() for line in result.out.splitlines() if " meaning " in line]
    assert constant[2:] == ["meaning", "-", "-", "-", "-", "0"]
    assert "p-values are corrected for the number of metrics in the group" in result.out
    assert rainbow("report", "mine").status == 0


def test_outputs_that_were_judged_are_analysed_without_columns_of_ratings(rainbow: Rainbow, tmp_path: Path) -> None:
    frame = load_dataset("demo").frame.head(80).drop_duplicates(["item", "system"])
    frame[["item", "system", "mr", "output"]].assign(reference="an inn").to_csv("mine.csv", index=False)
    judged = frame[["item", "system"]].assign(criterion="quality", kind="likert", value=frame["quality"])
    judged.assign(judgement=judged["item"]).to_csv("judged.csv", index=False)
    rainbow("metrics", "mine.csv", "--metrics", "len,SE")
    assert "or a table of judgements" in rainbow("analyse", "mine.csv").err
    result = rainbow("analyse", "mine.csv", "--judgements", "judged.csv", "--resamples", "20", status=0)
    found = {path.name for path in (tmp_path / "analysis" / "mine").iterdir()}
    assert found == {"meta_evaluation.csv", "meta_evaluation.json"}
    assert "of 2 metrics agree better than output length" in result.out
    assert "has judgements but no ratings" in rainbow("report", "mine").err


@pytest.mark.parametrize(("arguments", "status", "message"), [
    (["analyse", "demo"], 1, "metrics/demo.parquet does not exist: run `rainbow metrics demo` first"),
    (["analyse", "demo", "--scores", "theirs"], 2, "not one of ours, published"),
    (["analyse", "demo", "--resamples", "0"], 2, "--resamples"),
    (["analyse", "demo", "--differences", "t"], 2, "'t' is not one of jackknife, williams, perm-both"),
])  # fmt: skip
def test_an_analysis_needs_a_table_of_scores(rainbow: Rainbow, arguments: list[str], status: int, message: str) -> None:
    result = rainbow(*arguments)
    assert result.status == status and message in " ".join(result.err.split())


def test_only_published_data_has_stored_scores(rainbow: Rainbow) -> None:
    rainbow("metrics", "demo", "--metrics", "len,SE")
    assert "has no published scores" in rainbow("analyse", "demo", "--scores", "published").err


def test_ceilings_of_marks_from_0_to_100_by_fifteen_raters_are_printed(rainbow: Rainbow, tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    marks = np.clip(np.round(60 + 15 * rng.normal(size=(100, 1)) + 20 * rng.normal(size=(100, 15))), 0, 100)
    frame = load_dataset("demo").frame.iloc[:100][["system", "item", "mr", "output"]].reset_index(drop=True)
    frame = frame.assign(
        **{f"quality_{place + 1}": column for place, column in enumerate(marks.T)}, fluency=marks[:, 0]
    )
    frame.assign(quality=np.median(marks, axis=1)).to_csv(tmp_path / "marks.csv", index=False)
    ratings = ("--rating", "quality", "--rating", "fluency")
    assert rainbow("metrics", "marks.csv", "--metrics", "len,misspellings", *ratings).status == 0
    printed = rainbow("analyse", "marks.csv", "--resamples", "20").out
    assert re.search(
        "Ceiling of spearman with the median, if scores are normally distributed, quality: 0\\.8\\d\\d \\(0\\.8",
        printed,
    )
    assert "The ceiling for fluency is unknown: no columns fluency_1" in printed


def test_where_there_is_no_interval_a_dash_is_printed(rainbow: Rainbow, tmp_path: Path) -> None:
    frame = load_dataset("demo").frame.iloc[:3].assign(quality=[1, 2, 3])
    frame[["system", "item", "mr", "output", "quality"]].to_csv(tmp_path / "few.csv", index=False)
    judged = {"judgement": range(3), "item": frame["item"], "system": frame["system"], "kind": "likert"}
    pd.DataFrame(judged | {"criterion": "ease", "value": [1, 2, 3]}).to_csv(tmp_path / "judged.csv", index=False)
    assert rainbow("metrics", "few.csv", "--metrics", "len,misspellings", "--rating", "quality").status == 0
    result = rainbow("analyse", "few.csv", "--judgements", "judged.csv", "--resamples", "20", status=0)
    assert "nan" not in result.out and rainbow("report", "few").status == 0
    page = re.sub(r"<svg.*?</svg>", "", (tmp_path / "reports" / "few.html").read_text(encoding="utf-8"), flags=re.S)
    assert not re.search(r"\bnan\b", page) and "– to –" not in page


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["list", *words])


def test_the_list_has_a_sentence_for_every_metric() -> None:
    assert all(entry["plain"].endswith(".") for entry in json.loads(run("--json").stdout))
    assert "Edits per reference word that turn the output into the nearest reference" in " ".join(run().stdout.split())


def test_one_metric_has_its_definition_source_cost_and_tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAINBOW_DATA", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    text = run("TER").stdout
    for told in ("Translation edit rate", "Source: Snover", "Needs: references", "Checked against sacrebleu", "Cost: "):
        assert told in text
    assert "lower" in text and "no rated dataset available" in text


def test_agreement_with_people_is_that_of_the_data_at_hand(data_dir, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("RAINBOW_DATA", str(data_dir))
    monkeypatch.chdir(tmp_path)
    about = json.loads(run("ter", "--json").stdout)
    lines = {(line["dataset"], line["rating"]): line for line in about["agreement"]}
    assert {"sfhotel", "sfrest", "bagel"} <= {dataset for dataset, _ in lines}
    assert (len(lines), lines["bagel", "quality"]["n"]) == (len(about["agreement"]), 404)
    assert -0.3 < lines["bagel", "quality"]["low"] < lines["bagel", "quality"]["r"] < 0
    assert 0 < about["seconds_per_row"] < 0.1


def test_an_unknown_metric_is_a_wrong_use_that_names_the_nearest() -> None:
    done = run("BLUE4")
    assert done.exit_code == 2 and "did you mean bleu4?" in done.output


TABLE = "output,quality\nthe inn is cheap,4\nan inn,2\n"


@pytest.mark.parametrize(("words", "told"), [
    ("audit mine.csv", "mine.csv is a table: name a metric or a model first, rainbow audit METEOR"),
    ("audit mine.csv mine.csv", "rainbow audit METEOR mine.csv"),
    ("audit mine.csv --search", "rainbow audit METEOR mine.csv"),
    ("audit mine.csv --words", "rainbow audit METEOR mine.csv"),
    ("audit other.rainbow", "name a model file, e.g. models/demo-quality-all.rainbow, or a model, e.g. quality-fast"),
    ("score --model mine.csv hello", "name a model file"),
    ("score --model other.rainbow hello", "name a model file"),
    ("score --model part.rainbow hello", "the model file is incomplete: copy it again, or run `rainbow fit`"),
    ("serve mine.csv", "name a model file"),
    ("fit other.rainbow", "cannot read .rainbow"),
    ("run other.xlsx --yes", "it is not an Excel workbook: save it as .xlsx or .csv"),
])  # fmt: skip
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
        message = r"mine\.csv is not a usable model: it was not written by `rainbow fit`: name a"
        with pytest.raises(ValueError, match=message):
            load(str(path))
