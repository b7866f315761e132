"""RNNLG's texts: what the loader gives."""

from pathlib import Path

import pytest

from rainbow import load_dataset


def test_every_text_is_an_output_with_its_act_and_its_split(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not (data_dir / "emnlp2017" / "rnnlg_hotel_train.json").is_file():
        pytest.skip(f"RNNLG's training texts are not in {data_dir}")
    monkeypatch.setenv("RAINBOW_DATA", str(data_dir))
    corpus = load_dataset("rnnlg")
    counts = corpus.frame.groupby(["dataset", "split"]).size().to_dict()
    assert counts == {
        ("sfhotel", "test"): 1075,
        ("sfhotel", "train"): 3223,
        ("sfhotel", "valid"): 1075,
        ("sfrest", "test"): 1039,
        ("sfrest", "train"): 3114,
        ("sfrest", "valid"): 1039,
    }
    assert corpus.ratings == ()
    assert corpus.frame.loc[0, ["mr", "output"]].tolist() == [
        "inform_no_match(acceptscreditcards='no',pricerange='pricey')",
        "there are no pricey hotels that do not accept credit cards",
    ]
    assert corpus.view("delexicalised").outputs[0] == "there are no Xpricerange hotels that do not accept credit cards"
