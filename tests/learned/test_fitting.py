"""From rated outputs to models, tables and cards: what there is, what it holds, and that it agrees with itself."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

from rainbow import Corpus
from rainbow.audit.audit import audit
from rainbow.audit.perturbations import TRAINING_PERTURBATIONS
from rainbow.learned.fitting import FittedModels, Request, evaluate_recipe, fit_models
from rainbow.learned.model.card import data_digest
from rainbow.learned.model.model_file import read_model, save_model
from rainbow.learned.protocols.calibration import CUTS, RatingClasses, interval_half_width
from rainbow.learned.protocols.groups import assign_folds, iter_folds
from rainbow.learned.training.features import Features
from rainbow.learned.training.learn import Recipe, learn_metrics
from tests.learned.demo_model import demo_rows
from tests.learned.planted import examples_of, planted, stored

pytestmark = pytest.mark.usefixtures("few_trees")

# As the files in analysis/DATASET/ are described.
TABLES = {
    "learned_protocols": "model preset protocol rating dataset system n items spearman low high pearson mae rmse "
    "constant_mae constant_rmse best_metric best_metric_spearman best_metric_t best_metric_p ceiling ceiling_low "
    "ceiling_high seed forest_spearman forest_t forest_p",
    "learned_folds": "protocol seed id fold",
    "learned_overlap": "protocol seed n rows items texts near_texts templates",
    "learned_lookup": "protocol rating n spearman accuracy commonest_accuracy seed",
    "learned_predictions": "protocol rating id fold rated predicted forest",
    "learned_classes": "protocol rating cut classes n items accuracy accuracy_low accuracy_high macro_f1 macro_f1_low "
    "macro_f1_high quadratic_kappa majority_accuracy calibration_error seed",
    "learned_reliability": "protocol rating from to n probability share seed",
    "learned_importances": "rating feature importance low high rank",
    "learned_elimination": "rating feature rank",
    "learned_audit": "kind n falls low high mean_change median_change",
}
RATINGS = ["quality", "naturalness"]
COLUMNS = ("SE", "len", "slots_missing", "lm_mean")
PROTOCOL = "leave-one-system-out"
STRICT = "by-item-and-text"
ROWS = 60


def request(recipe: Recipe, **options: Any) -> Request:
    given = {"ratings": RATINGS, "resamples": 50, "notes": ["A note for the reader."]} | options
    return Request(demo_rows(ROWS), recipe=recipe, name="small", protocols=[PROTOCOL], **given)


@pytest.fixture(scope="module", params=["whole", "top"])
def fitted(request: pytest.FixtureRequest, few_trees: None) -> FittedModels:
    """Return what is fitted with texts and all columns, and with the three best columns alone."""
    return fit_models(_request(request.param))


def _request(name: str) -> Request:
    if name == "top":
        return request(Recipe(Features(COLUMNS), top=3))
    return request(Recipe(Features(COLUMNS, ("delexicalised", "surface"))))


def test_the_tables_have_the_columns_that_a_report_reads(fitted: FittedModels) -> None:
    expected = set(TABLES) - (set() if "learned_elimination" in fitted.tables else {"learned_elimination"})
    assert set(fitted.tables) == expected
    for name, table in fitted.tables.items():
        assert not set(TABLES[name].split()) - set(table), name
        assert len(table), name


def test_elimination_is_told_where_columns_were_chosen(fitted: FittedModels) -> None:
    chosen = fitted.models[0].card["top"] is not None
    assert ("learned_elimination" in fitted.tables) == chosen
    if chosen:
        ranks = fitted.tables["learned_elimination"]
        for model in fitted.models:
            own = ranks[ranks["rating"] == model.rating]
            assert (own["rank"].tolist(), tuple(own["feature"][:3])) == ([1, 2, 3, 4], model.features.columns)


def test_what_was_asked_for_is_measured_and_the_strict_protocol_besides(fitted: FittedModels) -> None:
    for name in ("learned_protocols", "learned_folds", "learned_predictions"):
        assert list(dict.fromkeys(fitted.tables[name]["protocol"])) == [PROTOCOL, STRICT]
    pooled = fitted.tables["learned_protocols"].query("dataset == 'all' and system == 'all'")
    found = list(zip(pooled["protocol"], pooled["rating"], strict=True))
    assert found == [(protocol, rating) for protocol in (PROTOCOL, STRICT) for rating in RATINGS]
    assert (set(pooled["n"]), set(pooled["model"])) == ({ROWS}, {"small"})


def test_the_measures_are_those_of_the_predictions_in_the_other_table(fitted: FittedModels) -> None:
    predictions = fitted.tables["learned_predictions"]
    pooled = fitted.tables["learned_protocols"].query("dataset == 'all' and system == 'all'")
    for line in pooled.to_dict("records"):
        own = predictions[(predictions["protocol"] == line["protocol"]) & (predictions["rating"] == line["rating"])]
        errors = own["predicted"] - own["rated"]
        np.testing.assert_allclose(line["spearman"], spearmanr(own["predicted"], own["rated"])[0])
        np.testing.assert_allclose(line["rmse"], np.sqrt((errors**2).mean()))
        np.testing.assert_allclose(line["mae"], errors.abs().mean())
        assert line["low"] <= line["spearman"] <= line["high"]


def test_the_forest_of_2017_is_measured_beside_on_the_same_rows_folds_and_columns(fitted: FittedModels) -> None:
    """Grown here anew, from each fold's training rows and, where columns were chosen, from those chosen there."""
    asked = _request("top" if (fitted.models[0].card["top"] is not None) else "whole")
    asked = asked._replace(recipe=asked.recipe._replace(preset="paper", corrupted=False))
    alone = evaluate_recipe(asked, asked.examples())
    predictions = fitted.tables["learned_predictions"]
    np.testing.assert_array_equal(predictions["forest"], alone["learned_predictions"]["predicted"])
    found, expected = fitted.tables["learned_protocols"], alone["learned_protocols"]
    np.testing.assert_allclose(found["forest_spearman"], expected["spearman"])
    assert ((found["forest_t"] > 0) == (found["spearman"] > found["forest_spearman"])).all()
    assert expected["forest_spearman"].isna().all()


def test_the_best_metric_is_one_of_those_learned_from(fitted: FittedModels) -> None:
    assert set(fitted.tables["learned_protocols"]["best_metric"].dropna()) <= set(COLUMNS)


def test_importances_are_those_of_what_the_models_look_at(fitted: FittedModels) -> None:
    table = fitted.tables["learned_importances"]
    for model in fitted.models:
        own = table[table["rating"] == model.rating]
        assert len(own) == len(model.features.columns) + len(model.features.texts)
        assert own["rank"].tolist() == list(range(1, len(own) + 1))
    assert set(table[table["rating"] == "quality"]["feature"]) <= {*COLUMNS, "delexicalised", "surface"}


def test_the_audit_names_every_kind_for_every_rating(fitted: FittedModels) -> None:
    table = fitted.tables["learned_audit"]
    for rating in RATINGS:
        assert table[table["rating"] == rating]["kind"].tolist() == list(TRAINING_PERTURBATIONS)
    empty = table[table["kind"] == "empty"]
    assert (empty["falls"] == 1).all() and (empty["n"] > 0).all()


def test_the_audit_is_made_on_rows_that_were_held_out(fitted: FittedModels) -> None:
    """The first fold of the strict protocol, by what was learned from the others."""
    chosen = fitted.models[0].card["top"] is not None
    asked = _request("top" if chosen else "whole")
    corpus = asked.corpus
    train, test = next(iter_folds(assign_folds(corpus.frame, STRICT, seed=asked.recipe.seed)))
    held = fitted.tables["learned_audit"].query("kind == 'empty' and rating == 'quality'")["n"].item()
    assert held == len(test) < len(train)
    if not chosen:
        features = asked.recipe.features.fit(corpus)
        (one, _) = learn_metrics(examples_of(corpus, asked.recipe, RATINGS), train)
        expected = audit(
            lambda rows: one.estimator.predict(features.table(rows)), corpus.take(test.tolist()), kinds=["mr-copied"]
        )
        found = fitted.tables["learned_audit"].query("kind == 'mr-copied' and rating == 'quality'")
        np.testing.assert_allclose(found["mean_change"], expected["mean_change"], atol=1e-9)


def test_there_is_a_model_for_every_rating(fitted: FittedModels) -> None:
    found = [(model.name, model.rating) for model in fitted.models]
    assert found == [("quality-small", "quality"), ("naturalness-small", "naturalness")]


def test_models_predict_within_the_scale_of_the_ratings(fitted: FittedModels) -> None:
    corpus = demo_rows(ROWS)
    for model in fitted.models:
        rated = corpus.frame[model.rating]
        assert (model.low, model.high) == (rated.min(), rated.max())
        predicted = model.predict(corpus)
        assert predicted.shape == (ROWS,) and ((predicted >= model.low) & (predicted <= model.high)).all()
        # Rows that it learned from: anything that has learned at all agrees with them.
        assert spearmanr(predicted, rated)[0] > 0.3


def test_an_empty_output_has_the_lowest_rating(fitted: FittedModels) -> None:
    frame = demo_rows(ROWS).frame.head(3).assign(output=["", " ... ", "?!"])
    for model in fitted.models:
        assert model.predict(Corpus(frame)).tolist() == [model.low] * 3


@pytest.mark.parametrize(("column", "nothing", "need"), [("mr", "", "mr"), ("references", (), "references")])
def test_a_row_without_what_a_model_needs_has_no_prediction(fitted, column, nothing, need) -> None:
    frame = demo_rows(ROWS).frame.head(3).drop(columns="mr_type")
    frame[column] = pd.Series([nothing, *frame[column][1:]], dtype=object)
    for model in fitted.models:
        assert np.isnan(model.predict(Corpus(frame))).tolist() == [need in model.needs, False, False]


def test_the_needs_of_models_with_all_columns_are_references_and_meaning_representations(fitted: FittedModels) -> None:
    if fitted.models[0].card["top"] is None:
        assert [model.needs for model in fitted.models] == [frozenset({"mr", "references"})] * 2


def test_the_interval_holds_nine_tenths_of_the_errors_on_held_out_rows(fitted: FittedModels) -> None:
    predictions = fitted.tables["learned_predictions"]
    for model in fitted.models:
        own = predictions[(predictions["protocol"] == STRICT) & (predictions["rating"] == model.rating)]
        assert model.half_width == interval_half_width(own["rated"], own["predicted"])


def test_the_classes_of_a_model_are_those_of_all_held_out_rows(fitted: FittedModels) -> None:
    predictions = fitted.tables["learned_predictions"]
    for model in fitted.models:
        own = predictions[(predictions["protocol"] == STRICT) & (predictions["rating"] == model.rating)]
        expected = RatingClasses.fit(own["rated"], own["predicted"])
        assert model.classes is not None and expected is not None
        scores = np.linspace(model.low, model.high, 9)
        np.testing.assert_array_equal(model.classes.probabilities(scores), expected.probabilities(scores))
        assert [line["cut"] for line in model.card["classes"]["cuts"]] == list(CUTS)


def test_a_model_that_was_saved_predicts_the_same(fitted: FittedModels, tmp_path: Any) -> None:
    corpus = demo_rows(ROWS)
    for model in fitted.models:
        loaded = read_model(save_model(model, tmp_path / f"{model.name}.rainbow"))
        np.testing.assert_array_equal(loaded.predict(corpus), model.predict(corpus))
        assert (loaded.card, repr(loaded.classes)) == (model.card, repr(model.classes))


def test_fitting_twice_gives_the_same() -> None:
    corpus = planted(40)
    asked = Request(
        corpus, RATINGS, Recipe(Features(("len", "lm_mean"), ("surface",))), "twin", [PROTOCOL], resamples=20
    )
    first, second = fit_models(asked), fit_models(asked)
    for one, other in zip(first.models, second.models, strict=True):
        np.testing.assert_array_equal(one.predict(corpus), other.predict(corpus))
        assert one.card == other.card
    for name, table in first.tables.items():
        pd.testing.assert_frame_equal(table, second.tables[name])


def test_the_card_tells_what_it_was_learned_from_and_how(fitted: FittedModels) -> None:
    corpus = demo_rows(ROWS)
    for model in fitted.models:
        card = model.card
        assert (card["model"], card["rating"], card["scale"]) == (model.name, model.rating, [model.low, model.high])
        assert card["data"] == {
            "datasets": ["demo"], "systems": ["neural", "ngram", "template"], "outputs": ROWS,
            "items": corpus.frame["item"].nunique(), "background": 0, "sha256": data_digest(corpus, model.rating),
        }  # fmt: skip
        assert (card["preset"], card["statistics"], card["seed"]) == ("default", "all", 2017)
        assert card["corrupted_copies"] is True and card["notes"] == ["A note for the reader."] and card["limits"]


def test_the_card_names_the_features_in_order_with_their_signatures(fitted: FittedModels) -> None:
    for model in fitted.models:
        assert tuple(feature["column"] for feature in model.card["features"]) == model.features.columns
        for feature in model.card["features"]:
            assert feature["signature"] == model.features.signatures[feature["column"]]
        assert tuple(model.card["texts"]) == model.features.texts


def test_the_card_has_the_pooled_results_by_protocol(fitted: FittedModels) -> None:
    pooled = fitted.tables["learned_protocols"].query("dataset == 'all' and system == 'all'")
    for model in fitted.models:
        own = pooled[pooled["rating"] == model.rating]
        assert [line["protocol"] for line in model.card["protocols"]] == own["protocol"].tolist()
        for name in ("spearman", "low", "high", "pearson", "rmse", "constant_rmse", "best_metric_p", "n"):
            np.testing.assert_allclose([line[name] for line in model.card["protocols"]], own[name], rtol=1e-5)


def test_the_card_has_the_coverage_the_audit_and_the_versions(fitted: FittedModels) -> None:
    for model in fitted.models:
        (interval,) = model.card["interval"]
        assert interval["n"] == ROWS and 0.7 < interval["coverage"] <= 1
        assert [line["kind"] for line in model.card["audit"]] == list(TRAINING_PERTURBATIONS)
        assert {"rainbow", "numpy", "scikit-learn", "pandas"} <= set(model.card["versions"])


def test_without_a_rating_there_is_nothing_to_learn() -> None:
    with pytest.raises(ValueError, match="no rating to learn"):
        fit_models(request(Recipe(Features(("len",))), ratings=[]))
    unrated = planted(20)
    unrated = Corpus(unrated.frame.assign(quality=np.nan), unrated.ratings)
    with pytest.raises(ValueError, match=r"no output has a rating of quality: use rainbow\.score"):
        fit_models(Request(unrated, ["quality"], Recipe(Features(("len",))), "none", ["by-item"]))


def test_scores_that_were_stored_can_be_measured_but_make_no_model() -> None:
    asked = Request(planted(60), ["quality"], stored(columns=("first", "void")), "stored", ["by-item"], resamples=50)
    assert (evaluate_recipe(asked, asked.examples())["learned_protocols"]["spearman"][:2] > 0.6).all()
    with pytest.raises(ValueError, match="external scores cannot be computed for new outputs"):
        fit_models(asked)
