"""MiniLM and other encoders: contextual token vectors, and scores of pairs of texts from trained heads."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rainbow.base.arrays import BoolArray, FloatArray
from rainbow.base.caching import TextCache
from rainbow.base.downloads import missing_files
from rainbow.base.fingerprint import file_sha256
from rainbow.base.lazy import torch
from rainbow.programs.bundles import MINILM
from rainbow.programs.language_models.conversion import BERT_FORMAT, Tensors, cache_folder, convert_bert
from rainbow.programs.language_models.engine import available_cores
from rainbow.programs.network import (
    DEFAULT,
    LONGEST,
    default_folder,
    encode_texts,
    load_network,
    model_folder,
    network_unavailable_reason,
    one_thread,
    replace_surrogates,
)

_PACKAGES = ("ctranslate2", "safetensors", "tokenizers")  # of the default; others are run by PyTorch
_WEIGHTS = next(file for file in MINILM if file.local.endswith(".safetensors"))
_DEFAULT_LAYERS = 6
# A text of thirty tokens takes 50 kB.
_remembered = TextCache[tuple[str, int, str], "TokenVectors"](5_000)
_lock = threading.Lock()


class TokenVectors(NamedTuple):
    """Token vectors of a text.

    Shapes: vectors (tokens, dimensions), counts (tokens,).
    """

    vectors: NDArray[np.float32]  # of length 1, one for each token, shape (tokens, dimensions)
    counts: BoolArray  # which tokens count: all but those that mark the beginning and the end, shape (tokens,)


def encoder_unavailable_reason(model: str = DEFAULT) -> str | None:
    """Return what is missing to run an encoder and how to fix it; None if nothing."""
    if model != DEFAULT:
        return network_unavailable_reason(model)
    if missing := [name for name in _PACKAGES if not find_spec(name)]:
        return f"{', '.join(missing)} not installed: pip install 'rainbow-nlg[likelihood]'"
    return missing_files(MINILM)


def embed_texts(texts: Sequence[str], model: str, layer: int) -> list[TokenVectors]:
    """Return the token vectors of every text; each distinct text is encoded once, alone."""
    keys = [(model, layer, text.strip()) for text in texts]
    with _lock:
        return _remembered.get_or_compute(keys, _embed_keys)


def _embed_keys(keys: Sequence[tuple[str, int, str]]) -> list[TokenVectors]:
    if any(model != DEFAULT for model, _, _ in keys):
        return [_embed(*key) for key in keys]
    with ThreadPoolExecutor(available_cores()) as pool:
        return list(pool.map(_embed, *zip(*keys, strict=True)))


def _embed(model: str, layer: int, text: str) -> TokenVectors:
    numbers, vectors, special = (
        _embed_with_engine(layer, text) if model == DEFAULT else _embed_with_network(model, layer, text)
    )
    counts = np.array([number not in special for number in numbers])
    return TokenVectors(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True), counts)


def _embed_with_engine(layer: int, text: str) -> tuple[list[int], NDArray[np.float32], set[int | None]]:
    """Return token IDs, vectors, and the IDs of special tokens."""
    tokenizer, engine = _load_engine(f"{DEFAULT}-{_WEIGHTS.sha256[:12]}-{layer}", layer)
    numbers = tokenizer.encode(replace_surrogates(text)).ids
    states = engine.forward_batch([numbers]).last_hidden_state
    return numbers, np.array(states)[0], {tokenizer.token_to_id(mark) for mark in ("[CLS]", "[SEP]")}


def _embed_with_network(model: str, layer: int, text: str) -> tuple[list[int], NDArray[np.float32], set[int | None]]:
    """Return the same as :func:`_embed_with_engine`, computed by PyTorch."""
    tokenizer, network = load_network(model)
    numbers = encode_texts(tokenizer, network, text)["input_ids"]
    with one_thread(), torch.inference_mode():
        states = network(torch.tensor([numbers]), output_hidden_states=True).hidden_states
    return numbers, states[layer][0].numpy(), {tokenizer.cls_token_id, tokenizer.sep_token_id}


@cache
def _load_engine(name: str, layer: int, change: Callable[[Tensors], Tensors] | None = None) -> tuple[Any, Any]:
    """Return the default model's tokenizer and first layers in CTranslate2, changed if asked, from the cache."""
    source, folder = default_folder(), cache_folder(f"{name}-{BERT_FORMAT}")
    if not folder.is_dir():
        convert_bert(source, layer, folder, change)
    return open_converted(folder, source)


def open_converted(folder: Path, source: Path) -> tuple[Any, Any]:
    """Return the tokenizer of a source folder, and the encoder in a folder that was converted from it."""
    import ctranslate2
    from tokenizers import Tokenizer

    tokenizer: Any = Tokenizer.from_file(str(source / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(LONGEST)
    ctranslate2.set_log_level(40)  # errors alone
    engine = ctranslate2.Encoder(str(folder), compute_type="float32", inter_threads=available_cores(), intra_threads=1)
    return tokenizer, engine


def layer_count(model: str) -> int:
    """Return the number of layers of a model."""
    if model == DEFAULT:
        return _DEFAULT_LAYERS
    import transformers

    return int(transformers.AutoConfig.from_pretrained(model_folder(model) or model).num_hidden_layers)


def encoder_identity(model: str) -> str:
    """Return a model's name and weight hash for signatures."""
    if model == DEFAULT:
        return f"all-MiniLM-L6-v2 {_WEIGHTS.sha256[:12]}"
    files = sorted(Path(model).glob("*.safetensors")) if Path(model).is_dir() else []
    return " ".join([Path(model).name if files else model, *(file_sha256(file)[:12] for file in files)])


FILE = "pair_encoder.npz"  # written by scripts.evaluator.train
RATINGS = ("adequacy", "fluency")  # heads without bounds, 0 for the mean rating; others are between 0 and 1
_remembered_pairs = TextCache[tuple[str, str], FloatArray](50_000)
_pair_lock = threading.Lock()


def read_pairs(pairs: Sequence[tuple[str, str]], heads: Sequence[str]) -> FloatArray:
    """Return the heads, shape (pairs, heads), for each first text (blank: none) and output, each pair read alone."""
    keys = [(first.strip(), second.strip()) for first, second in pairs]
    with _pair_lock:
        results = _remembered_pairs.get_or_compute(keys, _read_keys)
    names = _shipped_heads()[0]
    return np.array(results).reshape(len(pairs), len(names))[:, [names.index(head) for head in heads]]


def _read_keys(keys: Sequence[tuple[str, str]]) -> list[FloatArray]:
    with ThreadPoolExecutor(available_cores()) as pool:
        return list(pool.map(_read_pair, keys))


def _read_pair(key: tuple[str, str]) -> FloatArray:
    name = f"pair-{pair_encoder_identity().replace(' ', '-')}"
    tokenizer, engine = _load_engine(name, layer_count(DEFAULT), _add_differences)
    names, weight, bias = _shipped_heads()
    encoded = tokenizer.encode(*map(replace_surrogates, filter(None, key)))
    states = engine.forward_batch([encoded.ids], token_type_ids=[encoded.type_ids]).last_hidden_state
    vectors = np.array(states)[0].astype(float)
    values: FloatArray = weight @ np.concatenate([vectors[0], vectors.mean(axis=0)]) + bias
    return np.where([name in RATINGS for name in names], values, 1 / (1 + np.exp(-values)))


@cache
def _shipped_heads() -> tuple[tuple[str, ...], FloatArray, FloatArray]:
    """Return names, weights (heads, 2 * dimensions) and bias of the heads on the first token and the mean of all."""
    arrays = _shipped()
    names = tuple(map(str, arrays["heads.names"]))
    return names, arrays["heads.weight"].astype(float), arrays["heads.bias"].astype(float)


@cache
def _shipped() -> dict[str, NDArray[Any]]:
    with (files(__package__) / FILE).open("rb") as file:
        return dict(np.load(file))


def _add_differences(tensors: Tensors) -> Tensors:
    """Return the encoder's tensors with what was trained: small ones replaced, low-rank products added to matrices."""
    shipped = {name: array.astype(np.float32) for name, array in _shipped().items() if not name.startswith("heads.")}
    changed = {**tensors, **{name: array for name, array in shipped.items() if name in tensors}}
    for name in (name.removesuffix(".up") for name in shipped if name.endswith(".up")):
        changed[f"{name}.weight"] = tensors[f"{name}.weight"] + shipped[f"{name}.up"] @ shipped[f"{name}.down"]
    return changed


@cache
def pair_encoder_identity() -> str:
    """Return the encoder's name and weight hash, and the hash of the differences, for signatures."""
    digest = hashlib.sha256((files(__package__) / FILE).read_bytes()).hexdigest()
    return f"{encoder_identity(DEFAULT)} {digest[:12]}"
