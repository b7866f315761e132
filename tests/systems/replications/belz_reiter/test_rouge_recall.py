from itertools import combinations

import numpy as np
import pytest

from rainbow.systems.replications.belz_reiter.four_metrics import rouge_recall


def test_recall_counts_an_ngram_no_more_often_than_the_output_has_it():
    # Bigrams of the reference: a b (twice), b a; of the output: a b.
    assert rouge_recall(["a", "b"], [["a", "b", "a", "b"]], 2) == pytest.approx(1 / 3)


def test_four_grams_are_the_usual_ones():
    assert rouge_recall([*"abcdx"], [[*"abcde"]]) == 0.5


def test_length_of_the_output_does_not_count():
    assert rouge_recall([*"abcdefgh"], [[*"cdef"]]) == 1


def test_the_jackknife_is_the_mean_of_the_best_over_all_subsets_that_lack_one():
    rng = np.random.default_rng(1)
    for _ in range(50):
        output = rng.integers(4, size=8).astype(str).tolist()
        references = [rng.integers(4, size=8).astype(str).tolist() for _ in range(rng.integers(2, 6))]
        single = [rouge_recall(output, [reference], 2) for reference in references]
        expected = np.mean([max(subset) for subset in combinations(single, len(single) - 1)])
        assert rouge_recall(output, references, 2) == pytest.approx(expected)


def test_a_copy_of_one_of_two_references_does_not_reach_1():
    one, other = [*"abcde"], [*"vwxyz"]
    assert (rouge_recall(one, [one, other]), rouge_recall(one, [one])) == (0.5, 1)


def test_a_copy_of_two_equal_references_does():
    assert rouge_recall([*"abcde"], [[*"abcde"]] * 2) == 1


def test_a_text_without_ngrams_has_no_recall():
    assert rouge_recall([*"abc"], [[*"abc"]]) == rouge_recall([], [[*"abcd"]]) == 0


def test_single_references_give_what_rouge_score_gives():
    scorer = pytest.importorskip("rouge_score.rouge_scorer").RougeScorer(["rouge4"])
    reference = "ssw 16 20 gradually backing sse then falling variable 4 8 by late evening"
    output = "ssw 16 20 gradually backing sse falling variable 4 8 by midnight"
    expected = scorer.score(reference, output)["rouge4"].recall
    assert rouge_recall(output.split(), [reference.split()]) == pytest.approx(expected)


def test_what_is_no_tokens_is_refused():
    with pytest.raises(ValueError, match="no reference"):
        rouge_recall(["a"], [])
    with pytest.raises(ValueError, match="tokens"):
        rouge_recall("abcd", [["a"]])
    with pytest.raises(ValueError, match="tokens"):
        rouge_recall(["a"], ["abcd"])
    with pytest.raises(ValueError, match="order"):
        rouge_recall(["a"], [["a"]], 0)
