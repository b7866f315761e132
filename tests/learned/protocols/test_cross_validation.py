"""Held-out predictions: nothing that belongs to a test row may reach what predicts it."""

from functools import cache
from typing import Any, get_args

import numpy as np
import pandas as pd
import pytest

from rainbow import Corpus
from rainbow.learned.protocols.cross_validation import Statistics, cross_validate
from rainbow.learned.protocols.groups import assign_folds, folds_table
from rainbow.learned.training.features import Features
from rainbow.learned.training.learn import Examples, Recipe
from tests.learned.planted import RATINGS, examples_of, planted, stored, with_column

pytestmark = pytest.mark.usefixtures("few_trees")

# What depends on references, on corpus statistics, on the corrupted copies and on the choice of columns.
COMPUTED = Recipe(Features(("len", "SE", "lm_mean", "lm_rare", "CIDErD"), ("delexicalised",)), top=3)
RECIPES = {"computed": COMPUTED, "stored": stored(), "paper": stored("paper", top=2)}
STATISTICS: tuple[Statistics, ...] = get_args(Statistics)


def predicted(corpus: Corpus, recipe: Recipe, protocol: str = "by-item", **options: Any) -> pd.DataFrame:
    found = cross_validate(examples_of(corpus, recipe), [protocol], folds=3, **options)
    return found.predictions.pivot(index="id", columns="rating", values="predicted").loc[corpus.frame["id"]]


@cache
def of_48(name: str, statistics: Statistics = "all") -> pd.DataFrame:
    """Return what is predicted of the corpus that most tests change something of."""
    return predicted(planted(48), RECIPES[name], statistics=statistics)


def folds_of(corpus: Corpus, protocol: str = "by-item") -> np.ndarray:
    return assign_folds(corpus.frame, protocol, folds=3).fold


@pytest.mark.parametrize("statistics", STATISTICS)
@pytest.mark.parametrize("name", RECIPES)
def test_the_ratings_of_test_rows_change_none_of_their_predictions(name: str, statistics: Statistics) -> None:
    corpus = planted(48)
    first, folds = of_48(name, statistics), folds_of(corpus)
    test, changed = folds == 0, Corpus(corpus.frame.copy(), corpus.ratings)
    for rating, size in (("quality", 100.0), ("naturalness", -3.0)):
        # Other values, in another order, and beyond the ends of the scale.
        values = size - changed.frame[rating].to_numpy()[::-1]
        changed = with_column(changed, rating, np.where(test, values, changed.frame[rating]))
    second = predicted(changed, RECIPES[name], statistics=statistics)
    np.testing.assert_array_equal(second[test], first[test])
    assert (second[~test] != first[~test]).all().all()


@pytest.mark.parametrize("statistics", STATISTICS)
def test_predictions_of_test_rows_hang_on_the_ratings_of_training_rows(statistics: Statistics) -> None:
    corpus = planted(48)
    held_out = folds_of(corpus) == 0
    values = np.where(held_out, corpus.frame["quality"], 7 - corpus.frame["quality"])
    first, second = (
        predicted(rows, stored(), statistics=statistics)["quality"][held_out]
        for rows in (corpus, with_column(corpus, "quality", values))
    )
    assert np.corrcoef(first, second)[0, 1] < -0.5


def test_corpus_statistics_of_training_rows_see_no_reference_of_a_test_row(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus, counted = planted(48), list[Corpus]()
    fit = Features.fit

    def recording(self: Features, rows: Corpus) -> Features:
        counted.append(rows)
        return fit(self, rows)

    monkeypatch.setattr(Features, "fit", recording)
    predicted(corpus, COMPUTED, statistics="training")
    folds = folds_of(corpus)
    everything, *counted = counted
    assert (len(everything), len(counted)) == (48, 3)
    for number, rows in enumerate(counted):
        assert rows.frame["id"].tolist() == corpus.frame["id"][folds != number].tolist()
        seen = {text for texts in rows.frame["references"] for text in texts}
        assert seen and not seen & {text for texts in corpus.frame["references"][folds == number] for text in texts}


def test_other_references_of_test_rows_change_a_prediction_only_where_statistics_are_of_all_rows() -> None:
    corpus = planted(48)
    recipe = Recipe(Features(("lm_mean", "lm_rare"), ()), corrupted=False)
    test, own = folds_of(corpus) == 0, np.zeros(48, dtype=bool)
    own[np.flatnonzero(test)[-1]] = True
    # The references of one item: they may tell of the other rows of its fold, whose own they are not.
    item = (corpus.frame["item"] == corpus.frame["item"][own].item()).to_numpy()
    texts = corpus.frame["references"].tolist()
    others = [
        ("araldo brisa cortina is an inn in soma",) * 3 if there else old
        for there, old in zip(item, texts, strict=True)
    ]
    changed = Corpus(corpus.frame.assign(references=others), corpus.ratings)
    for statistics, alike in (("training", True), ("all", False)):
        first, second = (predicted(rows, recipe, statistics=statistics)[test & ~item] for rows in (corpus, changed))
        assert first.equals(second) == alike


def test_examples_are_learned_from_and_not_computed_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    examples = examples_of(planted(48), COMPUTED)
    monkeypatch.setattr(Examples, "from_corpus", None)
    monkeypatch.setattr(Features, "fit", None)
    useless = examples._replace(table=examples.table.assign(len=1.0, lm_mean=1.0))
    found, other = (cross_validate(one, ["kfold"], folds=3).predictions for one in (examples, useless))
    assert (found["predicted"] != other["predicted"]).any()


@pytest.mark.parametrize("statistics", STATISTICS)
def test_every_row_is_predicted_once_under_every_protocol_from_the_fold_that_is_noted(statistics: Statistics) -> None:
    corpus, protocols = planted(48), ["kfold", "leave-one-system-out"]
    found = cross_validate(examples_of(corpus, stored()), protocols, folds=3, statistics=statistics)
    assert found.predictions.groupby(["protocol", "rating"]).size().tolist() == [48] * 4
    folds = folds_table(corpus.frame, found.folds).set_index(["protocol", "id"])["fold"]
    noted = found.predictions.set_index(["protocol", "id"])["fold"]
    assert (noted == folds.reindex(noted.index)).all()
    rated = found.predictions.set_index(["rating", "id"])["rated"].to_dict()
    assert rated["quality", "7"] == corpus.frame["quality"][6]


@pytest.mark.parametrize("name", ["computed", "paper"])
def test_the_same_seed_gives_the_same_predictions(name: str) -> None:
    corpus = planted(48)
    first, again, other = (
        cross_validate(examples_of(corpus, RECIPES[name]._replace(seed=seed)), ["kfold"], folds=3) for seed in (1, 1, 2)
    )
    pd.testing.assert_frame_equal(first.predictions, again.predictions)
    assert [one.fold.tolist() for one in first.folds] == [one.fold.tolist() for one in again.folds]
    assert first.folds[0].fold.tolist() != other.folds[0].fold.tolist()
    assert set(other.predictions["seed"]) == {2}


def test_a_signal_is_found_and_predicted_in_rows_that_were_held_out() -> None:
    corpus = planted()
    for protocol in ("by-item-and-text", "leave-one-system-out", "leave-one-dataset-out"):
        assert np.corrcoef(predicted(corpus, stored(), protocol)["quality"], corpus.frame["quality"])[0, 1] > 0.6


def test_progress_wraps_the_folds_of_every_protocol() -> None:
    seen = []

    def progress(protocol: str, folds: list[Any]) -> list[Any]:
        seen.append((protocol, len(folds)))
        return folds

    examples = examples_of(planted(48), stored())
    cross_validate(examples, ["kfold", "leave-one-dataset-out"], folds=4, progress=progress)
    assert seen == [("kfold", 4), ("leave-one-dataset-out", 2)]


@pytest.mark.parametrize(("protocol", "message"), [
    ("leave-one-system-out", "all rows have the same system"), ("by-magic", "unknown protocol 'by-magic'")
])  # fmt: skip
def test_a_protocol_that_cannot_be_applied_is_refused_before_anything_is_learned(protocol: str, message: str) -> None:
    corpus = Corpus(planted(20).frame.assign(system="A"), tuple(RATINGS))
    with pytest.raises(ValueError, match=message):
        cross_validate(examples_of(corpus, stored()), ["kfold", protocol])
