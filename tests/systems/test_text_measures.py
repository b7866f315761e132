"""The table of textual measures, on made texts, and syntactic complexity among them."""

import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from rainbow import Corpus
from rainbow.programs.stanford_parser import AT_ONCE, parse_trees, parser_unavailable_reason
from rainbow.systems.text_measures import richness
from rainbow.systems.text_measures.entropy import (
    chao_shen_entropy,
    conditional_entropy,
    count_contexts,
    miller_madow_entropy,
    shannon_entropy,
)
from rainbow.systems.text_measures.measures import MEASURES
from rainbow.systems.text_measures.richness import (
    FREQUENT,
    frequent_lemmas,
    lemmatise,
    lexical_sophistication,
    mean_segmental_ttr,
    type_token_ratio,
)
from rainbow.systems.text_measures.textual_measures import complexity_measures, measure_texts, texts_to_parse
from rainbow.text.ngrams.ngram_counts import Ngram
from tests.systems.e2e_files import read_e2e, read_printed

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
    monkeypatch.setattr(richness, "find_spec", lambda name: None)
    table = measure_texts(corpus).query("measure == 'LS2'")
    assert table["value"].isna().all()
    assert set(table["reason"]) == {"simplemma and wordfreq not installed: pip install 'rainbow-nlg[lexical]'"}


def test_each_data_set_has_its_own_references() -> None:
    corpus = Corpus.from_texts(["a", "b"], [["c"], ["d d"]], dataset=["x", "y"], system=["s", "s"])
    table = measure_texts(corpus).query("system == 'test set all' and measure == 'tokens'")
    assert dict(zip(table["dataset"], table["value"], strict=True)) == {"x": 1, "y": 2}


BIGRAMS: Counter[Ngram] = Counter({("a", "b"): 2, ("a", "c"): 2, ("b", "a"): 4})


def unigrams(*counts: int) -> Counter[Ngram]:
    return Counter({(str(place),): count for place, count in enumerate(counts)})


@pytest.mark.parametrize(("counts", "bits"), [((7,), 0), ((1, 1), 1), ((2, 1, 1), 1.5), ((1,) * 8, 3)])
def test_the_entropy_is_the_mean_number_of_bits(counts: tuple[int, ...], bits: float) -> None:
    assert shannon_entropy(unigrams(*counts)) == pytest.approx(bits, abs=1e-12)


def test_miller_and_madow_add_half_a_nat_per_type_but_one_and_token() -> None:
    assert miller_madow_entropy(unigrams(2, 1, 1)) == pytest.approx(1.5 + 2 / (2 * 4) / math.log(2))


def test_chao_and_shen_weigh_by_the_chance_of_being_seen() -> None:
    seen = 1 - 0.75**4, 1 - 0.875**4  # of four tokens two types are seen once: coverage 1/2, shares 1/4, 1/8, 1/8
    assert chao_shen_entropy(unigrams(2, 1, 1)) == pytest.approx(0.25 * 2 / seen[0] + 2 * 0.125 * 3 / seen[1])


def test_the_next_token_given_the_one_before_is_open_by_the_weighted_mean() -> None:
    assert conditional_entropy(BIGRAMS, count_contexts(BIGRAMS)) == pytest.approx(0.5)  # 1 bit after a, 0 after b
    difference = shannon_entropy(BIGRAMS) - shannon_entropy(count_contexts(BIGRAMS))
    assert conditional_entropy(BIGRAMS, count_contexts(BIGRAMS)) == pytest.approx(difference)


def test_ends_of_texts_among_the_contexts_lower_it() -> None:
    before: Counter[Ngram] = Counter({("a",): 4, ("b",): 4, ("c",): 2})
    expected = -(2 * 0.25 * math.log2(0.25 / 0.4) + 0.5 * math.log2(0.5 / 0.4))
    assert conditional_entropy(BIGRAMS, before) == pytest.approx(expected)
    assert expected < conditional_entropy(BIGRAMS, count_contexts(BIGRAMS))


def test_nothing_has_no_entropy() -> None:
    assert all(
        math.isnan(function(Counter())) for function in (shannon_entropy, miller_madow_entropy, chao_shen_entropy)
    )
    assert math.isnan(conditional_entropy(Counter(), Counter()))
    assert math.isnan(chao_shen_entropy(unigrams(1, 1)))  # the coverage is unknown where everything is seen once


def test_the_ratio_is_of_different_words() -> None:
    assert type_token_ratio(["a", "b", "a", "c"]) == 0.75 and math.isnan(type_token_ratio([]))


def test_segments_follow_each_other_and_the_rest_is_left_out() -> None:
    words = [*["a", "b"] * 25, *map(str, range(50)), *["z"] * 49]
    assert mean_segmental_ttr(words) == (2 / 50 + 50 / 50) / 2 and math.isnan(mean_segmental_ttr(words[:49]))


def test_rare_are_lemmas_beyond_the_two_thousand_most_frequent() -> None:
    pytest.importorskip("wordfreq", reason="pip install 'rainbow-nlg[lexical]'")
    pytest.importorskip("simplemma", reason="pip install 'rainbow-nlg[lexical]'")
    assert len(frequent_lemmas()) == FREQUENT and {"be", "have", "child", "food"} <= frequent_lemmas()
    assert lemmatise("children") == "child"
    # child, be, sophisticated, mezzanine; numbers are no words here
    assert lexical_sophistication(["children", "child", "are", "sophisticated", "mezzanine", "20"]) == 0.5
    assert math.isnan(lexical_sophistication(["20"]))


SIMPLE = "(S (NP (PRP It)) (VP (VBZ is) (ADJP (JJ cheap))))"
CLAUSE = "(S (NP (PRP I)) (VP (VBP know) (SBAR (S (NP (PRP it)) (VP (VBZ is) (ADJP (JJ cheap)))))))"
NAMES = ["mean_d_level", "level_0_2_percent", "level_6_7_percent"]


def test_levels_are_those_of_all_sentences_together() -> None:
    trees: dict[str, list[str] | None] = {"one": [SIMPLE, CLAUSE], "two": [SIMPLE], "not parsed": None}
    found = list(complexity_measures(list(trees), lambda texts: [trees[text] for text in texts]))
    assert found == [
        ("mean_d_level", 1.0, None), ("level_0_2_percent", 200 / 3, None), ("level_6_7_percent", 0.0, None)
    ]  # fmt: skip


def test_without_a_parsed_text_there_is_a_reason_and_no_number() -> None:
    for _, value, reason in complexity_measures(["x"], lambda texts: [None]):
        assert np.isnan(value) and reason == "no text was parsed"


def test_texts_are_parsed_with_placeholders_for_names_and_only_when_asked() -> None:
    corpus = Corpus.from_texts(["The Inn is cheap."], [["It is The Inn."]], ["name[The Inn]"], system=["x"])
    asked: list[str] = []

    def trees(texts: Sequence[str]) -> list[list[str]]:
        asked.extend(texts)
        return [[SIMPLE] for _ in texts]

    with_levels = measure_texts(corpus, trees=trees)
    assert (asked, set(asked)) == (["Xname is cheap.", "It is Xname.", "It is Xname."], set(texts_to_parse(corpus)))
    levels = with_levels[with_levels["measure"].isin(NAMES)]
    assert (set(levels["view"]), len(levels)) == ({"delexicalised"}, 9)
    assert with_levels[~with_levels["measure"].isin(NAMES)].reset_index(drop=True).equals(measure_texts(corpus))


@pytest.mark.xdist_group("parser")
@pytest.mark.skipif(parser_unavailable_reason() is not None, reason=str(parser_unavailable_reason()))
@pytest.mark.parametrize(
    "step", [pytest.param(63, marks=pytest.mark.slow), pytest.param(7, marks=pytest.mark.published)]
)
def test_levels_order_the_challenges_systems_about_as_printed(data_dir: Path, step: int) -> None:
    """Dušek et al. (2020) used another parser and program for table 9; here only every n-th input is parsed."""
    corpus = read_e2e(data_dir, as_published=True)
    rows = [row for row in range(len(corpus)) if row % 630 % step == 0]
    frame = corpus.frame.iloc[rows].assign(references=[()] * len(rows))
    table = measure_texts(Corpus(frame), trees=lambda texts: parse_trees(texts, AT_ONCE))
    both = read_printed(data_dir, "dusek2019_table09").merge(table, on=["measure", "system"], suffixes=("_printed", ""))
    for measure in NAMES[1:]:
        part = both[both["measure"] == measure]
        spearman = part["value"].corr(part["value_printed"], method="spearman")
        off = part["value"] - part["value_printed"]
        print(
            f"\ntable 9, {measure}: Spearman {spearman:.3f}, mean difference {off.mean():.1f}, of {len(part)} systems"
        )
        assert len(part) == 21 and spearman > 0.65
