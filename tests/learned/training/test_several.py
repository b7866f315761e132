"""Several corpora as one to learn from: one scale, weights by agreement, and what they share held apart."""

from dataclasses import replace

import numpy as np
import pytest

from rainbow.corpus import Corpus
from rainbow.datasets import load_dataset
from rainbow.learned.protocols.groups import assign_folds, iter_folds
from rainbow.learned.training import learn as learning
from rainbow.learned.training.features import Features
from rainbow.learned.training.learn import Examples, Recipe, learn_metrics
from rainbow.learned.training.training_rows import CORPUS_WEIGHT, agreement_weights, combine_corpora


def corpus(name: str, outputs: list[str], mrs: list[str] | None = None, **columns: list[object]) -> Corpus:
    return Corpus.from_texts(outputs, None, mrs, dataset=[name] * len(outputs), **columns)


MARKS = corpus("marks", ["a", "b", "c", "d"], quality=[1.0, 2.0, 5.0, 6.0], fluency=[3.0, np.nan, 4.0, 5.0])
PLACES = corpus("places", ["e", "f", "g"], quality=[0.1, 0.9, np.nan])


def test_ratings_keep_their_order_and_get_the_scale_of_the_first() -> None:
    frame = combine_corpora({"marks": MARKS, "places": PLACES}).frame
    assert frame["quality"].tolist()[:4] == [1.0, 2.0, 5.0, 6.0]
    low, high = frame["quality"].tolist()[4:]
    assert 1.0 <= low < high <= 6.0


def test_rows_without_a_rating_are_left_out_and_a_rating_that_a_corpus_lacks_is_missing() -> None:
    frame = combine_corpora({"marks": MARKS, "places": PLACES}).frame
    assert frame["corpus"].tolist() == ["marks"] * 4 + ["places"] * 2
    assert frame["fluency"].isna().tolist() == [False, True, False, False, True, True]


def test_ids_and_items_of_different_corpora_are_not_mixed_up_but_inputs_are_one() -> None:
    mrs = ["inform(name=x)", "inform(name=y)"]
    first = corpus("a", ["x", "y"], mrs, quality=[1.0, 2.0])
    second = corpus("b", ["xx", "yy"], mrs, item=["1", "2"], quality=[1.0, 2.0])
    frame = combine_corpora({"a": first, "b": second}).frame
    assert (frame["id"].tolist(), frame["item"].tolist()) == (["a:1", "a:2", "b:1", "b:2"], [*mrs, "b:1", "b:2"])


def test_domains_are_said_or_stand_in_the_corpus() -> None:
    own = corpus("own", ["x", "y"], quality=[1.0, 2.0])
    own = Corpus(own.frame.assign(domain=["news", "law"]), ("quality",))
    frame = combine_corpora({"marks": MARKS, "own": own}, {"marks": "inns"}).frame
    assert frame["domain"].tolist() == ["inns"] * 4 + ["news", "law"]


def test_background_texts_are_those_of_all() -> None:
    further = Corpus.from_texts([""], [["an inn ."]])
    both = {name: replace(one, background=further) for name, one in (("marks", MARKS), ("places", PLACES))}
    background = combine_corpora(both).background
    assert background is not None and background.frame["references"].tolist() == [("an inn .",)] * 2


def test_a_corpus_without_a_rating_is_refused() -> None:
    with pytest.raises(ValueError, match="places has none of the ratings"):
        combine_corpora({"marks": MARKS, "places": Corpus(PLACES.frame)})


def test_raters_who_agree_more_weigh_more() -> None:
    weights = agreement_weights({"agree": [0.9, 0.7], "differ": [0.5], "unknown": []})
    assert weights == {"agree": 0.64, "differ": 0.25, "unknown": pytest.approx(0.445)}
    assert agreement_weights({"unknown": []}) == {"unknown": 1.0}


def test_a_row_that_shares_a_text_or_an_input_with_test_rows_is_not_learned_from() -> None:
    mr = ["inform(name=x)", "inform(name=y)", "inform(name=z)"]
    first = corpus("a", ["one", "two", "three"], mr, quality=[1.0, 2.0, 3.0])
    second = corpus(
        "b", ["Two .", "four", "five"], [mr[0], "inform(name=v)", "inform(name=w)"], quality=[1.0, 2.0, 3.0]
    )
    frame = combine_corpora({"a": first, "b": second}).frame
    frame.loc[3, "output"] = "two"
    assignment = assign_folds(frame, "leave-one-corpus-out")
    assert [sorted(frame["id"].iloc[train]) for train, _ in iter_folds(assignment)] == [["b:2", "b:3"], ["a:3"]]


def test_a_corpus_alone_cannot_be_left_out_by_corpus() -> None:
    with pytest.raises(ValueError, match="corpus"):
        assign_folds(MARKS.frame, "leave-one-corpus-out")


def test_of_too_many_rows_so_many_are_drawn_from_each_corpus(monkeypatch: pytest.MonkeyPatch) -> None:
    demo = load_dataset("demo")
    both = combine_corpora({"large": demo.take(range(300)), "small": demo.take(range(300, 340))})
    recipe = Recipe(Features(("len", "cpw")), corrupted=False)
    examples = Examples.from_corpus(both, ["quality"], recipe, recipe.features.fit(both))
    monkeypatch.setattr(learning, "MAX_ROWS", 90)
    rows = learning._sample_rows(examples, np.arange(340))
    assert (len(rows), (rows >= 300).sum()) == (90, 40)
    [one] = learn_metrics(examples, np.arange(340))
    assert len(one.estimator.learner_._dual[0]) == 90


def test_weights_reach_the_learner() -> None:
    rows = combine_corpora({"marks": MARKS, "places": PLACES}, weights={"places": 0.25})
    assert rows.frame[CORPUS_WEIGHT].tolist() == [1.0] * 4 + [0.25] * 2
    recipe = Recipe(Features(("len",)), corrupted=False)
    examples = Examples.from_corpus(rows, ["quality"], recipe, recipe.features.fit(rows))
    assert examples.weights.tolist() == [1.0] * 4 + [0.25] * 2
