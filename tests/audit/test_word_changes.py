"""What a score loses without a word, by scores whose answer is known."""

from typing import Any

import numpy as np
import pytest

from rainbow import Corpus, Scorer, load_model, score_corpus
from rainbow.audit.word_changes import COLUMNS, OFTEN, leave_one_word_out, mean_word_changes, metric_word_changes

OUTPUTS = ["The inn is, well, cheap.", "", "...", "a  b\nc"]


def seen(texts: list[str]) -> Any:
    """Return a score that notes every text it is asked for."""

    def score(corpus: Corpus) -> list[float]:
        texts.extend(corpus.frame["output"])
        return [float(len(text)) for text in corpus.frame["output"]]

    return score


def test_every_word_and_mark_is_left_out_once_with_the_blank_that_would_stand_twice() -> None:
    texts: list[str] = []
    table = leave_one_word_out(seen(texts), Corpus.from_texts(OUTPUTS))
    assert tuple(table) == COLUMNS
    assert table["word"].tolist() == ["The", "inn", "is", ",", "well", ",", "cheap", ".", *"...", *"abc"]
    assert texts[: len(OUTPUTS)] == OUTPUTS
    assert texts[len(OUTPUTS) :] == [
        *("inn is, well, cheap.", "The is, well, cheap.", "The inn , well, cheap.", "The inn is well, cheap."),
        *("The inn is, , cheap.", "The inn is, well cheap.", "The inn is, well, .", "The inn is, well, cheap"),
        *("..", "..", "..", "b\nc", "a  c", "a  b"),
    ]
    assert (table["id"].tolist(), table["change"].tolist()[:2]) == (["1"] * 8 + ["3"] * 3 + ["4"] * 3, [4.0, 4.0])


def test_the_words_of_an_output_join_to_its_text() -> None:
    corpus = Corpus.from_texts(["Isn't it\tO'Neill's — 5 °C_low? ☃", "\ud800 lone 中文"])
    table = leave_one_word_out(lambda corpus: [0.0] * len(corpus), corpus)
    joined = ["".join(table.loc[table["id"] == identity, "word"]) for identity in corpus.frame["id"]]
    assert joined == ["".join(text.split()) for text in corpus.frame["output"]]


def test_a_row_without_a_score_takes_nothing_from_the_others() -> None:
    corpus = Corpus.from_texts(["a b", "c"])
    table = leave_one_word_out(
        lambda texts: [np.nan if text == "b" else len(text) for text in texts.frame["output"]], corpus
    )
    np.testing.assert_array_equal(table["change"], [np.nan, 2.0, 1.0])


def test_many_outputs_are_told_as_each_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus, done = Corpus.from_texts(["a b", "c", "d e f"]), []
    at_once = leave_one_word_out(seen([]), corpus)
    monkeypatch.setattr("rainbow.audit.word_changes.AT_ONCE", 2)
    in_parts = leave_one_word_out(seen([]), corpus, lambda stage, now, total: done.append((now, total)))
    assert in_parts.equals(at_once) and done == [(2, 3), (3, 3)]


def test_without_an_output_there_is_an_empty_table() -> None:
    assert tuple(leave_one_word_out(seen([]), Corpus.from_texts([]))) == COLUMNS


def test_a_model_is_asked_for_the_remaining_text_with_the_same_input() -> None:
    mr, name = "inform(name='the inn',area=soma)", "quality-fast"
    table = leave_one_word_out(load_model(name).predict, Corpus.from_texts(["the inn is in soma soma"], mrs=[mr]))
    whole, without = Scorer(name)(["the inn is in soma soma", "the inn is in soma"], mrs=[mr, mr])
    assert table["score"].tolist() == [whole] * 6 and table["change"].iloc[-1] == whole - without < 0


def test_a_metric_keeps_the_statistics_of_the_corpus() -> None:
    corpus = Corpus.from_texts(["a cheap pub", "an inn"], [["a cheap inn"], ["the inn"]])
    table = metric_word_changes(corpus, ["CIDEr", "ROUGE"])
    assert list(dict.fromkeys(table["metric"])) == ["CIDEr", *(name for name in table["metric"].unique()[1:])]
    whole = score_corpus(corpus, ["CIDEr"])["CIDEr"]
    assert table[table["metric"] == "CIDEr"]["score"].tolist() == [whole[0]] * 3 + [whole[1]] * 2


def test_words_that_few_outputs_have_are_not_typical() -> None:
    corpus = Corpus.from_texts(["the the inn"] * OFTEN + ["a pub"] * (OFTEN - 1))
    table = mean_word_changes(leave_one_word_out(seen([]), corpus))
    assert table.values.tolist() == [["the", OFTEN, 4.0], ["inn", OFTEN, 4.0]]
