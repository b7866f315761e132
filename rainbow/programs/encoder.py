"""An encoder of texts: a vector for every token, as a layer of a pretrained network has it."""

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
from rainbow.base.fetched import missing_files
from rainbow.base.fingerprint import file_sha256
from rainbow.base.caching import TextCache
from rainbow.programs.bundles import MINILM
from rainbow.programs.language_models.bert_files import FORMAT, convert
from rainbow.programs.language_models.engine import cores
from rainbow.programs.language_models.whole_folders import kept_at
from rainbow.programs.network import (
    DEFAULT,
    LONGEST,
    default_folder,
    folder_of,
    loaded,
    missing_network,
    one_thread,
    readable,
    tokens_of,
)

_PACKAGES = ("ctranslate2", "safetensors", "tokenizers")  # of the default; others are run by PyTorch
_WEIGHTS = next(file for file in MINILM if file.local.endswith(".safetensors"))
_DEFAULT_LAYERS = 6
# A text of thirty tokens takes 50 kB.
_remembered = TextCache[tuple[str, int, str], "Embedded"](5_000)
_lock = threading.Lock()


class Embedded(NamedTuple):
    """A text as an encoder sees it.

    Shapes: vectors (tokens, dimensions), counts (tokens,).
    """

    vectors: NDArray[np.float32]  # of length 1, one for each token, shape (tokens, dimensions)
    counts: BoolArray  # which tokens count: all but those that mark the beginning and the end, shape (tokens,)


def missing_encoder(model: str = DEFAULT) -> str | None:
    """Say what this machine lacks to run an encoder, and how to mend it; None if it lacks nothing."""
    if model != DEFAULT:
        return missing_network(model)
    if lacking := [name for name in _PACKAGES if not find_spec(name)]:
        return f"{', '.join(lacking)} not installed: pip install 'rainbow-nlg[likelihood]'"
    return missing_files(MINILM)


def embedded(texts: Sequence[str], model: str, layer: int) -> list[Embedded]:
    """Return the tokens of every text as vectors; each distinct text is read once, and by itself."""
    if lacking := missing_encoder(model):
        raise RuntimeError(lacking)
    keys = [(model, layer, text.strip()) for text in texts]
    with _lock:
        return _remembered.of(keys, _embedded)


def _embedded(keys: Sequence[tuple[str, int, str]]) -> list[Embedded]:
    if any(model != DEFAULT for model, _, _ in keys):
        return [_embed(*key) for key in keys]
    with ThreadPoolExecutor(cores()) as pool:
        return list(pool.map(_embed, *zip(*keys, strict=True)))


def _embed(model: str, layer: int, text: str) -> Embedded:
    numbers, vectors, special = _by_engine(layer, text) if model == DEFAULT else _by_network(model, layer, text)
    counts = np.array([number not in special for number in numbers])
    return Embedded(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True), counts)


def _by_engine(layer: int, text: str) -> tuple[list[int], NDArray[np.float32], set[int | None]]:
    """Return the numbers of tokens, their vectors, and the numbers of those that do not count."""
    tokenizer, engine = _engine(layer)
    numbers = tokenizer.encode(readable(text)).ids
    states = engine.forward_batch([numbers]).last_hidden_state
    return numbers, np.array(states)[0], {tokenizer.token_to_id(mark) for mark in ("[CLS]", "[SEP]")}


def _by_network(model: str, layer: int, text: str) -> tuple[list[int], NDArray[np.float32], set[int | None]]:
    """Return the same, computed by PyTorch."""
    import torch

    tokenizer, network = loaded(model)
    numbers = tokens_of(tokenizer, network, text)["input_ids"]
    with one_thread(), torch.inference_mode():
        states = network(torch.tensor([numbers]), output_hidden_states=True).hidden_states
    return numbers, states[layer][0].numpy(), {tokenizer.cls_token_id, tokenizer.sep_token_id}


@cache
def _engine(layer: int) -> tuple[Any, Any]:
    """Return the default's tokenizer and its first layers as CTranslate2 runs them."""
    import ctranslate2
    from tokenizers import Tokenizer

    source = default_folder()
    folder = kept_at(f"{DEFAULT}-{_WEIGHTS.sha256[:12]}-{layer}-{FORMAT}")
    if not folder.is_dir():
        convert(source, layer, folder)
    tokenizer: Any = Tokenizer.from_file(str(source / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(LONGEST)
    ctranslate2.set_log_level(40)  # errors alone
    engine = ctranslate2.Encoder(str(folder), compute_type="float32", inter_threads=cores(), intra_threads=1)
    return tokenizer, engine


def layers_of(model: str) -> int:
    """Return how many layers a model has."""
    if model == DEFAULT:
        return _DEFAULT_LAYERS
    import transformers

    return int(transformers.AutoConfig.from_pretrained(folder_of(model) or model).num_hidden_layers)


def encoder_identity(model: str) -> str:
    """Return what names a model in a signature: its name and the hash of its weights, as far as they lie in a
    folder.
    """
    if model == DEFAULT:
        return f"all-MiniLM-L6-v2 {_WEIGHTS.sha256[:12]}"
    files = sorted(Path(model).glob("*.safetensors")) if Path(model).is_dir() else []
    return " ".join([Path(model).name if files else model, *(file_sha256(file)[:12] for file in files)])
