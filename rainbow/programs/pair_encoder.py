"""A network that reads an output with a reference, with its input or alone: MiniLM with trained differences."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rainbow.base.arrays import FloatArray
from rainbow.base.caching import TextCache
from rainbow.programs.encoder import encoder_identity, encoder_unavailable_reason, layer_count, open_converted
from rainbow.programs.language_models.conversion import BERT_FORMAT, Tensors, cache_folder, convert_bert
from rainbow.programs.language_models.engine import available_cores
from rainbow.programs.network import DEFAULT, default_folder, replace_surrogates

FILE = "pair_encoder.npz"  # written by scripts.evaluator.train
RATINGS = ("adequacy", "fluency")  # heads without bounds, 0 for the mean rating; others are between 0 and 1
_remembered = TextCache[tuple[str, str], FloatArray](50_000)
_lock = threading.Lock()


class _Heads(NamedTuple):
    """Linear heads on the first token and the mean of all. Shapes: weight (heads, 2 * dimensions), bias (heads,)."""

    names: tuple[str, ...]
    weight: FloatArray
    bias: FloatArray


def read_pairs(pairs: Sequence[tuple[str, str]], heads: Sequence[str]) -> FloatArray:
    """Return the heads, shape (pairs, heads), for each first text (blank: none) and output, each pair read alone."""
    if missing := encoder_unavailable_reason():
        raise RuntimeError(missing)
    with _lock:
        results = _remembered.get_or_compute([(first.strip(), second.strip()) for first, second in pairs], _read_keys)
    names = _shipped_heads().names
    return np.array(results).reshape(len(pairs), len(names))[:, [names.index(head) for head in heads]]


def _read_keys(keys: Sequence[tuple[str, str]]) -> list[FloatArray]:
    with ThreadPoolExecutor(available_cores()) as pool:
        return list(pool.map(_read_pair, keys))


def _read_pair(key: tuple[str, str]) -> FloatArray:
    tokenizer, engine = _load_engine()
    names, weight, bias = _shipped_heads()
    encoded = tokenizer.encode(*map(replace_surrogates, filter(None, key)))
    states = engine.forward_batch([encoded.ids], token_type_ids=[encoded.type_ids]).last_hidden_state
    vectors = np.array(states)[0].astype(float)
    values: FloatArray = weight @ np.concatenate([vectors[0], vectors.mean(axis=0)]) + bias
    return np.where([name in RATINGS for name in names], values, 1 / (1 + np.exp(-values)))


@cache
def _shipped_heads() -> _Heads:
    arrays = _shipped()
    names = tuple(map(str, arrays["heads.names"]))
    return _Heads(names, arrays["heads.weight"].astype(float), arrays["heads.bias"].astype(float))


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
def _load_engine() -> tuple[Any, Any]:
    """Return the tokenizer, and the changed encoder in CTranslate2."""
    source = default_folder()
    folder = cache_folder(f"pair-{pair_encoder_identity().replace(' ', '-')}-{BERT_FORMAT}")
    if not folder.is_dir():
        convert_bert(source, layer_count(DEFAULT), folder, _add_differences)
    return open_converted(folder, source)


@cache
def pair_encoder_identity() -> str:
    """Return the encoder's name and weight hash, and the hash of the differences, for signatures."""
    digest = hashlib.sha256((files(__package__) / FILE).read_bytes()).hexdigest()
    return f"{encoder_identity(DEFAULT)} {digest[:12]}"
