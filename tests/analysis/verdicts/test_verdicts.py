"""Verdicts on tables with known truth: each state, each reason, and what must not move them."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

from rainbow.analysis.verdicts.evidence import LENGTH, evidence
from rainbow.analysis.verdicts.verdict import verdicts


@dataclass
class Study:
    """Outputs of some systems for the same inputs, with a rating from system, input and output."""

    systems: int = 5
    inputs: int = 60
    seed: int = 1

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.seed)
        self.system = np.tile(np.arange(self.systems), self.inputs)
        self.input = np.repeat(np.arange(self.inputs), self.systems)
        self.good, self.easy = self.rng.normal(size=self.systems), self.rng.normal(size=self.inputs)
        self.output = self.rng.normal(size=len(self.input))
        self.rated = self.good[self.system] + 0.6 * self.easy[self.input] + self.output
        self.length = self.rng.integers(5, 30, len(self.input))

    def noise(self) -> np.ndarray:
        return self.rng.normal(size=len(self.input))

    def verdict(self, agreement: float = np.nan, **columns: np.ndarray) -> pd.Series:
        frame = pd.DataFrame(columns).assign(
            dataset="", system=self.system.astype(str), item=self.input, quality=self.rated
        )
        frame["output"] = ["word " * count for count in self.length]
        better = dict.fromkeys(columns, True)
        found = evidence(frame, list(columns), ["quality"], better, resamples=400, seed=3)
        return verdicts(found, {"quality": agreement}).iloc[0]


def test_a_column_that_tells_outputs_apart_is_green() -> None:
    study = Study()
    found = study.verdict(good=study.output + study.noise(), poor=study.noise())
    assert (found["verdict"], found["headline"]) == ("green", "Use good for quality")
    assert found["low"] < found["agreement"] < found["high"]


def test_a_column_that_has_systems_the_other_way_round_is_not_to_compare_them_with() -> None:
    study = Study()
    study.length[:] = 12  # its agreement is not known, and not told
    found = study.verdict(good=study.output + study.noise() - 2 * study.good[study.system], poor=study.noise())
    assert (found["verdict"], found["headline"]) == ("green", "Use good for quality, but not to compare systems")
    assert found["because"].endswith("The means of 5 systems are in another order (-0.90).")
    assert "nan" not in found["because"]


@pytest.mark.parametrize(("systems", "verdict"), [(3, "red"), (12, "amber")])
def test_what_only_tells_systems_apart_is_amber_where_there_are_enough(systems: int, verdict: str) -> None:
    study = Study(systems, inputs=100)
    found = study.verdict(which=5 * study.good[study.system] + study.noise(), poor=study.noise())
    assert found["verdict"] == verdict
    assert found["metric"] == ("which" if verdict == "amber" else "")


def test_what_only_tells_inputs_apart_is_red() -> None:
    study = Study(systems=3, inputs=100)
    found = study.verdict(easy=2 * study.easy[study.input] + study.noise())
    assert (found["verdict"], found["cause"]) == ("red", "inputs")


def test_what_follows_the_length_is_red_where_people_follow_it_too() -> None:
    study = Study(inputs=200)
    study.rated += study.length / 5
    found = study.verdict(long=study.length + 3 * study.noise())
    assert (found["verdict"], found["cause"]) == ("red", "length")


def test_few_ratings_say_so_with_the_number_that_is_needed() -> None:
    study = Study(systems=3, inputs=20)
    found = study.verdict(poor=study.noise())
    assert (found["verdict"], found["cause"]) == ("red", "too few")
    assert 80 < found["needed"] < 300
    assert f"{found['needed']:.0f}" in found["because"]


def test_columns_that_agree_the_wrong_way_round_are_named() -> None:
    study = Study()
    found = study.verdict(against=study.noise() - study.output, poor=study.noise())
    assert (found["verdict"], found["cause"]) == ("red", "wrong way")
    assert "against" in found["because"]


def test_raters_who_agree_no_better_than_chance_are_the_reason_where_there_are_rows_enough() -> None:
    study = Study(inputs=200)
    poor = {"poor": study.noise(), "worse": study.noise()}
    assert study.verdict(**poor)["cause"] == "nothing"
    assert study.verdict(agreement=-0.02, **poor)["cause"] == "raters"


def test_a_column_that_many_outputs_lack_is_no_candidate() -> None:
    study = Study()
    good = study.output + study.noise()
    good[: len(good) // 5] = np.nan
    found = study.verdict(good=good, poor=study.noise())
    assert (found["verdict"], found["candidates"]) == ("red", 1)


def test_without_two_outputs_for_an_input_only_systems_are_looked_into() -> None:
    study = Study(systems=1, inputs=200)
    found = study.verdict(good=study.output + study.noise())
    assert found["verdict"] == "green"
    assert np.isnan(found["within_inputs"])


def test_columns_without_direction_and_lengths_are_no_candidates_and_lower_is_turned() -> None:
    study = Study()
    frame = pd.DataFrame({"errors": -study.output, "kind": study.output, "quality": study.rated, "item": study.input})
    frame = frame.assign(dataset="", system=study.system.astype(str), output="a text")
    found = evidence(frame, ["errors", "kind"], ["quality"], {"errors": False, "kind": None}, resamples=100)
    assert found["metric"].tolist() == ["errors", LENGTH]
    assert found["within_systems"][0] > 0.5


def test_a_table_of_nothing_but_constants_is_red() -> None:
    study = Study()
    found = study.verdict(flat=np.ones(len(study.input)))
    assert (found["verdict"], found["needed"]) == ("red", None)


def test_the_same_seed_gives_the_same_evidence() -> None:
    first, second = Study().verdict(a=Study().noise()), Study().verdict(a=Study().noise())
    pd.testing.assert_series_equal(first, second)
