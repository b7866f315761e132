"""Ratings as classes: which points there are, what is learned of them, and that it is measured on other folds."""

import numpy as np
import pandas as pd
import pytest

from rainbow import Corpus
from rainbow.learned.protocols import calibration
from rainbow.learned.protocols.calibration import CUTS, RatingClasses, class_tables, rating_points
from rainbow.stats.agreement.label_agreement import class_agreement


def rated(n: int = 600, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Ratings in halves from 1 to 6, the high ones common, and predictions drawn to the middle."""
    rng = np.random.default_rng(seed)
    ratings = np.round(2 * (6 - rng.exponential(1.2, n)).clip(1, 6)) / 2
    return ratings, 2 + 0.5 * ratings + rng.normal(0, 0.4, n)


def fitted() -> RatingClasses:
    classes = RatingClasses.fit(*rated())
    assert classes is not None
    return classes


def test_halves_go_to_the_even_point() -> None:
    assert rating_points([1.5, 2.5, 4.5, 5.5, 5.0, np.nan]).tolist()[:5] == [2, 2, 4, 6, 5]


def test_the_points_are_those_that_were_given() -> None:
    classes = RatingClasses.fit([1, 1, 4, 6] * 5, np.linspace(1, 6, 20))
    assert classes is not None and classes.points.tolist() == [1, 4, 6]
    assert len(classes.logit.cuts) == len(classes.shares) == 2


@pytest.mark.parametrize("ratings", [np.full(30, 3.0), np.arange(30.0), np.zeros(0)])
def test_one_point_or_too_many_are_no_classes(ratings: np.ndarray) -> None:
    assert RatingClasses.fit(ratings, ratings) is None


def test_each_point_is_as_frequent_as_among_the_ratings() -> None:
    ratings, predicted = rated()
    found = pd.Series(fitted().as_frequent(predicted)).value_counts()
    given = pd.Series(rating_points(ratings)).value_counts()
    assert (found.reindex(given.index, fill_value=0) - given).abs().max() <= 2


def test_the_most_probable_point_is_right_most_often_and_frequent_points_find_rare_ones() -> None:
    ratings, predicted = rated(4000)
    classes, given = fitted(), rating_points(ratings)
    likeliest, frequent = classes.most_probable(predicted), classes.as_frequent(predicted)
    own, other = (class_agreement(given, said)[0, 0] for said in (likeliest, frequent))
    assert own[0] > other[0] and other[2] > own[2]
    np.testing.assert_array_equal(likeliest, classes.points[classes.probabilities(predicted).argmax(axis=1)])


def test_a_higher_score_has_no_lower_point() -> None:
    scores = np.linspace(-1, 8, 200)
    for found in (fitted().most_probable(scores), fitted().as_frequent(scores)):
        assert (np.diff(found) >= 0).all()


def test_a_score_that_is_missing_has_no_point() -> None:
    classes, scores = fitted(), [np.nan, 4.0]
    assert np.isnan(classes.most_probable(scores)).tolist() == [True, False]
    assert np.isnan(classes.as_frequent(scores)).tolist() == [True, False]
    assert np.isnan(classes.probabilities(scores)).all(axis=1).tolist() == [True, False]


def test_predictions_beyond_the_scale_are_taken_as_a_model_gives_them() -> None:
    ratings, predicted = rated()
    beyond = np.where(predicted > 4.8, 60.0, predicted)
    cut = RatingClasses.fit(ratings, beyond.clip(1, 6))
    found = RatingClasses.fit(ratings, beyond)
    assert found is not None and cut is not None and found.logit.slope == cut.logit.slope


def predictions(n: int = 600, folds: int = 3) -> tuple[pd.DataFrame, pd.DataFrame]:
    ratings, predicted = rated(n)
    corpus = Corpus.from_texts(
        [f"text {row}" for row in range(n)], item=[str(row // 2) for row in range(n)], quality=ratings
    )
    table = pd.DataFrame({"id": corpus.frame["id"], "rated": ratings, "predicted": predicted}).assign(
        protocol="by-item", seed=1, rating="quality", fold=np.arange(n) // 2 % folds
    )
    return corpus.frame, table


def test_a_fold_is_classified_by_what_the_others_say() -> None:
    frame, table = predictions()
    lines = class_tables(frame, table, resamples=20)["learned_classes"].set_index("cut")
    said = np.empty(len(table))
    for fold in range(3):
        own = (table["fold"] == fold).to_numpy()
        classes = RatingClasses.fit(table["rated"][~own], table["predicted"][~own])
        assert classes is not None
        said[own] = classes.most_probable(table["predicted"][own].clip(table["rated"].min(), 6))
    assert lines.loc[CUTS[0], "accuracy"] == pytest.approx((said == rating_points(table["rated"])).mean())
    assert (lines["n"].tolist(), lines["items"].tolist()) == ([600, 600], [300, 300])


def test_ratings_of_the_own_fold_change_nothing_of_what_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    frame, table = predictions()
    seen: list[float] = []
    fit = RatingClasses.fit

    def spy(given: pd.Series, predicted: pd.Series) -> RatingClasses | None:
        seen.append(float(np.sum(given)))
        return fit(given, predicted)

    monkeypatch.setattr(calibration.RatingClasses, "fit", spy)
    class_tables(frame, table, resamples=5)
    class_tables(frame, table.assign(rated=table["rated"].where(table["fold"] > 0, 1.0)), resamples=5)
    assert seen[0] == seen[3]  # what fold 0 is told by the others
    assert seen[1] != seen[4]


def test_intervals_hold_their_figures_and_bins_hold_all_rows() -> None:
    tables = class_tables(*predictions(), resamples=200)
    for line in tables["learned_classes"].to_dict("records"):
        for figure in ("accuracy", "macro_f1", "quadratic_kappa"):
            assert line[f"{figure}_low"] < line[figure] < line[f"{figure}_high"]
        assert line["calibration_error"] < 0.1
    bins = tables["learned_reliability"]
    assert bins["n"].sum() == 600
    assert ((bins["from"] <= bins["probability"]) & (bins["probability"] <= bins["to"])).all()


def test_rows_without_a_rating_do_not_count() -> None:
    frame, table = predictions()
    table.loc[:99, "rated"] = np.nan
    assert class_tables(frame, table, resamples=5)["learned_classes"]["n"].tolist() == [500, 500]


@pytest.mark.parametrize("one_fold", [True, False])
def test_what_cannot_be_classified_says_why(one_fold: bool) -> None:
    frame, table = predictions(60)
    table = table.assign(fold=0) if one_fold else table.assign(rated=np.arange(60.0))
    tables = class_tables(frame, table, resamples=5)
    assert tables["learned_classes"]["accuracy"].isna().all()
    assert tables["learned_classes"]["reason"].str.contains("2 to 20 points").all()
    assert len(tables["learned_reliability"]) == 0
