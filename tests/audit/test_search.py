"""What a search finds, for how many inputs it is above good texts, and what found texts stand beside."""

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from statsmodels.stats.proportion import proportion_confint  # type: ignore[import-untyped]

from rainbow.audit.comparison_texts import score_comparison_texts
from rainbow.audit.search.hill_climbing import EDITS
from rainbow.audit.search.random_search import COLUMNS, domain_vocabulary, search_metrics, search_shares, search_texts
from rainbow.corpus import Corpus
from rainbow.datasets import load_dataset
from rainbow.scoring.score_corpus import fit_metrics, score_corpus

CORPUS = Corpus.from_texts(
    ["x"] * 3,
    [["the inn is in soma", "a cheap inn"], ["a pub"], ["the pub is in noma and cheap"]],
    ["inform(name='the inn')", "inform(name='a pub')", "inform(area=noma)"],
)


def cheap(corpus: Corpus) -> Any:
    """Cheated by saying cheap again and again."""
    return corpus.frame["output"].str.count("cheap")


def test_a_score_that_counts_a_word_is_cheated_for_every_input() -> None:
    table = search_texts(cheap, CORPUS, evaluations=10 * EDITS)
    assert (tuple(table), table["strategy"].tolist()) == (COLUMNS, ["plain"] * 3 + ["guided"] * 3)
    assert table["above_best"].tolist() == [1.0] * 6
    assert table["score"].tolist() == [text.count("cheap") for text in table["text"]]
    assert table["best"].tolist() == [1.0, 0.0, 1.0] * 2 and (table["evaluations"] == 10 * EDITS).all()


def test_a_score_that_no_salad_has_is_not_cheated() -> None:
    def written(corpus: Corpus) -> list[float]:
        return [float(text in ("the inn is in soma", "a cheap inn", "a pub")) for text in corpus.frame["output"]]

    table = search_texts(written, CORPUS, inputs=2, evaluations=4 * EDITS, seed=1)
    assert (table["above_worst"].tolist(), table["score"].tolist()) == ([0.0] * 4, [0.0] * 4)


def test_the_score_is_asked_for_a_round_of_all_inputs_at_once() -> None:
    sizes: list[int] = []

    def score(corpus: Corpus) -> list[float]:
        sizes.append(len(corpus))
        return [0.0] * len(corpus)

    search_texts(score, CORPUS, evaluations=3 * EDITS + 7)
    assert sizes == [4, *[2 * 3 * EDITS] * 3]


def test_found_texts_have_the_references_and_the_input_of_their_row() -> None:
    def score(corpus: Corpus) -> list[float]:
        known = dict(zip(CORPUS.frame["mr"], CORPUS.frame["references"], strict=True))
        rows = zip(corpus.frame["mr"], corpus.frame["references"], strict=True)
        return [float(set(references) <= set(known[mr])) for mr, references in rows]

    assert search_texts(score, CORPUS, evaluations=EDITS)["score"].tolist() == [1.0] * 6


def test_what_is_found_for_an_input_depends_on_the_seed_and_not_on_the_other_inputs() -> None:
    options: dict[str, Any] = {"evaluations": 5 * EDITS}
    whole = search_texts(cheap, CORPUS, **options).set_index(["strategy", "item"])["text"]
    part = search_texts(cheap, CORPUS, inputs=2, **options).set_index(["strategy", "item"])["text"]
    assert len(part) == 4 and part.equals(whole[part.index])
    assert search_texts(cheap, CORPUS, seed=3, **options)["text"].tolist() != whole.tolist()


def test_lower_scores_can_be_better() -> None:
    table = search_texts(lambda corpus: -cheap(corpus), CORPUS, evaluations=10 * EDITS, higher_is_better=False)
    assert (table["score"] < table["best"]).all() and table["above_best"].tolist() == [1.0] * 6
    assert (table["best"] <= table["worst"]).all()


def test_inputs_without_a_score_count_for_nothing() -> None:
    def score(corpus: Corpus) -> Any:
        return np.where(corpus.frame["mr"].str.contains("noma"), np.nan, cheap(corpus))

    table = search_texts(score, CORPUS, evaluations=4 * EDITS)
    assert table["score"].isna().tolist() == table["above_best"].isna().tolist() == [False, False, True] * 2
    assert search_shares(table)["n"].tolist() == [2] * 6


def test_words_are_those_of_references_or_else_of_outputs() -> None:
    said = "the inn is in soma a cheap inn a pub the pub is in noma and cheap"
    assert domain_vocabulary(CORPUS) == {"": said.split()}
    assert domain_vocabulary(Corpus.from_texts(["an inn"], dataset=["d"])) == {"d": ["an", "inn"]}


def test_progress_is_told_in_texts() -> None:
    told: list[tuple[str, int, int | None]] = []
    search_texts(cheap, CORPUS, evaluations=2 * EDITS, progress=lambda *seen: told.append(seen))
    each = 2 * 3 * EDITS
    assert told == [("searching", done * each, 2 * each) for done in range(3)]


def test_metrics_are_searched_with_the_statistics_of_the_corpus_one_column_after_the_other() -> None:
    corpus = load_dataset("demo").take(range(0, 1038, 20))
    options: dict[str, Any] = {"inputs": 2, "evaluations": 2 * EDITS}
    table = search_metrics(corpus, ["cider", "TER"], **options)
    assert table["metric"].unique().tolist() == ["CIDEr", "CIDErD", "TER"]
    fitted = fit_metrics(corpus, ["TER"])
    alone = search_texts(lambda texts: score_corpus(texts, fitted)["TER"], corpus, higher_is_better=False, **options)
    assert table[table["metric"] == "TER"].drop(columns="metric").reset_index(drop=True).equals(alone)


@pytest.mark.parametrize(("above", "n"), [(0, 25), (3, 25), (25, 25)])
def test_the_interval_of_a_share_is_wilsons(above: int, n: int) -> None:
    flags = [1.0] * above + [0.0] * (n - above)
    table = pd.DataFrame(
        {"metric": "m", "strategy": "plain", "above_worst": flags, "above_median": 0.0, "above_best": math.nan}
    )
    worst, median, best = search_shares(table).to_dict("records")
    low, high = proportion_confint(above, n, alpha=0.05, method="wilson")
    assert (worst["metric"], worst["baseline"], worst["n"], worst["above"]) == ("m", "worst", n, above / n)
    assert (worst["low"], worst["high"]) == pytest.approx((low, high), abs=1e-12)
    assert (median["above"], best["n"], math.isnan(best["above"])) == (0.0, 0, True)


def length(corpus: Corpus) -> np.ndarray:
    return corpus.frame["output"].str.len().to_numpy(float)


def test_references_are_scored_beside_the_others_once_for_each_input() -> None:
    told: list[tuple[str, tuple[str, ...]]] = []

    def score(corpus: Corpus) -> np.ndarray:
        told.extend(zip(corpus.frame["output"], corpus.frame["references"], strict=True))
        return length(corpus)

    corpus = Corpus.from_texts(["x", "y"], [["aa", "b", "aa", " "]] * 2, item=["1", "1"])
    found = score_comparison_texts(score, corpus, 10, 1)
    assert (told, found.scores.tolist()) == ([("aa", ("b",)), ("b", ("aa",))], [[1.0, 1.5, 2.0]])
    assert (found.compared_with, len(found.inputs)) == ("references", 1)


def test_without_references_outputs_are_taken_in_the_order_of_their_ratings() -> None:
    corpus = Corpus.from_texts(["aaa", "a", "aa", " "], item=["1"] * 4, quality=[1.0, 3.0, 2.0, 9.0])
    found = score_comparison_texts(length, corpus, 10, 1)
    assert (found.scores.tolist(), found.compared_with) == ([[3.0, 2.0, 1.0]], "rated outputs")


def test_outputs_that_nobody_rated_are_left_out_where_others_are_rated() -> None:
    corpus = Corpus.from_texts(
        ["aaa", "a", "aa", "b"], item=["1", "1", "1", "2"], quality=[1.0, math.nan, 2.0, math.nan]
    )
    assert score_comparison_texts(length, corpus, 10, 1).scores.tolist() == [[3.0, 3.0, 2.0]]


def test_without_ratings_outputs_are_taken_in_the_order_of_their_scores() -> None:
    found = score_comparison_texts(length, Corpus.from_texts(["aaa", "a", "aa"], item=["1"] * 3), 10, 1)
    assert (found.scores.tolist(), found.compared_with) == ([[1.0, 2.0, 3.0]], "outputs")


def test_texts_without_a_score_do_not_count() -> None:
    corpus = Corpus.from_texts(["", ""], [["a", "bb"], ["c"]])

    def score(texts: Corpus) -> np.ndarray:
        return np.array([math.nan if text in "ac" else 5.0 for text in texts.frame["output"]])

    np.testing.assert_array_equal(score_comparison_texts(score, corpus, 2, 1).scores, [[5.0] * 3, [math.nan] * 3])


def test_so_many_inputs_are_drawn_by_the_seed() -> None:
    corpus = Corpus.from_texts(["x"] * 30, [[str(number)] for number in range(30)])
    drawn = [score_comparison_texts(length, corpus, 5, seed).inputs.frame["references"].tolist() for seed in (1, 1, 2)]
    assert len(drawn[0]) == 5 and drawn[0] == drawn[1] != drawn[2]


def test_without_any_text_there_is_nothing_to_stand_beside() -> None:
    with pytest.raises(ValueError, match="search needs a reference or an output"):
        score_comparison_texts(length, Corpus.from_texts([" "]), 5, 1)
