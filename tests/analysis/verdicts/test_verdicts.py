"""Verdicts on tables with known truth: each state, each reason, and what must not move them."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

from rainbow.analysis.checks.check_scores import check_scores
from rainbow.analysis.verdicts.candidate_columns import LENGTH
from rainbow.analysis.verdicts.evidence import gather_evidence
from rainbow.analysis.verdicts.verdict import decide_verdicts


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

    def evidence(
        self,
        external: tuple[str, ...] = (),
        undirected: tuple[str, ...] = (),
        resamples: int = 400,
        draw: int = 3,
        **columns: np.ndarray,
    ) -> pd.DataFrame:
        frame = pd.DataFrame(columns).assign(
            dataset="", system=self.system.astype(str), item=self.input, quality=self.rated
        )
        frame["output"] = ["word " * count for count in self.length]
        better = {name: None if name in undirected else True for name in columns}
        said = {"external": external, "undirected": undirected, "resamples": resamples, "seed": draw}
        return gather_evidence(frame, list(columns), ["quality"], better, **said)

    def verdict(self, agreement: float = np.nan, **columns: np.ndarray) -> pd.Series:
        return decide_verdicts(self.evidence(**columns), {"quality": agreement}).iloc[0]


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
    assert found["because"].endswith("It orders the 5 systems differently from people (Spearman -0.90).")
    assert "nan" not in found["because"] and "length" not in found["because"]


@pytest.mark.parametrize(("systems", "verdict"), [(3, "red"), (12, "amber")])
def test_what_only_tells_systems_apart_is_amber_where_there_are_enough(systems: int, verdict: str) -> None:
    study = Study(systems, inputs=100)
    found = study.verdict(which=5 * study.good[study.system] + study.noise(), poor=study.noise())
    assert (found["verdict"], found["metric"]) == (verdict, "which" if verdict == "amber" else "")


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
    assert (found["verdict"], found["cause"]) == ("red", "too few") and 80 < found["needed"] < 300
    assert f"{found['needed']:.0f}" in found["because"]


def test_columns_that_agree_the_wrong_way_round_are_named() -> None:
    study = Study()
    found = study.verdict(against=study.noise() - study.output, poor=study.noise())
    assert (found["verdict"], found["cause"]) == ("red", "wrong way") and "against" in found["because"]


def test_raters_who_agree_no_better_than_chance_are_the_reason_where_there_are_rows_enough() -> None:
    study = Study(inputs=200)
    poor = {"poor": study.noise(), "worse": study.noise()}
    assert (study.verdict(**poor)["cause"], study.verdict(agreement=-0.02, **poor)["cause"]) == ("nothing", "raters")


@pytest.mark.parametrize(("missing", "verdict", "candidates"), [(0.05, "green", 2), (0.4, "green", 2), (0.6, "red", 1)])
def test_a_column_is_judged_on_the_rows_that_it_has_if_half_of_them_do(missing, verdict, candidates) -> None:
    study = Study()
    good = study.output + study.noise()
    good[: round(len(good) * missing)] = np.nan
    found = study.verdict(good=good, poor=study.noise())
    assert (found["verdict"], found["candidates"]) == (verdict, candidates)
    if candidates == 2:
        assert f"{300 - round(300 * missing)} of 300 rated outputs have it" in found["because"]
        assert found["left_out"] == ""
    else:
        assert found["left_out"] == "Excluded: good: missing in more than half of the rated outputs."


def test_length_is_compared_on_the_rows_that_a_column_has() -> None:
    study = Study()
    study.rated += np.where(np.arange(300) < 150, study.length, -study.length) / 5
    good = np.where(np.arange(300) < 150, study.length + study.noise(), np.nan)
    frame = pd.DataFrame({"good": good, "quality": study.rated, "item": study.input, "dataset": ""})
    frame = frame.assign(system=study.system.astype(str), output=["word " * count for count in study.length])
    known = frame.head(150).reset_index(drop=True)
    some, whole = (gather_evidence(table, ["good"], ["quality"], {"good": True}) for table in (frame, known))
    for name in ("agreement", "within_systems", "within_inputs", "beyond_length", "over_length", "between_systems"):
        assert some[name][0] == pytest.approx(whole[name][0]), name


def test_the_verdict_does_not_hang_on_the_seed_nor_on_the_number_of_resamples() -> None:
    states = []
    for seed in range(8):
        study = Study(seed=5, systems=4, inputs=25)
        columns = {"good": study.output + 2.2 * study.noise()} | {f"c{place}": study.noise() for place in range(20)}
        states.append(study.verdict(resamples=[100, 1000][seed % 2], draw=seed, **columns)["verdict"])
    assert {*states} != {"green", "red"} and len({*states} & {"green", "red"}) < 2


def test_few_draws_are_raised_to_a_thousand_and_more_are_made_near_the_border() -> None:
    study = Study()
    good, poor = study.output + study.noise(), study.noise()
    assert set(study.evidence(resamples=100, good=good)["draws"]) == {1000}
    found = [study.evidence(resamples=100, some=study.output + 6 * study.noise(), poor=poor) for _ in range(20)]
    near = [table for table in found if 0.02 <= table["p"].min() <= 0.1]
    assert near and all(set(table["draws"]) == {10_000} for table in near)


def test_a_borderline_verdict_names_the_column_the_test_and_a_number_of_ratings() -> None:
    study = Study()
    found = [study.verdict(some=study.output + 6 * study.noise(), poor=study.noise()) for _ in range(20)]
    borderline = [verdict for verdict in found if verdict["headline"] == "some for quality: borderline"]
    assert borderline
    for verdict in borderline:
        assert 0.02 <= verdict["p"] <= 0.1 and verdict["verdict"] == "borderline"
        assert f"(test of {verdict['test']}: p = {verdict['p']:.3f})" in verdict["because"]
        assert verdict["sufficient"] > 300 and "rated outputs would suffice" in verdict["because"]


def test_a_red_card_names_the_closest_column_its_agreement_and_the_test_that_it_fails() -> None:
    study = Study(systems=3, inputs=20)
    found = study.verdict(some=study.output + 6 * study.noise(), poor=study.noise())
    assert found["verdict"] == "red"
    assert f"Closest: {found['closest']}, agreement {found['agreement']:.2f}" in found["because"]
    assert f"it fails the test of {found['test']} (p = {found['p']:.3f})" in found["because"]


def test_too_few_is_no_reason_where_a_column_agrees_within_systems() -> None:
    study = Study(systems=3, inputs=20, seed=4)
    study.rated = study.easy[study.input] + 0.5 * study.noise()
    found = study.verdict(easy=study.easy[study.input] + 0.1 * study.noise())
    assert found["n"] < found["needed"] and (found["verdict"], found["cause"]) == ("red", "inputs")


@pytest.mark.parametrize("copy", ["standardised", "rescaled", "binned", "reversed", "noisy"])
def test_a_copy_of_the_rating_is_no_candidate(copy: str) -> None:
    study = Study()
    study.rated = np.clip(np.round(study.rated), -3, 3)
    copies = {
        "standardised": (study.rated - study.rated.mean()) / study.rated.std(),
        "rescaled": 10 * study.rated + 7, "binned": np.digitize(study.rated, [-1.5, 0.5]).astype(float),
        "reversed": -study.rated, "noisy": study.rated + 0.05 * study.noise(),
    }  # fmt: skip
    found = study.verdict(external=["theirs"], theirs=copies[copy], poor=study.noise())
    assert (found["verdict"], found["candidates"]) == ("red", 1)
    assert found["left_out"] == "Excluded: theirs: a copy of the rating."


def test_a_metric_that_follows_the_rating_closely_is_no_copy_of_it() -> None:
    study = Study()
    found = study.verdict(external=["theirs"], theirs=study.rated + 0.5 * study.noise(), poor=study.noise())
    assert found["headline"] == "Use theirs for quality"


def test_a_column_of_unknown_direction_is_listed_with_its_agreement_and_not_tested() -> None:
    study = Study()
    columns = {"facts": study.output + study.noise(), "poor": study.noise()}
    table = study.evidence(external=["facts"], undirected=["facts"], **columns)
    line = table[table["metric"] == "facts"].iloc[0]
    assert line["status"] == "direction unknown" and line["agreement"] > 0.4 and np.isnan(line["p"])
    found = decide_verdicts(table).iloc[0]
    assert (found["verdict"], found["candidates"]) == ("red", 1)
    assert found["left_out"] == (
        f"Excluded: facts ({line['agreement']:.2f} if higher is better): unknown direction; confirm with "
        "--score facts:higher."
    )


def test_without_two_outputs_for_an_input_only_systems_are_looked_into() -> None:
    study = Study(systems=1, inputs=200)
    found = study.verdict(good=study.output + study.noise())
    assert found["verdict"] == "green" and np.isnan(found["within_inputs"])


def test_columns_without_direction_and_lengths_are_no_candidates_and_lower_is_turned() -> None:
    study = Study()
    frame = pd.DataFrame({"errors": -study.output, "kind": study.output, "quality": study.rated, "item": study.input})
    frame = frame.assign(dataset="", system=study.system.astype(str), output="a text")
    found = gather_evidence(frame, ["errors", "kind"], ["quality"], {"errors": False, "kind": None}, resamples=100)
    assert found["metric"].tolist() == ["errors", LENGTH] and found["within_systems"][0] > 0.5


def test_a_table_of_nothing_but_constants_is_red() -> None:
    study = Study()
    found = study.verdict(flat=np.ones(len(study.input)))
    assert (found["verdict"], found["needed"]) == ("red", None)


def test_a_mark_of_a_whole_that_stands_with_its_parts_counts_once() -> None:
    rng = np.random.default_rng(2)
    marks, parts = rng.integers(1, 6, 60), 5
    frame = pd.DataFrame({"item": np.repeat(np.arange(60), parts), "quality": np.repeat(marks, parts)})
    frame = frame.assign(dataset="d", system="s", output="an inn by the river")
    frame["good"] = np.repeat(marks, parts) + rng.normal(size=60 * parts)
    frame["other"] = rng.integers(1, 6, 60 * parts)
    found = gather_evidence(frame, ["good"], ["quality", "other"], {"good": True})
    assert found.groupby("rating")["n"].max().to_dict() == {"quality": 60, "other": 300}
    checks = check_scores(frame, ["good"], ["quality", "other"])
    assert checks.loc[(checks["check"] == "copied marks") & (checks["n"] > 0), "subject"].tolist() == ["quality"]


def test_fewer_than_twenty_rated_outputs_give_no_verdict_and_name_no_column() -> None:
    study = Study(systems=1, inputs=15)
    found = study.verdict(good=study.output + 0.01 * study.noise())
    assert (found["verdict"], found["cause"]) == ("red", "too few") and "good" not in found["because"]


def test_length_is_counted_in_characters_where_words_do_not_stand_apart() -> None:
    rng = np.random.default_rng(5)
    sizes = rng.integers(5, 40, 200)
    frame = pd.DataFrame({"item": np.arange(200), "quality": sizes + rng.normal(size=200)})
    frame["comet"] = 0.03 * sizes + 0.02 * rng.normal(size=200)
    frame = frame.assign(
        dataset="d", system="s", output=["旅館靠近河邊便宜安靜"[place % 10] * size for place, size in enumerate(sizes)]
    )
    found = decide_verdicts(gather_evidence(frame, ["comet"], ["quality"], {"comet": True})).iloc[0]
    assert (found["verdict"], found["cause"]) == ("red", "length")


def test_the_length_is_named_as_it_agrees_on_the_rows_of_the_column() -> None:
    study, half = Study(inputs=100), np.arange(500) < 250
    study.rated = study.output + np.where(half, 0, study.length / 4)
    table = study.evidence(good=np.where(half, study.output + study.noise() / 2, np.nan))
    found, line = decide_verdicts(table).iloc[0], table.iloc[0]
    assert found["verdict"] == "green"
    assert f"that of output length ({line['agreement'] - line['over_length']:.2f})" in found["because"]
    assert abs(table["agreement"].iloc[-1]) > line["agreement"] - line["over_length"] + 0.1


def test_ratings_that_are_all_the_same_are_the_reason() -> None:
    study = Study()
    study.rated[:] = 4
    found = study.verdict(good=study.output)
    expected = ("constant", "All 300 ratings are equal, so nothing can agree with them.")
    assert (found["cause"], found["because"]) == expected
