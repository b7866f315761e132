"""Short examples of functions in learned."""

import re

import numpy as np
import pandas as pd
import pytest

import rainbow
from rainbow.learned.fitting import applicable_protocols
from rainbow.learned.learner.contract import check_fields, check_positive
from rainbow.learned.learner.standardised import Standardised
from rainbow.learned.protocols.evaluation import compare_external_scores
from rainbow.learned.protocols.groups import link_rows, row_templates
from rainbow.learned.protocols.training_overlap import look_up_targets
from rainbow.learned.replications.dusek2017.setups import _verbalise
from rainbow.learned.replications.liu2021.encoder import _rate_factor
from rainbow.learned.replications.training import train_best_pass
from rainbow.learned.scorer import default_speed
from rainbow.learned.training.features import preset_features
from rainbow.meaning import parse_meaning


@pytest.mark.parametrize(("call", "expected"), [
    (lambda: applicable_protocols(rainbow.load_dataset("demo")),
     ["by-item-and-text", "by-template", "leave-one-system-out"]),
    (
        lambda: Standardised.from_scores(np.array([[1.0, 5.0], [3.0, 5.0]]), np.ones(2))(
            np.array([[9.0, 9.0], [np.nan, 6.0]]), reach=4.0
        ).tolist(),
        [[4.0, 0.0], [-1.0, 0.0]],
    ),
    (
        lambda: link_rows(
            rainbow.Corpus.from_texts(["a.", "A .", "b"], inputs=["x[1]", "x[2]", "x[2]"], dataset=[*"aab"]).frame
        ).tolist(),
        [0, 0, 0],
    ),
    (
        lambda: row_templates(
            rainbow.Corpus.from_texts(
                ["a", "b", "c"], inputs=["inform(area=soma)", "", "inform(area=marina)"]
            ).frame
        ).tolist(),
        [0, 1, 0],
    ),
    (
        lambda: look_up_targets(
            np.array([[1.0], [2.0], [6.0]]), np.array([0, 1]), np.array([2]), [np.array([7, 8, 8])]
        ).tolist(),
        [[2.0]],
    ),
    (lambda: _verbalise(parse_meaning("inform(name='the inn',price_range=cheap,kids_allowed=dont_care,near)")),
     "inform name xname pricerange xpricerange kidsallowed dontcare near none"),
    (lambda: [round(_rate_factor(done, 40), 2) for done in (0, 3, 4, 22, 40)], [0.25, 1.0, 1.0, 0.5, 0.0]),
    (lambda: default_speed() in ("fast", "full"), True),
    (lambda: preset_features("gbm", "paper").texts, ()),
])  # fmt: skip
def test_an_example_gives_what_it_says(call, expected) -> None:
    assert call() == expected


def test_check_fields() -> None:
    class Line:
        def __init__(self, slope):
            self.slope = slope

    with pytest.raises(ValueError, match=re.escape("slope is -1.0: it must be a number")):
        check_fields(Line(-1.0), Line, slope=check_positive)


def test_predictions_beside() -> None:
    rated = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    frame = pd.DataFrame({"id": list("abcdef"), "dataset": "inns", "system": "A", "item": list("abcdef")})
    frame = frame.assign(mr="", output=list("abcdef"))
    predictions = pd.DataFrame({"id": list("abcdef"), "rated": rated, "predicted": rated}).assign(
        protocol="by-item", seed=1, rating="quality", fold=0, constant_mean=3.5, constant_median=3.5
    )
    table = compare_external_scores(frame.assign(judge=[1, 3, 2, 4, 6, np.nan]), predictions, {"judge": True})
    assert table.loc[0, ["score_spearman", "spearman", "n"]].astype(float).round(2).tolist() == [0.9, 1.0, 5.0]


def test_best_pass() -> None:
    truth, done = np.arange(6.0)[:, None], []
    guesses = [-truth, truth**2, truth**4]
    lines: list[str] = []

    assert (
        train_best_pass(
            3, lambda: done.append(1), lambda: guesses[len(done) - 1], truth, lambda: len(done), lines.append
        )
        == 2
    )
    assert lines == ["epoch 1 of 3: dev -2.005", "epoch 2 of 3: dev 1.953", "epoch 3 of 3: dev 1.698"]
