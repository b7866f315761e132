"""Rated translations and dialogues, RNNLG's texts and tables of judgements: what the loaders make of them."""

import io
import json
import tarfile
from pathlib import Path
from unicodedata import normalize

import numpy as np
import pytest

from rainbow import load_dataset
from rainbow.datasets import judgements, rated_texts, source


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return where the files are looked for, whose hashes are not checked."""
    monkeypatch.setattr(rated_texts, "locate_file", lambda file: tmp_path / file.local)
    return tmp_path


def write(folder: Path, name: str, *lines: str) -> None:
    """Write the lines into the first file of a dataset, and the heading alone into the others."""
    for place, file in enumerate(source(name).FILES[name]):
        path = folder / file.local
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines if place == 0 else lines[:1]) + "\n", "utf-8")


def test_translations_have_a_reference_and_no_input(folder: Path) -> None:
    line = 'cs-en\tzdroj\tit &apos;s "here .\tit is here .\t-1.5\t0.1'
    write(folder, "wmt17", "LP\tsource\ttranslation\treference\tHUMAN_score\tsentBLEU", line)
    row = load_dataset("wmt17").frame.iloc[0]
    assert (row["output"], row["references"], row["mr"]) == ("it 's \"here .", ("it is here .",), "")
    assert row["adequacy"] == -1.5


def test_generic_answers_are_neither_supported_nor_not(folder: Path) -> None:
    labels = ("Fully attributable", "Not fully attributable", "Generic")
    head = "model_name\tdata_source\tknowledge\tmessage\tresponse\tbegin_label"
    write(folder, "begin", head, *(f"t5\twow\tthe facts\tso?\tanswer {label}\t{label}" for label in labels))
    corpus = load_dataset("begin")
    np.testing.assert_array_equal(corpus.frame["supported"], [1, 0, np.nan])
    assert (corpus.frame["mr"].unique().tolist(), corpus.frame["system"].unique().tolist()) == (["the facts"], ["t5"])


def test_the_mark_of_inconsistent_answers_is_turned(folder: Path) -> None:
    head = ",episode_idx,round,topic,message,dodeca_response,memnet_response,knowledge,gold,dodeca_label,memnet_label"
    write(folder, "q_squared", head, "0,0,3,Pigs,so?,wrong,right,facts,gold,1,0")
    frame = load_dataset("q_squared").frame.set_index("system")
    assert frame["consistent"].to_dict() == {"dodeca": 0, "memnet": 1}
    assert frame.loc["dodeca", "references"] == ("gold",)
    assert frame["item"].nunique() == 1


def test_an_answer_has_all_turns_before_it_as_its_input(folder: Path) -> None:
    turns = [
        {"user": f"User: {place}?", "chatbot": f"Chatbot: {place}.", "overall impression": place} for place in range(2)
    ]
    write(folder, "conture", json.dumps([{"dialog_id": 7, "turns": turns}]))
    frame = load_dataset("conture").frame
    assert frame["output"].tolist() == ["0.", "1."]
    assert frame["mr"].tolist() == ["User: 0?", "User: 0?\nChatbot: 0.\nUser: 1?"]
    assert (frame["impression"].tolist(), frame["item"].nunique()) == ([0, 1], 2)


def test_translations_have_their_correction_as_the_reference(folder: Path) -> None:
    scored = "index\toriginal\ttranslation\tscores\tmean\n0\tAn inn.\t旅馆便宜\t[20, 40]\t30.0\n"
    texts = ({"a/test20.tsv": scored}, {"b/test20.mt": "旅馆 很 便宜 LDV 3\n", "b/test20.pe": "这 旅馆 便宜 。\n"})
    for file, members in zip(source("mlqe_zh").FILES["mlqe_zh"], texts, strict=True):
        path = folder / file.local
        path.parent.mkdir(parents=True, exist_ok=True)
        with tarfile.open(path, "w:gz") as archive:
            for name, text in {**members, "a/probabilities/b.mt": "not read"}.items():
                member = tarfile.TarInfo(name)
                member.size = len(text.encode())
                archive.addfile(member, io.BytesIO(text.encode()))
    corpus = load_dataset("mlqe_zh")
    row = corpus.frame.iloc[0]
    assert (row["output"], row["references"], row["adequacy"]) == ("旅馆很便宜LDV 3", ("这旅馆便宜。",), 30.0)
    assert corpus.language == "zh"


def test_every_text_is_an_output_with_its_act_and_its_split(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not (data_dir / "emnlp2017" / "rnnlg_hotel_train.json").is_file():
        pytest.skip(f"RNNLG's training texts are not in {data_dir}")
    monkeypatch.setenv("RAINBOW_DATA", str(data_dir))
    corpus = load_dataset("rnnlg")
    counts = corpus.frame.groupby(["dataset", "split"]).size().to_dict()
    assert counts == {
        ("sfhotel", "test"): 1075, ("sfhotel", "train"): 3223, ("sfhotel", "valid"): 1075, ("sfrest", "test"): 1039,
        ("sfrest", "train"): 3114, ("sfrest", "valid"): 1039,
    }  # fmt: skip
    assert corpus.ratings == ()
    assert corpus.frame.loc[0, ["mr", "output"]].tolist() == [
        "inform_no_match(acceptscreditcards='no',pricerange='pricey')",
        "there are no pricey hotels that do not accept credit cards",
    ]
    assert corpus.view("delexicalised").outputs[0] == "there are no Xpricerange hotels that do not accept credit cards"


HEADER = "judgement,item,system,criterion,kind,value,rater\n"


def test_a_table_is_read_with_numbers_and_missing_raters(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(HEADER + "1,a,x,quality,likert,5,ann\n1,a,y,quality,likert,3,\n")
    table = judgements(path)
    assert (table["value"].tolist(), table["rater"].isna().tolist()) == ([5.0, 3.0], [False, True])


def test_items_and_systems_are_called_as_in_a_corpus(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(HEADER + normalize("NFD", "1,Müller,Jäger,quality,likert,5,\n"), encoding="utf-8")
    assert judgements(path)[["item", "system"]].values.tolist() == [["Müller", "Jäger"]]


@pytest.mark.parametrize(("text", "message"), [
    ("item,system\na,x\n", "the column 'judgement'"),
    (HEADER + "1,a,x,quality,likert,5,\n1,a,y,quality,likert,good,\n", r"line 3, value: 'good' is not a number"),
    (HEADER + "1,a,x,quality,likert,inf,\n", r"line 2, value: 'inf' is not a number"),
    (HEADER + "1,a,x,quality,stars,5,\n", r"line 2, kind: choose from magnitude"),
])  # fmt: skip
def test_what_is_wrong_is_named_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(text)
    with pytest.raises(ValueError, match=rf"mine\.csv.*{message}"):
        judgements(path)


def test_a_dataset_without_single_judgements_says_so() -> None:
    with pytest.raises(ValueError, match="demo has no ratings of single raters"):
        judgements("demo")
