"""`rainbow.score` and `Scorer`: shapes, what is missing, prepared references, intervals, copies and threads."""

import dataclasses
import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import rainbow
from rainbow.learned.model.model import Model
from rainbow.learned.model.model_file import save_model
from rainbow.learned.protocols.calibration import RatingClasses
from rainbow.learned.score import score
from rainbow.learned.scorer import Scored, Scorer, load_model
from rainbow.metrics.contract.views import PreparedReferences
from tests.learned.demo_model import COLUMNS, demo_model, demo_rows

MR = "inform(name='the inn',area=soma)"
TEXT, REFERENCES = "the inn is in soma", ["the inn is a hotel in soma", "soma has the inn"]


def needy() -> Model:
    """A model that needs references and meaning representations, with an interval."""
    return dataclasses.replace(demo_model(), half_width=1.5)


def of_references() -> Model:
    return demo_model("default", ("TER", "len"), ("surface",))


def of_texts_alone() -> Model:
    return demo_model("default", ("len", "cpw"), ())


def rows(size: int = 20) -> dict[str, list[Any]]:
    frame = demo_rows().frame.iloc[:size]
    return {
        name: frame[column].tolist()
        for name, column in {"outputs": "output", "references": "references", "mrs": "mr"}.items()
    }


def test_a_text_gives_a_float() -> None:
    found = score(TEXT, REFERENCES, MR, model=needy())
    assert type(found) is float and 1 <= found <= 6


def test_several_texts_give_an_array_as_long() -> None:
    found = score([TEXT, "inn"], [REFERENCES, REFERENCES], [MR, MR], model=needy())
    assert (found.shape, found.dtype, found[0]) == ((2,), np.float64, score(TEXT, REFERENCES, MR, model=needy()))


def test_a_list_of_one_text_gives_an_array_of_one() -> None:
    assert score([TEXT], [REFERENCES], [MR], model=needy()).shape == (1,)


def test_no_texts_give_an_empty_array() -> None:
    assert score([], [], [], model=needy()).shape == (0,)


@pytest.mark.parametrize("of", [tuple, np.array, lambda values: pd.Series(values, index=range(7, 7 + len(values)))])
def test_texts_may_come_in_tuples_arrays_and_series(of: Callable[[Any], Any]) -> None:
    outputs, references, mrs = [TEXT, "inn"], [REFERENCES, REFERENCES[:1] * 2], [MR, MR]
    expected = score(outputs, references, mrs, model=needy())
    np.testing.assert_array_equal(score(of(outputs), of(references), of(mrs), model=needy()), expected)


def test_a_series_gives_a_series_with_its_index() -> None:
    index = pd.Index(["b", "a"])
    outputs, mrs = pd.Series([TEXT, "inn"], index), pd.Series([MR, MR], index)
    references = pd.Series([REFERENCES, REFERENCES], index)
    found = score(outputs, references, mrs, model=needy())
    assert found.index.equals(index)
    assert found.tolist() == score([TEXT, "inn"], [REFERENCES] * 2, [MR] * 2, model=needy()).tolist()
    more = score(outputs, references, mrs, model=needy(), interval=True)
    assert more.score.equals(found) and more.low.index.equals(index)
    with pytest.raises(ValueError, match="references or inputs have a different index than outputs"):
        score(outputs, references, mrs.sort_index(), model=needy())


WRONG: dict[str, tuple[tuple[Any, ...], str]] = {
    "one text, references in a list of lists": ((TEXT, [REFERENCES], MR), "row 1, references: .* is not a text"),
    "one text, a list of mrs": ((TEXT, REFERENCES, [MR]), "row 1, mr: .* is not a text"),
    "one text, a number for an mr": ((TEXT, REFERENCES, 3), "row 1, mr: 3 is not a text"),
    "references by name": (([TEXT], {"a": REFERENCES}, [MR]), "references is {'a'.*: give a list"),
    "references used up by looking": (([TEXT], iter([REFERENCES]), [MR]), "references is <.*: give a list"),
    "references of a row used up": (([TEXT], [iter(REFERENCES)], [MR]), "row 1, references: <.*: give a list"),
    "outputs None": ((None, [REFERENCES], [MR]), "outputs is None: give a list"),
    "outputs bytes": ((b"inn", [REFERENCES], [MR]), "outputs is b'inn': give a list"),
    "outputs a set": (({TEXT}, [REFERENCES], [MR]), "outputs is {.*: give a list"),
    "outputs used up by looking": ((iter([TEXT]), [REFERENCES], [MR]), "outputs is <.*: give a list"),
    "an output is a list": (([[TEXT]], [REFERENCES], [MR]), "row 1, output: .* is not a text"),
    "prepared references of other rows": (([TEXT, TEXT], PreparedReferences([REFERENCES], [MR])),
        "references has 1 entries for 2 outputs"),
    "inputs beside prepared references": (([TEXT], PreparedReferences([REFERENCES]), [MR]),
        r"the references are already prepared: pass inputs with them"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_what_has_another_shape_is_refused_in_one_sentence(name: str) -> None:
    arguments, message = WRONG[name]
    with pytest.raises(ValueError, match=message) as refused:
        score(*arguments, model=needy())
    assert "\n" not in str(refused.value)


def test_inputs_of_another_number_cannot_be_prepared() -> None:
    with pytest.raises(ValueError, match="inputs has 1 entries for 2 rows of references"):
        PreparedReferences([["inn"], ["bar"]], [MR])


@pytest.mark.parametrize(("call", "message"), [
    (lambda: Scorer("best"), r"no model file or model is named 'best': .*quality-fast"),
    (lambda: score(TEXT, REFERENCES, rating="beauty"), "no model 'fast' predicts 'beauty': choose from informative"),
    (lambda: Scorer(needy(), n_jobs=2), "n_jobs is 2: a scorer uses one thread"),
    (lambda: rainbow.Reward(model="top5"), "quality-top5 needs references: name their dataset column"),
])  # fmt: skip
def test_what_cannot_be_is_refused_in_a_sentence(call, message) -> None:
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize(("given", "message"), [
    ({"mrs": MR}, "the model demo needs references: pass references="),
    ({"references": REFERENCES}, "the model demo needs inputs: pass inputs="),
    ({}, "the model demo needs inputs and references: pass inputs= and references="),
    ({"references": PreparedReferences([REFERENCES])}, "the model demo needs inputs: pass inputs="),
])  # fmt: skip
def test_what_a_model_needs_and_does_not_get_is_named(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        score(TEXT, **given, model=needy())


def test_a_text_alone_is_scored_as_english() -> None:
    assert score("The inn is a cheap hotel.") > score("hotel a inn The cheap is.")


def test_a_row_that_lacks_what_is_needed_has_no_score_and_the_others_have() -> None:
    found = score([TEXT] * 5, [REFERENCES, None, [], ["  "], REFERENCES], [MR, MR, MR, MR, None], model=needy())
    assert np.isnan(found).tolist() == [False, True, True, True, True]


def test_what_a_model_does_not_need_changes_nothing() -> None:
    alone = score([TEXT, "inn"], model=of_texts_alone())
    np.testing.assert_array_equal(score([TEXT, "inn"], [["a"], ["b"]], [MR, MR], model=of_texts_alone()), alone)


def test_a_scorer_says_what_it_needs_and_on_what_scale_it_is() -> None:
    scorer = Scorer(needy())
    assert (scorer.name, scorer.low, scorer.high, scorer.needs) == ("demo", 1.0, 6.0, {"references", "mrs"})
    assert (Scorer(of_references()).needs, Scorer(of_texts_alone()).needs) == ({"references"}, set())


def test_an_output_that_says_nothing_has_the_lowest_score() -> None:
    assert score(["", "  ", "..."], [REFERENCES] * 3, [MR] * 3, model=needy()).tolist() == [1.0] * 3


def test_a_model_may_be_given_as_a_file(tmp_path: Path) -> None:
    path = save_model(needy(), tmp_path / "mine.rainbow")
    assert score(TEXT, REFERENCES, MR, model=path) == score(TEXT, REFERENCES, MR, model=needy())
    assert score(TEXT, REFERENCES, MR, model=str(path)) == score(TEXT, REFERENCES, MR, model=needy())
    assert load_model(path).rating == "quality"


def test_a_model_is_given_back_as_it_is() -> None:
    model = needy()
    assert load_model(model) is model


def test_prepared_references_give_the_scores_of_plain_ones() -> None:
    given = rows()
    scorer, prepared = Scorer(needy()), PreparedReferences(given["references"], given["mrs"])
    expected = scorer(**given)
    np.testing.assert_array_equal(scorer(given["outputs"], prepared), expected)
    # A second call with other outputs and the same references.
    turned = given["outputs"][::-1]
    np.testing.assert_array_equal(scorer(turned, prepared), scorer(turned, given["references"], given["mrs"]))
    assert (scorer(turned, prepared) != expected).any()


def test_references_prepared_without_meaning_representations_serve_models_that_need_none() -> None:
    given, scorer = rows(), Scorer(of_references())
    np.testing.assert_array_equal(
        scorer(given["outputs"], PreparedReferences(given["references"])), scorer(given["outputs"], given["references"])
    )


def test_one_text_may_have_prepared_references() -> None:
    prepared = PreparedReferences([REFERENCES], [MR])
    assert score(TEXT, prepared, model=needy()) == score(TEXT, REFERENCES, MR, model=needy())


def test_an_interval_reaches_equally_far_to_both_sides_but_not_beyond_the_scale() -> None:
    given = rows()
    given["outputs"][0] = ""
    found = score(**given, model=needy(), interval=True)
    assert isinstance(found, Scored)
    np.testing.assert_array_equal(found.score, score(**given, model=needy()))
    half = 1.5 + 3.5 * (1 - found.familiarity**4)
    np.testing.assert_allclose(found.low, np.maximum(found.score - half, 1))
    np.testing.assert_allclose(found.high, np.minimum(found.score + half, 6))
    assert (found.high == 6).any() and found.low[0] == 1 and found.explanation is None


def test_an_interval_of_one_text_is_of_floats() -> None:
    found = score(TEXT, REFERENCES, MR, model=needy(), interval=True)
    assert [type(value) for value in found] == [float, float, float, type(None), float, type(None)]


def test_a_model_without_a_measured_interval_has_none() -> None:
    found = score(TEXT, REFERENCES, MR, model=demo_model(), interval=True)
    assert np.isnan([found.low, found.high]).all()


def test_a_row_without_a_score_has_no_interval() -> None:
    found = score([TEXT, TEXT], [REFERENCES, None], [MR, MR], model=needy(), interval=True)
    for values in found[:3]:
        assert np.isnan(values).tolist() == [False, True]


@pytest.mark.parametrize("outputs", [TEXT, [TEXT, "inn"]])
def test_contributions_and_their_base_add_up_to_the_score(outputs: Any) -> None:
    one = isinstance(outputs, str)
    found = score(
        outputs, REFERENCES if one else [REFERENCES] * 2, MR if one else [MR] * 2, model=needy(), explain=True
    )
    assert found.low is found.high is None and found.explanation.names == (*COLUMNS, "text", "empty output")
    np.testing.assert_allclose(found.explanation.base + found.explanation.values.sum(axis=1), found.score)


def of_classes() -> Model:
    scores = demo_model().predict(demo_rows())
    return dataclasses.replace(demo_model(), classes=RatingClasses.fit(demo_rows().frame["quality"], scores))


def test_probabilities_of_the_points_add_up_to_one_for_every_text() -> None:
    scorer, given = Scorer(of_classes()), rows()
    found = scorer.predict_proba(**given)
    assert found.shape == (20, len(scorer.points))
    np.testing.assert_allclose(found.sum(axis=1), 1)
    assert set(scorer.points) <= {1, 2, 3, 4, 5, 6}


def test_classes_stand_beside_the_scores_and_change_none_of_them() -> None:
    given = rows()
    found = score(**given, model=of_classes(), classes=True)
    np.testing.assert_array_equal(found.score, score(**given, model=demo_model()))
    assert found.low is found.explanation is None
    points, probabilities, likeliest, frequent = found.classes
    np.testing.assert_array_equal(probabilities, Scorer(of_classes()).predict_proba(**given))
    np.testing.assert_array_equal(likeliest, points[probabilities.argmax(axis=1)])
    assert set(frequent) <= set(points)


def test_classes_of_one_text_are_of_one_text() -> None:
    found = score(TEXT, REFERENCES, MR, model=of_classes(), classes=True, interval=True)
    several = score([TEXT], [REFERENCES], [MR], model=of_classes(), classes=True)
    assert found.classes.probabilities.tolist() == several.classes.probabilities[0].tolist()
    assert type(found.classes.most_probable) is type(found.classes.as_frequent) is float
    assert np.isnan(found.low)  # nothing was measured


def test_a_row_without_a_score_has_no_classes() -> None:
    model = dataclasses.replace(of_classes())
    found = score([TEXT, TEXT], [REFERENCES, None], [MR, MR], model=model, classes=True).classes
    assert np.isnan(found.probabilities).all(axis=1).tolist() == [False, True]
    assert np.isnan(found.most_probable).tolist() == np.isnan(found.as_frequent).tolist() == [False, True]


def test_a_model_that_has_no_classes_says_so_and_scores() -> None:
    for ask in (
        lambda: score(TEXT, REFERENCES, MR, model=demo_model(), classes=True),
        lambda: Scorer(demo_model()).predict_proba([TEXT], [REFERENCES], [MR]),
        lambda: Scorer(demo_model()).points,
    ):
        with pytest.raises(ValueError, match=r"the model demo has no classes: .*rainbow fit"):
            ask()
    assert score(TEXT, REFERENCES, MR, model=demo_model()) > 1


def test_a_pickled_scorer_gives_the_same_scores() -> None:
    given, scorer = rows(), Scorer(needy())
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(scorer))(**given), scorer(**given))


def test_threads_may_share_a_scorer_and_prepared_references() -> None:
    given = rows(60)
    expected = Scorer(needy())(**given)
    scorer = Scorer(pickle.loads(pickle.dumps(needy())))  # nothing is made yet that threads could share
    prepared = PreparedReferences(given["references"], given["mrs"])
    with ThreadPoolExecutor(8) as threads:
        for found in threads.map(lambda _: scorer(given["outputs"], prepared), range(16)):
            np.testing.assert_array_equal(found, expected)


def test_the_public_names_are_these() -> None:
    assert (rainbow.score, rainbow.Scorer, rainbow.load_model) == (score, Scorer, load_model)
    assert rainbow.PreparedReferences is PreparedReferences


ROWS = {
    "good": "the inn is a cheap hotel in soma.", "shuffled": "hotel the soma. in a is inn cheap",
    "unrelated": "my train was late again this morning", "empty": "",
}  # fmt: skip
ASKED = "inform(name='the inn',area=soma,price_range=cheap)"


def test_the_default_reward_of_meaning_representations_works_from_end_to_end() -> None:
    reward = rainbow.Reward(mrs="prompt")
    assert reward.__name__ == "quality-fast"
    rewards = reward(prompts=[ASKED] * 4, completions=list(ROWS.values()), other=[1, 2, 3, 4])
    assert ([type(value) for value in rewards], rewards[0]) == ([float] * 4, score(ROWS["good"], mrs=ASKED))
    assert rewards[3] == 1.0 <= min(rewards) and rewards[0] > max(rewards[1:]) + 0.5


def test_the_default_reward_of_references_works_from_end_to_end() -> None:
    reward = rainbow.Reward(references="target", rescale=True)
    assert reward.__name__ == "quality-fast"
    targets = ["the inn is a hotel in soma, and cheap."] * 3 + [[]]
    rewards = reward(prompts=["p"] * 4, completions=[*list(ROWS.values())[:3], "a text"], target=targets)
    assert all(0 <= value <= 1 for value in rewards) and rewards[0] > max(rewards[1:3])


def test_the_default_reward_can_be_pickled_and_gives_the_same() -> None:
    reward = rainbow.Reward(mrs="prompt", rating="naturalness")
    given = [ASKED] * 4, list(ROWS.values())
    assert pickle.loads(pickle.dumps(reward))(*given) == reward(*given)


def test_compute_gives_what_score_gives_by_default() -> None:
    outputs = [ROWS["good"], ROWS["shuffled"]]
    references = [["the inn is a hotel in soma, and cheap."]] * 2
    for given in ({"mrs": [ASKED] * 2}, {"references": references}, {"references": references, "mrs": [ASKED] * 2}):
        found = rainbow.compute(predictions=outputs, **given)
        expected = score(outputs, **given)
        assert (found["scores"], found["score"]) == (expected.tolist(), pytest.approx(expected.mean()))
        assert (found["model"], found["rating"]) == ("quality-fast", "quality")


def test_references_and_inputs_are_both_read_however_they_come() -> None:
    references = [["the inn is a hotel in soma, and cheap."]]
    both = score([ROWS["good"]], references, [ASKED])
    np.testing.assert_array_equal(score([ROWS["good"]], PreparedReferences(references, [ASKED])), both)
    assert len({both[0], score(ROWS["good"], references[0]), score(ROWS["good"], mrs=ASKED)}) == 3


def test_the_warning_names_a_language_that_the_model_does_not_know() -> None:
    scorer = Scorer(model="quality-fast")
    with pytest.warns(UserWarning, match="is only a guess: it knows English only, and the outputs are German"):
        scorer(["Das Gasthaus ist billig und liegt am Fluss. Kinder sind dort sehr willkommen."])
