"""Contextual token vectors from a layer of a pretrained encoder."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rainbow.base.arrays import BoolArray
from rainbow.base.caching import TextCache
from rainbow.base.downloads import missing_files
from rainbow.base.fingerprint import file_sha256
from rainbow.base.lazy import torch
from rainbow.programs.bundles import MINILM
from rainbow.programs.language_models.conversion import BERT_FORMAT, cache_folder, convert_bert
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
    if missing := encoder_unavailable_reason(model):
        raise RuntimeError(missing)
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
    tokenizer, engine = _load_engine(layer)
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
def _load_engine(layer: int) -> tuple[Any, Any]:
    """Return the default model's tokenizer and first layers in CTranslate2."""
    source = default_folder()
    folder = cache_folder(f"{DEFAULT}-{_WEIGHTS.sha256[:12]}-{layer}-{BERT_FORMAT}")
    if not folder.is_dir():
        convert_bert(source, layer, folder)
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
