import numpy as np
import pandas as pd
import pytest

from rainbow.stats.agreement.intraclass import intraclass
from rainbow.systems.rankings.judgement_agreement import PAIR_MEASURE, judgement_agreement, pivot_ratings


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
