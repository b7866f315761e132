"""Vectors of texts: those of a layer of the whole model, of each text by itself."""

import numpy as np
import pytest

from scripts import text_vectors as module
from scripts.text_vectors import DIMENSIONS, LAYER, loaded, missing_vectors, text_vectors, tokenizer_of_model


@pytest.fixture
def installed() -> None:
    if missing := missing_vectors():
        pytest.skip(missing)


@pytest.mark.slow
@pytest.mark.usefixtures("installed")
def test_a_vector_is_the_mean_of_a_layer_of_the_whole_model() -> None:
    torch, tokenizer = pytest.importorskip("torch"), tokenizer_of_model()
    tokens = [tokenizer.eos_token_id, *tokenizer("The hotel is cheap.\n")["input_ids"]]
    with torch.inference_mode():
        answer = loaded("AutoModel", dtype="float32").eval()(torch.tensor([tokens]), output_hidden_states=True)
    expected = answer.hidden_states[LAYER][0, 1:].mean(dim=0).numpy()
    np.testing.assert_allclose(text_vectors(["The hotel is cheap."])[0], expected, rtol=1e-4, atol=1e-4)


@pytest.mark.slow
@pytest.mark.usefixtures("installed")
def test_vectors_are_of_each_text_by_itself_and_of_any_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LONGEST", 50)
    texts = ["The hotel is cheap.", "cheap hotel the is", "", "\ud800 inn", "inn " * 50, "inn " * 59]
    together = text_vectors(texts)
    assert together.shape == (len(texts), DIMENSIONS) and np.isfinite(together).all()
    np.testing.assert_array_equal(np.concatenate([text_vectors([text]) for text in texts[::-1]]), together[::-1])
    assert (together[0] != together[1]).any() and (together[4] == together[5]).all()
    assert text_vectors([]).shape == (0, DIMENSIONS)
