"""`rainbow benchmark`: the same bytes twice, nothing made again, and a made-up score in its place."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner, Result

from rainbow import Corpus, load_dataset, score_corpus
from rainbow.analysis.benchmark.agreement import WHY_DIFFERENT, top_scores
from rainbow.analysis.meta_evaluation import LENGTH
from rainbow.benchmark import run as benchmark_run
from rainbow.benchmark.corpora import add_learned_scores, available_tables, rated_corpora
from rainbow.benchmark.run import read_benchmark
from rainbow.cli import app
from rainbow.corpus import COLUMNS
from rainbow.reports.pages.benchmark_page import benchmark_page
from rainbow.scoring.saved_scores import save_scores
from tests.reports.reading import Reader, is_rounded

pytestmark = pytest.mark.xdist_group("benchmark")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the tables of two rated corpora, and of one without ratings."""
    folder, demo = tmp_path_factory.mktemp("benchmark"), load_dataset("demo")
    for name, rows in (("one", range(150)), ("two", range(150, 300)), ("unrated", range(5))):
        frame = demo.frame.iloc[rows].assign(dataset=name, id=[str(row) for row in rows])[[*COLUMNS, "quality"]]
        part = Corpus(frame.drop(columns="quality")) if name == "unrated" else Corpus(frame, ("quality",))
        save_scores(folder / "metrics" / f"{name}.parquet", part, score_corpus(part, ["TER", "SE", "slots"]))
    return folder


def run(folder: Path, *words: str) -> Result:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("RAINBOW_DATA", str(folder / "nothing"))
        return CliRunner().invoke(app, ["benchmark", "--resamples", "50", *words])


def outputs(folder: Path) -> pd.DataFrame:
    done = run(folder, "--texts", "texts.jsonl")
    assert done.exit_code == 0, done.output
    return pd.DataFrame([json.loads(line) for line in (folder / "texts.jsonl").read_text().splitlines()])


def test_the_same_scores_give_the_same_bytes_and_nothing_is_made_again(folder, monkeypatch) -> None:
    files = folder / "benchmark" / "benchmark.parquet", folder / "reports" / "benchmark.html"
    done = run(folder, "--no-learned")
    assert done.exit_code == 0, done.output
    assert "2 corpora allow no p-value below 0.5" in done.output
    first = [file.read_bytes() for file in files]

    def never(*_: object, **__: object) -> None:
        raise AssertionError("it was made again")

    with monkeypatch.context() as patch:
        patch.setattr(benchmark_run, "corpus_agreement", never)
        assert (run(folder, "--no-learned").exit_code, [file.read_bytes() for file in files]) == (0, first)
    table = read_benchmark(files[0])
    assert set(table["corpus"]) == {"one", "two", "all"}
    assert {name: about["outputs"] for name, about in table.attrs["corpora"].items()} == {"one": 150, "two": 150}
    assert table.loc[table["metric"] == "TER", "seconds"].gt(0).all()
    assert table.loc[(table["metric"] == "TER") & (table["corpus"] == "one"), "signature"].iloc[0].startswith("ter|")
    for part in (folder / "benchmark" / "parts").iterdir():
        part.unlink()
    assert run(folder, "--no-learned", "--workers", "2").exit_code == 0
    assert [file.read_bytes() for file in files] == first


def test_numbers_on_the_page_are_those_of_the_table(folder: Path) -> None:
    assert run(folder, "one", "two", "--no-learned").exit_code == 0
    table = read_benchmark(folder / "benchmark" / "benchmark.parquet")
    shown = Reader((folder / "reports" / "benchmark.html").read_text("utf-8")).numbers
    assert len(shown) > 30
    for number in shown:
        _, row, column = number.source.split(":")
        value = float(table.loc[int(row), column])
        assert number.value == "" if np.isnan(value) else is_rounded(float(number.value), repr(value))


def test_where_the_verdict_names_another_score_than_the_table_both_are_named_with_the_reason(folder: Path) -> None:
    done = run(folder, "--no-learned")
    table = read_benchmark(folder / "benchmark" / "benchmark.parquet")
    first = table[(table["rank"] == 1) & (table["corpus"] == "one")].iloc[0]
    headline = f"Use {first['metric']} for quality"
    for other in ("Use SE for quality", "No metric here for quality", headline):
        frame = table[table["corpus"].isin(["one", "all"])]
        frame = frame.assign(headline=frame["headline"].mask(frame["corpus"] == "one", other))
        frame.attrs = table.attrs
        seen = " ".join("".join(Reader(benchmark_page(frame).html).texts).split())
        assert (f"Over all outputs, {first['metric']} has the highest agreement" in seen) is (other != headline)
        assert (WHY_DIFFERENT in seen) is (other != headline)
    assert (WHY_DIFFERENT in done.output) is not bool(top_scores(table)["named"].all())


def test_a_made_up_score_lands_with_the_length_that_it_is(folder: Path) -> None:
    texts = outputs(folder)
    length = np.array([len(text.split()) for text in texts["output"]])
    texts.assign(made_up=length + np.random.default_rng(1).normal(0, 1, len(texts)))[
        ["dataset", "id", "made_up"]
    ].to_csv(folder / "made.csv", index=False)
    done = run(folder, "--no-learned", "--submission", "made.csv", "--score", "made_up:higher", "--out", "own")
    assert done.exit_code == 0, done.output
    assert "made_up: " in done.output
    assert "slots" not in done.output  # the rows of one's own score alone
    table = read_benchmark(folder / "own" / "benchmark.parquet")
    wide = table[table["corpus"] != "all"].pivot(index=["corpus", "rating"], columns="metric", values="cluster")
    assert (wide["made_up"] == wide[LENGTH]).all()
    assert set(table.loc[table["metric"] == "made_up", "group"]) == {"submitted"}
    assert (table.loc[table["metric"] == "made_up", "signature"].iloc[0]).startswith(
        "made_up|submitted|file:made.csv|sha"
    )


@pytest.mark.parametrize(("table", "message"), [
    ({"made_up": [1]}, "it has no column 'id'"),
    ({"id": ["1"], "made": [1]}, "unknown score column 'made_up'"),
    ({"id": ["1", "1"], "made_up": [1, 2]}, "id '1' occurs twice"),
    ({"id": ["none"], "made_up": [1]}, "no id matches an output"),
    ({"id": ["1"], "made_up": ["high"]}, "'high' is not a number"),
    ({"id": ["1"], "made_up": [1], "dataset": ["three"]}, "no id matches an output"),
])  # fmt: skip
def test_scores_that_cannot_be_read_are_refused(folder: Path, table: dict[str, list[object]], message: str) -> None:
    pd.DataFrame(table).to_csv(folder / "bad.csv", index=False)
    done = run(folder, "one", "--no-learned", "--submission", "bad.csv", "--score", "made_up:higher")
    assert message in str(done.exception)


def test_ids_that_several_corpora_have_need_a_dataset(folder: Path) -> None:
    again = load_dataset("demo").take(range(20))
    part = Corpus(again.frame.assign(dataset="again", id=[str(row) for row in range(20)]), again.ratings)
    save_scores(folder / "again.parquet", part, score_corpus(part, ["TER"]))
    pd.DataFrame({"id": ["1"], "made_up": [1]}).to_csv(folder / "same.csv", index=False)
    done = run(folder, "one", "again.parquet", "--no-learned", "--submission", "same.csv", "--score", "made_up:higher")
    assert "one and again both have an output '1': add a column 'dataset'" in str(done.exception)


def test_what_is_not_there_is_named(folder: Path) -> None:
    assert ("metrics/mine.parquet does not exist: run `rainbow metrics mine.csv`") in str(
        run(folder, "mine.csv").exception
    )
    assert "give a file and its columns" in run(folder, "--submission", "texts.jsonl").output


def test_rated_tables_of_files_are_at_hand(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAINBOW_DATA", str(folder / "nothing"))
    assert list(available_tables(folder / "metrics")) == ["one", "two"]


def test_datasets_that_were_fetched_are_at_hand_and_none_twice(data_dir, monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("RAINBOW_DATA", str(data_dir))
    found = available_tables(tmp_path)
    assert {"sfhotel", "sfrest", "bagel", "e2e"} <= set(found) and "emnlp2017" not in found and "demo" not in found


def test_learned_metrics_stand_on_corpora_that_they_did_not_learn_from(folder: Path, tmp_path: Path) -> None:
    (corpus,) = rated_corpora({"one": folder / "metrics" / "one.parquet"})
    saved = pd.DataFrame(
        {"protocol": ["leave-one-corpus-out", "by-item"], "rating": "quality", "predicted": [4.5, 1.0]}
    )
    (tmp_path / "several").mkdir()
    saved.assign(id=["one:3", "one:4"]).to_csv(tmp_path / "several" / "learned_predictions.csv")
    pd.DataFrame({"model": ["small"]}).to_csv(tmp_path / "several" / "learned_protocols.csv")
    (found,) = add_learned_scores([corpus], tmp_path / "kept", tmp_path)
    assert found.frame["quality-small"].dropna().to_dict() == {3: 4.5}
    learned = [name for name in found.scores if found.groups[name] == "learned"]
    assert learned == ["quality-small", "informativeness-fast", "naturalness-fast", "quality-fast"]
    assert found.frame["quality-fast"].between(1, 6).all()
    kept = sorted((tmp_path / "kept").iterdir())
    assert len(kept) == 3
    pd.DataFrame({"quality-fast": [2.0] * 150}).to_parquet(kept[-1])
    (again,) = add_learned_scores([corpus], tmp_path / "kept", tmp_path)
    assert set(again.frame["quality-fast"]) == {2.0}  # what is there and current is not made again


def test_tokens_of_a_judge_are_its_cost(folder: Path) -> None:
    texts = outputs(folder)
    own = texts[texts["dataset"] == "one"]
    (folder / "judged").mkdir(exist_ok=True)
    own[["id"]].assign(judge=1.0 + np.arange(len(own)) % 6).to_csv(folder / "judged" / "one.csv", index=False)
    (folder / "judged" / "one.json").write_text(json.dumps({"columns": {"judge": {"tokens": 30_000, "answered": 150}}}))
    corpus = load_dataset("demo").take(range(150))
    frame = corpus.frame.assign(dataset="judged", id=[str(row) for row in range(150)])[[*COLUMNS, "quality"]]
    frame.drop(columns="references").to_csv(folder / "mine.csv", index=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        said = "--rating", "quality", "--score", "judge:higher=quality", "--join", "judged/one.csv"
        done = CliRunner().invoke(app, ["metrics", "mine.csv", "--metrics", "len", *said, "--out", "mine.parquet"])
    assert done.exit_code == 0, done.output
    done = run(folder, "mine.parquet", "--no-learned", "--out", "judged")
    assert done.exit_code == 0, done.output
    table = read_benchmark(folder / "judged" / "benchmark.parquet").set_index(["corpus", "metric"])
    assert (table.loc[("judged", "judge"), "tokens"], table.loc[("judged", "judge"), "group"]) == (200_000, "external")
    assert np.isnan(table.loc[("judged", "len"), "tokens"])
