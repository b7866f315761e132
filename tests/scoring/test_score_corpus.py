"""Scoring a corpus: what was asked for, in order, with reasons and signatures; saved whole or not at all."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from rainbow import Corpus, View, score_corpus, score_rows
from rainbow.metrics import get
from rainbow.metrics.contract.base import MissingResourceError
from rainbow.scoring.chunks import CorpusRows
from rainbow.scoring.missing import count_missing
from rainbow.scoring.saved_scores import load_scores, save_scores
from rainbow.scoring.score_corpus import fit_metrics

CORPUS = Corpus.from_texts(
    ["the inn is cheap.", "", "soma"],
    [["the inn is not expensive."], ["goodbye"], []],
    ["inform(name='the inn',price=cheap)", "", ""],
    quality=[5, 2, None],
)


def test_metrics_come_in_the_order_asked_and_rows_in_the_order_given() -> None:
    scores = score_corpus(CORPUS, ["len", "TER", "RE"])
    assert (scores.columns.tolist(), scores["len"].tolist()) == (["RE", "len", "TER"], [13, 0, 4])
    pd.testing.assert_index_equal(scores.index, CORPUS.frame.index)


def test_a_column_name_gives_that_column_and_a_metric_name_all_of_its_columns() -> None:
    assert score_corpus(CORPUS, "bleu4").columns.tolist() == ["BLEU4"]
    assert score_corpus(CORPUS, "BLEU").columns.tolist() == ["BLEU1", "BLEU2", "BLEU3", "BLEU4"]
    assert score_corpus(CORPUS, "CIDEr").columns.tolist() == ["CIDEr"]
    assert score_corpus(CORPUS, "cider").columns.tolist() == ["CIDEr", "CIDErD"]


def test_a_group_gives_its_metrics_only() -> None:
    assert "len" in score_corpus(CORPUS, group="grammar") and "TER" not in score_corpus(CORPUS, group="grammar")


def test_an_unknown_metric_is_refused_with_the_nearest() -> None:
    with pytest.raises(ValueError, match="unknown metric 'BLEU5': did you mean bleu"):
        score_corpus(CORPUS, ["BLEU5"])


def test_grammar_based_metrics_see_the_surface_and_word_based_ones_the_placeholders() -> None:
    scores = score_corpus(CORPUS, ["len", "chrF++"])
    assert scores["len"][0] == 13 and scores.attrs["signatures"]["len"].endswith("view:surface")
    assert scores.attrs["signatures"]["chrF++"].endswith("view:delexicalised")


def test_what_is_missing_has_its_reason() -> None:
    scores = score_corpus(CORPUS, ["TER", "RE", "Levenshtein"])
    assert np.isnan(scores["TER"][2])
    assert scores.attrs["missing"] == {
        "RE": {"the output has no word": [1]},
        "TER": {"no reference": [2]},
        "Levenshtein": {"no meaning representation": [1, 2]},
    }


def test_a_metric_that_cannot_work_here_gives_its_reason_or_where_asked_for_by_name_an_error(
    tmp_path, monkeypatch
) -> None:
    monkeypatch.setattr(type(get("ter")), "unavailable", classmethod(lambda _: "fetch it"))
    scores = score_corpus(CORPUS, group="word")
    assert scores["TER"].isna().all() and scores.attrs["missing"]["TER"] == {"ter: fetch it": "all"}
    assert scores.attrs["signatures"]["TER"] == "ter|not computed"
    written = score_rows(CorpusRows(CORPUS), tmp_path / "out.parquet", group="word", chunk_rows=1)
    assert load_scores(written.paths[0]).attrs["missing"] == scores.attrs["missing"]
    assert "ter" not in [metric.name for metric in fit_metrics(CORPUS)]
    with pytest.raises(MissingResourceError, match="ter: fetch it"):
        score_corpus(CORPUS, ["len", "TER"])
    assert score_corpus(CORPUS, ["len", "TER"], group="grammar").columns.tolist() == ["len"]


def test_metrics_fitted_as_published_have_seen_the_published_texts() -> None:
    texts = View("published", ("a b", "b c", "c"), (("a b",), ("b c d",), ("c",)))
    corpus = Corpus(CORPUS.frame, views={"published": texts})
    fitted = fit_metrics(corpus, ["CIDEr"], as_published=True)
    one, other = (score_corpus(corpus, metrics, "published", as_published=True) for metrics in (fitted, ["cider"]))
    pd.testing.assert_frame_equal(one, other, check_exact=True)


def test_fitted_metrics_score_other_rows_by_the_same_definition() -> None:
    again = score_corpus(CORPUS.take([0]), fit_metrics(CORPUS, ["CIDEr"]))
    pd.testing.assert_frame_equal(again, score_corpus(CORPUS, ["cider"]).iloc[:1], check_exact=True)


def test_two_metrics_with_other_parameters_may_not_share_a_column() -> None:
    with pytest.raises(ValueError, match="SE is selected twice"):
        score_corpus(CORPUS, [get("se"), get("se")])


def test_a_saved_table_gives_back_rows_scores_and_what_they_depend_on(tmp_path: Path) -> None:
    scores = score_corpus(CORPUS, ["len", "TER"])
    table = load_scores(save_scores(tmp_path / "new" / "mine.parquet", CORPUS, scores))
    assert table["references"].tolist() == CORPUS.frame["references"].tolist()
    assert (table.attrs["ratings"], table.attrs["signatures"]) == (["quality"], scores.attrs["signatures"])
    assert table.attrs["missing"] == scores.attrs["missing"]
    pd.testing.assert_frame_equal(table[["len", "TER"]], scores)


def test_a_failed_write_leaves_the_old_table_and_no_litter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = save_scores(tmp_path / "mine.csv", CORPUS, score_corpus(CORPUS, ["len"]))
    before = path.read_bytes()

    def fail(self: pd.DataFrame, target: Path, **options: object) -> None:
        target.write_text("half")
        raise OSError("disk full")

    monkeypatch.setattr(pd.DataFrame, "to_csv", fail)
    with pytest.raises(OSError, match="disk full"):
        save_scores(path, CORPUS, score_corpus(CORPUS, ["wps"]))
    assert (path.read_bytes(), list(tmp_path.iterdir())) == (before, [path])


def test_a_column_that_would_be_overwritten_is_refused(tmp_path: Path) -> None:
    corpus = Corpus.from_texts(["a"], TER=[1])
    with pytest.raises(ValueError, match="the corpus already has a column 'len'"):
        save_scores(tmp_path / "x.csv", Corpus.from_texts(["a"], len=[1]), score_corpus(corpus, ["len"]))


def test_other_files_are_no_tables_of_scores(tmp_path: Path) -> None:
    (tmp_path / "a.parquet").write_text("text")
    with pytest.raises(ValueError, match="is not a Parquet file"):
        load_scores(tmp_path / "a.parquet")
    CORPUS.frame.drop(columns="references").to_parquet(tmp_path / "b.parquet")
    with pytest.raises(ValueError, match="is not a table of scores"):
        load_scores(tmp_path / "b.parquet")


def test_missing_rows_are_counted_however_they_are_listed() -> None:
    many = {"count": 12000, "first": [0]}
    assert [count_missing(places, 20000) for places in ("all", [1, 2], many)] == [20000, 2, 12000]
