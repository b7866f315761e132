"""`rainbow fit`: what a user types, what is printed and written, and the exit status."""

import json
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import rainbow
from rainbow.datasets import load_dataset
from rainbow.learned.model.card import card_text
from rainbow.learned.protocols.groups import PROTOCOLS
from rainbow.learned.training.features import feature_columns
from rainbow.scoring.saved_scores import save_scores
from tests.commands import Rainbow

ROWS = 60
QUICK = ("--model", "gbm", "--resamples", "20")
BY_ITEM = ("--rating", "quality", "--protocol", "kfold", *QUICK)
FOREST = ("--preset", "paper")  # reads no texts, and so learns in a tenth of the time
TABLES = {"protocols", "folds", "overlap", "lookup", "predictions", "classes", "reliability", "importances", "audit"}


@pytest.fixture
def run(rainbow: Rainbow, few_trees: None, tmp_path: Path) -> Rainbow:
    """Run `rainbow fit ARGUMENTS` in a folder that holds `mine.csv` alone."""
    write_rows(tmp_path / "mine.csv")
    return partial(rainbow, "fit")


def write_rows(path: Path, rows: int = ROWS, **columns: object) -> None:
    frame = load_dataset("demo").frame.iloc[:rows].assign(**columns)
    frame["references"] = [json.dumps(texts) for texts in frame["references"]]
    # Without the ratings of single judges: their ceiling takes time, and few files have them.
    frame[["id", "system", "item", "mr", "output", "references", "informativeness", "naturalness", "quality"]].to_csv(
        path, index=False
    )


def test_top5_of_a_file_writes_models_cards_tables_and_results(run: Rainbow, tmp_path: Path) -> None:
    write_rows(tmp_path / "mine.csv", rows=90)
    ratings = ["quality", "naturalness"]
    command = ("--model", "gbm", "--resamples", "20", "--json", "out/results.json")
    result = run("--dataset", "mine.csv", "--top5", "--rating", ratings[0], "--rating", ratings[1], *command, status=0)
    assert result.err == ""
    models = {f"mine-{rating}-top5{end}" for rating in ratings for end in (".rainbow", ".md")}
    assert {path.name for path in (tmp_path / "models").iterdir()} == models
    tables = {path.name for path in (tmp_path / "analysis" / "mine").iterdir()}
    assert tables == {f"learned_{name}.csv" for name in (*TABLES, "elimination")}
    # One dataset: what leaves one out is not measured.
    protocols = ["by-item-and-text", "by-template", "leave-one-system-out"]
    results = json.loads((tmp_path / "out" / "results.json").read_text())
    assert (list(results), list(results["protocols"])) == (["protocols"], protocols)
    for by_rating in results["protocols"].values():
        assert list(by_rating) == ratings
        for numbers in by_rating.values():
            assert numbers["n"] == 90 and -1 <= numbers["low"] <= numbers["spearman"] <= numbers["high"] <= 1
    printed = result.out.splitlines()
    assert " ".join(printed[0].split()) == "protocol rating Spearman 95 % interval best single metric p ceiling n"
    strictest = {
        rating: sorted(protocols, key=lambda name: results["protocols"][name][rating]["spearman"]) for rating in ratings
    }
    found = [line.split()[:2] for line in printed[1:7]]
    assert found == [[protocol, rating] for rating in ratings for protocol in strictest[rating]]
    assert printed[7] == "learned by the random forest over quantised scores of Novikova et al. (2017)"
    assert printed[8].split("  ")[0].strip() == "protocol"
    strict = next(line for line in printed[9:12] if line.split()[0] == "by-item-and-text")
    assert strict.split()[:3] == ["by-item-and-text", "0%", "0%"], "by item and text neither is met"
    assert strict.split()[-2:] == ["-", "-"], "a look-up has nothing to say there"
    assert [line.split()[0] for line in printed[9:12]] == strictest[ratings[0]]
    points = [line for line in printed if "training shares" in line]
    assert [line.split()[:2] for line in points] == [[strictest[rating][0], rating] for rating in ratings]
    *said, following = printed[-1 - len(ratings) :]
    for rating, line in zip(ratings, said, strict=True):
        weakest = results["protocols"][strictest[rating][0]][rating]
        assert line.startswith(f"{rating}: ")
        assert f"Spearman {weakest['spearman']:.3f} ({weakest['low']:.3f} to " in line
        assert f"{weakest['best_metric']} ({weakest['best_metric_spearman']:.3f})" in line
    assert following.startswith("next: rainbow report mine.csv")
    kept = dict(line.split(": ") for line in printed[: -1 - len(ratings)] if line.split(": ")[0] in ratings)
    assert list(kept) == ratings
    for rating, names in kept.items():
        model = rainbow.load_model(tmp_path / "models" / f"mine-{rating}-top5.rainbow")
        assert list(model.features.columns) == names.split(", ")
        assert set(names.split(", ")) < set(feature_columns("gbm")) and model.card["preset"] == "paper"


def test_top_with_a_preset_learns_by_that_and_has_the_forest_beside_it(run: Rainbow, tmp_path: Path) -> None:
    result = run("mine.csv", "--top", "2", "--preset", "default", *BY_ITEM, "--json", "r.json")
    header, first, *_ = result.out.splitlines()
    assert "forest of 2017" in header
    told = json.loads((tmp_path / "r.json").read_text())["protocols"]["by-item-and-text"]["quality"]
    assert f"{told['forest_spearman']:.3f}" in first
    assert rainbow.load_model(tmp_path / "models" / "mine-quality-top2.rainbow").card["preset"] == "default"
    assert "forest of 2017" not in run("mine.csv", "--top", "2", *BY_ITEM, "--json", "forest.json").out
    alone = json.loads((tmp_path / "forest.json").read_text())["protocols"]["by-item-and-text"]["quality"]
    assert alone["spearman"] == pytest.approx(told["forest_spearman"], abs=1e-12) and alone["forest_spearman"] is None


def test_what_is_written_printed_and_told_in_json_is_the_same(run: Rainbow, tmp_path: Path) -> None:
    result = run("--dataset", "mine.csv", *BY_ITEM, "--json", "r.json")
    table = pd.read_csv(tmp_path / "analysis" / "mine" / "learned_protocols.csv")
    pooled = table[(table["dataset"] == "all") & (table["system"] == "all")].set_index("protocol")
    told = json.loads((tmp_path / "r.json").read_text())["protocols"]
    assert list(told) == list(pooled.index) == ["kfold", "by-item-and-text"]
    for protocol, line in pooled.iterrows():
        np.testing.assert_allclose(told[protocol]["quality"]["spearman"], line["spearman"])
        assert f"{line['spearman']:.3f}" in next(
            text for text in result.out.splitlines() if protocol in text.replace(",", " ").split()
        )


def test_a_model_that_was_written_scores_and_its_card_lies_beside_it(run: Rainbow, tmp_path: Path) -> None:
    result = run("mine.csv", *BY_ITEM, "--out", "elsewhere")
    path = tmp_path / "elsewhere" / "mine-quality-gbm.rainbow"
    assert str(path.relative_to(tmp_path)) in result.out
    assert 1 <= rainbow.score("the inn is in soma", mrs="inform(name='the inn')", model=path) <= 6
    assert path.with_suffix(".md").read_text() == card_text(rainbow.load_model(path).card)
    assert not (tmp_path / "models").exists()


def test_a_saved_table_of_scores_is_used_and_one_of_other_texts_is_not(run: Rainbow, tmp_path: Path) -> None:
    corpus, told = load_dataset("mine.csv"), []
    for name, change in (("current", {}), ("other", {"output": ["another text"] * ROWS})):
        rows = rainbow.Corpus(corpus.frame.assign(**change))
        scores = rainbow.score_corpus(rows, group="grammar")
        scores["len"] = np.arange(ROWS)  # no length at all: it shows whether the table was read
        save_scores(tmp_path / "metrics" / "mine.parquet", rows, scores)
        run("mine.csv", *BY_ITEM, *FOREST, "--json", f"{name}.json")
        told.append(json.loads((tmp_path / f"{name}.json").read_text())["protocols"])
    (tmp_path / "metrics" / "mine.parquet").unlink()
    run("mine.csv", *BY_ITEM, *FOREST, "--json", "fresh.json")
    fresh = json.loads((tmp_path / "fresh.json").read_text())["protocols"]
    assert told[0] != fresh and told[1] == fresh


def test_the_same_command_twice_gives_the_same_results_and_another_seed_others(run: Rainbow, tmp_path: Path) -> None:
    for name, seed in (("a", "1"), ("b", "1"), ("c", "2")):
        assert run("mine.csv", *BY_ITEM, *FOREST, "--seed", seed, "--json", name).status == 0
    first, again, other = (json.loads((tmp_path / name).read_text()) for name in "abc")
    assert first == again and first != other


def test_what_is_measured_unasked_and_what_has_no_ceiling_is_said(run: Rainbow) -> None:
    result = run("mine.csv", *BY_ITEM)
    assert "by-item-and-text is always evaluated" in result.out
    assert "The ceiling for quality is unknown: no columns quality_1" in result.out and "nan" not in result.out


def test_the_paper_s_protocol_is_printed_with_a_warning(run: Rainbow) -> None:
    result = run("mine.csv", "--rating", "quality", *FOREST, "--protocol", "paper", *QUICK, status=0)
    assert "caution: the protocol `paper` includes training rows in the test" in result.out


def test_statistics_of_training_items_are_noted_in_the_card(run: Rainbow, tmp_path: Path) -> None:
    assert run("mine.csv", "--statistics", "training", *BY_ITEM).status == 0
    card = rainbow.load_model(tmp_path / "models" / "mine-quality-gbm.rainbow").card
    assert (card["statistics"], card["corrupted_copies"]) == ("training", True)


@pytest.mark.parametrize(("arguments", "sentence"), [
    (("mine.csv", "--rating", "beauty"), "mine.csv: unknown rating column 'beauty': other columns are"),
    (("demo", "--rating", "beauty"), "demo has no rating 'beauty': it has informativeness, naturalness, quality"),
    (("mine.csv", "--rating", "system"), "mine.csv: row 1, system: 'template' is not a number"),
    (("none.csv",), "no such file: 'none.csv'"),
    (("dem",), "unknown dataset 'dem': did you mean demo?"),
    (("mine.csv", "--top", "99", *QUICK), "99 columns are to be kept, but there are only"),
    (("mine.csv", "--protocol", "leave-one-dataset-out", *QUICK), "all rows have the same dataset"),
    (("mine.csv", "--scores", "published", *QUICK), "this dataset has no published scores for these metrics"),
])  # fmt: skip
def test_a_mistake_in_the_input_is_one_sentence(run: Rainbow, arguments: tuple[str, ...], sentence: str) -> None:
    result = run(*arguments)
    assert result.status == 1 and f"rainbow: {sentence}" in result.err and result.err.count("rainbow: ") == 1
    assert result.out == ""


@pytest.mark.parametrize(("option", "value", "known"), [
    ("--preset", "best", "default, combination, paper"),
    ("--protocol", "by-luck", "paper, kfold, by-item-and-text, by-template"),
    ("--protocol", "by-item", f"{', '.join(PROTOCOLS)}: use by-item-and-text instead"),
    ("--model", "big", "all, all+extra, referenceless, wbm+gbm, wbm, gbm"),
    ("--statistics", "test", "all, training"),
    ("--scores", "theirs", "ours, published"),
])  # fmt: skip
def test_a_name_that_there_is_not_is_refused_with_those_there_are(run, option, value, known) -> None:
    result = run("mine.csv", option, value)
    assert result.status == 2
    assert " ".join(result.err.split()).count(f"Invalid value for {option}: '{value}' is not one of {known}") == 1


@pytest.mark.parametrize(("arguments", "message"), [
    (("mine.csv", "--dataset", "demo"), "name the dataset once: 'mine.csv' or 'demo'"),
    (("mine.csv", "--top5", "--top", "3"), "--top5 and --top 3 cannot be combined"),
    (("mine.csv", "--top", "0"), "Invalid value for '--top'"),
])  # fmt: skip
def test_a_wrong_use_of_the_command_ends_with_status_2(run: Rainbow, arguments: tuple[str, ...], message: str) -> None:
    result = run(*arguments)
    assert result.status == 2 and message in " ".join(result.err.split())


def test_a_file_without_ratings_is_told_how_to_name_them(run: Rainbow, tmp_path: Path) -> None:
    (tmp_path / "bare.csv").write_text("output\nthe inn\n")
    result = run("bare.csv")
    assert (result.status, result.out) == (1, "")
    expected = "rainbow: bare.csv has no column 'informativeness': name its rating columns with --rating COLUMN\n"
    assert result.err == expected


def test_one_system_cannot_be_left_out_and_is_not_by_default(run: Rainbow, tmp_path: Path) -> None:
    write_rows(tmp_path / "one.csv", system="only")
    result = run("one.csv", "--rating", "quality", "--protocol", "leave-one-system-out", *QUICK)
    assert result.status == 1
    assert result.err == "rainbow: all rows have the same system: leaving one out needs at least two\n"
    assert run("one.csv", "--rating", "quality", *QUICK, *FOREST, "--json", "one.json").status == 0
    assert list(json.loads((tmp_path / "one.json").read_text())["protocols"]) == ["by-item-and-text", "by-template"]


def test_a_file_with_one_column_of_ratings_of_the_usual_names_is_learned_from_it(run: Rainbow, tmp_path: Path) -> None:
    frame = pd.read_csv(tmp_path / "mine.csv", dtype=str).drop(columns=["informativeness", "naturalness"])
    frame.to_csv(tmp_path / "quality.csv", index=False)
    assert run("quality.csv", "--protocol", "kfold", *QUICK, *FOREST).status == 0
    assert [path.name for path in (tmp_path / "models").glob("*.rainbow")] == ["quality-quality-gbm.rainbow"]


def test_it_runs_as_a_module() -> None:
    command = (sys.executable, "-m", "rainbow.fit", "--dataset", "nothing.csv")
    done = subprocess.run(command, cwd=Path(rainbow.__file__).parents[1], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.strip()) == (1, "rainbow: no such file: 'nothing.csv'")


def test_several_datasets_are_learned_from_as_one(run: Rainbow, tmp_path: Path) -> None:
    write_rows(tmp_path / "other.csv", rows=len(load_dataset("demo").frame))
    table = pd.read_csv(tmp_path / "other.csv").iloc[-90:]
    table.rename(columns={"naturalness": "fluency"}).to_csv(tmp_path / "other.csv", index=False)
    options = ("--rating", "quality", "--rating", "naturalness", "--rename", "fluency=naturalness", *QUICK)
    result = run("mine.csv", "other.csv", *options, status=0)
    assert (tmp_path / "models" / "mine+other-naturalness-gbm.rainbow").is_file()
    evaluated = pd.read_csv(tmp_path / "analysis" / "mine+other" / "learned_protocols.csv")
    assert set(evaluated["protocol"]) == {"by-item-and-text", "leave-one-corpus-out", "leave-one-domain-out"}
    assert {"mine", "other"} <= set(evaluated["dataset"])
    header = "protocol rating dataset Spearman 95 % interval best single metric p n"
    assert header in [" ".join(line.split()) for line in result.out.splitlines()]


@pytest.mark.parametrize(("arguments", "message"), [
    (("mine.csv", "--rename", "a=b"), "needs several datasets"),
    (("mine.csv", "other.csv", "--rename", "a"), "write OTHER_NAME=NAME"),
    (("mine.csv", "other.csv", "--scores", "published"), "only for single datasets"),
    (("mine.csv", "other.csv", "--rating", "beauty"), "mine has none of the ratings"),
    (("mine.csv", "other.csv", "--rename", "naturalness=quality"), "already has a column 'quality'"),
])  # fmt: skip
def test_what_does_not_go_with_several_datasets_is_refused(run, tmp_path, arguments, message) -> None:
    write_rows(tmp_path / "other.csv", rows=60)
    result = run(*arguments)
    assert result.status in (1, 2) and message in " ".join(result.err.replace("│", " ").split())


def test_ratings_that_are_all_the_same_cannot_be_learned(run: Rainbow, tmp_path: Path) -> None:
    write_rows(tmp_path / "same.csv", quality=4)
    result = run("same.csv", "--rating", "quality", *QUICK)
    assert "quality is 4 for every output: there is nothing to learn" in result.err


def test_inputs_of_one_template_are_measured_by_the_protocols_that_can_part_them(run: Rainbow, tmp_path: Path) -> None:
    frame = load_dataset("demo").frame.head(40)
    plain = frame.assign(mr="", text=frame["output"])[["text", "item", "system", "quality"]]
    plain.assign(item="one input").to_csv(tmp_path / "one.csv", index=False)
    result = run("one.csv", "--rating", "quality", "--output", "text", "--model", "gbm", "--resamples", "10")
    assert "by-template has" not in result.err
