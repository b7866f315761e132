"""Every score on one corpus, and the mean over corpora, on made-up outputs and on judgements that were published."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

from rainbow import load_dataset, score_corpus
from rainbow.analysis.analyse import Inputs, analyse
from rainbow.analysis.benchmark.agreement import MEAN, PAIRS, SPEARMAN, corpus_agreement, mean_agreement
from rainbow.analysis.benchmark.rated_corpus import RatedCorpus
from rainbow.analysis.meta_evaluation import LENGTH, meta_evaluation
from rainbow.datasets import judgements

SCORES = ("good", "noise", "wrong_way", "made_up")


def made(name: str = "made", items: int = 100, seed: int = 1, judged: bool = False) -> RatedCorpus:
    """Return outputs of three systems: a good score, noise, one that is better when lower, length with noise."""
    rng = np.random.default_rng(seed)
    words = rng.integers(3, 30, items * 3)
    frame = pd.DataFrame({"item": np.repeat(np.arange(items), 3).astype(str), "system": [*"ABC"] * items})
    frame = frame.assign(
        id=[f"{name}-{row}" for row in range(len(frame))], dataset=name, mr="", references=[()] * len(frame)
    )
    frame = frame.assign(output=["word " * count for count in words], quality=rng.normal(size=len(frame)))
    frame = frame.assign(good=frame["quality"] + rng.normal(0, 1, len(frame)), noise=rng.normal(size=len(frame)))
    frame = frame.assign(wrong_way=-frame["good"], made_up=words + rng.normal(0, 1, len(frame)))
    better = {"good": True, "noise": None, "wrong_way": False, "made_up": True}
    told = dict.fromkeys(SCORES, "word"), {score: f"{score}|1" for score in SCORES}
    table = frame[["item", "system"]].assign(
        judgement=frame["item"], criterion="quality", kind="likert", value=frame["quality"].round()
    )
    return RatedCorpus(name, frame, SCORES, ("quality",), better, *told, table if judged else None)


def test_values_are_correlations_after_orientation_and_what_does_not_differ_is_in_one_cluster() -> None:
    corpus = made()
    table = corpus_agreement(corpus, resamples=100).set_index("metric")
    assert set(table["measure"]) == {SPEARMAN}
    expected = spearmanr(corpus.frame["good"], corpus.frame["quality"]).statistic
    assert table.loc["good", "value"] == pytest.approx(expected)
    assert table.loc["wrong_way", "value"] == pytest.approx(expected)
    assert table.loc["good", "low"] < expected < table.loc["good", "high"]
    assert table["cluster"].to_dict() == {"good": 1, "wrong_way": 1, "noise": 2, "made_up": 2, LENGTH: 2}
    assert table.loc["good", "p_length"] < 0.001 < 0.05 < table.loc["made_up", "p_length"]
    assert table["length"].nunique() == 1


@pytest.mark.parametrize(("agree", "verdict"), [(True, "green"), (False, "red")])
def test_a_corpus_has_the_verdict_of_its_analysis(agree: bool, verdict: str) -> None:
    corpus, rng = made(), np.random.default_rng(2)
    quality = corpus.frame["quality"] if agree else pd.Series(rng.normal(size=300))
    raters = {f"quality_{rater}": quality * agree + rng.normal(size=300) for rater in (1, 2)}
    corpus = replace(corpus, frame=corpus.frame.assign(quality=quality, **raters))
    frame = corpus.oriented_frame.assign(mr_type="inform")
    better = dict.fromkeys(SCORES, True) | {"noise": None}
    asked = Inputs(frame, SCORES, ("quality",), better, corpus.groups, resamples=20)
    said = ["verdict", "headline", "because"]
    expected = analyse(asked)["verdicts"][said].values.tolist()
    assert corpus_agreement(corpus, resamples=20)[said].drop_duplicates().values.tolist() == expected
    assert expected[0][0] == verdict
    assert ("Raters agree with each other no better than chance" in expected[0][2]) == (not agree)


def test_pairs_of_a_judgement_are_counted_where_people_saw_outputs_side_by_side() -> None:
    corpus = made(judged=True)
    table = corpus_agreement(corpus, resamples=100).set_index("metric")
    assert set(table["measure"]) == {PAIRS}
    assert table["cluster"].to_dict() == {"good": 1, "wrong_way": 1, "noise": 2, "made_up": 2, LENGTH: 2}
    right, decided = 0, 0
    for _, rows in corpus.frame.assign(mark=corpus.frame["quality"].round()).groupby("item"):
        for one in rows.itertuples():
            better = [other for other in rows.itertuples() if one.mark > other.mark]
            decided += len(better)
            right += sum(one.good > other.good for other in better)
    assert (table.loc["good", "value"], table.loc["good", "n"]) == (pytest.approx(right / decided), decided)
    assert np.isnan(table["ceiling"]).all()  # each pair was judged once


def test_people_are_as_sure_as_another_judgement_agrees() -> None:
    corpus = made(items=1)
    rows = [(1, "A", 2), (1, "B", 1), (2, "A", 2), (2, "B", 1), (3, "A", 1), (3, "B", 2), (4, "A", 1), (4, "B", 1)]
    table = pd.DataFrame(rows, columns=["judgement", "system", "value"])
    table = table.assign(item="0", criterion="quality", kind="likert")
    found = corpus_agreement(replace(corpus, judgements=table), resamples=20)
    assert found["ceiling"].tolist() == pytest.approx([1 / 3] * 5)  # of three that decide, one pair agrees


def test_published_judgements_give_what_the_meta_evaluation_gives(data_dir, monkeypatch) -> None:
    monkeypatch.setenv("RAINBOW_DATA", str(data_dir))
    corpus = load_dataset("rankme")
    names, better = ("TER", "len"), {"TER": False, "len": None}
    scores, judged = score_corpus(corpus, list(names)), judgements("rankme")
    told = {"TER": "word", "len": "grammar"}, dict.fromkeys(names, "")
    rated = RatedCorpus("rankme", corpus.frame.join(scores), names, ("quality",), better, *told, judged)
    table = corpus_agreement(rated, resamples=20).set_index("metric")
    frame = rated.frame.drop(columns=list(corpus.ratings))
    whole = meta_evaluation(frame, judged, names, better, resamples=20).set_index(["rating", "metric"])
    for name in (*names, LENGTH):
        expected = whole.loc[("quality (magnitude)", name)]
        assert (table.loc[name, "value"], table.loc[name, "n"]) == (expected["accuracy"], expected["pairs"])


def test_means_count_each_corpus_once_and_say_where_nothing_can_be_tested() -> None:
    parts = [corpus_agreement(made(f"made{seed}", 40, seed, judged=seed == 1), resamples=20) for seed in range(3)]
    table = pd.concat(parts, ignore_index=True)
    means = mean_agreement(table)
    assert set(means["measure"]) == {MEAN}
    values = [part.set_index("metric")["value"] for part in parts]
    expected = (values[0]["good"] + 2 * values[1]["good"] - 1 + values[2]["good"]) / 3
    assert means.set_index("metric").loc["good", "value"] == pytest.approx(expected)
    assert means["reason"].iloc[0].startswith("3 corpora allow no p-value below 0.25") and means["cluster"].isna().all()
    many = pd.concat([table.assign(corpus=table["corpus"] + str(time)) for time in range(4)])
    means = mean_agreement(many).set_index("metric")
    assert means["cluster"].to_dict() == {"good": 1, "wrong_way": 1, "noise": 2, "made_up": 2, LENGTH: 2}
    assert means.loc["good", "p_length"] == 2 / 2**12


def test_a_score_that_a_corpus_lacks_has_no_rank_among_means() -> None:
    parts = [corpus_agreement(made(f"made{seed}", 40, seed), resamples=20) for seed in range(2)]
    parts[1] = parts[1][parts[1]["metric"] != "noise"]
    means = mean_agreement(pd.concat(parts, ignore_index=True)).set_index("metric")
    assert (means.loc["noise", "reason"], means["rank"].isna().sum()) == ("not on every corpus", 1)
    assert means.loc["noise", "n"] == 1


def test_hashes_change_with_what_they_stand_for() -> None:
    corpus, other = made(), made()
    assert (corpus.texts_hash, corpus.scores_hash) == (other.texts_hash, other.scores_hash)
    changed = replace(corpus, frame=corpus.frame.assign(noise=0.0))
    assert (changed.texts_hash == corpus.texts_hash, changed.scores_hash == corpus.scores_hash) == (True, False)
    assert replace(corpus, frame=corpus.frame.assign(quality=0.0)).texts_hash != corpus.texts_hash
