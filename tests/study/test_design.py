"""Who is asked what: balanced, apart, blind, with what is asked twice and controls."""

from itertools import combinations
from math import ceil

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rainbow import Corpus
from rainbow.study.design import COLUMNS, design_tasks
from rainbow.study.questions import Question
from rainbow.study.settings import Settings, Target
from tests.study.conftest import Make


def corpus(systems: int, items: int) -> Corpus:
    """Return outputs of so many systems for so many inputs, with a reference each."""
    keys = [(system, item) for item in range(items) for system in range(systems)]
    return Corpus.from_texts(
        [f"system {system} says the thing number {item} in some words" for system, item in keys],
        [[f"a person says thing {item}"] for _, item in keys],
        system=[f"S{system}" for system, _ in keys],
        item=[f"i{item}" for _, item in keys],
    )


@given(
    systems=st.integers(2, 5),
    items=st.integers(8, 14),
    raters=st.integers(1, 3),
    more=st.integers(0, 2),
    seed=st.integers(0, 1000),
    kinds=st.sampled_from([("quality",), ("better=pairs",), ("quality", "better=pairs")]),
)
@example(systems=2, items=8, raters=1, more=2, seed=257, kinds=("quality", "better=pairs"))  # of two inputs: A B A
@settings(max_examples=25)
def test_every_design_is_balanced_and_keeps_outputs_for_one_input_apart(
    systems, items, raters, more, seed, kinds
) -> None:
    decided = Settings("made", tuple(map(Question.parse, kinds)), items, raters, raters + more, seed=seed)
    tasks = design_tasks(corpus(systems, items), decided)
    usual = tasks[(tasks["control"] == "") & (tasks["repeat"] == 0)]
    for _, own in tasks.groupby("rater"):
        assert all(one != other for one, other in zip(own["item"], own["item"][1:], strict=False))
        assert own["order"].tolist() == list(range(1, len(own) + 1))
    for asks, own in usual.groupby("asks"):
        assert (own.groupby("item")["rater"].nunique() == raters).all()
        loads = own.groupby("rater")["item"].nunique()
        assert loads.max() - loads.min() <= 1
        if asks == "single":
            assert own.groupby("id").size().eq(raters).all() and own.groupby("system")["id"].nunique().eq(items).all()
        else:
            comparisons = own.drop_duplicates(["item", "id", "other_id"])
            pairs = [frozenset(pair) for pair in zip(comparisons["system"], comparisons["other_system"], strict=True)]
            unique = {(item, pair) for item, pair in zip(comparisons["item"], pairs, strict=True)}
            counts = [
                sum(pair == set(two) for _, pair in unique) for two in combinations(sorted(set().union(*pairs)), 2)
            ]
            assert max(counts) - min(counts) <= 1


def test_the_rates_of_controls_and_of_what_is_asked_twice_are_kept() -> None:
    tasks = design_tasks(corpus(3, 20), Settings("made", (Question.parse("quality"),), 20, controls=0.2, repeated=0.15))
    for _, own in tasks.groupby("rater"):
        usual = own[(own["control"] == "") & (own["repeat"] == 0)]
        assert ((own["control"] != "").sum(), own["repeat"].sum()) == (ceil(0.2 * len(usual)), ceil(0.15 * len(usual)))
        again = own[own["repeat"] == 1]
        assert (again["order"].to_numpy() - usual.set_index("id")["order"][again["id"]].to_numpy() > 1).all()
        assert (again["order"] > 0.6 * len(own)).all()


def test_controls_belong_to_no_system_and_nothing_shown_names_one() -> None:
    tasks = design_tasks(
        corpus(3, 10), Settings("made", (Question.parse("quality"), Question.parse("better=pairs")), 10)
    )
    single = tasks[(tasks["control"] != "") & (tasks["asks"] == "single")]
    assert {*single["control"]} == {"worse", "reference"} and single[["id", "system"]].eq("").all(axis=None)
    assert not tasks["task"].str.contains("S").any()


def test_either_output_of_a_pair_may_stand_first() -> None:
    tasks = design_tasks(corpus(2, 40), Settings("made", (Question.parse("better=pairs"),), 40, controls=0, repeated=0))
    assert 0.35 < (tasks["system"] == "S0").mean() < 0.65


def test_the_same_seed_draws_the_same_and_another_does_not() -> None:
    one, same, other = (
        design_tasks(corpus(2, 10), Settings("m", (Question.parse("q"),), 10, seed=seed)) for seed in (1, 1, 2)
    )
    assert one.equals(same) and not one.equals(other) and list(one) == list(COLUMNS)


def test_neighbours_are_allowed_where_asked_for_and_refused_where_they_cannot_be_helped() -> None:
    few = Settings("made", (Question.parse("quality"),), 1, controls=0, repeated=0)
    with pytest.raises(ValueError, match="more inputs"):
        design_tasks(corpus(3, 5), few)
    allowed = Settings("made", (Question.parse("quality"),), 1, controls=0, repeated=0, neighbours=True)
    assert len(design_tasks(corpus(3, 5), allowed)) == 9


@pytest.mark.parametrize(("wrong", "said"), [
    ({"items": 99}, "99 inputs are requested"),
    ({"items": 0}, "items is 0"),
    ({"people": 2}, "people is 2: use an integer of at least 3"),
    ({"controls": 1.5}, "controls is 1.5"),
    ({"target": Target("other")}, "for 'other'"),
])  # fmt: skip
def test_sizes_that_cannot_be_are_refused(wrong: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        design_tasks(corpus(2, 10), Settings("made", (Question.parse("quality"),), **{"items": 5, **wrong}))  # type: ignore[arg-type]


def test_pairs_want_two_systems() -> None:
    with pytest.raises(ValueError, match="one system"):
        design_tasks(corpus(1, 10), Settings("made", (Question.parse("better=pairs"),), 5))


def test_outputs_without_references_have_no_good_example_and_no_magnitudes(make: Make) -> None:
    frame = corpus(2, 12).frame
    bare = Corpus.from_texts(frame["output"], system=frame["system"], item=frame["item"])
    assert [example["why"][:10] for example in make(corpus=bare).examples] == ["A bad text"]
    with pytest.raises(ValueError, match="a reference worth 100, but some inputs have none"):
        make("worth=magnitude", corpus=bare, folder="other")
