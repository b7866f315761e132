"""An output is scored by what the references for other inputs make probable."""

import dataclasses
import math
from collections.abc import Sequence
from itertools import chain

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rainbow import Corpus, score_corpus
from rainbow.base.native import compiled, kernels
from rainbow.metrics import Batch, get
from rainbow.metrics.probability import language_model
from rainbow.metrics.probability.language_model import LanguageModel
from rainbow.scoring.score_corpus import fit_metrics
from rainbow.text.ngrams.kneser_ney import KneserNey
from rainbow.text.tokens.ptb import ptb_tokens
from tests.metrics.conftest import batch_of, demo_rows

REFERENCES = {
    "name": ["The inn is cheap.", "It is a cheap inn."], "food": ["The pub serves cheap food."],
    "area": ["The pub is in Soma.", "The cheap pub is in Soma."],
}  # fmt: skip


def batch(outputs: Sequence[str], items: Sequence[str], references: dict[str, list[str]] = REFERENCES) -> Batch:
    return Batch(outputs, [references.get(item, []) for item in items], items=items)


FITTING = batch([""] * 3, list(REFERENCES))


COLUMNS = [column.name for column in LanguageModel.columns]


def test_the_columns_sum_up_models_of_what_comes_before_after_and_without_context() -> None:
    documents = {item: [ptb_tokens(text) for text in texts] for item, texts in REFERENCES.items()}
    turned = {item: [tokens[::-1] for tokens in sentences] for item, sentences in documents.items()}
    words = ["the", "pub", "is", "cheap"]
    after = np.array(KneserNey.fit(documents, order=5).log_probabilities(words, without="name"))
    alone = np.array(KneserNey.fit(documents, order=1).log_probabilities(words, without="name"))
    before = np.array(KneserNey.fit(turned, order=5).log_probabilities(words[::-1], without="name"))[[3, 2, 1, 0, 4]]
    expected = {
        "lm_mean": after.mean(), "lm_min": after.min(), "lm_rare": 0, "lm_unigram": alone.mean(),
        "slor": (after - alone).mean(), "slor_median": np.median(after - alone), "slor_min": (after - alone).min(),
        "back_min": before.min(), "back_slor_min": (before - alone).min(),
        "lm_unseen": 2,  # "pub is cheap", and "is cheap" at the end
    }  # fmt: skip
    (scored,) = LanguageModel().fit(FITTING).score(batch(["The pub is cheap."], ["name"])).tolist()
    assert dict(zip(COLUMNS, scored, strict=True)) == pytest.approx(expected, abs=1e-12)


def test_a_rare_word_in_its_place_is_improbable_and_yet_explained() -> None:
    sentences = {str(item): ["The inn is cheap.", "The pub is dear."] for item in range(20)}
    sentences |= {str(item): ["The inn takes guests from Ulan Bator."] for item in range(20, 23)}
    metric = LanguageModel().fit(batch([""] * len(sentences), list(sentences), sentences))
    rare, odd = metric.score(batch(["The inn takes guests from Ulan Bator.", "The is inn cheap."], ["", ""], sentences))
    assert rare[COLUMNS.index("lm_unigram")] < odd[COLUMNS.index("lm_unigram")]
    for column in ("slor", "slor_median", "slor_min", "back_slor_min"):
        assert rare[COLUMNS.index(column)] > odd[COLUMNS.index(column)]


def test_a_word_less_probable_than_one_in_a_thousand_is_rare() -> None:
    many = {str(item): [f"The inn number {item} is cheap."] for item in range(600)}
    metric = LanguageModel().fit(batch([""] * 600, list(many), many))
    values = metric.score(batch(["The inn number 7 is cheap.", "The inn quokka 7 is cheap."], ["new", "new"], many))
    # The unknown word, and the number after it, whose context then tells nothing: one of 600.
    assert values[:, 2].tolist() == pytest.approx([0, 2 / 7])


def test_references_of_the_own_item_do_not_help_an_output() -> None:
    outputs = ["A quokka hops.", "A quokka hops."]
    with_own = REFERENCES | {"own": ["A quokka hops."]}
    with_another = REFERENCES | {"own": ["A numbat digs."]}
    scores = [
        LanguageModel().fit(batch([""] * 4, list(references), references)).score(batch(outputs, ["own", "unseen"]))
        for references in (with_own, with_another)
    ]
    assert scores[0][0].tolist() == scores[1][0].tolist()
    assert (scores[0][1][:2] > scores[0][0][:2]).all()  # mean and minimum; a word may be rare in both


def test_an_item_in_several_rows_counts_once() -> None:
    once = LanguageModel().fit(FITTING)
    assert LanguageModel().fit(batch([""] * 6, [*REFERENCES, *REFERENCES])).signature == once.signature


def test_an_item_with_other_references_in_another_row_has_them_all() -> None:
    metric = LanguageModel().fit(Batch(["", ""], [["the inn"], ["the pub"]], items=["one", "one"]))
    assert metric.statistics is not None and metric.statistics.documents == (("one", (("the", "inn"), ("the", "pub"))),)


ITEMS = st.sampled_from(["", "1", "2", "3", "new"])
TEXTS = st.lists(st.sampled_from(["the", "inn", "is", "cheap", "\ud800"]), max_size=7).map(" ".join)


@pytest.mark.skipif(kernels() is None, reason="the compiled kernels were not built")
@given(
    known=st.lists(st.tuples(ITEMS, st.lists(TEXTS, max_size=3)), min_size=1, max_size=4),
    scored=st.lists(st.tuples(ITEMS, TEXTS), min_size=1, max_size=6),
    order=st.integers(1, 5),
)
@settings(max_examples=300)
def test_the_compiled_twin_leaves_an_item_out_to_the_last_bit(known, scored, order) -> None:
    fitting = Batch([""] * len(known), [texts for _, texts in known], items=[item for item, _ in known])
    model = LanguageModel(order=order).fit(fitting).statistics
    assert model is not None
    rows = Batch([text for _, text in scored], items=[item for item, _ in scored])
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("RAINBOW_NATIVE", raising=False)
        assert kernels() is not None
        parts = model, model.counts_only()
        found = [language_model._compiled_logs(part, rows, range(len(scored))) for part in parts]
        patch.setenv("RAINBOW_NATIVE", "0")
        twin = LanguageModel(order=order).fit(fitting).statistics
    assert twin is not None and dict(twin.counts) == dict(model.counts)
    parts = twin, twin.counts_only()
    expected = [language_model._python_logs(part, rows, range(len(scored))) for part in parts]
    assert list(map(by_row, found)) == list(map(by_row, expected))


def by_row(logs: language_model._LogProbabilities | None) -> dict[int, list[list[float]]]:
    """Return the four values of every word, row by row."""
    if logs is None:
        return {}
    ends = logs.lengths.cumsum()
    return {
        row: [part[end - length : end].tolist() for part in logs[2:]]
        for row, length, end in zip(logs.rows.tolist(), logs.lengths, ends, strict=True)
    }


WORDS = st.tuples(*[st.floats(-750, 0)] * 3, st.integers(0, 5))


@pytest.mark.skipif(compiled is None, reason="the compiled kernels were not built")
# Half of the last digit is lost, and the smallest number there is decides.
@example(
    texts=[[(0.0, 0.0, value, 0) for value in (-182.5249398495713, -194.73474520409331, -646.9840502904483, -5e-324)]],
    unseen=1,
)
@given(texts=st.lists(st.lists(WORDS, min_size=1, max_size=9), min_size=1, max_size=4), unseen=st.integers(1, 3))
def test_the_compiled_twin_sums_up_to_the_last_bit(texts, unseen) -> None:
    lengths = np.array(list(map(len, texts)))
    after, before, alone, known = (np.array(values) for values in zip(*chain.from_iterable(texts), strict=True))
    logs = language_model._LogProbabilities(np.arange(len(texts)), lengths, after, before, alone, known)
    found = compiled.probability_summaries(*logs[1:], language_model.RARE, unseen)
    np.testing.assert_array_equal(found, language_model._text_scores(*logs[1:], language_model.RARE, unseen))


@pytest.mark.skipif(compiled is None, reason="the compiled kernels were not built")
@pytest.mark.parametrize(("lengths", "values"), [([2], [0.0]), ([0], []), ([-1, 2], [0.0])])
def test_the_compiled_twin_refuses_values_that_are_not_those_of_the_texts(lengths, values) -> None:
    with pytest.raises(ValueError, match=r"at least its end|its values"):
        compiled.probability_summaries(lengths, values, values, values, values, -1.0, 3)


BACKGROUND = Corpus.from_texts(
    ["", ""],
    [["Xname is a dear inn"], ["The Xname is cheap"]],
    ["inform(name=x,pricerange=dear)", "inform(name=x,pricerange=cheap)"],
)


def learned(corpus: Corpus) -> KneserNey:
    (metric,) = fit_metrics(corpus, ["language-model"], "delexicalised")
    assert isinstance(metric, LanguageModel) and metric.statistics is not None
    return metric.statistics


def test_references_for_further_inputs_are_learned_from_too() -> None:
    corpus = Corpus.from_texts(["X is cheap"], [["The inn X is cheap"]], ["inform(name=x,pricerange=cheap,kind=inn)"])
    with_more = dataclasses.replace(corpus, background=BACKGROUND)
    together = Corpus.concatenate([Corpus(corpus.frame.assign(id="3")), BACKGROUND])
    assert learned(with_more).counts == learned(together).counts
    assert np.isfinite(score_corpus(with_more, ["slor"])).all(axis=None)


def test_a_background_of_the_same_input_stays_out_of_its_score() -> None:
    corpus = Corpus.from_texts(
        ["X is cheap"], [["The inn X is cheap"]], ["inform(name=x,pricerange=cheap)"], item=["one"]
    )
    names = [name for name, _ in learned(dataclasses.replace(corpus, background=BACKGROUND)).documents]
    assert names == ["background inform(name=x,pricerange=dear)", "one"]


def test_rows_taken_from_a_corpus_leave_its_background_behind() -> None:
    assert dataclasses.replace(BACKGROUND, background=BACKGROUND).take([0]).background is None


def test_a_background_without_meaning_representations_is_refused_where_the_outputs_have_them() -> None:
    with pytest.raises(ValueError, match="background: give meaning representations as well"):
        dataclasses.replace(BACKGROUND, background=Corpus.from_texts([""], [["an inn"]]))


def test_words_in_their_usual_order_are_more_probable() -> None:
    corpus, metric = demo_rows(), LanguageModel()
    given = batch_of(corpus, metric)
    backwards = [" ".join(reversed(tokens)) for tokens in given.preprocess(ptb_tokens)]
    metric = metric.fit(given)
    usual = metric.score(given)
    reversed_ = metric.score(Batch(backwards, given.references, given.mrs, given.items))
    for column in ("lm_mean", "slor"):
        assert (usual > reversed_)[:, COLUMNS.index(column)].mean() > 0.9


@pytest.mark.parametrize("output", ["", "  ", "?!", "..."])
def test_an_output_without_a_word_has_no_probability(output: str) -> None:
    metric, row = LanguageModel().fit(FITTING), batch([output], ["name"])
    values = metric.score(row)
    assert np.isnan(values).all() and "no word" in metric.reasons(row, values)[0, 0]


def test_without_references_of_another_item_there_is_no_probability() -> None:
    alone = batch(["The inn is cheap."], ["name"])
    assert np.isnan(LanguageModel().fit(alone).score(alone)).all()
    nothing = Batch(["The inn is cheap."])
    assert np.isnan(LanguageModel().fit(nothing).score(nothing)).all()


def test_an_output_needs_no_reference_of_its_own() -> None:
    assert np.isfinite(LanguageModel().fit(FITTING).score(Batch(["The inn is cheap."], items=["new"]))).all()


def test_unknown_words_lower_the_probability_but_leave_it_finite() -> None:
    metric = LanguageModel().fit(FITTING)
    known, unknown = metric.score(
        batch(["The pub is cheap.", "The pub is \U0001f600 quokka."], ["new", "new"])
    ).tolist()
    assert -math.inf < unknown[0] < known[0] and -math.inf < unknown[1] < known[1]


def test_the_order_is_a_parameter() -> None:
    row = batch(["The pub is in Soma."], ["new"])
    scores = [get("language-model", order=order).fit(FITTING).score(row)[0, 0] for order in (1, 2, 3)]
    assert scores[0] < scores[1] < scores[2]
