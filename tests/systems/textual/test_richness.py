"""Type-token ratios, and the share of rare lemmas."""

import math

import pytest

from rainbow.systems.text_measures.lemmas import FREQUENT, frequent_lemmas, lemmatise, lexical_sophistication
from rainbow.systems.text_measures.richness import mean_segmental_ttr, type_token_ratio


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
