"""How many texts fall, by how much, how sure that is, and for which kinds a metric does not reliably fall."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from statsmodels.stats.proportion import proportion_confint  # type: ignore[import-untyped]

from rainbow.audit.audit import (
    BLIND,
    COLUMNS,
    ROWS,
    audit,
    audit_metrics,
    audit_sample,
    reference_corpus,
    sample_rows,
    weakness_sentence,
)
from rainbow.corpus import Corpus
from rainbow.datasets import load_dataset
from rainbow.scoring.score_corpus import fit_metrics, score_corpus

CORPUS = Corpus.from_texts(["aa bb", "cc", "dd ee ff", "gg hh ii jj"], [["aa"], ["cc"], ["dd"], ["gg"]])


def line(
    score: Callable[[Corpus], Any], kind: str = "empty", corpus: Corpus = CORPUS, **options: Any
) -> dict[str, Any]:
    [found] = audit(score, corpus, kinds=kind, **options).to_dict("records")
    return {str(name): value for name, value in found.items()}


def words(corpus: Corpus) -> list[int]:
    return [len(text.split()) for text in corpus.frame["output"]]


def test_a_score_that_always_falls_falls_always() -> None:
    found = line(words)
    assert (found["kind"], found["n"], found["falls"], found["unscored"]) == ("empty", 4, 1.0, 0)
    assert (found["mean_change"], found["median_change"]) == (-2.5, -2.5)


def test_a_score_that_rises_never_falls_unless_it_is_turned() -> None:
    assert line(words, "length-padding")["falls"] == 0.0 and line(words, "length-padding")["mean_change"] > 0
    turned = line(words, "length-padding", higher_is_better=False)
    assert turned["falls"] == 1.0 and turned["mean_change"] < 0


def test_a_tie_is_no_fall() -> None:
    assert line(lambda corpus: np.zeros(len(corpus)))["falls"] == 0.0


def test_a_change_by_rounding_is_a_tie() -> None:
    def rounded(corpus: Corpus) -> list[float]:
        return [1000.0 if text else 1000.0 - 1e-8 for text in corpus.frame["output"]]

    assert line(rounded)["falls"] == 0.0


def test_shares_changes_and_medians_are_those_counted_by_hand() -> None:
    scores = {"aa bb": 1.0, "cc": 2.0, "dd ee ff": -1.0, "gg hh ii jj": 5.0, "": 1.0}
    found = line(lambda corpus: [scores[text] for text in corpus.frame["output"]])
    assert found["falls"] == 0.5  # of changes by 0, -1, 2, -4
    assert (found["mean_change"], found["median_change"]) == (-0.75, -0.5)


def test_a_text_without_score_is_counted_and_is_no_fall() -> None:
    scores = {"aa bb": 1.0, "cc": math.nan, "dd ee ff": 1.0, "gg hh ii jj": 1.0, "": math.nan}
    found = line(lambda corpus: [scores[text] for text in corpus.frame["output"]])
    assert (found["n"], found["unscored"], found["falls"]) == (3, 3, 0.0) and math.isnan(found["mean_change"])


def test_infinities_can_fall_and_tie() -> None:
    scores = {"aa bb": -math.inf, "cc": 0.0, "dd ee ff": math.inf, "gg hh ii jj": math.inf, "": -math.inf}
    found = line(lambda corpus: [scores[text] for text in corpus.frame["output"]])
    assert (found["falls"], found["mean_change"]) == (0.75, -math.inf)


def test_a_kind_that_cannot_be_made_has_a_line_without_numbers() -> None:
    table = audit(words, CORPUS, kinds=["mr-copied", "empty", "repeated-phrase"])
    assert (table["n"].tolist(), table.iloc[0].isna().tolist()) == ([0, 4, 3], [False, False, *[True] * 5, False])


@pytest.mark.parametrize(("fallen", "n"), [(0, 7), (7, 7), (3, 11), (180, 200)])
def test_the_interval_is_wilsons(fallen: int, n: int) -> None:
    corpus = Corpus.from_texts([str(number) for number in range(n)])
    found = line(lambda given: [text != "" and int(text) < fallen for text in given.frame["output"]], corpus=corpus)
    low, high = proportion_confint(fallen, n, alpha=0.05, method="wilson")
    assert (found["n"], found["falls"], found["low"]) == (n, fallen / n, pytest.approx(low, abs=1e-12))
    assert found["high"] == pytest.approx(high, abs=1e-12)


def test_the_score_is_called_once_for_originals_and_once_for_all_perturbed_texts() -> None:
    sizes: list[int] = []
    told: list[list[str]] = []

    def score(corpus: Corpus) -> list[float]:
        sizes.append(len(corpus))
        return [0.0] * len(corpus)

    def progress(names: list[str]) -> list[str]:
        told.append(list(names))
        return names

    audit(score, CORPUS, kinds=["empty", "truncated"], progress=progress)
    assert (sizes, told) == ([4, 7], [["originals", "perturbed texts"]])


def test_a_score_of_another_shape_is_refused() -> None:
    with pytest.raises(ValueError, match=r"shape \(2,\) for 4 texts"):
        audit(lambda corpus: [1.0, 2.0], CORPUS)


@pytest.mark.parametrize("kinds", [None, "empty"])
def test_the_columns_are_those_of_the_saved_table(kinds: str | None) -> None:
    assert tuple(audit(words, CORPUS, kinds=kinds)) == COLUMNS
    assert tuple(audit_metrics(CORPUS, "len", kinds=kinds)) == ("metric", *COLUMNS)


def test_metrics_are_scored_with_the_statistics_of_the_original_corpus() -> None:
    corpus = load_dataset("demo").take(range(0, 1038, 20))
    fitted = fit_metrics(corpus, ["CIDEr", "lm_mean"])

    def score(given: Corpus) -> Any:
        return score_corpus(given, fitted)["lm_mean"]

    kinds = ["wrong-value", "other-reference"]
    table = audit_metrics(corpus, ["CIDEr", "lm_mean"], kinds=kinds)
    assert table["metric"].tolist() == ["CIDEr", "CIDEr", "lm_mean", "lm_mean"]
    assert table.iloc[2:].drop(columns="metric").reset_index(drop=True).equals(audit(score, corpus, kinds=kinds))


def test_metrics_whose_low_values_are_better_are_turned_round() -> None:
    table = audit_metrics(
        Corpus.from_texts(["the inn is cheap"], [["the inn is cheap"]]), ["TER", "BLEU1"], kinds="empty"
    )
    assert (table["falls"].tolist(), table["mean_change"].tolist()) == ([1.0, 1.0], pytest.approx([-1.0, -1.0]))


def test_a_metrics_name_means_all_its_columns() -> None:
    assert audit_metrics(CORPUS, "bleu", kinds="empty")["metric"].tolist() == ["BLEU1", "BLEU2", "BLEU3", "BLEU4"]


def test_nothing_to_perturb_gives_lines_without_numbers() -> None:
    empty = Corpus.from_texts(["", ""], [["a"], ["b"]])
    assert audit_metrics(empty, "BLEU1", kinds=["empty", "truncated"])["n"].tolist() == [0, 0]
    assert audit(words, empty, kinds=["truncated"])["n"].tolist() == [0]


def test_half_of_a_pair_in_a_text_stops_nothing() -> None:
    found = line(words, "repeated-word", Corpus.from_texts(["a \ud800 pub is cheap"]))
    assert (found["n"], found["unscored"]) == (1, 0)


def test_references_stand_in_for_outputs_once_per_item() -> None:
    corpus = Corpus.from_texts(
        ["a", "b", "c", "d", "e"],
        [["x", " ", "y", "x"], ["x", " ", "y", "x"], ["z"], [], [""]],
        item=["1", "1", "2", "3", "4"],
        quality=[1, 2, 3, 4, 5],
    )
    made = reference_corpus(corpus)
    assert made.frame[["id", "output", "references"]].values.tolist() == [["1", "x", ("y",)], ["3", "z", ()]]
    assert made.frame["system"].unique().tolist() == ["reference"]
    assert made.ratings == ()


def test_without_references_there_are_none_to_perturb() -> None:
    with pytest.raises(ValueError, match="no references to perturb"):
        reference_corpus(Corpus.from_texts(["a"], [[" "]]))


def test_english_text_is_not_put_into_outputs_in_other_languages() -> None:
    texts = [f"Отель Прага номер {place} стоит у реки и принимает гостей с детьми." for place in range(8)]
    table = audit_metrics(Corpus.from_texts(texts, [[text] for text in texts], language="ru"), "TER").set_index("kind")
    assert not {"unrelated-sentence", "length-padding", "empty-but-fluent"} & {*table.index}
    assert table.loc[["truncated", "other-reference"], "n"].eq(8).all()


DEMO = load_dataset("demo")


def shares(names: list[str]) -> "pd.Series[float]":
    return audit_sample(DEMO, names).set_index(["metric", "kind"])["falls"]


def test_a_bag_of_words_does_not_see_order() -> None:
    falls = shares(["BLEU1", "METEOR", "len"])
    assert falls["BLEU1", "swapped-values"] == 0 and falls["METEOR", "swapped-values"] >= BLIND
    assert "len" not in falls.index.get_level_values("metric")  # neither more nor less is better


def test_the_shares_are_those_of_an_audit_of_the_same_rows() -> None:
    audited = audit_metrics(sample_rows(DEMO), ["TER"]).set_index("kind")
    for (_, kind), share in shares(["TER"]).items():
        assert share == audited.loc[kind, "falls"]


def test_a_missing_score_is_not_a_fault_that_was_not_seen() -> None:
    audited = audit_metrics(sample_rows(DEMO), ["lm_mean"]).set_index("kind")
    assert audited.loc["empty", "unscored"] == audited.loc["empty", "n"]
    assert ("lm_mean", "empty") not in shares(["lm_mean"]).index


def test_few_rows_are_all_taken_and_many_evenly() -> None:
    assert len(sample_rows(DEMO.take(range(7)))) == 7
    sample = sample_rows(DEMO).frame
    assert (len(sample), sample["id"].iloc[[0, -1]].tolist()) == (ROWS, DEMO.frame["id"].iloc[[0, -1]].tolist())


def test_a_sentence_names_the_least_visible_faults_first() -> None:
    lines = pd.DataFrame({"kind": ["empty", "truncated", "wrong-value"], "falls": [1.0, 0.5, 0.25]})
    found = weakness_sentence(lines)
    assert found == "does not reliably fall for 2 of 3 kinds of worse texts: wrong value (25 %), truncated (50 %)"
    assert weakness_sentence(lines[:1]) == "falls for every kind of worse text (1 kind)"
    assert weakness_sentence(lines[:0]) == ""
    many = pd.DataFrame({"kind": [f"kind-{n}" for n in range(7)], "falls": 0.0})
    assert weakness_sentence(many).endswith("kind 4 (0 %), ...")
