"""The E2E challenge and RankME: what the loaders give, against the public files."""

from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

from rainbow import Corpus, load_dataset
from rainbow.base.downloads import locate_file, select_columns
from rainbow.datasets import judgements, rankme
from rainbow.datasets.e2e import QUALITY, SYSTEMS
from rainbow.datasets.rankme import RATINGS
from tests.judged import published

pytestmark = pytest.mark.xdist_group("e2e")

PERSONAL = ("worker", "ip", "city", "region", "country", "channel", "trust", "_id", "started")


@pytest.fixture(autouse=True)
def data(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("RAINBOW_DATA", str(data_dir))
    yield


@pytest.fixture(scope="module")
def corpus(data_dir: Path) -> Corpus:
    return published(data_dir, load_dataset, "e2e")


@pytest.fixture(scope="module")
def rated(data_dir: Path) -> pd.DataFrame:
    return published(data_dir, judgements, "e2e")


def test_every_system_has_an_output_for_every_input(corpus: Corpus) -> None:
    assert len(corpus) == 21 * 630 and corpus.frame.groupby("system")["item"].nunique().eq(630).all()
    assert (corpus.frame["item"] == corpus.frame["mr"]).all() and corpus.frame["references"].map(len).sum() == 21 * 4693
    assert corpus.frame["output"].str.strip().eq(corpus.frame["output"]).all() and (corpus.frame["output"] != "").all()


def test_systems_are_named_as_in_the_tables(corpus: Corpus, data_dir: Path) -> None:
    (table,) = (data_dir.parent / "published").glob("dusek2019_table08*.csv")
    assert list(dict.fromkeys(corpus.frame["system"])) == pd.read_csv(table)["system"].tolist()


def test_quotes_and_blanks_round_texts_are_kept_only_as_published(corpus: Corpus) -> None:
    published = load_dataset("e2e", as_published=True).frame
    other = published["output"] != corpus.frame["output"]
    assert published[other].groupby("system").size().to_dict() == {"DANGNT": 630, "TNT1": 630, "TNT2": 630}
    quoted = published[published["system"].isin(["TNT1", "TNT2"])]["output"]
    assert quoted.str.fullmatch("'.*'").all()
    assert quoted.str[1:-1].tolist() == corpus.frame["output"][quoted.index].tolist()


def test_only_the_challenge_has_texts_as_published() -> None:
    with pytest.raises(ValueError, match="as_published: only for your own files"):
        load_dataset("demo", as_published=True)


def test_a_judgement_is_of_five_systems_and_keeps_its_ties(rated: pd.DataFrame) -> None:
    assert rated.groupby("judgement").size().eq(5).all() and rated["judgement"].nunique() == 2979
    assert rated.groupby("judgement")["item"].nunique().eq(1).all()
    assert round(rated.groupby("judgement")["value"].nunique().eq(1).mean(), 2) == 0.28
    assert (set(rated["system"]), rated["value"].min(), rated["value"].max()) == (set(SYSTEMS.values()), 1, 111111)


def test_what_was_rated_are_the_outputs(rated: pd.DataFrame, corpus: Corpus) -> None:
    both = rated.merge(corpus.frame, on=["item", "system"], suffixes=("_shown", ""))
    assert len(both) == len(rated) and (both["output_shown"].str.split() == both["output"].str.split()).all()


def test_the_rating_of_an_output_is_its_mean_place_among_those_judged_with_it(rated, corpus) -> None:
    assert corpus.ratings == ("quality",)
    assert corpus.frame["quality"].notna().sum() == len(rated.groupby(["item", "system"])) == 6012
    means = (rated.groupby("judgement")["value"].rank().sub(1) / 4).groupby([rated["item"], rated["system"]]).mean()
    assert means.to_dict() == pytest.approx(corpus.frame.set_index(["item", "system"])["quality"].dropna().to_dict())


def test_checks_are_kept(rated: pd.DataFrame) -> None:
    assert rated["check"].value_counts().to_dict() == {
        "ok": 9183, "missing": 4055, "added": 1473, "added, missing": 184
    }  # fmt: skip


def test_nothing_is_kept_that_says_who_rated(rated: pd.DataFrame) -> None:
    assert rated["rater"].isna().all()
    assert not [name for name in (*rated.columns, *QUALITY.columns) for part in PERSONAL if part == name.strip("_")]
    header = b"_unit_id,_worker_id,_ip,_city,_created_at,mr,sys1,ref1,quality1,check1\r\n"
    kept = select_columns((header + b"1,77,1.2.3.4,Leeds,now,m,s,r,5,ok\r\n"), QUALITY.columns)
    assert kept == b"_unit_id,_created_at,mr,sys1,ref1,quality1,check1\r\n1,now,m,s,r,5,ok\r\n"


@pytest.mark.parametrize("file", [QUALITY, RATINGS], ids=lambda file: file.local)
def test_judgements_with_another_mark_are_not_the_published_ones(file, tmp_path, monkeypatch) -> None:
    """What persons gave away about themselves may be cut off, nothing else may differ."""
    kept = select_columns(locate_file(file).read_bytes(), file.columns)
    monkeypatch.setenv("RAINBOW_DATA", str(tmp_path))
    path = tmp_path / file.local
    path.parent.mkdir(parents=True)
    path.write_bytes(kept)
    assert locate_file(file) == path
    path.write_bytes(kept.replace(b",100,", b",99,", 1).replace(b",6\r\n", b",5\r\n", 1))
    with pytest.raises(ValueError, match="is not the published file"):
        locate_file(file)


def test_rankme_has_three_systems_rated_in_six_ways() -> None:
    table = judgements("rankme")
    assert (set(table["system"]), table.groupby(["method", "setup"]).ngroups) == ({"Slug", "Sheff2", "TGen"}, 6)
    assert (len(table), set(table["kind"])) == (16242, {"likert", "magnitude"}) and table["rater"].isna().all()


def test_a_judgement_of_rankme_is_what_one_person_saw() -> None:
    table = judgements("rankme")
    together = table[table["method"] == "rankME"].groupby(["judgement", "criterion"])["system"]
    assert together.nunique().eq(3).all() and together.size().eq(3).all()
    assert table[table["method"] != "rankME"].groupby(["judgement", "criterion"])["system"].size().eq(1).all()


def test_the_outputs_of_rankme_are_those_of_the_challenge(corpus: Corpus) -> None:
    both = load_dataset("rankme").frame.merge(corpus.frame, on=["item", "system"], suffixes=("", "_challenge"))
    assert len(both) == 300 and (both["output"].str.split() == both["output_challenge"].str.split()).all()
    assert (both["references"] == both["references_challenge"]).all()


def test_ratings_of_rankme_are_means_of_z_over_all_ways_of_asking_or_of_one(data_dir: Path) -> None:
    table = pd.read_csv(data_dir / "rankme" / "ratings.csv")
    asked = table[table["criterion"] == "naturalness"].assign(printed=table["system"].map(rankme.SYSTEMS))
    for method, files in ((None, "stp"), ("likert", "stp1_likert$|stp2_likert_nat$")):
        corpus = load_dataset("rankme", method=method)
        own = asked[asked["file"].str.contains(files)].groupby(["mr", "printed"])["rating_z_rater"].mean()
        frame = corpus.frame.set_index(["mr", "system"])["naturalness"]
        assert corpus.ratings == ("informativeness", "naturalness", "quality") and frame.notna().all()
        assert frame.to_dict() == pytest.approx(own.to_dict())
    with pytest.raises(ValueError, match="unknown method 'likrt': choose from likert, plainME, rankME"):
        load_dataset("rankme", method="likrt")
