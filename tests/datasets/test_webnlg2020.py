"""WebNLG 2020: what the loader gives, against the public files, and what it refuses."""

import json
import math
import shutil
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import platformdirs
import pytest

from rainbow import Corpus, load_dataset
from rainbow.base.downloads import DATA, locate_file
from rainbow.datasets import judgements, webnlg2020
from rainbow.datasets.webnlg2020 import CATEGORIES, NAME, TRIPLES
from tests.judged import published

CRITERIA = ("correctness", "data_coverage", "fluency", "relevance", "text_structure")
HUMAN = "WebNLG-2020-reference"
FILES, OUTPUTS, RATINGS = (made[NAME] for made in (webnlg2020.FILES, webnlg2020.OUTPUTS, webnlg2020.RATINGS))


@pytest.fixture(autouse=True)
def data(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    if not (data_dir / NAME).is_dir():
        pytest.skip(f"{data_dir} does not contain {NAME}")
    monkeypatch.setenv("RAINBOW_DATA", str(data_dir))
    yield


@pytest.fixture(scope="module")
def corpus(data_dir: Path) -> Corpus:
    return published(data_dir, load_dataset, NAME)


@pytest.fixture(scope="module")
def told(data_dir: Path) -> pd.DataFrame:
    return published(data_dir, judgements, NAME)


@pytest.fixture
def folder(data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of the files that may be changed; the environment names it."""
    for file in FILES:
        path = tmp_path / file.local
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(data_dir / file.local, path)
    monkeypatch.setenv("RAINBOW_DATA", str(tmp_path))
    return tmp_path


def test_every_system_has_an_output_for_every_input_that_was_chosen(corpus: Corpus) -> None:
    assert len(corpus) == 2848 and corpus.frame.groupby("system")["item"].nunique().eq(178).all()
    assert (corpus.frame["system"].unique().tolist(), corpus.ratings) == (list(OUTPUTS), CRITERIA)
    assert not any(corpus.frame["references"])


def test_a_sample_is_read_from_its_line(corpus: Corpus) -> None:
    rows = corpus.frame[corpus.frame["sample"] == "3"].set_index("system")
    assert rows["mr"].unique().tolist() == ["MotorSport Vision | city | Fawkham"]
    assert rows.loc["bt5", "output"] == "The MotorSport Vision is located in the city of Fawkham."
    (rated,) = rows.loc[["Amazon_AI_(Shanghai)"], ["category", *CRITERIA]].values.tolist()
    assert rated == ["Airport", 98.5, 99, 94.5, 98, 98]


def test_triples_stand_one_after_the_other(corpus: Corpus) -> None:
    (mr,) = set(corpus.frame["mr"][corpus.frame["sample"] == "29"])
    first, second = mr.split(" && ")
    assert first == 'Abdul Taib Mahmud | residence | "Demak Jaya, Jalan Bako, Kuching, Sarawak"'
    assert second == "Abdul Taib Mahmud | party | Parti Pesaka Bumiputera Bersatu"


def test_quotes_round_a_text_with_commas_are_taken_off(corpus: Corpus) -> None:
    outputs = corpus.frame.loc[corpus.frame["system"].isin(["TGen", "bt5"]), "output"]
    assert not outputs.str.fullmatch('".*"').any() and not outputs.str.contains('""').any()


def test_a_rating_is_the_mean_of_one_to_three_raters_as_the_published_table_has_it(corpus, data_dir) -> None:
    frame = corpus.frame.set_index(["system", "sample"])
    lines = json.loads((data_dir / CATEGORIES.local).read_text())
    published = pd.DataFrame(lines).query("submission_id != @HUMAN").set_index(["submission_id", "sample_id"])
    assert frame["fluency"].notna().sum() == len(published)
    for label, criterion in zip(["Correctness", "DataCoverage", "Fluency"], CRITERIA, strict=False):
        assert (frame.loc[published.index, criterion] - published[label]).abs().max() < 1e-9
    single = frame[["fluency_1", "fluency_2", "fluency_3"]]
    assert (single.mean(axis=1) - frame["fluency"]).abs().max() < 1e-9
    assert single.notna().sum(axis=1)[frame["fluency"].notna()].between(1, 3).all()


def test_what_was_not_rated_has_neither_rating_nor_category(corpus: Corpus) -> None:
    unrated = corpus.frame["fluency"].isna()
    assert corpus.frame.loc[unrated, list(CRITERIA)].isna().all(axis=None)
    assert (corpus.frame.loc[unrated, "category"] == "").all()
    assert corpus.frame.loc[~unrated, "category"].nunique() in (16, 19)  # three may be absent from a copy


def test_judgements_are_of_single_outputs_and_of_what_a_person_wrote(told: pd.DataFrame, corpus: Corpus) -> None:
    assert set(told["system"]) == {*OUTPUTS, HUMAN} and told.groupby(["judgement", "criterion"]).size().eq(1).all()
    assert set(told["item"]) <= set(corpus.frame["item"])
    assert (set(told["kind"]), told["value"].min(), told["value"].max()) == ({"likert"}, 0, 100)
    human = told.query("system == @HUMAN and criterion == 'correctness' and judgement.str.startswith('3-')")
    assert human.set_index("rater")["value"].to_dict() == {"61": 100, "8": 98, "70": 100}


def test_a_person_who_told_more_than_marks_is_not_kept(told: pd.DataFrame) -> None:
    assert list(told) == ["judgement", "rater", "item", "system", "criterion", "kind", "value"]


def test_inputs_may_be_missing_from_the_ratings(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    for file in RATINGS.values():
        path = folder / file.local
        path.write_text(json.dumps({"3": json.loads(path.read_text())["3"]}))
    (folder / CATEGORIES.local).write_text("[]")
    frame = load_dataset(NAME).frame
    assert (len(frame), frame["fluency"].notna().sum(), set(frame["category"])) == (2848, 16, {""})
    assert "177 of 178 inputs have no ratings" in caplog.text


@pytest.mark.parametrize("file", [TRIPLES, OUTPUTS["bt5"]])
def test_other_triples_and_outputs_than_the_published_are_refused(folder: Path, file: object) -> None:
    path = folder / file.local  # type: ignore[attr-defined]
    path.write_bytes(path.read_bytes() + b"\n")
    with pytest.raises(ValueError, match="is not the published file"):
        load_dataset(NAME)


@pytest.mark.parametrize(("ratings", "message"), [
    ({"3": {"en_worker_1": {"Correctness": 101}}}, "sample 3, en_worker_1, Correctness: 101 is not a number"),
    ({"3": {"en_worker_1": {"Correctness": math.nan}}}, "nan is not a number"),
    ({"3": {"en_worker_1": {}}}, "None is not a number"),
    ({"9": {"en_worker_1": {}}}, "sample '9' has no triples"),
])  # fmt: skip
def test_ratings_that_cannot_be_are_refused(folder: Path, ratings: object, message: str) -> None:
    (folder / RATINGS["bt5"].local).write_text(json.dumps(ratings))
    with pytest.raises(ValueError, match=rf"bt5/primary\.json: .*{message}"):
        judgements(NAME)


def test_what_was_fetched_is_the_whole_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = RATINGS["bt5"]
    monkeypatch.delenv(DATA.variable)
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda name: folder / "cache")
    path = folder / "cache" / DATA.name / file.local
    path.parent.mkdir(parents=True)
    path.write_text("{}")
    with pytest.raises(ValueError, match="is not the published file"):
        locate_file(file)


def test_files_come_from_one_state_of_the_repository_with_their_hashes(data_dir: Path) -> None:
    lines = [line.split("\t") for line in (data_dir / NAME / "UPSTREAM.tsv").read_text().splitlines()]
    commit = lines.pop(0)[0].split(":")[0].split()[-1]
    base = f"https://raw.githubusercontent.com/WebNLG/challenge-2020/{commit}/"
    assert {file.url: file.sha256 for file in FILES} == {f"{base}{path}": sha256 for path, sha256 in lines}
