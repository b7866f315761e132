import math

import numpy as np
import pytest

from rainbow.corpus.judgements import normalise_judgements, validate_judgements


def test_rows_without_a_value_are_left_out_and_the_table_given_stays_as_it_is(judged):
    table = judged([[1, math.nan], [2, 3]])
    assert (validate_judgements(table)["value"].tolist(), len(table)) == ([1, 2, 3], 4)


@pytest.mark.parametrize(("change", "message"), [
    (lambda t: t.drop(columns="item"), "no column 'item'"),
    (lambda t: t.assign(value="good"), "has no numbers"),
    (lambda t: t.assign(kind="stars"), "unknown kind of judgement 'stars'"),
    (lambda t: t.assign(value=math.inf), "infinite"),
    (lambda t: t.assign(value=[0, 2]), "a magnitude of 0"),
    (lambda t: t.assign(system="A"), "rates system 'A' twice"),
])  # fmt: skip
def test_a_table_that_cannot_be_right_is_refused(judged, change, message):
    with pytest.raises(ValueError, match=message):
        validate_judgements(change(judged([[1, 2]])))


def test_marks_may_be_zero_or_less(judged):
    assert len(validate_judgements(judged([[0, -1]], kind="likert"))) == 2


def test_one_judgement_may_rate_several_inputs_and_criteria(judged):
    import pandas as pd

    one = judged([[1, 2]])
    assert len(validate_judgements(pd.concat([one, one.assign(item="b"), one.assign(criterion="naturalness")]))) == 6


def test_ranks_within_a_judgement_go_from_0_to_1_and_ties_share_theirs(judged):
    assert normalise_judgements(judged([[10, 30, 30, 500], [7, 7, 7, 7]])).tolist() == [
        0, 0.5, 0.5, 1, 0.5, 0.5, 0.5, 0.5
    ]  # fmt: skip


def test_a_single_output_has_no_rank(judged):
    assert math.isnan(normalise_judgements(judged([[10]])).item())


def test_logarithms_are_centred_within_a_judgement(judged):
    found = normalise_judgements(judged([[10, 1000], [1, 1]]), "log")
    assert found.tolist() == pytest.approx([-math.log(10), math.log(10), 0, 0])


def test_z_has_mean_0_and_deviation_1_within_a_judgement_and_is_0_where_all_are_equal(judged):
    found = normalise_judgements(judged([[10, 20, 60], [3, 3, 3]]), "z").to_numpy()
    assert (found[:3].mean(), found[:3].std()) == pytest.approx((0, 1))
    assert found[3:].tolist() == [0, 0, 0]


@pytest.mark.parametrize("scale", ["rank", "log", "log-z"])
def test_the_unit_of_a_judgements_magnitudes_does_not_matter(judged, scale):
    small, large = (
        normalise_judgements(judged([[1, 2, 5]]), scale),
        normalise_judgements(judged([[1000, 2000, 5000]]), scale),
    )
    assert small.to_numpy() == pytest.approx(large.to_numpy())


def test_values_of_one_rater_can_be_compared_over_judgements(judged):
    table = judged([[1, 3], [5, 9]], rater="Ann", kind="likert")
    assert normalise_judgements(table, within="rater").tolist() == pytest.approx([0, 1 / 3, 2 / 3, 1])


def test_criteria_are_normalised_each_by_itself(judged):
    import pandas as pd

    table = pd.concat([judged([[1, 2]], rater="Ann"), judged([[30, 40]], rater="Ann", criterion="naturalness")])
    assert normalise_judgements(table, within="rater").tolist() == [0, 1, 0, 1]


def test_magnitudes_stay_raw_for_nobody_but_marks_may(judged):
    with pytest.raises(ValueError, match="different scales"):
        normalise_judgements(judged([[1, 2]]), "raw")
    assert normalise_judgements(judged([[1, 2]], kind="likert"), "raw").tolist() == [1, 2]


def test_what_cannot_be_normalised_is_refused(judged):
    with pytest.raises(ValueError, match="choose from"):
        normalise_judgements(judged([[1, 2]]), "mean")
    with pytest.raises(ValueError, match="the logarithm"):
        normalise_judgements(judged([[0, 2]], kind="likert"), "log")
    with pytest.raises(ValueError, match="no column 'rater'"):
        normalise_judgements(judged([[1, 2]]), within="rater")
    with pytest.raises(ValueError, match="'rater', which groups judgements, has gaps"):
        normalise_judgements(judged([[1, 2]], rater=np.array(["Ann", None], dtype=object)), within="rater")
