"""What a learned metric looks at: the same scores from a corpus and from texts, known scores, needs, feature sets."""

import dataclasses
from typing import Any

import numpy as np
import pandas as pd
import pytest

from rainbow import Corpus, score_corpus
from rainbow.learned.training.features import FEATURE_SETS, Features, StoredColumns, feature_columns
from rainbow.metrics import MissingResourceError, all_metrics, get
from rainbow.metrics.contract.base import Metric
from rainbow.metrics.contract.views import PreparedReferences, Views
from tests.learned.demo_model import demo_rows

COLUMNS = ("TER", "CIDErD", "lm_mean", "lm_rare", "slots_missing", "SIM", "len", "msp")
TEXTS = ("delexicalised", "surface", "input")


def fitted(columns: tuple[str, ...] = COLUMNS, texts: tuple[str, ...] = TEXTS) -> Features:
    return Features(columns, texts).fit(demo_rows())


def of_texts(corpus: Corpus, prepared: bool = False) -> Views:
    outputs, references, mrs = (corpus.frame[name].tolist() for name in ("output", "references", "mr"))
    return (
        Views.from_texts(outputs, PreparedReferences(references, mrs))
        if prepared
        else Views.from_texts(outputs, references, mrs)
    )


@pytest.mark.parametrize("prepared", [False, True])
def test_a_corpus_and_its_texts_have_equal_scores_and_texts(prepared: bool) -> None:
    whole = demo_rows().take(range(40))
    features, views = fitted(), of_texts(whole, prepared)
    # The embedded dataset names its items itself; texts alone are of one item if they are for one input.
    corpus = Corpus(whole.frame.drop(columns="item"))
    np.testing.assert_array_equal(features.scores(views), features.scores(Views.from_corpus(corpus)))
    assert features.texts_of(views) == features.texts_of(Views.from_corpus(corpus))
    np.testing.assert_array_equal(features.table(corpus)[list(COLUMNS)], features.scores(views))


def test_texts_without_references_and_meaning_representations_have_the_scores_of_such_a_corpus() -> None:
    outputs = ["the inn is cheap", "", "a pub"]
    features = fitted(("len", "lm_mean", "msp"), ("surface", "input"))
    np.testing.assert_array_equal(
        features.scores(Views.from_texts(outputs)), features.scores(Views.from_corpus(Corpus.from_texts(outputs)))
    )
    assert features.texts_of(Views.from_texts(outputs)) == {"surface": outputs, "input": ["", "", ""]}


def test_the_score_of_a_text_does_not_hang_on_its_place_whatever_items_are_called() -> None:
    corpus = Corpus.from_texts(
        ["a", "b", "c"], [["the inn is cheap"], ["a pub"], ["the inn is dear"]], item=["0", "1", "2"]
    )
    assert len(np.unique(Features(("lm_mean",)).fit(corpus).scores(Views.from_texts(["the inn is cheap"] * 4)))) == 1


def test_references_of_the_same_input_are_left_out_of_the_language_model() -> None:
    corpus = Corpus.from_texts(["x", "y"], [["the inn is cheap"], ["a pub"]], ["inform(name=inn)", "inform(name=pub)"])
    features = Features(("lm_mean",)).fit(corpus)
    own, other, unknown = features.scores(
        Views.from_texts(["the inn is cheap"] * 3, mrs=["inform(name=inn)", "inform(name=pub)", None])
    )[:, 0]
    assert own < unknown and own < other


def test_views_show_the_texts_as_given_and_delexicalised() -> None:
    views = Views.from_texts(["the inn is cheap", "it is"], [["the inn"], ["x"]], ["inform(name='the inn')", None])
    assert views.get("surface").outputs == ("the inn is cheap", "it is")
    assert views.get("delexicalised").outputs == ("Xname is cheap", "it is")
    assert views.get("delexicalised").references[0] == ("Xname",)
    assert views.get("surface") is views.get("surface") and len(views) == 2


def test_a_corpus_without_meaning_representations_is_its_own_delexicalised_view() -> None:
    assert Views.from_corpus(Corpus.from_texts(["the inn"])).get("delexicalised").outputs == ("the inn",)


@pytest.mark.parametrize(("make", "message"), [
    (lambda: Views.from_texts(["a", "b"], [["a"]]), "references has 1 entries for 2 outputs"),
    (lambda: Views.from_texts(["a", "b"], PreparedReferences([["a"]])), "references has 1 entries for 2 outputs"),
    (lambda: PreparedReferences([["a"], ["b"]], ["inform()"]), "inputs has 1 entries for 2"),
    (lambda: Views.from_texts(["a"], ["a reference"]), "a list of strings"),
    (lambda: Views.from_texts(["a"]).get("published"), "unknown text view 'published'"),
    (lambda: Views.from_corpus(Corpus.from_texts(["a"])).get("published"), "view 'published'"),
])  # fmt: skip
def test_what_does_not_fit_is_refused(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


def test_features_are_the_scores_that_a_corpus_is_given() -> None:
    corpus, features = demo_rows(), fitted()
    table = score_corpus(corpus, COLUMNS)
    np.testing.assert_array_equal(features.scores(Views.from_corpus(corpus)), table[list(COLUMNS)])
    assert features.signatures == {name: table.attrs["signatures"][name] for name in COLUMNS}


def test_what_a_row_gets_does_not_hang_on_the_rows_beside_it() -> None:
    corpus, features = demo_rows(), fitted()
    together = features.table(corpus)
    order = np.random.default_rng(1).permutation(len(corpus)).tolist()
    pd.testing.assert_frame_equal(
        features.table(corpus.take(order)).reset_index(drop=True), together.iloc[order].reset_index(drop=True)
    )
    for row in (0, 50, 119):
        pd.testing.assert_frame_equal(
            features.table(corpus.take([row])).reset_index(drop=True), together.iloc[[row]].reset_index(drop=True)
        )


def test_statistics_are_those_of_the_corpus_fitted_on() -> None:
    corpus = demo_rows()
    features = Features(("lm_mean",)).fit(corpus.take(range(60)))
    other = features.scores(Views.from_corpus(corpus.take(range(60, 120))))
    again = Features(("lm_mean",)).fit(corpus).scores(Views.from_corpus(corpus.take(range(60, 120))))
    assert (other != again).any()


def test_the_input_is_the_act_and_the_names_of_the_slots() -> None:
    views = Views.from_texts(["a", "b"], mrs=["inform(name='the inn',area=soma)", None])
    assert Features((), ("input",)).texts_of(views) == {"input": ["inform area name", ""]}


def test_no_columns_are_a_table_without_scores() -> None:
    features = fitted((), ("surface",))
    assert features.scores(Views.from_texts(["a", "b"])).shape == (2, 0)
    assert features.table(Corpus.from_texts(["a", "b"])).to_dict("list") == {"surface": ["a", "b"]}


def test_the_view_asked_for_is_what_word_based_metrics_see() -> None:
    corpus = demo_rows()
    surface = Features(("TER",), view="surface").fit(corpus)
    assert surface.signatures["TER"].endswith("view:surface")
    np.testing.assert_array_equal(surface.table(corpus)["TER"], score_corpus(corpus, ["TER"], "surface")["TER"])
    assert fitted().signatures["TER"].endswith("view:delexicalised")
    assert fitted().signatures["len"].endswith("view:surface")


def test_before_they_are_fitted_features_have_no_scores() -> None:
    with pytest.raises(ValueError, match=r"call fit\(corpus\)"):
        Features(("TER",)).scores(Views.from_texts(["a"]))


def test_only_some_columns_keep_their_metrics_and_their_scores() -> None:
    features, views = fitted(), Views.from_corpus(demo_rows())
    few = features.only(["lm_rare", "TER"])
    np.testing.assert_array_equal(few.scores(views), features.scores(views)[:, [3, 0]])
    assert {metric.name for metric in few.metrics or ()} == {"language-model", "ter"}
    assert few.signatures == {name: features.signatures[name] for name in ("lm_rare", "TER")}


class Refuses(Metric):
    """A metric that must not be asked for scores."""

    def compute(self, batch: Any, rows: Any) -> Any:
        raise AssertionError("computed although the score is known")


def test_known_scores_are_taken_where_their_signature_is_the_one_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = demo_rows()
    features = fitted(("TER", "len"), ())
    known = score_corpus(corpus, ["TER", "len"])
    for name in ("ter", "readability"):
        monkeypatch.setattr(all_metrics()[name], "compute", Refuses.compute)
    np.testing.assert_array_equal(features.table(corpus, known), known)


@pytest.mark.parametrize("saved", ["another", None])
def test_known_scores_of_another_signature_are_computed_anew(saved: str | None) -> None:
    corpus = demo_rows()
    features = fitted(("TER", "len"), ())
    right = score_corpus(corpus, ["TER", "len"])
    known = right.assign(TER=-1.0, len=-2.0)
    known.attrs["signatures"] = {"TER": right.attrs["signatures"]["TER"], "len": saved} if saved else {}
    np.testing.assert_array_equal(features.table(corpus, known), (right.assign(TER=-1.0) if saved else right))


def test_known_scores_of_other_statistics_are_computed_anew() -> None:
    corpus = demo_rows()
    known = score_corpus(corpus.take(range(60)), ["lm_mean"])
    part = corpus.take(range(60))
    features = fitted(("lm_mean",), ())
    np.testing.assert_array_equal(features.table(part, known), features.table(part))
    assert (features.table(part)["lm_mean"] != known["lm_mean"]).any()


def test_a_metric_whose_columns_are_known_in_part_is_computed_whole() -> None:
    corpus = demo_rows()
    known = score_corpus(corpus, ["lm_mean"])
    features = fitted(("lm_rare", "lm_mean"), ())
    np.testing.assert_array_equal(features.table(corpus, known), features.table(corpus))


@pytest.mark.parametrize(("columns", "needs"), [
    (("len",), set()),
    (("TER",), {"references"}),
    (("slots_missing",), {"mr"}),
    (("TER", "slots_missing", "len"), {"references", "mr"}),
    (("lm_mean",), set()),
])  # fmt: skip
def test_needs_are_those_of_the_metrics(columns: tuple[str, ...], needs: set[str]) -> None:
    assert fitted(columns, ()).needs == needs


def test_every_feature_set_names_columns_that_there_are_each_once() -> None:
    every = [column.name for metric in all_metrics().values() for column in metric.columns]
    for name in FEATURE_SETS.keys() - {"all+extra"}:
        columns = feature_columns(name)
        assert columns and len(set(columns)) == len(columns) and set(columns) <= set(every)


def test_what_is_fetched_or_an_extra_is_in_the_set_that_says_so_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    extras = [metric for metric in all_metrics().values() if "extra" in metric.needs]
    for metric in extras:
        monkeypatch.setattr(metric, "unavailable", classmethod(lambda cls: None))
    columns = {column.name for metric in extras for column in metric.columns}
    assert all(columns.isdisjoint(feature_columns(name)) for name in FEATURE_SETS.keys() - {"all+extra"})
    assert set(feature_columns("all+extra")) == {*feature_columns("all"), *columns} > columns
    monkeypatch.setattr(extras[0], "unavailable", classmethod(lambda cls: "fetch it"))
    with pytest.raises(MissingResourceError, match=f"{extras[0].name}: fetch it"):
        feature_columns("all+extra")


def test_feature_sets_are_what_their_names_say() -> None:
    metrics = {column.name: metric for metric in all_metrics().values() for column in metric.columns}
    assert all("references" not in metrics[name].needs for name in feature_columns("referenceless"))
    assert not any(metrics[name].needs & {"neural", "named"} for name in feature_columns("all"))
    assert {metrics[name].group for name in feature_columns("wbm")} == {"word"}
    assert {metrics[name].group for name in feature_columns("gbm")} == {"grammar"}
    assert set(feature_columns("wbm+gbm")) == {*feature_columns("wbm"), *feature_columns("gbm")}
    assert set(feature_columns("all")) > set(feature_columns("referenceless")) > set(feature_columns("gbm"))


def test_a_metric_that_does_not_work_here_is_in_no_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(get("ter")), "unavailable", classmethod(lambda _: "not today"))
    assert "TER" not in feature_columns("all") and "SE" in feature_columns("all")


def test_an_unknown_set_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match=r"unknown feature set 'best': choose from all, all\+extra, referenceless"):
        feature_columns("best")


def test_stored_columns_are_given_as_they_are() -> None:
    corpus = Corpus.from_texts(["a", "b"], **{"published.TER": [0.5, None]})
    np.testing.assert_array_equal(StoredColumns(("TER",)).fit(corpus).table(corpus)["TER"], [0.5, np.nan])
    with pytest.raises(ValueError, match=r"no column 'published\.BLEU1'"):
        StoredColumns(("BLEU1",)).table(corpus)


def test_features_are_equal_if_all_they_are_made_of_is() -> None:
    assert fitted() == fitted() and fitted() != dataclasses.replace(fitted(), view="surface")
