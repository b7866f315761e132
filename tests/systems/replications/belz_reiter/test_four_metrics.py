import math
from itertools import combinations

import numpy as np
import pytest
from sacrebleu.metrics import BLEU

from rainbow.metrics import Batch
from rainbow.metrics.word.nist import Nist
from rainbow.systems.replications.belz_reiter import four_metrics, rouge_recall
from tests.systems.corpus_scores.made import score

OUTPUTS = [
    "SSW 16-20 GRADUALLY BACKING SSE THEN BECOMING VARIABLE 10 OR LESS BY MIDNIGHT",
    "SSW 16-20 BACKING SSE FOR A TIME THEN FALLING VARIABLE 4-8 BY LATE EVENING",
    "SSW 16-20 GRADUALLY BACKING SSE AND VARIABLE 4-8",
]
REFERENCES = [
    ["SSW 16-20 GRADUALLY BACKING SSE THEN DECREASING VARIABLE 4-8 BY LATE EVENING",
     "SSW 16-20 GRADUALLY BACKING SSE BY 1800 THEN FALLING VARIABLE 4-8 BY LATE EVENING"],
    ["SSW 16-20 BACKING SSE THEN FALLING VARIABLE 4-8 BY LATE EVENING"],
    ["SSW 16-20 GRADUALLY BACKING SSE THEN VARIABLE 4-8", "SSW 16-20 THEN VARIABLE 4-8 LATER"],
]  # fmt: skip


def fitted(references):
    return Nist().fit(Batch([""] * len(references), references))


def scores(outputs, references):
    return {name: part.scores.item() for name, part in four_metrics(outputs, references, fitted(references)).items()}


def test_nist_is_that_of_the_corpus():
    assert scores(OUTPUTS, REFERENCES)["NIST-5"] == pytest.approx(score("NIST", OUTPUTS, REFERENCES), rel=1e-12)


def test_bleu_with_one_reference_each_is_sacrebleus_without_smoothing():
    single = [texts[:1] for texts in REFERENCES]
    oracle = BLEU(lowercase=True, smooth_method="none").corpus_score(OUTPUTS, [[texts[0] for texts in single]])
    assert scores(OUTPUTS, single)["BLEU-4"] == pytest.approx(oracle.score / 100, rel=1e-10)


def test_brevity_is_by_the_shortest_reference_even_where_a_longer_one_is_closer():
    # Six tokens against references of seven and of four: by the closest the penalty would be exp(1 - 7/6).
    assert scores(["a b c d e f"], [["a b c d e f g", "a b c d"]])["BLEU-4"] == pytest.approx(1)
    longer = scores(["a b c d e f"], [["a b c d e f g h i", "a b c d e f g h"]])
    assert longer["BLEU-4"] == pytest.approx(math.exp(1 - 8 / 6))


def test_bleu_by_hand():
    # Unigrams 4/5, bigrams 3/4, trigrams 2/3, four-grams 1/2; as long as the reference.
    assert scores(["a b c d x"], [["a b c d e"]])["BLEU-4"] == pytest.approx((4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** 0.25)


def test_no_four_gram_in_common_makes_bleu_0_and_does_so_without_a_warning():
    assert scores(["a b c"], [["a b c"]])["BLEU-4"] == 0


def test_edit_similarity_by_hand():
    # Substitution of one word (2) against references of 5 and 5: 1 - 2/10; insertion (1): 1 - 1/9; the mean of both.
    assert scores(["a b c d x"], [["a b c d e", "a b c d"]])["SE"] == pytest.approx((0.8 + 8 / 9) / 2)


def test_rouge_is_the_mean_of_recalls():
    words = [[text.lower().replace("-", " ").split() for text in texts] for texts in REFERENCES]
    expected = [
        rouge_recall(text.lower().replace("-", " ").split(), texts) for text, texts in zip(OUTPUTS, words, strict=True)
    ]
    assert scores(OUTPUTS, REFERENCES)["ROUGE-4"] == pytest.approx(np.mean(expected))


def test_sums_of_any_rows_score_as_these_rows_by_themselves():
    nist = fitted(REFERENCES)
    whole, rows = four_metrics(OUTPUTS, REFERENCES, nist), [2, 0, 2]
    alone = four_metrics([OUTPUTS[row] for row in rows], [REFERENCES[row] for row in rows], nist)
    for name, part in whole.items():
        chosen = part.sums[rows].sum(axis=0, keepdims=True)
        assert np.asarray(part.score_sums(chosen))[0] == pytest.approx(alone[name].scores.item(), rel=1e-12)


def test_empty_outputs_score_0_everywhere():
    assert scores(["", ""], [["a b c d e"], ["f g h i j"]]) == {"NIST-5": 0, "BLEU-4": 0, "ROUGE-4": 0, "SE": 0}


def test_what_does_not_fit_is_refused():
    nist = fitted(REFERENCES)
    with pytest.raises(ValueError, match="one set for each"):
        four_metrics(OUTPUTS, REFERENCES[:2], nist)
    with pytest.raises(ValueError, match="item 1 has no references"):
        four_metrics(OUTPUTS[:2], [["a"], []], nist)
    with pytest.raises(ValueError, match="item 0 has no references"):
        four_metrics(["a"], ["a text"], nist)


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
