r"""Williams and Fisher against psych, against what others print, and against derivations of another kind.

Where the numbers come from:

PSYCH
    What R's package psych 2.2.9 (R 4.2.2) gives, printed to 15 digits, for the calls named beside them: `r.test`
    and `paired.r`. The calls with n = 103, 30 and 5105 and `paired.r(.5, .3, .4, 100)` are examples of its manual,
    which prints t = -.89 for n = 103 and p = .1000759 for n = 5105. psych's one-tailed p is that of \|t\|.
SPREADSHEET
    What http://stat-help.com/spreadsheets.html prints, as the tests of cocor quote it.
"""

import math
import warnings

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from rainbow.stats.correlation.intervals import fisher_interval
from rainbow.stats.differences.dependent_correlations import (
    difference_interval,
    estimate_correlation,
    fisher_z_test,
    two_sided_p,
    williams_test,
)

# r, r_other, r_between, n -> t, two-sided p.
PSYCH_WILLIAMS = [
    ((0.4, 0.5, 0.1, 103), -0.891279904760541, 0.374918517491256),  # r.test(103, .4, .5, .1), Steiger's case A
    ((0.5, 0.4, 0.1, 103), 0.891279904760541, 0.374918517491256),  # r.test(n=103, r12=.5, r13=.4, r23=.1)
    # r.test(n=5105, r12=.6934..., r13=.6959..., r23=.9884...): the manual's example of a p near .1
    ((0.693458895410494, 0.695966022434845, 0.988475791500198, 5105), -1.64478414631602, 0.100075937396976),
    ((-0.3, 0.2, -0.5, 40), -1.83870499853106, 0.0739956697275618),  # r.test(n=40, r12=-.3, r13=.2, r23=-.5)
    ((-0.6, -0.2, 0.4, 40), -2.73895853473497, 0.0094250545051767),  # r.test(n=40, r12=-.6, r13=-.2, r23=.4)
    ((0.3, 0.4, 0.5, 100), -1.07673563783735, 0.2842690470032),  # r.test(n=100, r12=.3, r13=.4, r23=.5)
    ((0.5, 0.3, 0.4, 100), 2.06499364923501, 0.0415914874118279),  # paired.r(.5, .3, .4, 100)
    ((0.3, 0.5, 0.4, 100), -2.06499364923501, 0.0415914874118279),  # paired.r(.3, .5, .4, 100)
]
# psych prints the size of z here, without its sign: r, r_other, n, n_other -> |z|, two-sided p.
PSYCH_FISHER = [
    ((0.4, 0.6, 30, None), 0.990199799955557, 0.322076470317683),  # r.test(30, .4, .6)
    ((0.4, 0.6, 30, 50), 1.11601723395713, 0.264414757711973),  # r.test(n=30, r12=.4, r34=.6, n2=50)
    ((0.5, 0.3, 100, None), 1.66992001729318, 0.0949351893166284),  # paired.r(.5, .3, NULL, 100)
    ((0.5, 0.3, 100, 64), 1.46739502552344, 0.142268626927724),  # paired.r(.5, .3, NULL, 100, 64)
]


@pytest.mark.parametrize(("arguments", "t", "p"), PSYCH_WILLIAMS)
def test_williams_t_and_p_are_those_of_psych(arguments: tuple[float, float, float, int], t: float, p: float) -> None:
    result = williams_test(*arguments)
    assert (result.statistic, result.p) == pytest.approx((t, p), rel=1e-11)
    assert (result.difference, result.n, result.reason) == (arguments[0] - arguments[1], arguments[3], None)


def test_williams_t_is_that_of_a_determinant_and_of_the_t_distribution() -> None:
    rng = np.random.default_rng(1)
    for _ in range(200):
        n = int(rng.integers(5, 500))
        matrix = np.asarray(np.corrcoef(rng.normal(size=(3, 5))))
        r, s, b = matrix[0, 1], matrix[0, 2], matrix[1, 2]
        variance = 2 * (n - 1) / (n - 3) * np.linalg.det(matrix) + (r + s) ** 2 / 4 * (1 - b) ** 3
        t = (r - s) / np.sqrt(variance / ((n - 1) * (1 + b)))
        result = williams_test(r, s, b, n)
        assert (result.statistic, result.p) == pytest.approx((t, 2 * stats.t(n - 3).sf(abs(t))), rel=1e-6)


def test_turning_one_metric_round_changes_two_correlations_and_the_answer() -> None:
    """TER as it is (-.6) lies far below BLEU (.5); turned round it is not told from it: absolute r knows neither."""
    as_it_is = williams_test(-0.6, 0.5, -0.4, 50)
    turned = williams_test(0.6, 0.5, 0.4, 50)
    absolute = williams_test(0.6, 0.5, -0.4, 50)
    assert as_it_is.statistic < -5 and 0 < turned.statistic < 1
    assert absolute.reason == "no three columns can have these correlations"


def test_williams_test_keeps_its_size_and_has_power() -> None:
    """20,000 samples of 30 rows, in which both metrics correlate .5 with the ratings, then .7 and .3."""
    rng, sizes = np.random.default_rng(1), []
    for good, poor in [(0.5, 0.5), (0.7, 0.3)]:
        r, s, b = _sampled_correlations(np.array([[1, good, poor], [good, 1, 0.4], [poor, 0.4, 1]]), 20_000, 30, rng)
        sizes.append((np.asarray(williams_test(r, s, b, 30).p) < 0.05).mean())
    assert sizes[0] == pytest.approx(0.05, abs=0.005) and sizes[1] > 0.6


def _sampled_correlations(
    truth: NDArray[np.float64], samples: int, n: int, rng: np.random.Generator
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    rows = rng.multivariate_normal(np.zeros(3), truth, size=(samples, n))
    centred = rows - rows.mean(axis=1, keepdims=True)
    products = np.einsum("sni,snj->sij", centred, centred)
    lengths = np.sqrt(np.einsum("sii->si", products))
    r = products / lengths[:, :, None] / lengths[:, None, :]
    return r[:, 0, 1], r[:, 0, 2], r[:, 1, 2]


@pytest.mark.parametrize(("arguments", "size", "p"), PSYCH_FISHER)
def test_fishers_z_is_that_of_psych_with_its_sign(arguments, size, p) -> None:
    r, s, n, m = arguments
    result = fisher_z_test(r, s, n, m)
    assert (result.statistic, result.p) == pytest.approx((np.sign(r - s) * size, p), rel=1e-11)
    assert result.n == n + (n if m is None else m)


def test_fishers_z_is_that_of_the_spreadsheet() -> None:
    result = fisher_z_test(0.4, 0.5, 100, 100)
    assert (result.statistic, result.p) == pytest.approx((-0.8751012342, 0.3815188256), abs=5e-11)


def test_arrays_are_broadcast_and_tested_one_by_one() -> None:
    r, s = np.array([[0.1], [0.5]]), np.array([0.2, 0.3, 0.4])
    table = williams_test(r, s, 0.3, [20, 30, 40])
    for i, row in enumerate(r[:, 0]):
        for j, other in enumerate(s):
            assert [np.asarray(field)[i, j] for field in table] == [*williams_test(row, other, 0.3, [20, 30, 40][j])]


def test_numbers_give_plain_numbers() -> None:
    assert [type(field) for field in williams_test(0.4, 0.5, 0.1, 103)] == [float, float, float, int, type(None)]


@pytest.mark.parametrize(("arguments", "reason"), [
    ((np.nan, 0.5, 0.1, 50), "r is NaN"),
    ((0.5, np.nan, 0.1, 50), "r_other is NaN"),
    ((0.5, 0.4, np.nan, 50), "r_between is NaN"),
    ((0.5, 0.4, 0.1, 3), "fewer than 4 rows"),
    ((0.5, 0.4, 0.1, 0), "fewer than 4 rows"),
    ((1.0, 0.4, 0.4, 50), "r is 1 or -1"),
    ((0.4, -1.0, -0.4, 50), "r_other is 1 or -1"),
    ((0.4, 0.4, 1.0, 50), "r_between is 1 or -1"),
    ((0.4, 0.4, 1 - 1e-16, 50), "r_between is 1 or -1"),
    ((0.4, -0.4, -1.0, 50), "r_between is 1 or -1"),
    ((0.9, -0.9, 0.9, 50), "no three columns can have these correlations"),
])  # fmt: skip
def test_a_test_that_is_not_defined_is_nan_with_its_reason(arguments, reason) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = williams_test(*arguments)
    assert np.isnan(result.statistic) and np.isnan(result.p) and result.reason == reason


def test_one_undefined_test_leaves_the_others_of_an_array_alone() -> None:
    result = williams_test([0.4, np.nan, 0.4], 0.5, 0.1, 103)
    assert np.asarray(result.p)[[0, 2]] == pytest.approx([0.374918517491256] * 2)
    assert np.asarray(result.reason).tolist() == [None, "r is NaN", None]


def test_fisher_names_the_sample_that_is_too_small() -> None:
    result = fisher_z_test([0.4, 0.4, 1.0], 0.2, [50, 3, 50], [3, 50, 50])
    assert np.isnan(np.asarray(result.p)).all()
    assert np.asarray(result.reason).tolist() == ["fewer than 4 rows", "fewer than 4 rows", "r is 1 or -1"]


def test_what_is_no_correlation_or_no_count_is_refused() -> None:
    with pytest.raises(ValueError, match="r_other is outside -1 to 1"):
        williams_test(0.5, 1.5, 0.1, 50)
    with pytest.raises(ValueError, match="n must be a whole number"):
        williams_test(0.5, 0.4, 0.1, 50.5)


def test_small_tails_keep_their_digits() -> None:
    far = np.array([12.0])
    assert two_sided_p(far) == pytest.approx(2 * stats.norm.sf(12), rel=1e-12)
    assert two_sided_p(far, np.array([40.0])) == pytest.approx(2 * stats.t(40).sf(12), rel=1e-9)


def ends(r: float, n: int) -> tuple[float, float]:
    low, high, _ = fisher_interval(r, n, "pearson")
    return low, high


def test_correlations_of_different_rows_have_the_interval_that_zou_prints() -> None:
    low, high, reason = difference_interval(0.49, ends(0.49, 145), 0.36, ends(0.36, 87))
    assert (round(low, 3), round(high, 3), reason) == (-0.087, 0.359, None)


def test_correlations_with_one_column_in_common_have_the_interval_that_zou_prints() -> None:
    r, r_other, r_between = 0.396, 0.179, 0.088
    found = difference_interval(r, ends(r, 66), r_other, ends(r_other, 66), estimate_correlation(r, r_other, r_between))
    assert (round(found.low, 3), round(found.high, 3)) == (-0.093, 0.517)


@pytest.mark.parametrize("dependent", [False, True])
def test_about_95_in_100_intervals_hold_the_true_difference(dependent: bool) -> None:
    rng, n, held, trials = np.random.default_rng(5), 80, 0, 1500
    root = np.linalg.cholesky(np.array([[1, 0.5, 0.3], [0.5, 1, 0.7], [0.3, 0.7, 1]]))
    for _ in range(trials):
        x, y, z = root @ rng.normal(size=(3, n))
        if not dependent:
            r, s, c = np.corrcoef(x, y)[0, 1], np.corrcoef(*(root @ rng.normal(size=(3, n)))[[0, 2]])[0, 1], 0.0
        else:
            r, s = np.corrcoef(x, y)[0, 1], np.corrcoef(x, z)[0, 1]
            c = estimate_correlation(r, s, np.corrcoef(y, z)[0, 1])
        low, high, _ = difference_interval(r, ends(r, n), s, ends(s, n), c)
        held += low <= 0.2 <= high
    assert 0.935 < held / trials < 0.965


def test_what_is_missing_gives_no_interval() -> None:
    low, high, reason = difference_interval(0.4, (math.nan, 0.6), 0.3, (0.1, 0.5))
    assert math.isnan(low) and math.isnan(high) and reason == "an interval is missing"
    assert math.isnan(estimate_correlation(1.0, 0.4, 0.4)) and math.isnan(estimate_correlation(0.3, math.nan, 0.4))
