"""Whether what a loaded learner holds can have been learned: types, shapes, and ranges of all its numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from rainbow.learned.learner.kernel_ridge import UNITS, VECTOR_TEXT, RankKernelRidge, TextPart
from rainbow.learned.learner.quantised_forest import QuantisedForest
from rainbow.learned.learner.regression_trees import Trees
from rainbow.learned.learner.score_kernel import REACH, ScoreKernel
from rainbow.learned.learner.standardised import Standardised
from rainbow.learned.learner.started import Started
from rainbow.learned.learner.text_kernel import TextKernel
from rainbow.learned.learner.vectors import known_vectors, vectors_of_network
from rainbow.learned.network.dual_encoder import GATES, DualEncoder, Encoder, Layer, Linear
from rainbow.learned.network.fine_tuned import FineTuned, TrainedEncoder
from rainbow.learned.network.vocabulary import FIRST
from rainbow.programs.encoder import missing_encoder
from rainbow.programs.text_vectors import missing_vectors

__all__ = ["check_learner", "missing_network"]

_RIDGE = {"_score_kernel", "_text_parts", "_vector_kernels", "_dual", "_share", "_mean", "_slope"}


def check_learner(learner: Any, columns: Sequence[str], texts: Sequence[str]) -> None:
    """Refuse a learner that did not learn from these columns and texts, from one rating, or not at all.

    Raises
    ------
    ValueError
        If anything in it is missing, too much, of another type or shape, out of its range or not finite.
    """
    if type(learner) is QuantisedForest:
        _check_forest(learner, len(columns))
    elif type(learner) is Started:
        _check_started(learner, len(columns), texts)
    elif type(learner) is DualEncoder:
        _check_networks(learner, columns, texts)
    elif type(learner) is FineTuned:
        _check_fine_tuned(learner, columns, texts)
    else:
        _check_ridge(learner, len(columns), texts)


def missing_network(learner: Any) -> str | None:
    """Say what this machine lacks of the pretrained network that a learner reads texts with; None if nothing.

    The learner must be one that :func:`check_learner` lets pass.

    Raises
    ------
    ValueError
        If the encoder on this machine is another than the one that was trained, or its weights are no such ones.
    """
    if type(learner) is FineTuned:
        if lacking := missing_encoder(learner.encoder.name):
            return lacking
        _check_safetensors(learner.encoder.weights.tobytes())
        _check_linear(learner.output, 1, learner.encoder.dimensions, 1)
        return None
    kernel = getattr(learner, "_kernel", learner)
    return missing_vectors() if vectors_of_network().identity in getattr(kernel, "_vector_kernels", {}) else None


def _check_forest(forest: Any, columns: int) -> None:
    _check_fields(forest, QuantisedForest, {"median", "low", "steps", "trees"})
    for name in ("median", "low", "steps"):
        _check_numbers(getattr(forest, name), name, (columns,))
    _check_fields(forest.trees, Trees, set(Trees.__dataclass_fields__))
    for name, array in vars(forest.trees).items():
        _check_array(array, name)
    forest.trees.check(columns, ratings=1)


def _check_networks(learner: Any, columns: Sequence[str], texts: Sequence[str]) -> None:
    _check_fields(learner, DualEncoder, {"encoders", "hidden", "output", "mean", "slope"})
    for name, kind in (("encoders", Encoder), ("hidden", Linear)):
        parts = getattr(learner, name)
        if type(parts) is not list or not all(type(part) is kind for part in parts):
            raise ValueError(f"its {name} are no list of {kind.__name__}")
    _check_reader(learner, columns)
    if not texts or [str(encoder.column) for encoder in learner.encoders] != list(texts):
        raise ValueError(f"it has not one encoder for each of {list(texts)}")
    _check_array(learner.output.bias, "biases")
    nets = len(learner.output.bias) if learner.output.bias.ndim else 0
    if not nets:
        raise ValueError("it has no network")
    width = sum(_check_encoder(encoder, nets) for encoder in learner.encoders)
    for layer in learner.hidden:
        _check_linear(layer, nets, width, width)
    _check_linear(learner.output, nets, width, 1)


def _check_reader(learner: Any, columns: Sequence[str]) -> None:
    """Refuse what learned from texts alone and has no linear layer, or stands beside columns of scores."""
    if columns:
        raise ValueError("it learned from texts alone, and the model has columns of scores")
    _check_numbers(learner.mean, "mean", (1,))
    _check_numbers(learner.slope, "slope", (1,))
    if type(learner.output) is not Linear:
        raise ValueError("it has no linear layer of outputs")


def _check_fine_tuned(learner: Any, columns: Sequence[str], texts: Sequence[str]) -> None:
    """Refuse a fine-tuned encoder that is none; what the encoder itself decides, :func:`missing_network` looks at."""
    _check_fields(learner, FineTuned, {"encoder", "columns", "words", "output", "mean", "slope"})
    _check_reader(learner, columns)
    _check_linear(learner.output, 1, None, 1)
    if not texts or learner.columns != list(texts):
        raise ValueError(f"it does not read {list(texts)}")
    if type(learner.words) is not list or len(learner.words) != len(texts) or {*map(type, learner.words)} != {str}:
        raise ValueError("it has not the known words of each text")
    encoder = learner.encoder
    _check_fields(encoder, TrainedEncoder, {"name", "sha256", "weights"})
    if type(encoder.name) is not str or type(encoder.sha256) is not str:
        raise ValueError("its encoder has no name, or no hash")
    _check_array(encoder.weights, "weights of the encoder")
    if encoder.weights.dtype != np.uint8 or encoder.weights.ndim != 1:
        raise ValueError("the weights of its encoder are no bytes")


def _check_safetensors(data: bytes) -> None:
    """Refuse what is no safetensors file of finite numbers in half precision."""
    from safetensors.numpy import load

    # For bytes that are none safetensors raises errors of several kinds.
    try:
        tensors = load(data)
    except Exception as error:
        raise ValueError(f"the weights of its encoder are no safetensors file: {error}") from error
    for name, tensor in tensors.items():
        if tensor.dtype != np.float16 or not np.isfinite(tensor).all():
            raise ValueError(f"the weights {name!r} are not finite numbers in half precision")


def _check_encoder(encoder: Any, nets: int) -> int:
    """Refuse an encoder that is none; return how many numbers its final states have."""
    if type(encoder.words) is not str or len(set(encoder.words.split())) < len(encoder.words.split()):
        raise ValueError("the words of an encoder are no text, or one stands there twice")
    _check_numbers(encoder.vectors, "vectors of words", (nets, FIRST + len(encoder.words.split()), None))
    if type(encoder.layers) is not list or not encoder.layers or any(type(own) is not Layer for own in encoder.layers):
        raise ValueError("an encoder has no list of layers")
    inputs, total = encoder.vectors.shape[2], 0
    for layer in encoder.layers:
        _check_array(layer.states, "weights of states")
        units = layer.states.shape[1] if layer.states.ndim == 3 else 0
        if not units or not inputs:
            raise ValueError("a layer has no units, or nothing to read")
        _check_numbers(layer.inputs, "weights of inputs", (nets, inputs, GATES * units))
        _check_numbers(layer.bias, "biases of gates", (nets, GATES * units))
        _check_numbers(layer.states, "weights of states", (nets, units, GATES * units))
        _check_numbers(layer.candidate, "biases of candidates", (nets, units))
        inputs, total = units, total + units
    return total


def _check_linear(layer: Any, nets: int, inputs: int | None, outputs: int) -> None:
    _check_numbers(layer.weight, "weights", (nets, inputs, outputs))
    _check_numbers(layer.bias, "biases", (nets, outputs))


def _check_started(learner: Any, columns: int, texts: Sequence[str]) -> None:
    _check_fields(learner, Started, {"_start", "_columns", "_coefficients", "_kernel", "_mean", "_slope"})
    _check_array(learner._start, "places of general scores")
    places = learner._start
    if places.dtype != np.int64 or places.ndim != 1 or sorted({*places.tolist()} & {*range(columns)}) != sorted(places):
        raise ValueError("it starts from columns that the model has not")
    if type(learner._columns) is not Standardised:
        raise ValueError(f"it has a {type(learner._columns).__name__} in the place of Standardised")
    _check_columns(learner._columns, len(places))
    _check_numbers(learner._coefficients, "coefficients of general scores", (1, len(places)))
    _check_numbers(learner._mean, "mean", (1,))
    _check_numbers(learner._slope, "slope", (1,))
    _check_ridge(learner._kernel, columns - len(places), texts)


def _check_columns(standardised: Any, columns: int) -> None:
    for name in ("median", "mean", "scale"):
        _check_numbers(getattr(standardised, name), name, (columns,))
    if standardised.scale.min() < 0:
        raise ValueError("a scale is below 0")


def _check_ridge(ridge: Any, columns: int, texts: Sequence[str]) -> None:
    _check_fields(ridge, RankKernelRidge, _RIDGE)
    _check_numbers(ridge._dual, "coefficients", (1, None))
    _check_numbers(ridge._mean, "mean", (1,))
    _check_numbers(ridge._slope, "slope", (1,))
    rows = ridge._dual.shape[1]
    if (ridge._score_kernel is not None) != (columns > 0):
        raise ValueError("it has no kernel of the scores, or one of none")
    if ridge._score_kernel is not None:
        _check_score_kernel(ridge._score_kernel, columns, rows)
    _check_text_parts(ridge._text_parts, texts)
    kernels, known = ridge._vector_kernels, known_vectors()
    if type(kernels) is not dict or len(kernels) > 1 or not kernels.keys() <= known.keys():
        raise ValueError(f"it learned from other vectors than those of {' or '.join(known)}")
    if kernels and VECTOR_TEXT not in texts:
        raise ValueError(f"it learned from vectors, but not from the text {VECTOR_TEXT!r}")
    for identity, kernel in kernels.items():
        _check_score_kernel(kernel, known[identity].dimensions, rows)
    _check_shares(ridge._share, {"scores": columns > 0, "texts": bool(texts), "vectors": bool(kernels)})


def _check_shares(shares: Any, used: dict[str, bool]) -> None:
    if type(shares) is not dict or not {name for name, needed in used.items() if needed} <= shares.keys() <= set(used):
        raise ValueError("it has shares of other kernels than it holds")
    for name, share in shares.items():
        _check_positive(share, f"share of {name}")


def _check_score_kernel(kernel: Any, columns: int, rows: int) -> None:
    _check_fields(kernel, ScoreKernel, {"gamma", "median", "mean", "scale", "support"})
    _check_positive(kernel.gamma, "gamma")
    _check_columns(kernel, columns)
    _check_numbers(kernel.support, "support", (rows, columns))
    if np.abs(kernel.support).max(initial=0) > REACH:
        raise ValueError(f"standardised scores lie outside of {-REACH} to {REACH}")


def _check_text_parts(parts: Any, texts: Sequence[str]) -> None:
    expected = sorted((column, units) for column in texts for units in UNITS)
    if type(parts) is not list or not all(type(part) is TextPart for part in parts):
        raise ValueError("it has no list of text kernels")
    for _, kernel, coefficients in parts:
        # The n-grams are strings: what makes the kernel splits one long string.
        _check_fields(kernel, TextKernel, {"units", "ngrams", "rarity"})
        if len(set(kernel.ngrams)) < len(kernel.ngrams):
            raise ValueError("it has an n-gram twice")
        _check_numbers(kernel.rarity, "rarity", (len(kernel.ngrams),))
        _check_numbers(coefficients, "coefficients of n-grams", (len(kernel.ngrams), 1))
    if sorted((str(part.column), str(part.kernel.units)) for part in parts) != expected:
        raise ValueError(f"it has not one text kernel for each of {expected}")


def _check_fields(value: Any, kind: type, names: set[str]) -> None:
    if type(value) is not kind:
        raise ValueError(f"it has a {type(value).__name__} in the place of a {kind.__name__}")
    if vars(value).keys() != names:
        odd = sorted(map(str, vars(value).keys() ^ names))[0]
        raise ValueError(f"its {kind.__name__} has {odd!r} too much or too little")


def _check_array(value: Any, name: str) -> None:
    if type(value) is not np.ndarray:
        raise ValueError(f"{name} is a {type(value).__name__}, not an array")


def _check_numbers(array: Any, name: str, shape: tuple[int | None, ...]) -> None:
    """Refuse what is not an array of finite numbers of this shape, None being any length."""
    _check_array(array, name)
    fits = array.ndim == len(shape) and all(size in (None, own) for size, own in zip(shape, array.shape, strict=True))
    if array.dtype != np.float64 or not fits:
        raise ValueError(f"{name} has the type {array.dtype} and shape {array.shape}, not float64 and {shape}")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} holds a number that is not finite")


def _check_positive(value: Any, name: str) -> None:
    if type(value) is not float or not 0 < value < math.inf:
        raise ValueError(f"{name} is {value!r}, not a number above 0")
