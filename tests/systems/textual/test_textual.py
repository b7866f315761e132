"""The table of textual measures, on made texts."""

import math

import numpy as np
import pandas as pd
import pytest

from rainbow import Corpus
from rainbow.systems.text_measures import lemmas, measure_texts
from rainbow.systems.text_measures.measures import MEASURES

MRS = ["name[Zizzi], near[The Mill]", "name[The Mill], near[Zizzi]"]


@pytest.fixture
def corpus() -> Corpus:
    return Corpus.from_texts(
        ["Zizzi is near The Mill.", "A pub.", "The Mill is near Zizzi.", ""],
        [["Zizzi! Near The Mill.", "Try Zizzi."], ["Try The Mill."]] * 2,
        [MRS[0], MRS[1]] * 2,
        system=["one", "one", "two", "two"],
        item=["1", "2", "1", "2"],
    )


def values(table: pd.DataFrame, system: str, view: str = "surface") -> dict[str, float]:
    own = table[(table["system"] == system) & (table["view"] == view)]
    return dict(zip(own["measure"], own["value"], strict=True))


def test_every_collection_has_every_measure_in_both_views(corpus: Corpus) -> None:
    table = measure_texts(corpus)
    assert table.columns.tolist() == ["dataset", "system", "view", "measure", "value", "reason"]
    assert table["system"].unique().tolist() == ["one", "two", "test set all", "test set rand"]
    assert len(table) == 4 * 2 * len(MEASURES) and not table.duplicated(["system", "view", "measure"]).any()


def test_sizes_and_counts_are_those_of_the_texts(corpus: Corpus) -> None:
    found = values(measure_texts(corpus), "one")  # Zizzi is near The Mill . | A pub .
    assert (found["outputs"], found["tokens"], found["words"], found["sentences"]) == (2, 9, 7, 2)
    assert (found["average_length_tokens"], found["average_sentence_length_tokens"]) == (4.5, 4.5)
    assert (found["distinct_tokens"], found["unique_tokens"]) == (8, 7)
    assert (found["distinct_trigrams"], found["unique_trigrams_percent"]) == (5, 100)
    assert found["entropy_tokens"] == pytest.approx(-(2 / 9 * math.log2(2 / 9) + 7 / 9 * math.log2(1 / 9)))
    assert found["TTR"] == 1


def test_ngrams_run_across_sentences_but_not_across_texts(corpus: Corpus) -> None:
    found = values(measure_texts(corpus), "test set all")  # Zizzi ! Near The Mill . | Try Zizzi . | Try The Mill .
    assert found["distinct_bigrams"] == 5 + 2 + 1 + 0 + 0  # The Mill and Mill . are there already
    assert found["outputs"] == 3


def test_names_are_placeholders_in_the_delexicalised_view(corpus: Corpus) -> None:
    found = values(
        measure_texts(corpus), "test set all", "delexicalised"
    )  # Xname ! Near Xnear . | Try Xname . | Try Xname .
    assert (found["tokens"], found["distinct_tokens"]) == (11, 6)


def test_one_reference_per_item_is_drawn_from_a_seed(corpus: Corpus) -> None:
    drawn = [values(measure_texts(corpus, rng=seed), "test set rand") for seed in range(8)]
    assert ({found["outputs"] for found in drawn}, {found["tokens"] for found in drawn}) == ({2}, {7, 10})
    assert drawn[3] == pytest.approx(
        values(measure_texts(corpus, rng=np.random.default_rng(3)), "test set rand"), nan_ok=True
    )


def test_what_is_not_defined_has_a_reason(corpus: Corpus) -> None:
    table = measure_texts(corpus).set_index(["system", "view", "measure"])
    assert table.loc[("one", "surface", "MSTTR-50"), "reason"] == "there are fewer than 50 words"
    assert table.loc[("one", "surface", "entropy_trigrams_chao_shen"), "reason"] == "no n-gram occurs twice"
    assert (table["value"].isna() == table["reason"].notna()).all()


def test_a_system_that_says_nothing_has_no_shares_but_sizes() -> None:
    found = values(measure_texts(Corpus.from_texts(["", ""], system=["silent"] * 2)), "silent")
    assert (found["tokens"], found["average_length_tokens"]) == (0, 0)
    assert math.isnan(found["TTR"]) and math.isnan(found["entropy_tokens"])


def test_without_word_lists_rare_words_are_missing_and_the_reason_tells_the_remedy(corpus, monkeypatch) -> None:
    monkeypatch.setattr(lemmas, "find_spec", lambda name: None)
    table = measure_texts(corpus).query("measure == 'LS2'")
    assert table["value"].isna().all()
    assert set(table["reason"]) == {"simplemma and wordfreq not installed: pip install 'rainbow-nlg[lexical]'"}


def test_each_data_set_has_its_own_references() -> None:
    corpus = Corpus.from_texts(["a", "b"], [["c"], ["d d"]], dataset=["x", "y"], system=["s", "s"])
    table = measure_texts(corpus).query("system == 'test set all' and measure == 'tokens'")
    assert dict(zip(table["dataset"], table["value"], strict=True)) == {"x": 1, "y": 2}
