"""Texts unlike those that a model learned from: known differences of them, intervals, and one warning."""

import dataclasses

import numpy as np
import pytest

from rainbow.learned.model.model import Model
from rainbow.learned.scorer import Scorer
from tests.learned.demo_model import demo_model, demo_rows

MR = "inform(name='the inn',area=soma)"


def of_words() -> Model:
    return dataclasses.replace(demo_model("default", ("len", "cpw"), ("delexicalised", "surface")), name="small")


def test_made_up_words_are_unfamiliar_and_have_an_interval_of_the_whole_scale() -> None:
    model = dataclasses.replace(of_words(), half_width=1.5)
    with pytest.warns(UserWarning, match="familiar with only 0% of the words of these outputs"):
        found = Scorer(model).scored(["zorp blint quux"], mrs=[MR], interval=True)
    assert (found.familiarity.tolist(), found.low.item(), found.high.item()) == ([0.0], model.low, model.high)


def test_known_words_are_familiar_and_have_the_interval_that_was_measured() -> None:
    model, row = dataclasses.replace(of_words(), half_width=0.25), demo_rows().frame.iloc[0]
    found = Scorer(model).scored([row["output"]], mrs=[row["mr"]], interval=True)
    assert (found.familiarity.tolist(), found.high - found.low) == ([1.0], pytest.approx(0.5))


def test_a_model_that_reads_inputs_says_that_it_got_none() -> None:
    scorer = Scorer(demo_model("default", ("len", "cpw"), ("surface", "input")))
    with pytest.warns(UserWarning, match="got no inputs: scores without them are rough"):
        scorer([demo_rows().frame["output"].iloc[0]])


def test_a_scorer_warns_once(recwarn: pytest.WarningsRecorder) -> None:
    scorer = Scorer(of_words())
    for _ in range(3):
        scorer(["zorp blint"], mrs=[MR])
    assert [str(warning.message).startswith("small is familiar with only 0%") for warning in recwarn] == [True]


def test_an_input_of_another_kind_makes_known_words_less_familiar() -> None:
    model, row = demo_model("default", ("len", "cpw"), ("surface", "input")), demo_rows().frame.iloc[0]
    known, unknown = (
        Scorer(model).scored([row["output"]], mrs=[mr]).familiarity.item() for mr in (row["mr"], "zorp(blint='x')")
    )
    assert (known, unknown) == (1.0, 0.0)


def test_a_model_that_reads_no_text_cannot_tell() -> None:
    assert np.isnan(Scorer(demo_model("default", ("len", "cpw"), ())).scored(["the inn"]).familiarity).all()
