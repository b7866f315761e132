"""A learned metric taken to another domain: its corpus statistics with those of the domain's references."""

import json

import numpy as np
import pytest

from rainbow.corpus import Corpus
from rainbow.learned.model.card import card_text
from rainbow.learned.model.model_file import load_model, save_model
from rainbow.learned.scorer import Scorer
from rainbow.learned.training.features import Features
from rainbow.meaning.realisation import ValueInventory
from rainbow.metrics.word.nist.information import InformationWeights
from rainbow.text.ngrams.document_frequencies import CollectionFrequencies
from rainbow.text.ngrams.kneser_ney import KneserNey
from tests.learned.demo_model import demo_rows

MRS = ["inform(name='the volt',power=50kw)", "inform(name=spark,power=22kw)", "inform(name=zap,power=11kw)"]
TEXTS = [["the volt charges at 50kw ."], ["spark charges at 22kw ."], ["zap charges at 11kw ."]]
DOMAIN = Corpus.of(["zap charges at 11kw ."] * 3, TEXTS, MRS)
COLUMNS = ("slor", "CIDEr", "NIST", "slots_realised", "len")


def test_statistics_are_those_of_both_corpora_counted_together() -> None:
    rows = demo_rows()
    features = Features(("slor", "NIST"), view="surface")
    together = Corpus.of(
        [*rows.frame["output"], *DOMAIN.frame["output"]],
        [*rows.frame["references"], *DOMAIN.frame["references"]],
        [*rows.frame["mr"], *DOMAIN.frame["mr"]],
        item=[*rows.frame["item"], *DOMAIN.frame["item"]],
    )
    found, expected = features.fit(rows).adapted(DOMAIN), features.fit(together)
    assert found.signatures == expected.signatures
    np.testing.assert_array_equal(found.table(DOMAIN), expected.table(DOMAIN))


def test_an_inputs_own_references_do_not_count_in_its_score() -> None:
    features = Features(("slor",), view="surface").fit(demo_rows()).portable()
    whole = features.adapted(DOMAIN).table(DOMAIN)["slor"].tolist()
    others = features.adapted(DOMAIN.take([0, 1])).table(DOMAIN)["slor"].tolist()
    alone = features.table(DOMAIN)["slor"].tolist()
    assert whole[2] > alone[2]
    assert abs(whole[2] - others[2]) < abs(whole[2] - alone[2]) / 10  # but for the discounts


def test_an_adapted_model_survives_its_file(tmp_path) -> None:  # type: ignore[no-untyped-def]
    model = Scorer("quality-referenceless").model.adapted(DOMAIN)
    loaded = load_model(save_model(model, tmp_path / "volt.rainbow"))
    np.testing.assert_array_equal(loaded.predict(DOMAIN), model.predict(DOMAIN))
    assert "3 references of 3 inputs were added" in card_text(loaded.card)


def test_a_scorer_is_adapted_as_the_model_is() -> None:
    scorer = Scorer("quality-referenceless")
    outputs = list(DOMAIN.frame["output"])
    with pytest.warns(UserWarning, match="another domain"):
        found = scorer.adapted(TEXTS, MRS)(outputs, mrs=MRS)
    np.testing.assert_array_equal(found, scorer.model.adapted(DOMAIN).predict(DOMAIN))


@pytest.mark.parametrize(
    ("corpus", "message"),
    [
        (Corpus.of(["a"], [[]], ["inform(name=x)"]), "there is no reference"),
        (Corpus.of(["a"], [["a b"]]), "give the references' mrs"),
    ],
)
def test_what_cannot_adapt_is_refused(corpus: Corpus, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Scorer("quality-referenceless").model.adapted(corpus)


def test_a_language_model_of_which_a_part_has_documents_survives_its_json() -> None:
    counts, documents = (KneserNey.fit({name: [["a", name], ["a", "pub"]]}, order=3) for name in ("inn", "bar"))
    model = counts.counts_only().merged(documents)
    loaded = KneserNey.from_json(json.loads(json.dumps(model.to_json())))
    assert loaded == model
    for without in (None, "bar"):
        assert loaded.log_probabilities(["a", "bar"], without) == model.log_probabilities(["a", "bar"], without)
    assert loaded.log_probabilities(["a", "inn"], "bar") == pytest.approx(
        counts.log_probabilities(["a", "inn"]), abs=0.5
    )


def test_documents_of_one_name_are_put_together() -> None:
    first, second = (KneserNey.fit({"x": [[word]]}, order=2) for word in ("inn", "pub"))
    assert first.merged(second) == KneserNey.fit({"x": [["inn"], ["pub"]]}, order=2)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (KneserNey.fit({}, order=2), KneserNey.fit({}, order=3)),
        (InformationWeights.fit([["a"]], 2), InformationWeights.fit([["a"]], 3)),
    ],
)
def test_counts_of_different_orders_are_not_merged(first: KneserNey, second: KneserNey) -> None:
    with pytest.raises(ValueError, match="of"):
        first.merged(second)


def test_counts_and_values_add_up() -> None:
    weights = InformationWeights.fit([["a", "b"]]).merged(InformationWeights.fit([["a"]]))
    assert weights == InformationWeights.fit([["a", "b"], ["a"]])
    frequencies = CollectionFrequencies(2, {("a",): 2}).merged(CollectionFrequencies(3, {("a",): 2, ("b",): 3}))
    assert (frequencies.documents, dict(frequencies.counts)) == (5, {("a",): 4, ("b",): 3})
    assert ValueInventory(("b",)).merged(ValueInventory(("a", "b"))).values == ("a", "b")
