"""The general score as a metric: it asks no more of a row than its regression looks at, and knows its own corpora."""

import numpy as np
import pytest

from rainbow.metrics import Batch
from rainbow.metrics.general.general_score import GeneralFast, GeneralFull, LeftOut, missing_full_resources
from rainbow.metrics.general.regressions import (
    RATINGS,
    Regression,
    expected_ratings,
    known_corpora,
    shipped_regressions,
    text_digest,
)
from rainbow.metrics.probability.likelihood import Likelihood

MR = "inform(name='the inn',price_range=cheap)"


def regression(*columns: str, rises: float = 1.0) -> Regression:
    ones = np.ones((3, len(columns)))
    return Regression(columns, 0 * ones, ones, rises * ones, np.array([1.0, 2.0, 3.0]))


def test_a_regression_adds_up_steps_that_have_an_end() -> None:
    found = regression("a", "b")(np.array([[0.5, -9.0], [0.0, 0.0]]))
    np.testing.assert_allclose(found, [[-1.0, 0.0, 1.0], [1.0, 2.0, 3.0]])


def test_a_row_is_told_by_the_first_regression_of_which_it_has_all_and_no_more_is_asked() -> None:
    asked, table = [], {"a": np.array([1.0, np.nan]), "b": np.array([0.5, 0.5])}

    def scores(columns: tuple[str, ...], rows: np.ndarray) -> np.ndarray:
        asked.append((columns, rows.tolist()))
        return np.column_stack([table[name] for name in columns])

    found = expected_ratings([regression("a", "b"), regression("b"), regression("never")], 2, scores)
    np.testing.assert_allclose(found[:, 0], [2.5, 1.5])
    assert asked == [(("a", "b"), [True, True]), (("b",), [False, True])]


@pytest.mark.parametrize("speed", ["fast", "full"])
def test_regressions_are_there_without_each_corpus_and_point_the_way_of_their_columns(speed: str) -> None:
    for left_out in ((), ("emnlp2017",), ("summeval",), ("realsumm", "summeval")):
        found = shipped_regressions(speed, left_out)
        assert found, left_out
        for one in found:
            assert one.mean.shape == one.coefficients.shape == (len(RATINGS), len(one.columns))
    every, some = (shipped_regressions(speed, names)[0].coefficients for names in ((), ("emnlp2017",)))
    assert every.shape != some.shape or not np.allclose(every, some)
    for one in shipped_regressions(speed):
        if "METEOR" in one.columns:
            assert (one.coefficients[:, one.columns.index("METEOR")] >= 0).all()
            assert (one.coefficients[:, one.columns.index("TER")] <= 0).all()


def test_outputs_that_were_learned_from_are_known_again(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {"mine": frozenset({text_digest("The inn is cheap .")})}
    monkeypatch.setattr("rainbow.metrics.general.regressions._training_digests", lambda: known)
    assert known_corpora(["the inn is cheap."]) == ("mine",)
    assert known_corpora(["the inn is cheap.", *map(str, range(18))]) == ("mine",)
    assert known_corpora(["the inn is cheap.", *map(str, range(20))]) == ()
    assert known_corpora([]) == ()


def test_of_its_own_corpora_nothing_is_told_by_what_was_learned_from_them(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {"emnlp2017": frozenset({text_digest("the inn is cheap")})}
    monkeypatch.setattr("rainbow.metrics.general.regressions._training_digests", lambda: known)
    batch = Batch(["the inn is cheap"], mrs=[MR])
    metric = GeneralFast().fit(batch)
    assert metric.statistics == LeftOut(("emnlp2017",)) and "emnlp2017" in metric.signature
    other = GeneralFast().fit(Batch(["another text"]))
    assert other.statistics == LeftOut() and not np.array_equal(metric.score(batch), other.score(batch))
    assert LeftOut.from_json(LeftOut(("a", "b")).to_json()) == LeftOut(("a", "b"))
    with pytest.raises(ValueError, match="not corpus names"):
        LeftOut.from_json({"left_out": 3})


def test_rows_are_scored_alike_alone_and_beside_rows_with_more_or_less() -> None:
    outputs = ["the inn is cheap", "inn", "?!", "", "The bridge was rejected.", "it is cheap"]
    references = [["the inn is not dear"], [], ["x"], [], [], ["cheap it is"]]
    mrs = [MR, MR, MR, None, "The council said no to the bridge.", None]
    metric = GeneralFast().fit(Batch([]))
    together = metric.score(Batch(outputs, references, mrs))
    alone = [
        metric.score(Batch([output], [own], [mr]))[0] for output, own, mr in zip(outputs, references, mrs, strict=True)
    ]
    np.testing.assert_array_equal(together, alone)
    assert np.isnan(together[[2, 3]]).all() and not np.isnan(together[[0, 1, 4, 5]]).any()


def test_references_are_looked_at_unless_it_is_said_otherwise() -> None:
    batch, bare = Batch(["the inn is cheap"], [["a pub"]], [MR]), Batch(["the inn is cheap"], mrs=[MR])
    blind = GeneralFast(references=False).fit(batch)
    np.testing.assert_array_equal(blind.score(batch), blind.score(bare))
    assert not np.array_equal(GeneralFast().fit(batch).score(batch), blind.score(batch))


def test_with_references_the_model_is_not_asked_of_the_output_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    if missing := missing_full_resources():
        pytest.skip(missing)
    monkeypatch.setattr(Likelihood, "compute", lambda *_: pytest.fail("the output alone was asked for"))
    text, references = "The inn is cheap.", ["A cheap inn."]
    batch = Batch([text] * 2, [references] * 2, inputs=[MR, ""])
    assert not np.isnan(GeneralFull().fit(Batch([])).score(batch)).any()
