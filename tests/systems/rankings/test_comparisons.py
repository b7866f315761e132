import numpy as np
import pandas as pd
import pytest

from rainbow.systems.rankings.comparisons import Comparisons, count_outcomes, linked_systems, system_comparisons


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
