"""Prediction-powered means: by hand, against the published formula, and how often their intervals hold the truth."""

from collections.abc import Callable

import numpy as np
import pytest

from rainbow.stats.estimation.prediction_powered import Estimate, prediction_powered_means

# Studies that are simulated.
TIMES = 400


def population(rng: np.random.Generator, items: int = 800) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return marks from 1 to 6, systems and items: three outputs for every input, which share its difficulty."""
    item, system = np.repeat(np.arange(items), 3), np.tile(["A", "B", "C"], items)
    hard = np.repeat(rng.normal(0, 0.8, items), 3)
    better = np.tile([0.0, 0.2, 0.6], items)
    return np.clip(np.round(4.5 + hard + better + rng.normal(0, 1, 3 * items)), 1, 6), system, item


def test_by_hand() -> None:
    """With n rated and N other rows: the weight of the published form on the mean of the others is b / (1 + n / N)."""
    rng = np.random.default_rng(2)
    quality = rng.normal(4, 1, 300)
    score = 10 * quality + rng.normal(0, 5, 300)
    rated = np.where(np.arange(300) < 60, quality, np.nan)
    found = prediction_powered_means(rated, score, ["A"] * 300, np.arange(300), rng=1).means[0]
    y, x, others = quality[:60], score[:60], score[60:]
    weight = np.cov(y, x)[0, 1] / ((1 + 60 / 240) * x.var(ddof=1))
    assert found.value == pytest.approx(y.mean() + weight * (others.mean() - x.mean()))
    assert found.rated_value == pytest.approx(y.mean())
    error = np.sqrt(np.var(y - weight * x, ddof=1) / 60 + weight**2 * others.var(ddof=1) / 240)
    assert (found.high - found.low) / 2 == pytest.approx(2.0 * error, rel=0.1)
    assert (found.rated_high - found.rated_low) / 2 == pytest.approx(2.0 * y.std(ddof=1) / np.sqrt(60), rel=0.1)


def test_a_score_of_any_unit_gives_the_same() -> None:
    rng = np.random.default_rng(3)
    quality, system, item = population(rng, 100)
    score = quality + rng.normal(0, 1, 300)
    rated = np.where(rng.random(300) < 0.3, quality, np.nan)
    one, other = (prediction_powered_means(rated, scores, system, item, rng=1) for scores in (score, 1e6 + 100 * score))
    for first, second in zip([*one.means, *one.differences], [*other.means, *other.differences], strict=True):
        assert (first.value, first.gain) == (pytest.approx(second.value), pytest.approx(second.gain))


Scores = Callable[[np.ndarray, np.random.Generator], np.ndarray]
SCORES: dict[str, Scores] = {
    "good": lambda quality, rng: quality + rng.normal(0, 0.7, len(quality)),
    "fair": lambda quality, rng: quality + rng.normal(0, 2.5, len(quality)),
    "useless": lambda quality, rng: rng.normal(size=len(quality)),
}


@pytest.mark.parametrize("kind", ["good", pytest.param("fair", marks=pytest.mark.slow), "useless"])
def test_intervals_hold_the_truth_and_useless_scores_make_none_shorter(kind: str) -> None:
    rng = np.random.default_rng(4)
    quality, system, item = population(rng)
    score = SCORES[kind](quality, rng)
    means = {name: quality[system == name].mean() for name in "ABC"}
    held: dict[str, list[bool]] = {"mean": [], "difference": [], "rated": []}
    gains, widths = [], []
    for seed in range(TIMES):
        rated = np.full(len(quality), np.nan)
        places = rng.choice(len(quality), rng.integers(50, 201), replace=False)
        rated[places] = quality[places]
        (whole,) = prediction_powered_means(rated, score, ["all"] * len(item), item, resamples=200, rng=seed).means
        held["mean"].append(holds(whole, quality.mean()))
        held["rated"].append(whole.rated_low <= quality.mean() <= whole.rated_high)
        gains.append(whole.gain)
        widths.append((whole.high - whole.low) / (whole.rated_high - whole.rated_low))
        found = prediction_powered_means(rated, score, system, item, resamples=200, rng=seed)
        for each in found.differences:
            held["difference"].append(holds(each, (means[found.groups[each.group]] - means[found.groups[each.other]])))
    shares = {name: float(np.mean(values)) for name, values in held.items()}
    print(f"{kind}: {shares}, gain {np.median(gains):.2f}, width {np.mean(widths):.3f}")
    assert min(shares.values()) >= 0.93
    if kind == "useless":
        assert np.median(gains) == 1.0 and np.mean(widths) > 0.995
    else:
        assert np.median(gains) > {"good": 2.0, "fair": 1.05}[kind]


def holds(estimate: Estimate, truth: float) -> bool:
    return estimate.low <= truth <= estimate.high


def test_scores_that_go_the_wrong_way_have_no_weight() -> None:
    rng = np.random.default_rng(5)
    quality, system, item = population(rng, 200)
    rated = np.where(rng.random(600) < 0.5, quality, np.nan)
    found = prediction_powered_means(rated, -quality, system, item, rng=1)
    assert found.why == "the scores correlate with the ratings in the wrong direction on these outputs"
    assert all(each.gain == 1.0 and each.value == each.rated_value for each in found.means)
    either = prediction_powered_means(rated, -quality, system, item, higher_is_better=None, rng=1)
    assert either.slopes[0] == pytest.approx(-1.0)


def test_too_few_ratings_give_a_reason() -> None:
    found = prediction_powered_means(([4.0, 5.0] + [np.nan] * 30), range(32), ["A"] * 32, range(32), rng=1)
    assert found.means[0].reason == "2 items have a rated output: 10 are needed"
    assert (found.means[0].n, found.means[0].n_unrated) == (2, 30)


def test_a_system_without_ratings_has_a_reason_and_others_not() -> None:
    quality, system, item = population(np.random.default_rng(6), 50)
    found = prediction_powered_means(np.where(system == "C", np.nan, quality), quality, system, item, rng=1)
    assert [each.reason is None for each in found.means] == [True, True, False]
    assert [each.reason is None for each in found.differences] == [True, False, False]


def test_a_stratum_counts_by_its_share_of_outputs() -> None:
    """A fifth of the outputs of a hard stratum is rated, and a twentieth of the rest."""
    rng, hard = np.random.default_rng(7), np.arange(500) < 100
    quality = 5.0 - 2.0 * hard + rng.normal(0, 0.5, 500)
    rated = np.where(np.isin(np.arange(500), [*range(20), *range(100, 120)]), quality, np.nan)
    score = rng.normal(size=500)
    found = prediction_powered_means(rated, score, ["A"] * 500, np.arange(500), strata=hard, rng=1).means[0]
    one, other = quality[:20], quality[100:120]
    assert found.rated_value == pytest.approx(0.2 * one.mean() + 0.8 * other.mean())
    error = np.sqrt(0.2**2 * one.var(ddof=1) / 20 + 0.8**2 * other.var(ddof=1) / 20)
    assert (found.rated_high - found.rated_low) / 2 == pytest.approx(2.0 * error, rel=0.15)


def test_several_scores_are_weighted_by_regression() -> None:
    rng = np.random.default_rng(8)
    parts = rng.normal(size=(400, 2))
    quality = 2.0 * parts[:, 0] + parts[:, 1] + rng.normal(0, 0.1, 400)
    rated = np.where(np.arange(400) < 60, quality, np.nan)
    rows = ["A"] * 400, np.arange(400)
    both = prediction_powered_means(rated, parts, *rows, rng=1)
    slopes = np.linalg.lstsq(parts[:60] - parts[:60].mean(axis=0), quality[:60] - quality[:60].mean())[0]
    assert both.slopes == pytest.approx(slopes.tolist())
    alone = prediction_powered_means(rated, parts[:, 0], *rows, rng=1)
    assert both.means[0].gain > alone.means[0].gain
    copies = prediction_powered_means(rated, parts[:, [0, 0]], *rows, rng=1)
    assert copies.means[0].value == pytest.approx(alone.means[0].value, abs=1e-6)


def test_a_score_that_goes_the_wrong_way_is_left_out_of_several() -> None:
    rng = np.random.default_rng(9)
    quality, system, item = population(rng, 100)
    rated = np.where(rng.random(300) < 0.5, quality, np.nan)
    scores = np.stack([quality + rng.normal(size=300), -quality + rng.normal(size=300)], axis=1)
    found = prediction_powered_means(rated, scores, system, item, rng=1)
    assert found.slopes[0] > 0 and found.slopes[1] == 0
    assert prediction_powered_means(rated, scores, system, item, higher_is_better=(True, False), rng=1).slopes[1] < 0
    assert "give at most" in str(prediction_powered_means(rated, np.tile(scores, 11), system, item, rng=1).why)


def test_equal_ratings_have_no_interval() -> None:
    rated = np.where(np.arange(60) < 12, 6.0, np.nan)
    found = prediction_powered_means(rated, np.arange(60), ["A"] * 60, np.arange(60), rng=1).means[0]
    assert found.reason == "too few of the rated outputs have different ratings"


def test_an_item_in_two_strata_is_refused() -> None:
    with pytest.raises(ValueError, match="an item is in two strata"):
        prediction_powered_means([1.0, 2.0], [1.0, 2.0], ["A", "B"], [1, 1], strata=["x", "y"])


@pytest.mark.parametrize(
    ("scores", "message"), [([1.0], "have different lengths"), ([1.0, float("nan")], "a score is missing")]
)
def test_what_cannot_be_is_refused(scores: list[float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        prediction_powered_means([1.0, 2.0], scores, ["A", "A"], [1, 2])
