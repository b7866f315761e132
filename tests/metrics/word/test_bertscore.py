"""BERTScore is that of the package bert-score; each distinct text is embedded once."""

from pathlib import Path

import numpy as np
import pytest

from rainbow.metrics import Batch, MissingResourceError, get
from rainbow.metrics.word import bertscore
from rainbow.metrics.word.bertscore import BertScore
from rainbow.programs import encoder
from rainbow.programs.encoder import TokenVectors, encoder_unavailable_reason
from tests.metrics.real_rows import dialogue_rows, largest_difference, restaurant_rows

pytestmark = [pytest.mark.once, pytest.mark.xdist_group("bertscore")]

WORDS = {"inn": [1.0, 0.0], "hotel": [0.8, 0.6], "cheap": [0.0, 1.0], "<s>": [0.6, 0.8]}


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Put a table of four words in the place of the encoder, and note what it reads."""
    seen: list[str] = []

    def embedded(texts: list[str], model: str, layer: int) -> list[TokenVectors]:
        seen.extend(texts)
        tokens = [["<s>", *text.split()] for text in texts]
        return [
            TokenVectors(
                np.array([WORDS[token] for token in row], np.float32), np.array([token != "<s>" for token in row])
            )
            for row in tokens
        ]

    monkeypatch.setattr(bertscore, "encoder_unavailable_reason", lambda model="minilm": None)
    monkeypatch.setattr(bertscore, "embed_texts", embedded)
    return seen


def test_by_hand(small: list[str]) -> None:
    # "inn" finds "hotel" (.8); "cheap" finds the mark of the beginning (.8) before "hotel" (.6)
    # "hotel" finds "inn" (.8), "cheap" (.6) or the mark (.6 * .8 + .8 * .6 = .96)
    precision, recall = (0.8 + 0.8) / 2, 0.96
    values = BertScore().score(Batch(["inn cheap"], [["hotel"]]))[0]
    assert values == pytest.approx([precision, recall, 2 * precision * recall / (precision + recall)])


def test_each_column_is_the_highest_over_the_references(small: list[str]) -> None:
    both = BertScore().score(Batch(["inn"], [["hotel", "inn cheap"]]))[0]
    single = [BertScore().score(Batch(["inn"], [[text]]))[0] for text in ("hotel", "inn cheap")]
    assert both == pytest.approx(np.max(single, axis=0))


def test_an_output_without_a_word_is_worst(small: list[str]) -> None:
    assert (BertScore().score(Batch(["", "!?"], [["inn"]] * 2)).tolist(), small) == ([[0, 0, 0]] * 2, [])


def test_a_missing_model_is_an_error_that_says_how_to_mend_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAINBOW_JARS", "/none")
    with pytest.raises(MissingResourceError, match=r"rainbow fetch minilm|rainbow-nlg\[likelihood\]"):
        get("bertscore")


def test_model_and_layer_stand_in_the_signature() -> None:
    assert "|model:minilm|layer:6|encoder:all-MiniLM-L6-v2 53aa51172d14|" in BertScore().signature
    assert "|layer:5|" in BertScore(layer=5).signature
    with pytest.raises(ValueError, match="minilm has layers 1 to 6"):
        BertScore(layer=7)


@pytest.fixture
def there() -> None:
    """Skip where the encoder is not."""
    if reason := encoder_unavailable_reason():
        pytest.skip(reason)


@pytest.mark.parametrize(("rows", "count"), [(dialogue_rows, 200), (restaurant_rows, 40)])
def test_scores_equal_bert_score(there: None, data_dir: Path, rows, count: int) -> None:
    pytest.importorskip("bert_score")
    batch, (tool,) = rows(data_dir, count), BertScore.tools
    assert max(map(len, batch.references)) > 1
    assert largest_difference("BERTScore", BertScore().score(batch), tool.scores(batch)) <= 1e-6


def test_each_distinct_text_is_read_once(there: None, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    embed = encoder._embed
    monkeypatch.setattr(encoder, "_embed", lambda *key: read.append(key[2]) or embed(*key))
    texts = ["an inn of the twelfth kind", "a bar of the twelfth kind"]
    values = BertScore().score(Batch([*texts, *texts], [[texts[0]]] * 2 + [[texts[1], texts[0]]] * 2))
    assert (sorted(read), values[0].tolist()) == (sorted(texts), pytest.approx([1.0, 1.0, 1.0]))
    assert values[2].tolist() == pytest.approx([1.0, 1.0, 1.0]) and values[1, 2] < 0.99


def test_a_text_has_the_same_bits_alone_and_beside_others(there: None) -> None:
    texts = ["an inn of the thirteenth kind", "a bar", "", "\ud800", "word " * 600]
    together = encoder._embed_keys([("minilm", 6, text) for text in texts])
    for text, found in zip(texts, together, strict=True):
        np.testing.assert_array_equal(found.vectors, encoder._embed("minilm", 6, text).vectors)
    assert [len(found.vectors) for found in together][-1] == 512


def test_a_folder_with_a_model_serves_and_pytorch_finds_the_same(there: None) -> None:
    pytest.importorskip("transformers")
    folder = str(encoder.MINILM[0].path.parent)
    batch = Batch(["the inn is cheap"], [["a cheap hotel"]])
    own = BertScore(model=folder, layer=5)
    assert "|encoder:model 53aa51172d14|" in own.signature
    np.testing.assert_allclose(own.score(batch), BertScore(layer=5).score(batch), atol=1e-6)
