"""WMT 2024: what the loader makes of files like the published ones, and of the published ones."""

from pathlib import Path

import pytest

from rainbow import load_dataset
from rainbow.datasets import judgements, source, wmt24

SIZES = {"wmt24_cs": (297, 15), "wmt24_hi": (297, 10), "wmt24_ja": (634, 12), "wmt24_zh": (634, 12)}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return where the files are looked for, whose hashes are not checked; every text names its system and line."""
    monkeypatch.setattr(wmt24, "locate_file", lambda file: tmp_path / file.local)
    for system, file in {**wmt24.OUTPUTS["wmt24_hi"], "refA": wmt24.REFERENCES["wmt24_hi"]}.items():
        write(tmp_path / file.local, "CANARY", f" {system} एक", f"{system} दो")
    return tmp_path


def write(path: Path, *lines: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", "utf-8")


def score(system: str, line: int, value: float, *, rater: str = "r1", end: float = 1.0, **other: str) -> str:
    """Return a row as published."""
    kind, to = other.get("kind", "TGT"), other.get("to", "hin")
    document = other.get("document", "test-en-news_a.1")
    spans = '"[{""start_i"":8,""end_i"":11,""severity"":""minor""}]"'
    return f"{rater},{system},{line},{kind},eng,{to},{value},{document},False,{spans},{end - 1},{end}"


def write_scores(folder: Path, *rows: str) -> None:
    write(folder / wmt24.SCORES["wmt24_hi"][0].local, *rows)


def test_a_score_belongs_to_the_line_counted_from_the_canary(folder: Path) -> None:
    write_scores(folder, score("GPT-4", 2, 70), score("GPT-4", 1, 80), score("Aya23", 1, 90))
    corpus = load_dataset("wmt24_hi")
    assert corpus.frame[["system", "output", "references", "esa", "category"]].values.tolist() == [
        ["Aya23", "Aya23 एक", ("refA एक",), 90, "news"],
        ["GPT-4", "GPT-4 एक", ("refA एक",), 80, "news"],
        ["GPT-4", "GPT-4 दो", ("refA दो",), 70, "news"],
    ]
    assert (corpus.frame["item"].nunique(), corpus.language, corpus.ratings) == (2, "hi", ("esa",))


def test_tutorials_controls_and_other_languages_are_left_out(folder: Path) -> None:
    write_scores(
        folder,
        score("Aya23", 1, 90),
        score("ende-tutorial1", 1000001, 0, document="ende-tutorial1"),
        score("Aya23", 2, 10, kind="BAD", document="test-en-news_a.1#bad"),
        score("Aya23", 2, 10, document="test-en-news_a.1#dup"),
        score("Aya23", 2, 10, document="test-en-news_a.1#incomplete"),
        score("Aya23", 2, 10, to="jpn"),
    )
    assert load_dataset("wmt24_hi").frame["esa"].tolist() == [90]


def test_the_last_score_of_a_rater_counts_and_raters_are_averaged(folder: Path) -> None:
    first, last = score("Aya23", 1, 10, end=5), score("Aya23", 1, 60, end=9)
    write_scores(folder, last, first, score("Aya23", 1, 80, rater="r2"))
    assert load_dataset("wmt24_hi").frame["esa"].tolist() == [70]
    assert judgements("wmt24_hi").groupby("rater")["value"].sum().to_dict() == {"r1": 60, "r2": 80}


def test_the_reference_is_judged_and_is_not_an_output(folder: Path) -> None:
    write_scores(folder, score("Aya23", 1, 90), score("refA", 1, 95))
    assert load_dataset("wmt24_hi").frame["system"].tolist() == ["Aya23"]
    assert judgements("wmt24_hi")["system"].tolist() == ["Aya23", "refA"]


def test_a_score_outside_the_scale_is_refused_with_its_row(folder: Path) -> None:
    write_scores(folder, score("Aya23", 1, 90), score("Aya23", 2, 101))
    with pytest.raises(ValueError, match=r"row 2: the score 101 is not from 0 to 100"):
        load_dataset("wmt24_hi")


def test_languages_share_the_files_of_scores() -> None:
    japanese, chinese = (source(name).FILES[name] for name in ("wmt24_ja", "wmt24_zh"))
    assert len({*japanese} & {*chinese}) == 2


@pytest.mark.parametrize("name", SIZES)
def test_every_system_has_one_score_for_every_published_segment(name, data_dir, monkeypatch) -> None:
    if not (data_dir / "wmt24").is_dir():
        pytest.skip(f"{data_dir} does not contain wmt24")
    monkeypatch.setenv("RAINBOW_DATA", str(data_dir))
    frame, (items, systems) = load_dataset(name).frame, SIZES[name]
    assert (len(frame), frame["item"].nunique(), frame["system"].nunique()) == (items * systems, items, systems)
    assert judgements(name).groupby(["item", "system"]).size().eq(1).all()
    assert set(frame["category"]) == {"literary", "news", "social", "speech"}
