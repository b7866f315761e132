"""Languages without spaces between words: metrics of words warn once, and say what to use."""

import sys
import warnings
from pathlib import Path

import pytest

import rainbow
from rainbow.cli import main
from rainbow.corpus import Corpus
from rainbow.corpus.text_profile import TextProfile
from rainbow.systems.system_evaluation import evaluate_systems

UNSPACED = {
    "Chinese": "酒店位于市中心附近，河边的餐馆很便宜。",
    "Japanese": "ホテルは市の中心にあります。川の近くの安いレストランです。",
    "Thai": "โรงแรมอยู่ใจกลางเมือง ร้านอาหารราคาถูกใกล้แม่น้ำ", "Lao": "ໂຮງແຮມຢູ່ໃຈກາງເມືອງ",
    "Khmer": "សណ្ឋាគារស្ថិតនៅកណ្តាលទីក្រុង", "Burmese": "ဟိုတယ်သည်မြို့လယ်တွင်ရှိသည်",
}  # fmt: skip
SPACED = {
    "Arabic": "الفندق في وسط المدينة الكبيرة.",
    "Chinese, split into words": "酒店 位于 市 中心 附近 ， 河边 的 餐馆 很 便宜 。",
    "English": "The inn is in the centre of the city.",
    "English with a foreign name": "The restaurant 北京烤鸭店 is a cheap place in the centre of the city.",
    "German": "Über die Brücke fährt heute kein Zug.", "Hindi": "होटल शहर के केंद्र में है।",
    "Japanese, split into words": "ホテル は 市 の 中心 に あり ます 。", "Korean": "호텔은 도시 중심에 있습니다.",
    "Thai, split into words": "โรงแรม อยู่ ใจกลาง เมือง",
}  # fmt: skip


def told(found: list[warnings.WarningMessage]) -> list[str]:
    return [str(warning.message) for warning in found if "without spaces" in str(warning.message)]


def scored(text: str, columns: list[str] | None) -> list[str]:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        rainbow.score_corpus(Corpus.from_texts([text] * 3, [[text]] * 3), columns, view="surface")
    return told(found)


@pytest.mark.parametrize("language", UNSPACED)
def test_one_warning_says_which_metrics_and_what_to_use(language: str) -> None:
    [message] = scored(UNSPACED[language], ["TER", "BLEU4", "METEOR", "chrF++"])
    assert "TER, BLEU4, METEOR would treat a clause as one word" in message
    assert "Use chrF++, which compares characters, or segment the texts into words first" in message


@pytest.mark.parametrize("language", SPACED)
def test_words_that_stand_apart_give_no_warning(language: str) -> None:
    assert scored(SPACED[language], ["TER", "BLEU4", "chrF++"]) == []


def test_chunks_add_up() -> None:
    whole, parts = TextProfile(), [TextProfile(), TextProfile()]
    whole.add([UNSPACED["Thai"], "", SPACED["English"]])
    parts[0].add([UNSPACED["Thai"]])
    parts[1].add(["", SPACED["English"]])
    parts[0].join(parts[1])
    assert (parts[0].unspaced_scripts(), parts[0].outputs, parts[0].empty) == (whole.unspaced_scripts(), 3, 1)


@pytest.mark.once
@pytest.mark.parametrize(("command", "warned"), [
    ("metrics mine.csv --metrics TER,len", 0),
    ("metrics mine.csv --metrics TER,len --view surface", 1),
    ("run mine.csv --yes", 0),
])  # fmt: skip
def test_the_commands_warn_once(command, warned, tmp_path, monkeypatch, figures_unwritten) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [f"{UNSPACED['Chinese']}{row},{UNSPACED['Chinese']}" for row in range(4)]
    Path("mine.csv").write_text("\n".join(["output,reference", *rows, f",{rows[0].split(',')[1]}"]), encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["rainbow", *command.split()])
    with warnings.catch_warnings(record=True) as found, pytest.raises(SystemExit) as end:
        warnings.simplefilter("always")
        main()
    assert not end.value.code and len(told(found)) == warned
    assert [str(warning.message)[:21] for warning in found].count("empty outputs: 1 of 5") == 1


@pytest.mark.parametrize("language", ["en", None])
def test_a_comparison_of_systems_has_a_note_unless_it_compares_characters(language: str | None) -> None:
    texts = [UNSPACED["Chinese"] + str(row) for row in range(6)]
    corpus = Corpus.from_texts(
        texts * 2, [[text] for text in texts] * 2, system=["a"] * 6 + ["b"] * 6, item=[*"123456"] * 2, language=language
    )
    notes = evaluate_systems(corpus, rng=1, resamples=99)["notes"]
    found = notes[notes["problem"].str.contains("without spaces")].to_dict("records")
    if language is None:
        assert [note["place"] for note in found] == ["textual"]
        return
    [note] = found
    assert "BLEU" in note["place"] and "chrF++" not in note["place"] and note["fix"].startswith("Use chrF++")


@pytest.mark.parametrize("view", ["surface", None])
def test_an_analysis_has_a_finding_unless_it_compares_characters(view: str | None) -> None:
    corpus = rainbow.load_dataset("demo").take(range(0, 300, 5))
    frame = corpus.frame.assign(output=[UNSPACED["Chinese"] + str(row) for row in range(len(corpus))])
    corpus = Corpus(frame, ratings=("quality",))
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        scores = rainbow.score_corpus(corpus, ["TER", "chrF++"], view)
    assert len(told(warned)) == (view == "surface")
    found = rainbow.analyse(corpus, scores, ratings=["quality"], resamples=50)
    if view is None:
        assert not found.checks.query("check == 'words' and severity == 'error'").size
        return
    [line] = found.checks.query("check == 'words'").to_dict("records")
    assert (line["severity"], line["subject"]) == ("error", "TER")
    assert "written without spaces between words" in line["finding"]
