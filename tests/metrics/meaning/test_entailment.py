"""Slot errors by entailment: by hand, and with a classifier that is made at random."""

from pathlib import Path

import numpy as np
import pytest

from rainbow import Corpus, score_corpus
from rainbow.meaning import parse_meaning
from rainbow.meaning.statements import slot_statements
from rainbow.metrics import Batch, MissingResourceError, get
from rainbow.metrics.meaning import entailment
from rainbow.metrics.meaning.entailment import Entailment
from rainbow.programs.network import VARIABLE, EntailmentResult, classify_pairs

pytestmark = pytest.mark.once

MR = "inform(name='the inn',food=thai,kids_allowed=no)"


def test_every_slot_has_a_sentence() -> None:
    meaning = parse_meaning(
        "inform(name=soma,near=none,area=dont_care,phone,has_internet=yes,smoking=no,price_range='very cheap')"
    )
    assert slot_statements(meaning) == (
        "There is a place called soma.", "There is no near.", "The area does not matter.", "The phone is asked for.",
        "Soma has internet access.", "Soma does not have this: smoking.", "The prices of soma are very cheap.",
    )  # fmt: skip


def test_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, str]] = []
    chances = {"There is a place called the inn.": 0.9, "The inn serves thai food.": 0.2}

    def read(pairs: list[tuple[str, str]], model: str) -> list[EntailmentResult]:
        seen.extend(pairs)
        found = [chances.get(hypothesis, 0.7) for _, hypothesis in pairs]
        return [EntailmentResult(chance > 0.5, chance) for chance in found]

    monkeypatch.setattr(entailment, "classify_pairs", read)
    monkeypatch.setattr(entailment, "entailment_unavailable_reason", lambda model=None: None)
    scores = Entailment("mine").score(Batch(["the inn, no kids", " ?"], mrs=[MR, MR]))
    assert scores.tolist() == [pytest.approx([1 / 3, 0.3, 0.2]), [1, 1, 0]]
    assert seen[-1] == (" ".join(slot_statements(parse_meaning(MR))), "the inn, no kids")
    assert len(seen) == 4


def test_no_model_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("transformers")
    monkeypatch.delenv(VARIABLE, raising=False)
    with pytest.raises(MissingResourceError, match="no model is set: RAINBOW_NLI=FOLDER"):
        get("entailment")


@pytest.fixture(scope="module")
def classifier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a small classifier with random weights."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    folder = tmp_path_factory.mktemp("classifier")
    marks = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    words = [*marks, "the", "inn", "serves", "thai", "food", "place", "called", "is", "a", "kids"]
    (folder / "vocab.txt").write_text("\n".join(words))
    transformers.BertTokenizer(str(folder / "vocab.txt")).save_pretrained(folder)
    torch.manual_seed(1)
    sizes = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
    labels = {0: "contradiction", 1: "neutral", 2: "entailment"}
    config = transformers.BertConfig(vocab_size=len(words), id2label=labels, initializer_range=1.0, **sizes)
    transformers.BertForSequenceClassification(config).save_pretrained(folder)
    return folder


def test_a_classifier_of_yours_scores_rows_each_by_itself(classifier: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(classifier))
    outputs = ["the inn serves thai food", "a place is called the inn", ""]
    table = score_corpus(Corpus.from_texts([*outputs, "the inn"], mrs=[MR] * 3 + [""]), ["entailment"])
    values = table.to_numpy()
    assert np.isfinite(values[:2]).all() and len(set(values[:2, 2])) == 2 and values[2].tolist() == [1, 1, 0]
    assert np.isnan(values[3]).all()
    (own,) = Entailment(str(classifier)).score(Batch(outputs[:1], mrs=[MR]))
    assert own.tolist() == values[0].tolist()
    assert f"classifier:{classifier.name} " in table.attrs["signatures"]["nli_score"]


def test_probabilities_are_those_of_the_model(classifier: Path) -> None:
    import torch
    import transformers

    pair = "the inn serves thai food", "a place is called the inn"
    tokenizer = transformers.AutoTokenizer.from_pretrained(classifier)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(classifier).eval()
    with torch.inference_mode():
        logits = model(**tokenizer(*pair, return_tensors="pt")).logits[0]
    (found,) = classify_pairs([pair], str(classifier))
    assert found.probability == pytest.approx(float(logits.softmax(-1)[2]), abs=1e-6)
    assert found.most_probable == (int(logits.argmax()) == 2)
    assert classify_pairs([pair[::-1]], str(classifier))[0].probability != found.probability


def test_a_classifier_of_other_labels_is_refused(classifier: Path, tmp_path: Path) -> None:
    import transformers

    model = transformers.AutoModelForSequenceClassification.from_pretrained(classifier)
    model.config.id2label = {0: "good", 1: "bad", 2: "ugly"}
    model.save_pretrained(tmp_path)
    with pytest.raises(ValueError, match="has the labels good, bad, ugly: none of them is entailment"):
        classify_pairs([("a", "b")], str(tmp_path))
