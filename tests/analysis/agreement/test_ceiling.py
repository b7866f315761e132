"""The ceiling of correlations with raters: against simulated truths, the demo, and repeated outputs."""

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

from rainbow import load_dataset
from rainbow.analysis.agreement.ceiling import (
    KINDS,
    all_ceilings,
    ceiling_from_repeats,
    ceiling_intervals,
    ceiling_table,
    ceilings,
    missing_ceiling_reasons,
)
from rainbow.stats.agreement.ceilings import Aggregate, CeilingMethod, expected_ceiling
from rainbow.stats.agreement.intraclass import intraclass
from rainbow.stats.agreement.rating_matrix import Agreement, Ratings
from rainbow.stats.correlation.correlation import correlate
from tests.stats.agreement.simulated_raters import DEGENERATE, NAN, judged, ratings

RATINGS = ("informativeness", "naturalness", "quality")
MANY = 100_000


def ceiling(
    matrix: Ratings, aggregate: Aggregate = "median", method: CeilingMethod = "spearman", **options: Any
) -> Agreement:
    return ceilings(matrix, [(aggregate, method)], **options)[0]


def truths(name: str, rng: np.random.Generator) -> NDArray[np.float64]:
    if name == "normal":
        return rng.normal(4, 1, MANY)
    if name == "skewed":
        return 5.8 - rng.exponential(0.8, MANY)
    return np.where(rng.random(MANY) < 0.8, 5.3, 3.2) + 0.2 * rng.normal(size=MANY)


@pytest.mark.parametrize("name", ["normal", "skewed", "two heaps"])
@pytest.mark.parametrize("offsets", [0, 0.4])
def test_it_is_what_two_panels_would_show_whatever_the_truth_looks_like(name: str, offsets: float) -> None:
    rng = np.random.default_rng(0)
    truth = truths(name, rng)
    first, second = (judged(truth, 1.4, 3, rng, offsets) for _ in range(2))
    for aggregate, method in KINDS:
        panels = [getattr(np, aggregate)(panel, axis=1) for panel in (first, second)]
        expected = math.sqrt(correlate(panels[0], panels[1], method).r)
        found = [ceiling(part, aggregate, method, resamples=0).estimate for part in np.split(first[:10_000], 10)]
        assert np.mean(found) == pytest.approx(expected, abs=0.04)


def test_normal_scores_would_promise_too_much_where_most_outputs_are_good() -> None:
    rng = np.random.default_rng(1)
    truth = np.where(rng.random(MANY) < 0.9, 5.3, 2.5)
    first, second = (judged(truth, 0.7, 3, rng) for _ in range(2))
    expected = math.sqrt(correlate(first.mean(axis=1), second.mean(axis=1)).r)
    by_classes = ceiling(first[:3000], "mean", resamples=0).estimate
    by_normal = expected_ceiling(intraclass(first[:3000], "3,1").estimate, 3, "mean")
    assert by_classes == pytest.approx(expected, abs=0.05) and by_normal > expected + 0.2


@pytest.mark.parametrize(("aggregate", "method"), KINDS)
def test_the_best_of_metrics_comes_near_the_ceiling_and_not_above(aggregate: Aggregate, method: CeilingMethod) -> None:
    rng = np.random.default_rng(2)
    truth = rng.normal(4, 1, 5000)
    matrix = judged(truth, 1.4, 3, rng)
    reached = correlate(truth, getattr(np, aggregate)(matrix, axis=1), method).r
    found = ceiling(matrix, aggregate, method, resamples=100, rng=0)
    assert found.low - 0.01 < reached < found.high


def test_pearson_with_the_mean_is_the_root_of_the_reliability_with_the_interval_of_f() -> None:
    known = intraclass(ratings(1), "3,k")
    found = ceiling(ratings(1), "mean", "pearson", resamples=0)
    assert found[1:4] == pytest.approx([math.sqrt(value) for value in known[1:4]])


def test_with_gaps_the_one_way_reliability_counts() -> None:
    known = intraclass(ratings(2, gaps=0.2), "1,k")
    assert ceiling(ratings(2, gaps=0.2), "mean", "pearson").estimate == pytest.approx(math.sqrt(known.estimate))


def test_gaps_lower_the_ceiling_of_the_median() -> None:
    rng = np.random.default_rng(3)
    matrix = judged(rng.normal(4, 1, 3000), 1.4, 5, rng)
    gaps = np.where(rng.random(matrix.shape) < 0.5, NAN, matrix)
    assert ceiling(gaps, resamples=0).estimate < ceiling(matrix, resamples=0).estimate - 0.05


def test_a_scale_of_many_marks_has_the_ceiling_of_normal_scores_and_says_so() -> None:
    rng = np.random.default_rng(5)
    marks = np.clip(np.round(60 + 15 * rng.normal(size=(100, 1)) + 20 * rng.normal(size=(100, 15))), 0, 100)
    found, single = ceiling(marks), intraclass(marks, "3,1")
    assert found.measure == "Ceiling of spearman with the median, if scores are normally distributed"
    assert found[1:4] == tuple(expected_ceiling(value, 15) for value in single[1:4])
    assert 0.8 < found.low < found.estimate < found.high < 1
    assert ceiling(marks, "mean", "pearson").measure == "Ceiling of pearson with the mean"


@pytest.mark.parametrize(("aggregate", "method"), KINDS)
def test_perfect_agreement_leaves_everything_to_reach(aggregate: Aggregate, method: CeilingMethod) -> None:
    found = ceiling([[1, 1, 1], [2, 2, 2], [3, 3, 3], [5, 5, 5]], aggregate, method, resamples=0)
    assert found.estimate == pytest.approx(1, abs=1e-6)


def test_agreement_below_chance_has_no_ceiling_but_an_interval() -> None:
    found = ceiling([[1, 5, 3], [4, 2, 5], [2, 4, 1], [5, 1, 6], [3, 4, 4]], resamples=50, rng=0)
    assert math.isnan(found.estimate) and found.low == 0
    assert "no better than chance: the reliability is -0.28" in str(found.reason)


@pytest.mark.parametrize(("aggregate", "method"), KINDS)
@pytest.mark.parametrize("reason", DEGENERATE)
def test_degenerate_ratings_give_nan_with_the_reason(aggregate: Aggregate, method: CeilingMethod, reason: str) -> None:
    found = ceiling(DEGENERATE[reason], aggregate, method)
    assert math.isnan(found.estimate) and reason in str(found.reason)


def test_the_number_of_errors_in_the_demo_stays_below_its_ceilings() -> None:
    demo = load_dataset("demo").frame
    table = ceiling_table(demo, RATINGS, resamples=0).set_index(["rating", "measure"])["estimate"]
    errors = -demo["errors"].map(len)
    for rating in RATINGS:
        judges = demo[[f"{rating}_{judge}" for judge in (1, 2, 3)]]
        for aggregate, method in KINDS:
            reached = correlate(errors, judges.agg(aggregate, axis=1), method).r
            assert 0 < reached < table[rating, f"Ceiling of {method} with the {aggregate}"]


def test_the_table_has_a_row_for_each_rating_and_kind_and_says_what_is_missing() -> None:
    table = ceiling_table(load_dataset("demo").frame, ["quality", "charm"], resamples=0)
    assert (table["rating"].tolist(), table["reason"].tolist()[:4]) == (["quality"] * 4 + ["charm"] * 4, [None] * 4)
    assert set(table["reason"][4:]) == {"no columns charm_1, charm_2, ... with ratings of single raters"}


def rated_outputs(outputs: Any, marks: Any) -> pd.DataFrame:
    return pd.DataFrame({"dataset": "mine", "item": "1", "output": outputs, "quality": marks})


def rated_twice(n_outputs: int, rng: np.random.Generator) -> pd.DataFrame:
    """Let outputs of variance 1 be rated with noise of variance 1 under system A, and again under B."""
    once = rated_outputs(np.arange(n_outputs), rng.normal(size=n_outputs))
    frame = pd.concat([once.assign(system="A"), once.assign(system="B")], ignore_index=True)
    frame["quality"] += rng.normal(size=len(frame))
    return frame


def test_repeats_show_the_ceiling_that_was_simulated() -> None:
    frame = rated_twice(4000, np.random.default_rng(8))
    found = ceiling_from_repeats(frame, ["quality"], resamples=100, rng=0).iloc[0]
    expected = expected_ceiling(0.5, 1)
    assert found["estimate"] == pytest.approx(expected, abs=0.02) and found["low"] < expected < found["high"]
    assert (found["n_items"], found["n_raters"]) == (4000, 2)


def from_repeats(frame: pd.DataFrame, **arguments: Any) -> float:
    return float(ceiling_from_repeats(frame, ["quality"], resamples=0, **arguments)["estimate"][0])


def test_what_batches_differ_by_is_no_disagreement_if_they_are_named() -> None:
    frame = rated_twice(3000, np.random.default_rng(9))
    frame.loc[frame["system"] == "B", "quality"] -= 1.5
    assert from_repeats(frame) < 0.6
    assert from_repeats(frame, batch=["system"]) == pytest.approx(expected_ceiling(0.5, 1), abs=0.02)


def test_rows_without_a_rating_are_no_repeats() -> None:
    frame = rated_outputs(list("aabbcc"), [1, 2, 4, 4, 6, None])
    assert ceiling_from_repeats(frame, ["quality"], resamples=0)["n_items"].tolist() == [2]


@pytest.mark.parametrize(("outputs", "marks", "reason"), [
    ("abcd", [1, 2, 3, 4], "fewer than two rated outputs occur more than once"),
    ("aabc", [1, 2, 3, 4], "fewer than two rated outputs occur more than once"),
    ("aabb", [3, 3, 3, 3], "all ratings are equal"),
    ("aabb", [NAN] * 4, "fewer than two rated outputs occur more than once"),
    ("aabb", [1, 4, 4, 1], "no better than chance"),
])  # fmt: skip
def test_without_repeats_that_differ_there_is_no_ceiling(outputs: str, marks: list[float], reason: str) -> None:
    frame = rated_outputs(list(outputs), marks)
    found = ceiling_from_repeats(frame, ["quality"], resamples=20, rng=0).iloc[0]
    assert math.isnan(found["estimate"]) and reason in found["reason"]


def test_bad_arguments_for_repeats_are_refused() -> None:
    frame = pd.DataFrame({"output": ["a", "a"], "quality": [1, 2]})
    with pytest.raises(ValueError, match="no column 'dataset'"):
        ceiling_from_repeats(frame, ["quality"])
    with pytest.raises(ValueError, match="list of names"):
        ceiling_from_repeats(frame, "quality")


def test_identical_outputs_of_emnlp_2017_and_what_systems_differ_by_on_them(stored: pd.DataFrame) -> None:
    alike = stored.assign(output=stored["output"].str.lower().str.findall("[a-z0-9']+").str.join(" "))
    plain, apart = (
        ceiling_from_repeats(alike, RATINGS, batch=batch, resamples=0) for batch in ([], ["dataset", "system"])
    )
    print(*(table[["rating", "estimate"]].to_string() for table in (plain, apart)), sep="\n")
    assert plain["n_items"].tolist() == [112] * 3
    # Quality was rated more severely for one system: without that, identical texts agree far better.
    quality = RATINGS.index("quality")
    assert apart["estimate"][quality] > plain["estimate"][quality] + 0.2 and apart["estimate"].between(0.45, 0.70).all()


@pytest.mark.parametrize("repeated", [2, 30])
def test_a_few_outputs_that_were_rated_alike_are_no_ceiling(repeated: int) -> None:
    texts = [f"inn {k}" for k in range(repeated)] * 2 + [f"bar {k}" for k in range(40)]
    frame = pd.DataFrame({"output": texts, "quality": [1.0 + k % 5 for k in range(repeated)] * 2 + [3.0, 4.0] * 20})
    table = all_ceilings(frame.assign(dataset="mine", system="tgen", item="1"), ["quality"], 1)
    assert set(ceiling_intervals(table)) == ({"quality"} if repeated > 20 else set())
    if repeated == 2:
        assert missing_ceiling_reasons(table)["quality"].endswith(
            "only 2 outputs were rated more than once; at least 20 are needed"
        )
