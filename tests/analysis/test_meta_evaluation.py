import numpy as np
import pandas as pd
import pytest

from rainbow import Corpus, score_corpus
from rainbow.analysis.meta_evaluation import LENGTH, meta_evaluation, rated_outputs
from rainbow.stats.correlation.correlation import correlate


@pytest.fixture
def scores() -> pd.DataFrame:
    """Return six items of two systems each: TER is right, BLEU4 is wrong, and longer outputs are better mostly."""
    n = 6
    table = pd.DataFrame({"item": np.repeat(range(n), 2), "system": [*"AB"] * n})
    length = [4, 2, 6, 3, 5, 4, 3, 5, 8, 1, 7, 2]
    ter = [0.3, 0.9, 0.1, 0.5, 0.2, 0.8, 0.4, 0.6, 0.0, 0.99, 0.05, 0.95]
    return table.assign(output=["w " * words for words in length], TER=ter, BLEU4=ter, length=length)


@pytest.fixture
def judgements(scores: pd.DataFrame) -> pd.DataFrame:
    value = (100 * (1 - scores["TER"])).round()
    return scores[["item", "system"]].assign(
        judgement=scores["item"], criterion="quality", kind="magnitude", value=value
    )


DIRECTIONS = {"TER": False, "BLEU4": True}


def test_the_middle_of_magnitudes_is_geometric_and_of_marks_arithmetic():
    scores = pd.DataFrame({"item": "a", "system": ["A"]})
    table = pd.DataFrame({"judgement": range(4), "item": "a", "system": "A", "criterion": "quality"})
    table["value"] = [1.0, 4.0, 9.0, 1000.0]
    assert rated_outputs(scores, table.assign(kind="magnitude"))["quality"].item() == pytest.approx(6)
    assert rated_outputs(scores, table.assign(kind="likert"))["quality"].item() == 6.5


def test_each_criterion_is_a_column_with_gaps_where_nobody_judged(scores, judgements):
    table = rated_outputs(scores, pd.concat([judgements, judgements[:4].assign(criterion="naturalness")]))
    assert table["quality"].notna().all() and table["naturalness"].notna().sum() == 4


def test_outputs_that_were_not_judged_are_left_out(scores, judgements):
    assert len(rated_outputs(scores, judgements[:5])) == 5


def test_tables_that_do_not_fit_are_refused(scores, judgements):
    with pytest.raises(ValueError, match="two rows for system 'A'"):
        rated_outputs(pd.concat([scores, scores[:1]]), judgements)
    with pytest.raises(ValueError, match="no judged output has scores"):
        rated_outputs(scores.assign(system="Z" + scores["system"]).drop(columns="output"), judgements)
    with pytest.raises(ValueError, match="already have a column 'TER'"):
        rated_outputs(scores, judgements.assign(criterion="TER"))
    mixed = pd.concat([judgements, judgements.assign(kind="likert", judgement=99)])
    with pytest.raises(ValueError, match="magnitudes and ratings"):
        rated_outputs(scores, mixed)


def test_metrics_stand_beside_length_with_their_sign_turned(scores, judgements):
    table = meta_evaluation(scores, judgements, ["TER", "BLEU4"], DIRECTIONS, rng=1).set_index("metric")
    assert table.index.tolist() == [LENGTH, "TER", "BLEU4"]
    assert table.loc[["TER", "BLEU4"], "spearman"].tolist() == pytest.approx([1, -1])
    assert table.loc[["TER", "BLEU4"], "accuracy"].tolist() == [1, 0]
    assert table["length_spearman"].tolist() == pytest.approx([correlate(scores["length"], judgements["value"]).r] * 3)
    # In one of the six pairs the shorter output is better.
    assert (table["length_accuracy"].tolist(), table["pairs"].tolist()) == (pytest.approx([5 / 6] * 3), [6, 6, 6])


def test_only_outputs_that_were_judged_together_make_pairs(scores, judgements):
    table = meta_evaluation(scores, judgements.assign(judgement=range(len(judgements))), ["TER"], DIRECTIONS, rng=1)
    assert table["accuracy"].isna().all() and table["spearman"].notna().all()
    assert table["reason"].str.contains("no item has two outputs").all()


@pytest.mark.filterwarnings("error")
def test_a_metric_without_values_has_a_reason(scores, judgements):
    table = meta_evaluation(scores.assign(TER=np.nan), judgements, ["TER", "BLEU4"], DIRECTIONS, rng=1)
    row = table.set_index("metric").loc["TER"]
    assert np.isnan(row["spearman"]) and row["reason"] and table.set_index("metric").loc["BLEU4", "n"] == 12


def test_a_missing_direction_is_refused(scores, judgements):
    with pytest.raises(ValueError, match="the direction of 'BLEU4' is unknown"):
        meta_evaluation(scores, judgements, ["BLEU4"], {"TER": False})


@pytest.mark.xdist_group("e2e-rankings")
def test_length_orders_the_challenges_outputs_better_than_bleu_does(e2e_judgements, data_dir):
    references = pd.read_csv(data_dir / "e2e" / "testset_w_refs.csv").groupby("mr")["ref"].agg(tuple)
    frame = e2e_judgements[["item", "system", "output"]].drop_duplicates(["item", "system"]).reset_index(drop=True)
    corpus = Corpus(frame.assign(dataset="e2e", references=frame["item"].map(references)))
    metrics = {"BLEU4": True, "ROUGE": True}
    scored = frame.join(score_corpus(corpus, [*metrics], view="surface"))
    table = meta_evaluation(scored, e2e_judgements, [*metrics], metrics, resamples=100, rng=1).set_index("metric")
    print(f"\n{table.drop(columns=['rating', 'reason']).round(3).to_string()}")
    assert table["n"].eq(6012).all() and table["pairs"].eq(15_001).all()
    # Figures known from another computation, to two digits.
    assert table.loc[[*metrics], "spearman"].tolist() == pytest.approx([0.11, 0.08], abs=0.01)
    assert 2 * table.loc[[LENGTH, "BLEU4"], "accuracy"].to_numpy() - 1 == pytest.approx([0.222, 0.160], abs=0.01)
    assert table.loc["BLEU4", "accuracy"] < table.loc["BLEU4", "length_accuracy"]
