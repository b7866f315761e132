"""All questions at once: a table for each, the same whenever asked, whatever is wrong with the columns."""

import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from rainbow import load_dataset, score_corpus
from rainbow.analysis.analyse import TABLES, Inputs, analyse
from rainbow.analysis.summary import summarise
from rainbow.stats.score_rounding import round_scores, round_significant

pytestmark = pytest.mark.xdist_group("analyse")  # one process, which computes the tables once

BETTER = {"len": None, "SE": True, "TER": False}
GROUPS = {"len": "grammar", "SE": "word", "TER": "word"}


@pytest.fixture(scope="module")
def inputs() -> Inputs:
    corpus = load_dataset("demo").take(range(150))
    frame = corpus.frame.join(score_corpus(corpus, list(BETTER)))
    frame = frame.assign(judge=frame["quality_1"], other=frame["quality_2"])
    judged = frame[["item", "system"]].assign(judgement=frame["item"], criterion="overall", kind="likert")
    judged["value"] = frame["quality"]
    return Inputs(
        frame,
        list(BETTER),
        list(corpus.ratings),
        BETTER,
        GROUPS,
        resamples=60,
        judgements=judged,
        stands_for=dict.fromkeys(("SE", "judge", "other"), "quality"),
    )


@pytest.fixture(scope="module")
def tables(inputs: Inputs) -> dict[str, pd.DataFrame]:
    return analyse(inputs)


def test_every_question_has_a_table(tables: dict[str, pd.DataFrame]) -> None:
    of_spans = ["span_agreement", "span_counts", "span_outputs"]  # these outputs have none
    assert list(tables) == [table.name for table in TABLES if table.name not in of_spans]
    assert all(len(table) for table in tables.values())


def test_the_same_seed_gives_the_same_tables_and_another_seed_other_intervals(inputs, tables) -> None:
    again, other = (analyse(inputs._replace(seed=seed)) for seed in (inputs.seed, inputs.seed + 1))
    for name in tables:
        pd.testing.assert_frame_equal(tables[name], again[name])
    assert not tables["correlations"]["low"].equals(other["correlations"]["low"])
    pd.testing.assert_series_equal(tables["correlations"]["r"], other["correlations"]["r"])


@pytest.mark.parametrize("case", ["constant", "missing", "few rows", "one system"])
def test_degenerate_tables_give_reasons_and_no_warning(inputs: Inputs, case: str) -> None:
    inputs, frame = inputs._replace(ratings=inputs.ratings[:2]), inputs.frame.copy()
    match case:
        case "constant":
            frame["SE"] = 1.0
        case "missing":
            frame["SE"] = np.nan
        case "few rows":
            frame = frame.head(3)
        case "one system":
            frame = frame[frame["system"] == "neural"].reset_index(drop=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tables = analyse(inputs._replace(frame=frame))
        summary = summarise(inputs._replace(frame=frame), tables)
    table = tables["correlations"]
    assert table.loc[table["r"].isna(), "reason"].notna().all() and summary["outputs"] == len(frame)


def test_one_rating_has_no_correlations_among_ratings(inputs: Inputs) -> None:
    assert "rating_correlations" not in analyse(inputs._replace(ratings=["quality"]))


@pytest.mark.parametrize(("field", "message"), [("ratings", "no rating: name"), ("metrics", "no metric: name")])
def test_nothing_to_compare_is_refused(inputs: Inputs, field: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        analyse(inputs._replace(judgements=None, **{field: []}))


def test_judgements_alone_have_their_table(inputs: Inputs) -> None:
    assert list(analyse(inputs._replace(ratings=[]))) == ["meta_evaluation"]


def test_the_summary_names_the_best_metric_of_each_group_for_each_rating(inputs, tables) -> None:
    summary = summarise(inputs, tables)
    found = [(best["rating"], best["group"]) for best in summary["best_metrics"]]
    assert found == [(rating, group) for rating in inputs.ratings for group in ("grammar", "word")]
    for best in summary["best_metrics"]:
        table = tables["correlations"].query("dataset == 'demo' and system == 'all' and level == 'pooled'")
        line = table[(table["rating"] == best["rating"]) & (table["metric"] == best["metric"])]
        assert line["r"].tolist() == [best["r"]]


def test_scores_that_differ_by_rounding_are_tied() -> None:
    perfect = 5 / (5 + 1e-9), 8 / (8 + 1e-9)
    assert (len(set(perfect)), len(set(round_significant(perfect).tolist()))) == (2, 1)
    assert round_significant([np.nan, np.inf, 0.0, -2e-300]).tolist()[1:] == [np.inf, 0.0, -2e-300]
    frame = pd.DataFrame({"BLEU1": [1 / 3], "quality": [1 / 3]})
    assert (round_scores(frame, ["BLEU1"]).iloc[0].tolist(), frame["BLEU1"].tolist()) == ([0.333333333, 1 / 3], [1 / 3])


def test_the_columns_of_every_table_are_described(tables: dict[str, pd.DataFrame]) -> None:
    text = (Path(__file__).parents[2] / "analysis" / "README.md").read_text()
    missing = [f"{name}.{column}" for name, table in tables.items() for column in table if f"`{column}`" not in text]
    assert missing == [], "describe them in analysis/README.md"
