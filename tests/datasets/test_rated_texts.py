"""Rated translations and dialogues: what the loaders make of files like the published ones."""

import io
import json
import tarfile
from pathlib import Path

import numpy as np
import pytest

from rainbow import load_dataset
from rainbow.datasets import rated_texts, source


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
    assert corpus.frame["mr"].unique().tolist() == ["the facts"]
    assert corpus.frame["system"].unique().tolist() == ["t5"]


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
