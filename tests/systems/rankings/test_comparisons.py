"""Judgements as comparisons of systems, and the agreement of people."""

import numpy as np
import pandas as pd
import pytest

from rainbow.stats.agreement.intraclass import intraclass
from rainbow.systems.rankings.comparisons import Comparisons, count_outcomes, linked_systems, system_comparisons
from rainbow.systems.rankings.judgement_agreement import PAIR_MEASURE, judgement_agreement, pivot_ratings


def verdicts(found: Comparisons) -> list[tuple[str, str, int]]:
    names = found.systems
    pairs = zip(found.first, found.second, found.outcome, strict=True)
    return sorted((names[one], names[other], int(sign)) for one, other, sign in pairs)


def test_a_judgement_of_three_outputs_makes_three_comparisons_with_equal_values_as_draws(judged):
    assert verdicts(system_comparisons(judged([[5, 5, 100]]))) == [("A", "B", 0), ("A", "C", -1), ("B", "C", -1)]


def test_how_far_apart_values_are_does_not_count(judged):
    near, far = system_comparisons(judged([[1, 2, 3]])), system_comparisons(judged([[1, 9, 9999]]))
    assert verdicts(near) == verdicts(far)


def test_preferences_are_comparisons_of_ones_and_zeros(judged):
    found = system_comparisons(judged([[1, 0], [0.5, 0.5], [0, 1]], kind="preference"))
    assert verdicts(found) == [("A", "B", -1), ("A", "B", 0), ("A", "B", 1)]


def test_values_of_different_judgements_are_not_compared_unless_asked_for(judged):
    table = judged([[1, 2], [3, 4]], items=["a", "a"])
    assert len(system_comparisons(table).first) == 2
    assert verdicts(system_comparisons(table, within=())) == [("A", "B", -1)] * 3 + [("A", "B", 1)]


def test_one_output_at_a_time_can_be_compared_within_raters(judged):
    table = judged([[1, 2], [3, 4]], items=["a", "a"], kind="likert").assign(judgement=range(4), rater=[*"xxyy"])
    assert len(system_comparisons(table).first) == 0
    assert verdicts(system_comparisons(table, within=("rater",))) == [("A", "B", -1), ("A", "B", -1)]


def test_outputs_for_different_inputs_are_never_compared(judged):
    assert len(system_comparisons(judged([[1, 2], [3, 4]]).assign(judgement=0)).first) == 2


def test_a_system_is_never_compared_with_itself(judged):
    found = system_comparisons(judged([[1, 2], [3, 4]], items=["a", "a"]), within=())
    assert (found.first != found.second).all()


def test_comparisons_of_an_item_are_a_unit(judged):
    assert system_comparisons(judged([[1, 2], [3, 4], [5, 6]], items=["a", "a", "b"])).unit.tolist() == [0, 0, 1]


def test_judgements_without_a_comparison_are_no_unit(judged):
    assert system_comparisons(judged([[1], [3, 4], [5, 6]])).unit.tolist() == [0, 1]


def test_what_cannot_be_compared_is_refused(judged):
    table = judged([[1, 2]])
    with pytest.raises(ValueError, match="several criteria"):
        system_comparisons(pd.concat([table, table.assign(criterion="naturalness")]))
    with pytest.raises(ValueError, match="'rater', which groups judgements, has gaps"):
        system_comparisons(table.assign(rater=None), within=("rater",))


def test_tallies_count_every_comparison_as_often_as_its_unit():
    outcome = np.array([1, -1, 0, 0, 1], dtype=np.int8)
    found = Comparisons(
        (*"ABC",), np.array([0, 0, 0, 1, 2]), np.array([1, 1, 2, 2, 0]), outcome, np.array([0, 1, 1, 2, 2])
    )
    wins, draws = count_outcomes(found, np.array([[1.0, 1, 1], [0, 2, 3]]))
    assert wins.tolist() == [[[0, 1, 0], [1, 0, 0], [1, 0, 0]], [[0, 0, 0], [2, 0, 0], [3, 0, 0]]]
    assert draws.tolist() == [[[0, 0, 1], [0, 0, 1], [1, 1, 0]], [[0, 0, 2], [0, 0, 3], [2, 3, 0]]]
    assert np.array_equal(count_outcomes(found)[0], wins[:1])


def test_systems_are_linked_through_others_too():
    found = Comparisons((*"ABCDE",), np.array([0, 1, 3]), np.array([1, 2, 4]), np.ones(3, dtype=np.int8), np.arange(3))
    assert linked_systems(found).tolist() == [True, True, True, False, False]


def test_the_challenge_had_29790_comparisons(e2e_judgements):
    found = system_comparisons(e2e_judgements)
    assert (len(found.first), int(found.unit.max()) + 1) == (29_790, 630)
    wins, draws = count_outcomes(found)
    assert (wins.sum(), draws.sum() / 2) == (15_001, 14_789)


def estimates(table: pd.DataFrame) -> dict[str, float]:
    return dict(zip(table["measure"], table["estimate"], strict=True))


def test_measures_are_those_of_the_normalised_values(judged):
    values = np.random.default_rng(1).integers(1, 99, (12, 5))
    judgements = judged(values.tolist(), items=np.repeat(range(4), 3).tolist())
    logs = np.log(values) - np.log(values).mean(axis=1, keepdims=True)
    matrix = logs.reshape(4, 3, 5).transpose(0, 2, 1).reshape(20, 3)
    found = estimates(judgement_agreement(judgements, scale="log", resamples=0))
    assert found["ICC(1,1)"] == pytest.approx(intraclass(matrix, "1,1").estimate)


def test_a_pair_counts_for_every_two_judgements_of_it(judged):
    # A and B in three judgements: better, better, tied. Each untied one (2) is compared with the two others: the tie
    # is half right, the other one right.
    found = estimates(judgement_agreement(judged([[2, 1], [9, 3], [4, 4]], items=["a"] * 3), resamples=0))
    assert found[PAIR_MEASURE] == pytest.approx((1 + 0.5 + 1 + 0.5) / 4)


def test_people_of_one_mind_agree_on_all_pairs_and_opposed_ones_on_none(judged):
    same = judged([[1, 2, 3], [10, 20, 30]] * 4, items=np.repeat(range(4), 2).tolist())
    opposed = judged([[1, 2, 3], [30, 20, 10]] * 4, items=np.repeat(range(4), 2).tolist())
    assert estimates(judgement_agreement(same, resamples=0))[PAIR_MEASURE] == 1
    assert estimates(judgement_agreement(opposed, resamples=0))[PAIR_MEASURE] == 0


def test_random_judgements_agree_on_half_of_the_pairs(judged):
    rng = np.random.default_rng(2)
    judgements = judged(rng.permuted(np.tile([1, 2, 3, 4, 5], (600, 1)), axis=1).tolist(), items=[*range(200)] * 3)
    table = judgement_agreement(judgements, rng=1)
    pairs = table[table["measure"] == PAIR_MEASURE].iloc[0]
    assert pairs["low"] < 0.5 < pairs["high"] and pairs["n_items"] == 200 and pairs["n_raters"] == 3


def test_raters_who_rated_everything_have_columns_and_the_two_way_forms(judged):
    judgements = judged([[1, 2], [3, 5], [2, 4], [1, 9]], items=[*"aabb"]).assign(rater=[*"xxyyyyxx"])
    wide, same = pivot_ratings(judgements)
    assert same and wide.to_numpy().tolist() == [[1, 3], [2, 5], [1, 2], [9, 4]]
    assert "ICC(2,1)" in estimates(judgement_agreement(judgements, resamples=0))


def test_crowds_have_only_the_one_way_forms(judged):
    judgements = judged([[1, 2], [3, 5], [2, 4], [1, 9]], items=[*"aabb"]).assign(rater=[*"uuvvwwxx"])
    assert pivot_ratings(judgements)[1] is False
    assert "ICC(2,1)" not in estimates(judgement_agreement(judgements, resamples=0))


@pytest.mark.filterwarnings("error")
def test_single_judgements_have_a_reason_and_no_number(judged):
    table = judgement_agreement(judged([[1, 2], [3, 4]]))
    assert table["estimate"].isna().all() and table["reason"].str.len().gt(10).all()


def test_the_challenges_judges_agreed_little(e2e_judgements):
    table = judgement_agreement(e2e_judgements, rng=1, resamples=50).set_index("measure")
    print(f"\n{table[['estimate', 'low', 'high', 'n_items']].round(3).to_string()}")
    assert 0.15 < table.loc["ICC(1,1)", "estimate"] < 0.25 and 0.57 < table.loc[PAIR_MEASURE, "estimate"] < 0.62


def test_ranking_outputs_together_tells_systems_apart_that_rating_them_alone_does_not(rankme_judgements):
    from rainbow.systems.rankings.rankings import rank_systems

    clusters = {}
    quality = rankme_judgements.query("setup == 2 and criterion == 'quality'")
    for name in ("likert", "plainME", "rankME"):
        # Only rankME showed outputs together; of the others all ratings of an input are compared.
        within = ("judgement",) if name == "rankME" else ()
        table = rank_systems(quality[quality["method"] == name], method="bradley-terry", within=within, rng=1)
        clusters[name] = int(table["cluster"].max())
        assert table["system"].tolist() == ["Slug", "TGen", "Sheff2"]
    print(f"\nclusters of three systems by quality: {clusters}")
    assert clusters == {"likert": 2, "plainME": 2, "rankME": 3}
