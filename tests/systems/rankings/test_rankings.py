import numpy as np
import pandas as pd
import pytest

from rainbow.systems.rankings.rankings import METHODS, rank_systems

EVERY_METHOD = pytest.mark.parametrize("method", METHODS)

# Natural strengths of A, B, C and D: the first two are equal.
STRENGTH = np.array([0.5, 0.5, 0.0, -1.0])


def simulated(n: int, seed: int, strength=STRENGTH) -> pd.DataFrame:
    """Return n judgements of all systems: strengths, with noise, rounded so that there are draws, as magnitudes."""
    rng = np.random.default_rng(seed)
    quality = np.round(strength + rng.normal(size=(n, len(strength))))
    unit = np.exp(rng.normal(0, 3, size=(n, 1)))
    return pd.DataFrame(
        {
            "judgement": np.repeat(np.arange(n), len(strength)),
            "item": np.repeat(np.arange(n), len(strength)),
            "system": np.tile([*"ABCD"], n),
            "criterion": "quality",
            "kind": "magnitude",
            "value": (unit * np.exp(quality)).ravel(),
        }
    )


@EVERY_METHOD
def test_systems_are_ranked_by_what_they_won(method):
    table = rank_systems(simulated(300, 1), method=method, runs=50, rng=1)
    column = METHODS[method][0]
    assert list(table)[:6] == ["rating", "cluster", column, "rank_from", "rank_to", "system"]  # as in print
    assert list(table["system"])[2:] == ["C", "D"] and table[column].is_monotonic_decreasing
    assert (table["cluster"].tolist(), table["comparisons"].tolist()) == ([1, 1, 2, 3], [900] * 4)
    assert (table["rank_from"] <= table["rank_to"]).all() and table["reason"].tolist() == [None] * 4


@EVERY_METHOD
def test_the_same_seed_gives_the_same_table(method):
    judgements = simulated(30, 2)
    one, again, other = (rank_systems(judgements, method=method, runs=20, rng=seed) for seed in (7, 7, 8))
    pd.testing.assert_frame_equal(one, again)
    assert not one["low"].equals(other["low"])


def test_every_criterion_is_ranked_as_if_it_were_alone():
    quality = simulated(30, 4)
    naturalness = simulated(30, 5, STRENGTH[::-1]).assign(criterion="naturalness")
    both = rank_systems(pd.concat([quality, naturalness]), runs=20, rng=1)
    alone = rank_systems(naturalness, runs=20, rng=1)
    assert both["rating"].tolist() == ["quality"] * 4 + ["naturalness"] * 4
    pd.testing.assert_frame_equal(both[4:].reset_index(drop=True), alone)


@pytest.mark.filterwarnings("error")
@EVERY_METHOD
def test_a_system_that_was_compared_with_no_other_has_no_rank_and_the_reason(method, judged):
    lone = judged([[5]] * 3).assign(system="lonely", judgement=[100, 101, 102], item=[100, 101, 102])
    table = rank_systems(pd.concat([simulated(30, 1), lone]), method=method, runs=20, rng=1)
    assert table["system"].tolist()[-1] == "lonely" and pd.isna(table["cluster"].iloc[-1])
    assert "no comparison links it" in table["reason"].iloc[-1]
    without = rank_systems(simulated(30, 1), method=method, runs=20, rng=1)
    pd.testing.assert_frame_equal(table[:-1], without, check_dtype=False)


@pytest.mark.filterwarnings("error")
@EVERY_METHOD
def test_where_nothing_was_compared_there_is_a_reason_and_no_number(method, judged):
    table = rank_systems(judged([[5], [6]]), method=method, rng=1)
    assert table["system"].tolist() == ["A"] and pd.isna(table[METHODS[method][0]]).all()
    assert "no two systems were judged together" in table["reason"].iloc[0]


@pytest.mark.parametrize("method", ["trueskill", "bradley-terry"])
def test_too_few_items_to_resample_give_strengths_and_no_ranges(method, judged):
    table = rank_systems(judged([[5, 3, 1]] * 3), method=method, rng=1)
    assert table["system"].tolist() == ["A", "B", "C"]
    assert table[["cluster", "rank_from", "rank_to", "low"]].isna().all(axis=None)
    assert table["reason"].iloc[0] == "3 units to resample: at least 4 are needed"


@pytest.mark.filterwarnings("error")
@EVERY_METHOD
@pytest.mark.parametrize("values", [[[7, 7]] * 6, [[7, 3]] * 6])
def test_nothing_but_draws_or_nothing_but_wins_give_numbers(method, values, judged):
    table = rank_systems(judged(values), method=method, runs=20, rng=1)
    assert np.isfinite(table[METHODS[method][0]]).all()
    assert table["cluster"].tolist() == ([1, 1] if values[0] == [7, 7] else [1, 2])


def test_judgements_of_one_item_are_drawn_together():
    # Forty people judged each of six inputs alike: that they agree tells nothing on other inputs.
    judgements = simulated(6, 3)
    repeated = pd.concat([judgements.assign(judgement=judgements["judgement"] + 100 * time) for time in range(40)])
    once, often = (rank_systems(table, method="bradley-terry", rng=1) for table in (judgements, repeated))
    assert (often["high"] - often["low"] > 0.9 * (once["high"] - once["low"])).all()


def test_intervals_hold_the_true_strength_as_often_as_they_say():
    # Choices between two systems drawn from the model itself, each for another input.
    rng = np.random.default_rng(11)
    strength = STRENGTH - STRENGTH.mean()
    inside = []
    for seed in range(60):
        first, step = rng.integers(4, size=150), rng.integers(1, 4, size=150)
        pair = np.stack([first, (first + step) % 4], axis=1)
        won = rng.random(150) < 1 / (1 + np.exp(strength[pair[:, 1]] - strength[pair[:, 0]]))
        table = pd.DataFrame({"judgement": np.repeat(np.arange(150), 2), "system": np.array([*"ABCD"])[pair.ravel()]})
        table = table.assign(item=table["judgement"], criterion="quality", kind="preference")
        table["value"] = np.stack([won, ~won], axis=1).ravel().astype(float)
        found = rank_systems(table, method="bradley-terry", runs=300, rng=seed).set_index("system").loc[[*"ABCD"]]
        inside += [*((found["low"] <= strength) & (strength <= found["high"]))]
    print(f"\n95 % intervals that hold the strength: {np.mean(inside):.3f}")
    assert 0.91 <= np.mean(inside) <= 0.985


def test_a_choice_that_does_not_exist_is_refused():
    for options, message in (({"method": "elo"}, "unknown method 'elo'"), ({"runs": 0}, "0 runs")):
        with pytest.raises(ValueError, match=message):
            rank_systems(simulated(10, 1), **options)


def test_of_two_groups_that_were_never_compared_the_larger_is_ranked(judged):
    pair = judged([[9, 1]] * 5).assign(system=["X", "Y"] * 5)
    pair["judgement"] = pair["item"] = np.repeat(range(100, 105), 2)
    table = rank_systems(pd.concat([pair, simulated(30, 1)]), method="bradley-terry", rng=1).set_index("system")
    assert (table["cluster"].isna().tolist(), table.loc["X", "comparisons"]) == ([False] * 4 + [True] * 2, 5)


def test_outputs_that_people_saw_one_at_a_time_need_to_be_told_what_is_compared(judged):
    table = judged([[1, 2]] * 8, kind="likert").assign(judgement=range(16))
    apart, together = rank_systems(table, rng=1), rank_systems(table, within=(), rng=1)
    assert apart["reason"].str.contains("set within").all() and together["system"].tolist() == ["B", "A"]
