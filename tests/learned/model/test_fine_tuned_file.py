"""A fine-tuned encoder in a model file: the trained layers alone, and only on the encoder that was trained."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rainbow.learned.learner.regressor import RainbowRegressor
from rainbow.learned.model.model import Model
from rainbow.learned.model.model_file import load_model, save_model
from rainbow.learned.network.dual_encoder import Linear
from rainbow.learned.network.fine_tuned import FineTuned
from rainbow.learned.network.fine_tuning import Tuning
from rainbow.learned.training.features import Features
from rainbow.metrics.contract.base import MissingResourceError
from rainbow.programs import encoder
from tests.learned import saved
from tests.learned.small_bert import WIDTH, small_bert

pytest.importorskip("torch")
pytest.importorskip("transformers")

pytestmark = [pytest.mark.once, pytest.mark.xdist_group("network")]  # one worker imports torch, not all


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    rows = saved.corpus()
    features = Features((), ("surface", "references")).fit(rows)
    tuning = Tuning(encoder=small_bert(tmp_path_factory.mktemp("bert")), passes=1, device="cpu")
    regressor = RainbowRegressor("encoder", tuning=tuning).fit(features.table(rows), rows.frame["quality"])
    return Model("quality-encoder", "quality", 1.0, 6.0, features, regressor.learner_, 0.75, {"rows": len(rows)})


@pytest.fixture(scope="module")
def path(model: Model, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_model(model, tmp_path_factory.mktemp("saved") / "encoder.rainbow")


def changed(model: Model, **fields: Any) -> Model:
    """Return a model whose encoder, or what stands behind it, has other fields."""
    learner = model.learner
    assert isinstance(learner, FineTuned)
    trained = type(learner.encoder)(
        *(fields.pop(name, vars(learner.encoder)[name]) for name in ("name", "sha256", "weights"))
    )
    rest = ("columns", "words", "output", "mean", "slope")
    learner = FineTuned(trained, *(fields.pop(name, vars(learner)[name]) for name in rest))
    assert not fields
    return Model(model.name, model.rating, model.low, model.high, model.features, learner, 0.75, {})


def test_what_is_loaded_scores_as_what_was_saved(model: Model, path: Path, tmp_path: Path) -> None:
    loaded, rows = load_model(path), saved.corpus()
    np.testing.assert_array_equal(loaded.predict(rows), model.predict(rows))
    assert (loaded.needs, loaded.features.texts) == ({"references"}, ("surface", "references"))
    assert save_model(loaded, tmp_path / "again.rainbow").read_bytes() == path.read_bytes()
    assert np.isnan(loaded.predict(type(rows).of(["the inn is cheap"]))).all()


def test_the_file_holds_trained_layers_as_safetensors_and_no_word_of_the_encoder_s_vectors(path: Path) -> None:
    from safetensors.numpy import load

    arrays = saved.arrays_of(saved.entries_of(path))
    weights = load(arrays["encoder.weights"].tobytes())
    assert {name.split(".")[1] for name in weights} == {"layer"}
    assert sum(array.nbytes for array in weights.values()) < arrays["encoder.weights"].nbytes


def tensors(**arrays: np.ndarray) -> np.ndarray:
    from safetensors.numpy import save

    return np.frombuffer(save({name.replace("__", "."): array for name, array in arrays.items()}), np.uint8)


WEIGHT = "encoder__layer__0__attention__self__query__weight"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"weights": np.zeros(40, np.uint8)}, "the weights of its encoder are no safetensors file"),
        ({"weights": np.zeros((2, 20), np.uint8)}, "the weights of its encoder are no bytes"),
        ({"weights": np.zeros(5)}, "the weights of its encoder are no bytes"),
        ({"weights": tensors(**{WEIGHT: np.zeros((WIDTH, WIDTH), np.float32)})}, "not finite numbers in half"),
        ({"weights": tensors(**{WEIGHT: np.full((WIDTH, WIDTH), np.nan, np.float16)})}, "not finite numbers in half"),
        ({"weights": tensors(**{WEIGHT: np.zeros((WIDTH, 2), np.float16)})}, r"has no weights .* of shape \(16, 2\)"),
        ({"weights": tensors(odd=np.zeros(3, np.float16))}, r"has no weights 'odd' of shape \(3,\)"),
        ({"sha256": "0" * 64}, "the encoder .* on this machine is not the one that was trained"),
        ({"sha256": 3}, "its encoder has no name, or no hash"),
        ({"columns": ["surface"]}, r"it does not read \['surface', 'references'\]"),
        ({"words": ["a"]}, "it has not the known words of each text"),
        ({"words": [["a"], ["b"]]}, "it has not the known words of each text"),
        ({"output": Linear(np.zeros((1, 5, 1)), np.zeros((1, 1)))}, r"weights has .* shape \(1, 5, 1\), not float64"),
        ({"output": Linear(np.zeros((2, WIDTH, 1)), np.zeros((2, 1)))}, r"weights has .* shape \(2, 16, 1\)"),
        ({"output": [1]}, "it has no linear layer of outputs"),
        ({"mean": np.array([np.nan])}, "mean holds a number that is not finite"),
        ({"slope": np.zeros(2)}, "slope has the type"),
    ],
)
def test_what_no_training_gives_is_refused(model: Model, tmp_path: Path, fields: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        save_model(changed(model, **fields), tmp_path / "m.rainbow")
    assert not (tmp_path / "m.rainbow").exists()


def test_a_damaged_file_is_refused(path: Path, tmp_path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    (tmp_path / "m.rainbow").write_bytes(data)
    with pytest.raises(ValueError, match="is not a model that can be used"):
        load_model(tmp_path / "m.rainbow")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda folder: shutil.rmtree(folder), "needs what is not installed: there is no folder .*: hf download"),
        (lambda folder: small_bert(folder, seed=2), "on this machine is not the one that was trained"),
        (lambda folder: (folder / "model.safetensors").unlink(), "has no weights as safetensors"),
    ],
)
def test_another_encoder_or_none_is_refused(
    model: Model, tmp_path: Path, change: Callable[[Path], object], message: str
) -> None:
    folder = tmp_path / "bert"
    shutil.copytree(model.learner.encoder.name, folder)  # type: ignore[attr-defined]
    path = save_model(changed(model, name=str(folder)), tmp_path / "m.rainbow")
    encoder.loaded.cache_clear()
    change(folder)
    with pytest.raises((ValueError, MissingResourceError), match=message):
        load_model(path)


def test_without_minilm_the_command_that_fetches_it_is_named(
    model: Model, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = saved.entries_of(path)
    name = model.learner.encoder.name  # type: ignore[attr-defined]

    def renamed(inner: saved.Entries) -> None:
        inner["schema.json"] = inner["schema.json"].replace(name.encode(), b"minilm")

    monkeypatch.setenv("RAINBOW_JARS", "/none")
    with pytest.raises(MissingResourceError, match=r"m\.rainbow needs what is not installed: .* rainbow fetch minilm"):
        load_model(saved.write(tmp_path / "m.rainbow", saved.learner_edited(entries, renamed)))


def test_without_pytorch_it_is_told_how_to_get_it(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoder, "find_spec", lambda name: None)
    with pytest.raises(MissingResourceError, match=r"pip install 'rainbow-nlg\[neural\]'"):
        load_model(path)
