"""Held-out predictions, and what they are worth beside constants, single metrics and ceilings."""

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from rainbow import Corpus
from rainbow.learned.protocols.cross_validation import Fold, predict_held_out
from rainbow.learned.protocols.evaluation import best_single_metric, evaluate_predictions
from rainbow.learned.protocols.groups import FoldAssignment, assign_folds
from rainbow.stats.differences.jackknife_differences import jackknife_difference

NOTHING = pd.DataFrame(index=range(5))


def corpus(rated: list[float], **columns: list[str]) -> pd.DataFrame:
    return Corpus.from_texts([f"text {row}" for row in range(len(rated))], quality=rated, **columns).frame


def by_hand(frame: pd.DataFrame, predicted: list[float], constant: float = 3.0, **columns: object) -> pd.DataFrame:
    """Predictions of quality as if made by hand."""
    table = {"protocol": "kfold", "seed": 1, "rating": "quality", "id": frame["id"], "fold": 0}
    constants = {"constant_mean": constant, "constant_median": constant}
    return pd.DataFrame({**table, "rated": frame["quality"], "predicted": predicted, **constants, **columns})


def pooled(table: pd.DataFrame) -> pd.Series:
    return table[(table["dataset"] == "all") & (table["system"] == "all")].iloc[0]


def test_every_test_row_is_predicted_once_from_the_other_folds() -> None:
    frame, calls = corpus([1, 2, 3, 6]), []

    def fit_predict(train: np.ndarray, test: np.ndarray) -> np.ndarray:
        calls.append((train.tolist(), test.tolist()))
        return 10.0 * test[:, None] + len(calls)

    table = predict_held_out(frame, ["quality"], FoldAssignment("kfold", 3, np.array([1, 0, 1, 0])), fit_predict)
    assert (calls, table["id"].tolist()) == ([([0, 2], [1, 3]), ([1, 3], [0, 2])], ["1", "2", "3", "4"])
    assert (table["fold"].tolist(), table["predicted"].tolist()) == ([1, 0, 1, 0], [2, 11, 22, 31])
    assert (table["rated"].tolist(), set(table["protocol"]), set(table["seed"])) == ([1, 2, 3, 6], {"kfold"}, {3})


def test_the_constants_are_the_mean_and_the_median_of_the_rated_training_rows() -> None:
    frame = corpus([1, 1, 4, 6, math.nan, 3])
    assignment = FoldAssignment("kfold", 1, np.array([0, 0, 0, 1, 1, 1]))
    table = predict_held_out(frame, ["quality"], assignment, lambda train, test: np.zeros((len(test), 1)))
    assert table["constant_mean"].tolist() == [4.5, 4.5, 4.5, 2, 2, 2]
    assert table["constant_median"].tolist() == [4.5, 4.5, 4.5, 1, 1, 1]


def test_unrated_rows_are_given_to_the_model_and_predicted_too() -> None:
    frame = corpus([1, math.nan, 3, 4])
    frame["naturalness"] = [math.nan, 2, 2, 2]
    seen: list[int] = []

    def fit_predict(train: np.ndarray, test: np.ndarray) -> np.ndarray:
        seen.extend(train)
        return np.ones((len(test), 2))

    assignment = FoldAssignment("kfold", 1, np.array([0, 0, 1, 1]))
    table = predict_held_out(frame, ["quality", "naturalness"], assignment, fit_predict)
    assert sorted(seen) == [0, 1, 2, 3]
    assert table.groupby("rating")["predicted"].count().to_dict() == {"quality": 4, "naturalness": 4}
    assert table.groupby("rating")["rated"].count().to_dict() == {"quality": 3, "naturalness": 3}


def test_paper_has_predictions_of_all_rows() -> None:
    frame = corpus(list(range(20)))
    assert len(predict_held_out(frame, ["quality"], assign_folds(frame, "paper"), lambda _, test: test[:, None])) == 20


def test_folds_go_through_the_progress_that_is_asked_for() -> None:
    frame = corpus([1, 2, 3, 4])
    counts: list[int] = []

    def progress(folds: list[Fold]) -> list[Fold]:
        counts.append(len(folds))
        return folds

    predict_held_out(frame, ["quality"], assign_folds(frame, "kfold", folds=4), lambda _, test: test[:, None], progress)
    assert counts == [4]


def everything(value: float) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    return lambda train, test: np.full((len(test), 1), value)


@pytest.mark.parametrize(("rated", "ratings", "fit_predict", "fold", "message"), [
    ([1, 2], ["quality"], lambda train, test: np.zeros(1), [0, 1],
     r"fit_predict returned shape \(1,\) for 1 rows and 1"),
    ([1, 2], ["quality"], everything(math.nan), [0, 1], "fit_predict returned a number that is not finite"),
    ([1, math.nan], ["quality"], everything(1), [0, 1], "no training row has a rating of 'quality'"),
    ([1, 2], ["quality"], everything(1), [0, 1, 1], "the fold assignment has 3 rows, but the table has 2"),
    ([1, 2], [], everything(1), [0, 1], "no rating to learn"),
])  # fmt: skip
def test_predictions_that_cannot_be_made_are_refused(rated, ratings, fit_predict, fold, message) -> None:
    with pytest.raises(ValueError, match=message):
        predict_held_out(corpus(rated), ratings, FoldAssignment("kfold", 1, np.array(fold)), fit_predict)


def test_agreement_is_that_worked_out_by_hand() -> None:
    frame = corpus([1, 2, 4, 5, 3])
    row = pooled(evaluate_predictions(frame, by_hand(frame, [2, 2, 3, 5, 4]), NOTHING, {}, rng=1))
    # Ranks 1 2 4 5 3 and 1.5 1.5 3 5 4: products of deviations 8.5, squares 10 and 9.5.
    assert row["spearman"] == pytest.approx(8.5 / math.sqrt(95))
    # Deviations -2 -1 1 2 0 and -1.2 -1.2 -.2 1.8 .8: products 7, squares 10 and 6.8.
    assert row["pearson"] == pytest.approx(7 / math.sqrt(68))
    # Errors 1 0 -1 0 1.
    assert (row["mae"], row["rmse"]) == (pytest.approx(0.6), pytest.approx(math.sqrt(0.6)))
    # Distances from 3: 2 1 1 2 0.
    assert (row["constant_mae"], row["constant_rmse"]) == (pytest.approx(1.2), pytest.approx(math.sqrt(2)))
    assert (row["n"], row["items"], row["seed"], row["protocol"], row["rating"]) == (5, 5, 1, "kfold", "quality")


def test_the_absolute_error_of_a_constant_is_that_of_the_median_and_the_squared_one_that_of_the_mean() -> None:
    frame = corpus([1, 2, 4, 5, 3])
    predictions = by_hand(frame, [2, 2, 3, 5, 4], constant_mean=2.0, constant_median=5.0)
    row = pooled(evaluate_predictions(frame, predictions, NOTHING, {}, rng=1))
    assert row["constant_mae"] == pytest.approx((4 + 3 + 1 + 0 + 2) / 5)
    assert row["constant_rmse"] == pytest.approx(math.sqrt((1 + 0 + 4 + 9 + 1) / 5))


def test_there_is_a_line_for_all_rows_each_dataset_and_each_system_on_it() -> None:
    rng = np.random.default_rng(0)
    frame = corpus(rng.normal(size=30).tolist(), dataset=["inns"] * 20 + ["cafes"] * 10, system=["A", "B"] * 15)
    predictions = by_hand(frame, (frame["quality"] + rng.normal(size=30)).tolist())
    table = evaluate_predictions(frame, predictions, NOTHING.reindex(range(30)), {}, resamples=20, rng=1)
    assert table[["dataset", "system", "n"]].values.tolist() == [
        ["all", "all", 30],
        ["inns", "all", 20],
        ["cafes", "all", 10],
        ["inns", "A", 10],
        ["inns", "B", 10],
        ["cafes", "A", 5],
        ["cafes", "B", 5],
    ]
    inns = frame["dataset"] == "inns"
    expected = stats.spearmanr(predictions["predicted"][inns], frame["quality"][inns]).statistic
    assert table["spearman"][1] == pytest.approx(expected)


def test_rows_without_a_rating_are_left_out_of_the_evaluation() -> None:
    frame = corpus([1, 2, math.nan, 4, 5, 3])
    row = pooled(evaluate_predictions(frame, by_hand(frame, [2, 2, 99, 3, 5, 4]), NOTHING.reindex(range(6)), {}, rng=1))
    assert (row["n"], row["mae"]) == (5, pytest.approx(3 / 5))


def test_protocols_and_ratings_are_evaluated_each_for_itself_whatever_the_order_of_the_lines() -> None:
    frame = corpus([1, 2, 4, 5, 3])
    one, other = by_hand(frame, [2, 2, 3, 5, 4]), by_hand(frame, [5, 4, 2, 1, 3], protocol="by-item")
    table = evaluate_predictions(frame, pd.concat([one, other]).sample(frac=1, random_state=2), NOTHING, {}, rng=1)
    found = {row["protocol"]: row for _, row in table[(table["dataset"] == "all")].iterrows()}
    assert (found["by-item"]["spearman"], found["kfold"]["spearman"]) == pytest.approx((-1, 8.5 / math.sqrt(95)))


def test_predictions_saved_and_read_back_give_the_same_table(tmp_path: Path) -> None:
    frame = corpus([1, 2, 4, 5, 3, 2], id=[f"{row:03d}" for row in range(6)])
    predictions = by_hand(frame, [2, 2, 3, 5, 4, 1])
    predictions.to_csv(tmp_path / "predictions.csv", index=False)
    read = pd.read_csv(tmp_path / "predictions.csv", dtype={"id": str})
    scores = pd.DataFrame({"len": [3.0, 1, 4, 1, 5, 9]})
    first, second = (evaluate_predictions(frame, table, scores, {"len": None}, rng=1) for table in (predictions, read))
    pd.testing.assert_frame_equal(first, second)


def test_the_same_seed_gives_the_same_interval_and_another_seed_another() -> None:
    rng = np.random.default_rng(3)
    frame = corpus(rng.normal(size=60).tolist())
    predictions = by_hand(frame, (frame["quality"] + rng.normal(size=60)).tolist())
    scores = pd.DataFrame({"len": rng.normal(size=60)})
    first, again, other = (
        evaluate_predictions(frame, predictions, scores, {"len": None}, resamples=100, rng=seed) for seed in (1, 1, 2)
    )
    pd.testing.assert_frame_equal(first, again)
    assert pooled(first)["low"] != pooled(other)["low"]
    assert pooled(first)["low"] < pooled(first)["spearman"] < pooled(first)["high"]


def test_a_memory_of_training_rows_looks_perfect_where_the_protocol_leaks_and_is_worthless_where_it_does_not() -> None:
    rng = np.random.default_rng(0)
    frame = corpus(rng.uniform(1, 6, 300).tolist(), item=[str(row // 3) for row in range(300)])
    rated, guess = frame["quality"].to_numpy(), rng.uniform(1, 6, 300)

    def remember(train: np.ndarray, test: np.ndarray) -> np.ndarray:
        predicted: np.ndarray = np.where(np.isin(test, train), rated[test], guess[test])[:, None]
        return predicted

    scores = NOTHING.reindex(range(300))
    leaking = predict_held_out(frame, ["quality"], assign_folds(frame, "paper"), remember)
    remembered = leaking[leaking["fold"] == -1]
    honest = predict_held_out(frame, ["quality"], assign_folds(frame, "by-item"), remember)
    found = pooled(evaluate_predictions(frame, remembered, scores, {}, resamples=20, rng=1))["spearman"]
    assert found == pytest.approx(1)
    assert pooled(evaluate_predictions(frame, leaking, scores, {}, resamples=20, rng=1))["spearman"] > 0.6
    row = pooled(evaluate_predictions(frame, honest, scores, {}, rng=1))
    assert abs(row["spearman"]) < 0.12 and row["low"] < 0 < row["high"]


def test_the_interval_holds_the_true_correlation_in_about_95_of_100_samples_of_items() -> None:
    # Two outputs per item that share half their variance; the ranks of normal columns correlate by 6/pi asin(r/2).
    rng, r, covered, runs = np.random.default_rng(5), 0.5, 0, 150
    mixing = np.linalg.cholesky([[1, r], [r, 1]])
    true = 6 / math.pi * math.asin(r / 2)
    items = [str(row // 2) for row in range(120)]
    for run in range(runs):
        own, common = rng.normal(size=(120, 2)), rng.normal(size=(60, 2)).repeat(2, axis=0)
        values = (own + common) @ mixing.T
        frame = corpus(values[:, 0].tolist(), item=items)
        table = evaluate_predictions(
            frame, by_hand(frame, values[:, 1].tolist()), NOTHING.reindex(range(120)), {}, resamples=200, rng=run
        )
        covered += bool(table["low"][0] <= true <= table["high"][0])
    assert 0.91 <= covered / runs <= 0.99


def test_the_single_metric_is_that_which_agrees_best_on_these_very_rows_with_its_own_sign() -> None:
    frame = corpus([1, 2, 4, 5, 3, 6])
    scores = pd.DataFrame({"BLEU4": [6.0, 5, 4, 3, 2, 1], "TER": [9.0, 8, 5, 4, 6, 7], "len": [1.0, 1, 1, 2, 1, 1]})
    better = {"BLEU4": True, "TER": False, "len": None}
    row = pooled(evaluate_predictions(frame, by_hand(frame, [1, 2, 3, 4, 5, 6]), scores, better, rng=1))
    assert row["best_metric"] == "TER"
    expected = stats.spearmanr(scores["TER"], frame["quality"]).statistic
    assert expected < 0 and row["best_metric_spearman"] == pytest.approx(expected)


def test_a_metric_with_a_direction_is_not_turned_round_but_a_length_may_be() -> None:
    rated = np.array([1.0, 2, 3, 4, 5])
    against = -rated[:, None]
    assert best_single_metric(against, rated, {"BLEU4": True}).agreement == pytest.approx(-1)
    assert best_single_metric(against, rated, {"len": None}).agreement == pytest.approx(1)
    assert best_single_metric(against, rated, {"len": None}).spearman == pytest.approx(-1)
    assert best_single_metric(against, rated, {"TER": False}).turned.tolist() == rated.tolist()


def test_a_metric_cannot_win_by_the_few_rows_on_which_it_speaks() -> None:
    rated = np.arange(20.0)
    silent, noisy = np.where(rated < 5, rated, np.nan), rated + np.tile([0, 6], 10)
    assert best_single_metric(np.column_stack([silent, noisy]), rated, {"silent": True, "noisy": True}).name == "noisy"


def test_a_row_without_a_score_stands_in_the_middle_of_the_metric() -> None:
    best = best_single_metric(np.array([[1.0], [math.nan], [3.0], [8.0]]), np.arange(4.0), {"TER": False})
    assert best.turned.tolist() == [-1, -3, -3, -8]


def test_each_dataset_has_a_best_metric_of_its_own() -> None:
    rated = [1.0, 2, 3, 4, 5] * 2
    frame = corpus(rated, dataset=["inns"] * 5 + ["cafes"] * 5)
    scores = pd.DataFrame({"SE": [1.0, 2, 3, 4, 5, 5, 1, 4, 2, 3], "SIM": [5.0, 1, 4, 2, 3, 1, 2, 3, 4, 5]})
    table = evaluate_predictions(frame, by_hand(frame, rated), scores, {"SE": True, "SIM": True}, rng=1)
    by_dataset = table[table["system"] == "all"].set_index("dataset")["best_metric"]
    assert by_dataset[["inns", "cafes"]].tolist() == ["SE", "SIM"]


@pytest.mark.parametrize("direction", [True, False, None])
def test_the_test_is_against_the_metric_turned_so_that_higher_is_better(direction: bool | None) -> None:
    rng = np.random.default_rng(7)
    quality = rng.normal(size=80)
    frame = corpus(quality.tolist(), item=[str(row // 2) for row in range(80)])
    predicted, metric = quality + rng.normal(size=80), quality + 2 * rng.normal(size=80)
    stored = metric if direction else -metric
    row = pooled(
        evaluate_predictions(
            frame, by_hand(frame, predicted.tolist()), pd.DataFrame({"m": stored}), {"m": direction}, rng=1
        )
    )
    other = stats.spearmanr(quality, metric).statistic
    expected = jackknife_difference(predicted, metric, quality, frame["item"])
    assert row["best_metric_t"] == pytest.approx(expected.statistic)
    assert row["best_metric_p"] == pytest.approx(expected.p) and row["best_metric_t"] > 0
    assert row["best_metric_spearman"] == pytest.approx(other if direction else -other)


def test_a_ceiling_stands_only_where_all_rows_are_pooled() -> None:
    frame = corpus([1, 2, 4, 5, 3] * 2, dataset=["inns"] * 5 + ["cafes"] * 5, system=["A"] * 10)
    predictions = by_hand(frame, [2, 2, 3, 5, 4] * 2)
    ceilings = {"quality": (0.6, 0.5, 0.7), "naturalness": (0.1, 0.1, 0.1)}
    table = evaluate_predictions(frame, predictions, NOTHING.reindex(range(10)), {}, rng=1, ceilings=ceilings)
    assert table[["ceiling", "ceiling_low", "ceiling_high"]].iloc[0].tolist() == [0.6, 0.5, 0.7]
    assert table["ceiling"].iloc[1:].isna().all()


def test_a_constant_prediction_has_errors_but_no_correlation_and_says_why() -> None:
    frame = corpus([1, 2, 4, 5, 3])
    scores = pd.DataFrame({"len": [1.0, 2, 3, 4, 5]})
    row = pooled(evaluate_predictions(frame, by_hand(frame, [3] * 5), scores, {"len": None}, rng=1))
    assert row[["spearman", "low", "high", "pearson", "best_metric_t", "best_metric_p"]].isna().all()
    assert (row["reason"], row["mae"], row["best_metric"]) == ("the prediction is constant", row["constant_mae"], "len")


def test_equal_ratings_leave_nothing_to_correlate_with() -> None:
    frame = corpus([4, 4, 4, 4, 4])
    scores = pd.DataFrame({"len": [1.0, 2, 3, 4, 5]})
    row = pooled(evaluate_predictions(frame, by_hand(frame, [1, 2, 3, 4, 5]), scores, {"len": None}, rng=1))
    assert row["reason"] == "the rating is constant" and pd.isna(row["best_metric"])


def test_a_cell_without_any_rating_is_there_and_says_so() -> None:
    frame = corpus([1, 2, 4, 5, 3] + [math.nan] * 5, dataset=["inns"] * 5 + ["cafes"] * 5)
    table = evaluate_predictions(frame, by_hand(frame, list(range(10))), NOTHING.reindex(range(10)), {}, rng=1)
    cafes = table[table["dataset"] == "cafes"].iloc[0]
    assert cafes["n"] == 0 and math.isnan(cafes["mae"])
    assert cafes["reason"] == "only 0 rows have both values: at least 4 are needed"


def test_too_few_items_have_no_interval_and_scores_that_are_all_missing_no_metric() -> None:
    frame = corpus([1, 2, 4, 5, 3], item=["i", "i", "j", "j", "j"])
    scores = pd.DataFrame({"len": [math.nan] * 5})
    row = pooled(evaluate_predictions(frame, by_hand(frame, [2, 2, 3, 5, 4]), scores, {"len": None}, rng=1))
    assert row["items"] == 2 and math.isnan(row["low"])
    assert row["reason"] == "only 2 items to resample: at least 4 are needed; no metric varies over these rows"


def test_a_prediction_that_is_a_metric_cannot_be_tested_against_it() -> None:
    frame = corpus([1, 2, 4, 5, 3])
    scores = pd.DataFrame({"len": [2.0, 2, 3, 5, 4]})
    row = pooled(evaluate_predictions(frame, by_hand(frame, [2, 2, 3, 5, 4]), scores, {"len": None}, rng=1))
    assert math.isnan(row["best_metric_t"])
    assert row["reason"] == "no test against len: the two metrics order the outputs identically"


@pytest.mark.parametrize(("change", "scores", "better", "message"), [
    (lambda table: table.drop(columns="seed"), NOTHING, {}, "the table has no column 'seed'"),
    (lambda table: pd.concat([table, table]), NOTHING, {}, "two predictions of quality under kfold"),
    (lambda table: table.assign(predicted=math.nan), NOTHING, {}, "a prediction or a constant that is not finite"),
    (lambda table: table.assign(id=range(1, 6)), NOTHING, {}, "no row with id 1: read CSV files with dtype"),
    (lambda table: table, pd.DataFrame({"len": [1.0]}), {"len": None}, "1 rows of scores for 5 outputs"),
    (lambda table: table, pd.DataFrame({"len": [1.0] * 5}), {}, "the direction of 'len' is unknown"),
    (lambda table: table, pd.DataFrame({"text": list("abcde")}), {"text": None}, "'text' has no numbers"),
])  # fmt: skip
def test_what_cannot_be_evaluated_is_refused(change, scores, better, message) -> None:
    frame = corpus([1, 2, 4, 5, 3])
    with pytest.raises(ValueError, match=message):
        evaluate_predictions(frame, change(by_hand(frame, [2, 2, 3, 5, 4])), scores, better, rng=1)
