"""Vectors of texts: those of a layer of the whole model, of each text by itself."""

import numpy as np
import pytest

from rainbow.programs import text_vectors as vectors_module
from rainbow.programs.text_vectors import DIMENSIONS, LAYER, LONGEST, missing_vectors, text_vectors


@pytest.fixture
def installed() -> None:
    if missing := missing_vectors():
        pytest.skip(missing)


@pytest.mark.usefixtures("installed")
def test_a_vector_is_the_mean_of_a_layer_of_the_whole_model() -> None:
    torch = pytest.importorskip("torch")
    tokenizer = vectors_module._tokenizer()
    tokens = [tokenizer.eos_token_id, *tokenizer("The hotel is cheap.\n")["input_ids"]]
    with torch.inference_mode():
        answer = vectors_module._loaded("AutoModel", dtype="float32").eval()(
            torch.tensor([tokens]), output_hidden_states=True
        )
    expected = answer.hidden_states[LAYER][0, 1:].mean(dim=0).numpy()
    np.testing.assert_allclose(text_vectors(["The hotel is cheap."])[0], expected, rtol=1e-4, atol=1e-4)


@pytest.mark.usefixtures("installed")
def test_vectors_are_of_each_text_by_itself_and_of_any_text() -> None:
    texts = ["The hotel is cheap.", "cheap hotel the is", "", "\ud800 inn", "inn " * LONGEST, "inn " * (LONGEST + 9)]
    together = text_vectors(texts)
    assert together.shape == (len(texts), DIMENSIONS) and np.isfinite(together).all()
    vectors_module._remembered._values.clear()
    np.testing.assert_array_equal(np.concatenate([text_vectors([text]) for text in texts[::-1]]), together[::-1])
    assert (together[0] != together[1]).any() and (together[4] == together[5]).all()
    assert text_vectors([]).shape == (0, DIMENSIONS)


def test_a_missing_model_is_told_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAINBOW_JARS", "/none")
    monkeypatch.setattr(vectors_module, "find_spec", lambda name: name)
    with pytest.raises(RuntimeError, match="rainbow fetch smollm2"):
        text_vectors(["a"])
