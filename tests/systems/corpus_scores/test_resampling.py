"""Intervals and tests of all pairs at once, against those of single pairs."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from rainbow import Corpus
from rainbow.metrics import Batch
from rainbow.stats.differences.multiplicity import holm
from rainbow.stats.resampling.paired_resampling import approximate_randomisation
from rainbow.systems.alignment import align_systems
from rainbow.systems.corpus_scores.corpus_scores import evaluate_metrics, significance_groups
from rainbow.systems.corpus_scores.resampling import bootstrap_scores, pair_tests
from rainbow.systems.corpus_scores.segment_sums import AVERAGE, PARTS, SegmentSums, average_sums
from tests.systems.corpus_scores.made import sums_of, texts

METRICS = ("BLEU", "NIST", "TER")


def sums_of_systems(name: str, systems: int = 3, items: int = 40) -> SegmentSums:
    """Return those of systems whose outputs are random, with the same references."""
    references = texts(items, 0)[1]
    if name == AVERAGE:
        return average_sums({part: sums_of_systems(part, systems, items) for part in PARTS})
    found = [sums_of(name, Batch(texts(items, seed)[0], references)) for seed in range(systems)]
    return found[0]._replace(sums=np.array([part.sums for part in found]))


@pytest.mark.parametrize("name", [*METRICS, AVERAGE])
def test_all_pairs_at_once_have_the_tests_of_each_pair_by_itself(name: str) -> None:
    values = sums_of_systems(name)
    found = list(pair_tests(values, bootstrap_scores(values, 200, rng=7), 200, rng=7))
    assert [(test.first, test.second) for test in found] == [(0, 1), (0, 2), (1, 2)]
    for test in found:
        pair = values.sums[test.first], values.sums[test.second]
        shuffled = approximate_randomisation(*pair, statistic=values.score_sums, resamples=200, rng=7)
        assert (test.difference, test.p_randomisation) == pytest.approx((shuffled.difference, shuffled.p))
        # The bootstrap, item by item.
        rows = np.random.default_rng(7).integers(40, size=(200, 40))
        first, second = (np.array([values.score_sums(own[row].sum(axis=0)[None])[0] for row in rows]) for own in pair)
        drawn = first - second
        extreme = np.abs(drawn - drawn.mean()) >= abs(test.difference) - 1e-12
        assert test.p_bootstrap == pytest.approx((1 + extreme.sum()) / 201)
        assert (test.low, test.high) == pytest.approx(np.quantile(drawn, [0.025, 0.975]))


def test_the_bootstrap_is_that_of_scipy_and_of_sacrebleu() -> None:
    from sacrebleu.metrics import BLEU
    from sacrebleu.significance import PairedTest

    first, second = np.random.default_rng(2).normal([[0.3], [0.0]], 1, (2, 80))
    oracle = stats.bootstrap((first - second,), np.mean, method="percentile", n_resamples=20_000, rng=1)
    values = sums_of_systems("TER", 2)._replace(sums=np.array([first, second])[..., None])
    values = values._replace(score_sums=lambda sums: sums[..., 0] / 80)
    (test,) = pair_tests(values, bootstrap_scores(values, 20_000, rng=2), 1, rng=1)
    assert (test.low, test.high) == pytest.approx(tuple(oracle.confidence_interval), abs=0.01)
    references = [[own[0]] for own in texts(60, 0)[1]]
    outputs = [texts(60, seed)[0] for seed in (0, 1)]
    scored = BLEU(references=[[own[0] for own in references]], tokenize="none", smooth_method="none")
    named = [(f"system {place}", own) for place, own in enumerate(outputs)]
    (_, other) = PairedTest(named, {"BLEU": scored}, None, test_type="bs", n_samples=4_000)()[1]["BLEU"]
    found = [sums_of("BLEU", Batch(own, references)) for own in outputs]
    values = found[0]._replace(sums=np.array([part.sums for part in found]))
    (test,) = pair_tests(values, bootstrap_scores(values, 4_000, rng=1), 1, rng=1)
    assert test.p_bootstrap == pytest.approx(other.p_value, abs=0.03)


def test_systems_that_clearly_differ_are_told_apart_however_few_resamples_are_asked_for() -> None:
    systems, words = 15, [[f"word{item}x{place}" for place in range(20)] for item in range(40)]
    frame = pd.DataFrame(
        [(f"s{number:02d}", str(item), " ".join(text[: 20 - number]), [" ".join(text)])
        for number in range(systems) for item, text in enumerate(words)],
        columns=["system", "item", "output", "references"],
    )  # fmt: skip
    scores, differences, _ = evaluate_metrics(align_systems(Corpus(frame)), ["TER"], resamples=100, rng=1)
    assert scores["groups"].nunique() == systems
    assert set(differences["resamples"]) == {4200}  # 105 pairs


def test_no_p_is_ever_0() -> None:
    values = sums_of_systems("ROUGE-L", 2)._replace(sums=np.array([[[1.0, 1]] * 30, [[0.0, 1]] * 30]))
    (test,) = pair_tests(values, bootstrap_scores(values, 99, rng=1), 99, rng=1)
    assert (test.p_bootstrap, test.p_randomisation) == (0.01, 0.01)


def test_equal_systems_have_a_reason_instead_of_a_p() -> None:
    one = sums_of_systems("TER", 1)
    values = one._replace(sums=np.repeat(one.sums, 2, axis=0))
    (test,) = pair_tests(values, bootstrap_scores(values, 50, rng=1), 50, rng=1)
    assert np.isnan([test.p_bootstrap, test.p_randomisation, test.low, test.high]).all()
    assert (test.difference, test.reason) == (0.0, "every item has equal values for both systems")


def test_too_few_items_have_a_reason_instead_of_a_p() -> None:
    values = sums_of_systems("TER", 2, 3)
    (test,) = pair_tests(values, bootstrap_scores(values, 50, rng=1), 50, rng=1)
    assert "only 3 items" in str(test.reason)


def corpus() -> Corpus:
    outputs, references = texts(30, 1)
    worse = [" ".join(text.split()[::-1]) for text in outputs]
    items = [str(number) for number in range(30)]
    return Corpus.from_texts(
        [*worse, *outputs, *outputs],
        references * 3,
        item=items * 3,
        system=["worse"] * 30 + ["good"] * 30 + ["same"] * 30,
    )


def test_the_table_is_sorted_and_its_intervals_hold_the_scores() -> None:
    scores, differences, missing = evaluate_metrics(align_systems(corpus()), METRICS, resamples=300, rng=3)
    assert scores["system"].tolist() == ["good", "same", "worse"]
    for name in ("BLEU", "NIST", "TER"):
        assert (scores[f"{name}_low"] <= scores[name]).all() and (scores[name] <= scores[f"{name}_high"]).all()
    assert (scores["groups"].tolist(), missing, len(differences)) == (["a", "a", "b"], {}, 9)
    for _, family in differences.groupby("metric"):
        np.testing.assert_array_equal(family["p_randomisation_holm"], holm(family["p_randomisation"]))


def test_the_same_seed_gives_the_same_numbers_and_metrics_do_not_depend_on_each_other() -> None:
    aligned = align_systems(corpus())
    alone = evaluate_metrics(aligned, ["TER"], resamples=100, rng=3)
    among = evaluate_metrics(aligned, METRICS, resamples=100, rng=3)
    columns = ["system", "TER", "TER_low", "TER_high"]
    assert alone.scores[columns].equals(
        among.scores.set_index("system").loc[alone.scores["system"]].reset_index()[columns]
    )
    assert alone.differences.equals(among.differences.query("metric == 'TER'").reset_index(drop=True))


def test_groups_are_runs_without_a_difference() -> None:
    assert significance_groups(["a", "b", "c", "d"], [("a", "c"), ("d", "b"), ("a", "d")]) == ["a", "a b", "b c", "c"]
    assert significance_groups(["a", "b"], []) == ["a", "a"]
    assert significance_groups(["a", "b"], [("b", "a")]) == ["a", "b"]
    # A difference inside a run ends it, though its ends do not differ.
    assert significance_groups(["a", "b", "c"], [("a", "b")]) == ["a", "b", "b"]
