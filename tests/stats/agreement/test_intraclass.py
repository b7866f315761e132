"""Intraclass correlations, against pingouin and the worked example of Shrout & Fleiss (1979)."""

import math
from collections.abc import Iterator

import numpy as np
import pandas as pd
import pingouin  # type: ignore[import-untyped]
import pytest

from rainbow import load_dataset
from rainbow.stats.agreement.intraclass import FORMS, Form, intraclass, reliability, spearman_brown

from .simulated_raters import NAN, SHROUT_FLEISS, ratings

ALL_FORMS = pytest.mark.parametrize("form", FORMS)
MATRICES = {
    "worked example": SHROUT_FLEISS, "ties": ratings(1), "two raters": ratings(2, 15, 2),
    "many raters": ratings(3, 12, 9),
    "agreement below chance": np.array([[1, 5, 3], [4, 2, 5], [2, 4, 1], [5, 1, 6], [3, 4, 4]]),
    "not whole": np.random.default_rng(4).normal(size=(30, 3)) + np.arange(30)[:, None] / 10,
}  # fmt: skip


@pytest.fixture
def unrounded() -> Iterator[None]:
    before = pingouin.options.copy()
    pingouin.options["round.column.CI95"] = None
    yield
    pingouin.options.clear()
    pingouin.options.update(before)


@pytest.mark.usefixtures("unrounded")
@pytest.mark.filterwarnings("ignore:.*inplace:Warning")
@pytest.mark.parametrize("name", MATRICES)
def test_estimates_intervals_and_tests_are_those_of_pingouin(name: str) -> None:
    matrix = MATRICES[name]
    oracle = pingouin.intraclass_corr(pd.DataFrame(matrix).reset_index().melt("index"), "index", "variable", "value")
    found = pd.DataFrame([intraclass(matrix, form) for form in FORMS])
    assert found["estimate"].to_numpy() == pytest.approx(oracle["ICC"].to_numpy(), abs=1e-9)
    assert found["f"].to_numpy() == pytest.approx(oracle["F"].to_numpy(), rel=1e-9)
    assert found[["df1", "df2"]].to_numpy().tolist() == oracle[["df1", "df2"]].to_numpy().tolist()
    assert found["p"].to_numpy() == pytest.approx(oracle["pval"].to_numpy(), abs=1e-9)
    low, high = np.stack(oracle["CI95"]).T
    # For the mean of k a single reliability of -1 / (k - 1) is a pole: beyond it pingouin's low end jumps above 1.
    low[low > 1] = -np.inf
    assert found["low"].to_numpy() == pytest.approx(low, abs=1e-9)
    assert found["high"].to_numpy() == pytest.approx(high, abs=1e-9)


def test_the_worked_example_of_shrout_and_fleiss() -> None:
    found = [round(intraclass(SHROUT_FLEISS, form).estimate, 2) for form in FORMS]
    assert found == [0.17, 0.29, 0.71, 0.44, 0.62, 0.91]


@pytest.mark.parametrize(("rating", "published"), [("informativeness", 0.52), ("naturalness", 0.54), ("quality", 0.53)])
def test_the_simulated_judges_of_the_demo_agree_as_it_was_made(rating: str, published: float) -> None:
    judges = load_dataset("demo").frame[[f"{rating}_{judge}" for judge in (1, 2, 3)]]
    assert intraclass(judges, "2,k").estimate == pytest.approx(published, abs=0.005)


@ALL_FORMS
def test_perfect_agreement_is_one(form: Form) -> None:
    found = intraclass([[1, 1], [2, 2], [4, 4]], form)
    assert found[1:4] == (1, 1, 1) and found.f == math.inf and found.p == 0


def test_strictness_alone_lowers_absolute_agreement_but_not_consistency() -> None:
    stricter = [[1, 2], [2, 3], [4, 5]]
    assert intraclass(stricter, "3,1").estimate == 1
    found = intraclass(stricter, "2,1")
    assert found.low < found.estimate < 1


@pytest.mark.parametrize("form", ["2,1", "2,k", "3,1", "3,k"])
def test_two_way_forms_refuse_gaps(form: Form) -> None:
    found = intraclass(np.array([[1, 2], [2, NAN], [3, 4]]), form)
    assert math.isnan(found.estimate) and "1 of 3 items lack a rating" in str(found.reason)


def test_it_does_not_matter_to_the_one_way_form_in_which_column_a_gap_stands() -> None:
    left = np.array([[1, 2, NAN], [2, 2, 3], [5, 4, NAN]])
    assert intraclass(left, "1,1")[:8] == intraclass(np.array([[NAN, 1, 2], [2, 2, 3], [5, NAN, 4]]), "1,1")[:8]


def test_the_one_way_form_with_gaps_by_hand() -> None:
    # Means 1, 3, 6 of 2, 1 and 2 ratings: k = 3 / (1/2 + 1 + 1/2) = 1.5, B = 1.5 * 38/6, W = (0 + 0 + 2) / 2.
    between, within, k = 1.5 * 38 / 6, 1.0, 1.5
    matrix = np.array([[1, 1], [3, NAN], [7, 5]])
    assert intraclass(matrix, "1,1").estimate == pytest.approx((between - within) / (between + (k - 1) * within))
    assert intraclass(matrix, "1,k").estimate == pytest.approx(1 - within / between)


def test_the_one_way_form_with_gaps_finds_the_reliability_that_was_simulated() -> None:
    rng = np.random.default_rng(5)
    matrix = rng.normal(size=(4000, 1)) + 1.5 * rng.normal(size=(4000, 4))
    matrix[rng.random(matrix.shape) < 0.4] = np.nan
    found = intraclass(matrix, "1,1")
    assert found.low < 1 / (1 + 1.5**2) < found.high and found.high - found.low < 0.07


@pytest.mark.parametrize("form", ["1,k", "2,k", "3,k"])
def test_means_that_are_all_equal_have_no_reliability(form: Form) -> None:
    found = intraclass([[0.1, 0.3], [0.3, 0.1], [0.2, 0.2]], form)
    assert math.isnan(found.estimate) and found.reason == "the item means differ less than expected by chance"


@ALL_FORMS
@pytest.mark.parametrize("name", MATRICES)
def test_reliability_is_the_estimate_alone(form: Form, name: str) -> None:
    expected = intraclass(MATRICES[name], form).estimate
    assert reliability(MATRICES[name].astype(float), form) == pytest.approx(expected, abs=1e-12)


def test_an_unknown_form_is_refused() -> None:
    with pytest.raises(ValueError, match="choose from 1,1"):
        intraclass(SHROUT_FLEISS, "4,1")  # type: ignore[arg-type]


def test_spearman_brown_leads_from_one_rating_to_the_mean_and_back() -> None:
    for single, mean in (("1,1", "1,k"), ("2,1", "2,k"), ("3,1", "3,k")):
        of_one, of_four = (intraclass(SHROUT_FLEISS, form).estimate for form in (single, mean))  # type: ignore[arg-type]
        assert spearman_brown(of_one, 4) == pytest.approx(of_four)
        assert spearman_brown(of_four, 1 / 4) == pytest.approx(of_one)


@pytest.mark.parametrize(("single", "factor"), [(0.5, 0), (0.5, -1), (1.2, 2), (-0.6, 3)])
def test_spearman_brown_refuses_what_has_no_answer(single: float, factor: float) -> None:
    with pytest.raises(ValueError, match=r"reliability|factor"):
        spearman_brown(single, factor)


@pytest.mark.parametrize("form", ["2,1", "2,k", "3,1", "3,k"])
def test_items_that_do_not_differ_have_no_agreement_to_measure(form: Form) -> None:
    assert intraclass([[3.0, 2.0], [3.0, 2.0]], form).reason == "every item has the same ratings"
