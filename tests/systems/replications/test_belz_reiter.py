"""The metrics, tests and correlations of raters of Belz and Reiter (2006)."""

import math
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from sacrebleu.metrics import BLEU

from rainbow.metrics import Batch
from rainbow.metrics.word.edit_distance import StringEditSimilarity
from rainbow.metrics.word.nist import Nist
from rainbow.stats.resampling.paired_resampling import approximate_randomisation
from rainbow.systems.replications.belz_reiter import (
    correlate_raters,
    four_metrics,
    rouge_recall,
    score_systems,
    system_differences,
)
from tests.systems.corpus_scores.made import score

WORDS = ["ssw", "16", "20", "backing", "veering", "sse", "then", "variable", "later", "by", "midday"]


@pytest.fixture
def frame() -> pd.DataFrame:
    """Return 12 items with two references each; system A copies one, B copies most of it, C is random."""
    rng, rows = np.random.default_rng(1), []
    for item in range(12):
        references = tuple(" ".join(rng.choice(WORDS, 9)) for _ in range(2))
        near = " ".join([*references[0].split()[:7], "x"])
        outputs = {"A": references[0], "B": near, "C": " ".join(rng.choice(WORDS, 9))}
        rows += [
            {"item": item, "system": name, "output": text, "references": references} for name, text in outputs.items()
        ]
    return pd.DataFrame(rows)


def test_systems_are_scored_by_all_four_metrics_as_in_table_2(frame):
    table = score_systems(frame)
    assert list(table) == ["system", "NIST-5", "BLEU-4", "ROUGE-4", "SE", "n"]
    assert (table["system"].tolist(), table["n"].tolist()) == ([*"ABC"], [12] * 3)
    for metric in ("NIST-5", "BLEU-4", "ROUGE-4", "SE"):
        assert table[metric].is_monotonic_decreasing
    part = frame[frame["system"] == "B"]
    edit = StringEditSimilarity().score(Batch(part["output"].tolist(), part["references"].tolist()))
    assert table.loc[1, "SE"] == pytest.approx(edit.mean())


def test_only_items_that_every_system_has_an_output_for_count(frame):
    short = frame.drop(index=frame.index[:1])
    assert score_systems(short)["n"].tolist() == [11] * 3
    tables = [score_systems(part).set_index("system").sort_index() for part in (short, frame[frame["item"] > 0])]
    pd.testing.assert_frame_equal(*tables)


def test_the_order_of_rows_does_not_count(frame):
    shuffled = frame.sample(frac=1, random_state=1)
    pd.testing.assert_frame_equal(*[score_systems(part).set_index("system").sort_index() for part in (frame, shuffled)])


def test_differences_are_tested_by_approximate_randomisation(frame):
    table = system_differences(frame, resamples=999, rng=3)
    assert len(table) == 4 * 3
    edit = {
        name: StringEditSimilarity().score(Batch(part["output"].tolist(), part["references"].tolist()))[:, 0]
        for name, part in frame.groupby("system")
    }
    row = table[(table["metric"] == "SE") & (table["first"] == "A") & (table["second"] == "C")].iloc[0]
    expected = approximate_randomisation(edit["A"], edit["C"], resamples=999, rng=5)
    assert row["difference"] == pytest.approx(expected.difference)
    assert row["p"] == pytest.approx(expected.p, abs=0.01) and row["p"] <= 0.005
    assert table["p"].between(1 / 1000, 1).all()


def test_a_system_does_not_differ_from_itself(frame):
    twin = frame[frame["system"] == "B"].assign(system="B2")
    table = system_differences(pd.concat([frame[frame["system"] == "B"], twin]), resamples=99, rng=1)
    assert table["difference"].eq(0).all() and table["reason"].str.contains("equal values for both systems").all()


def test_what_cannot_be_compared_is_refused(frame):
    with pytest.raises(ValueError, match="two outputs for item 0"):
        score_systems(pd.concat([frame, frame[:1]]))
    with pytest.raises(ValueError, match="no item has an output of all systems"):
        score_systems(frame[(frame["item"] < 6) == (frame["system"] == "A")])
    with pytest.raises(ValueError, match="different references"):
        score_systems(frame.assign(references=[(str(place),) for place in range(len(frame))]))
    with pytest.raises(ValueError, match="single string"):
        score_systems(frame.assign(references="a text"))
    with pytest.raises(ValueError, match="no column 'references'"):
        score_systems(frame.drop(columns="references"))


def test_the_demo_can_be_scored():
    from rainbow import load_dataset

    demo = load_dataset("demo").frame
    table = score_systems(demo.drop_duplicates(["system", "item"]))
    assert set(table["system"]) <= set(demo["system"]) and table["n"].gt(0).all()
    assert table[["NIST-5", "BLEU-4", "ROUGE-4", "SE"]].gt(0).all(axis=None)


def table(scores: dict[str, list[list[float]]]) -> pd.DataFrame:
    """Return ratings from a list of raters' scores of systems A, B, ... for each group."""
    rows = [
        {"rater": f"{group} {number}", "system": "ABCDEF"[place], "value": value, "group": group}
        for group, raters in scores.items()
        for number, row in enumerate(raters)
        for place, value in enumerate(row)
    ]
    return pd.DataFrame(rows)


def test_a_group_and_another_by_hand():
    # Means of the experts: 1.5 1.5 3.5 3.5. Correlations of 1 2 3 4 and 2 1 4 3 with it: 4 / sqrt(5 * 4) each; with
    # each other 3 / 5.
    found = correlate_raters(table({"experts": [[1, 2, 3, 4], [2, 1, 4, 3]], "others": [[4, 3, 2, 1]]}))
    rows = found.set_index(["raters", "group"])
    own = rows.loc[("experts", "experts")]
    assert (own["r_of_means"], own["mean_r"]) == pytest.approx((1, 4 / np.sqrt(20)))
    assert own["mean_r_without_rater"] == pytest.approx(0.6)
    across = rows.loc[("experts", "others")]
    assert (across["r_of_means"], across["mean_r"]) == pytest.approx((-4 / np.sqrt(20), (-1 - 0.6) / 2))
    assert across["mean_r_without_rater"] == across["mean_r"]
    assert (rows.loc[("others", "experts")]["mean_r"], own["n_raters"]) == (pytest.approx(-4 / np.sqrt(20)), 2)
    assert own["n_systems"] == 4


def test_a_rater_alone_has_nobody_to_agree_with():
    row = correlate_raters(table({"experts": [[1, 2, 3, 5]]})).iloc[0]
    assert row["mean_r"] == pytest.approx(1) and np.isnan(row["mean_r_without_rater"])


def test_with_the_rater_in_the_mean_random_raters_seem_to_agree():
    scores = np.random.default_rng(1).normal(size=(4, 200, 6))
    found = [correlate_raters(table({"experts": part[:4].tolist()})).iloc[0] for part in scores.transpose(1, 0, 2)[:60]]
    assert np.mean([row["mean_r"] for row in found]) > 0.4
    assert abs(np.mean([row["mean_r_without_rater"] for row in found])) < 0.1


def test_several_ratings_of_a_system_by_one_rater_are_averaged_first():
    ratings = table({"experts": [[1, 2, 3, 4], [2, 1, 4, 3]]})
    again = ratings[ratings["rater"] == "experts 0"].assign(value=lambda part: part["value"] + 2)
    shifted = ratings.assign(value=ratings["value"] + (ratings["rater"] == "experts 0"))
    pd.testing.assert_frame_equal(correlate_raters(pd.concat([ratings, again])), correlate_raters(shifted))


def test_systems_that_a_rater_missed_are_left_out_for_that_rater():
    ratings = table({"experts": [[1, 2, 3, 4, 9], [2, 1, 4, 3, 5]]})
    row = correlate_raters(ratings[~((ratings["rater"] == "experts 0") & (ratings["system"] == "E"))]).iloc[0]
    assert (row["n_systems"], row["mean_r_without_rater"]) == (5, pytest.approx(0.6))


@pytest.mark.filterwarnings("error")
def test_constant_raters_are_not_counted_and_nothing_but_them_is_a_reason():
    row = correlate_raters(table({"experts": [[3, 3, 3, 3], [1, 2, 3, 4]]})).iloc[0]
    assert row["n_raters"] == 1
    row = correlate_raters(table({"experts": [[3, 3, 3, 3]]})).iloc[0]
    assert np.isnan(row["mean_r"]) and "no rater has a defined correlation" in row["reason"]


def test_a_rater_of_two_groups_or_without_a_name_is_refused():
    ratings = table({"experts": [[1, 2, 3, 4]], "others": [[1, 2, 3, 4]]})
    with pytest.raises(ValueError, match="two groups"):
        correlate_raters(ratings.assign(rater="Ann"))
    with pytest.raises(ValueError, match="'rater', which groups judgements, has gaps"):
        correlate_raters(ratings.assign(rater=None))


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


@pytest.mark.parametrize(("output", "references", "recall"), [
    ("abcdx", ["abcde"], 1 / 2),
    ("abcdefgh", ["cdef"], 1),  # its length does not count
    ("ababab", ["ababababab"], 3 / 7),  # an n-gram counts no more often than the output has it
    ("abcde", ["abcde"], 1),
    ("abcde", ["abcde", "vwxyz"], 0.5),  # a copy of one of two references does not reach 1, of two equal ones it does
    ("abcde", ["abcde", "abcde"], 1),
    ("abc", ["abc"], 0),  # no four-gram
    ("", ["abcd"], 0),
])  # fmt: skip
def test_rouge_is_the_recall_of_four_grams(output, references, recall):
    assert rouge_recall([*output], [[*text] for text in references]) == pytest.approx(recall)


def test_the_jackknife_is_the_mean_of_the_best_over_all_subsets_that_lack_one():
    rng = np.random.default_rng(1)
    for _ in range(50):
        output = rng.integers(4, size=8).astype(str).tolist()
        references = [rng.integers(4, size=8).astype(str).tolist() for _ in range(rng.integers(2, 6))]
        single = [rouge_recall(output, [reference], 2) for reference in references]
        expected = np.mean([max(subset) for subset in combinations(single, len(single) - 1)])
        assert rouge_recall(output, references, 2) == pytest.approx(expected)


def test_single_references_give_what_rouge_score_gives():
    scorer = pytest.importorskip("rouge_score.rouge_scorer").RougeScorer(["rouge4"])
    reference = "ssw 16 20 gradually backing sse then falling variable 4 8 by late evening"
    output = "ssw 16 20 gradually backing sse falling variable 4 8 by midnight"
    expected = scorer.score(reference, output)["rouge4"].recall
    assert rouge_recall(output.split(), [reference.split()]) == pytest.approx(expected)
