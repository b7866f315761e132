"""Conversion of BERT encoders to CTranslate2 without PyTorch."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rainbow.programs.language_models.converted_models import write_folder

Tensors = dict[str, NDArray[np.float32]]
FORMAT = 1  # of what :func:`convert_bert` writes


class _Weights(NamedTuple):
    """Tensors by name, with a name prefix."""

    tensors: Tensors
    place: str

    def set_linear(self, target: Any, *names: str) -> None:
        """Set the weights of a matrix, with several layers stacked."""
        target.weight, target.bias = (
            np.concatenate([self.tensors[f"{self.place}.{name}.{kind}"] for name in names])
            for kind in ("weight", "bias")
        )

    def set_norm(self, target: Any, name: str) -> None:
        target.gamma, target.beta = (self.tensors[f"{self.place}.{name}.{kind}"] for kind in ("weight", "bias"))


def convert_bert(source: Path, layers: int, folder: Path, change: Callable[[Tensors], Tensors] | None = None) -> Path:
    """Write the first layers of an encoder to a folder for CTranslate2, with unchanged weights or after a change."""
    from safetensors.numpy import load_file

    described = json.loads((source / "config.json").read_text("utf-8"))
    tensors = load_file(source / "model.safetensors")
    specification = _specification(described, change(tensors) if change else tensors, layers)
    specification.register_vocabulary((source / "vocab.txt").read_text("utf-8").splitlines())
    specification.config.unk_token = "[UNK]"
    specification.config.layer_norm_epsilon = described["layer_norm_eps"]
    specification.validate()
    specification.optimize()
    with write_folder(folder) as part:
        specification.save(str(part))
    return folder


def _specification(described: dict[str, Any], tensors: Tensors, layers: int) -> Any:
    """Return the CTranslate2 specification of the encoder with its weights."""
    from ctranslate2.specs import common_spec
    from ctranslate2.specs.transformer_spec import TransformerEncoderModelSpec, TransformerEncoderSpec

    encoder = TransformerEncoderSpec(
        layers,
        described["num_attention_heads"],
        pre_norm=False,
        activation=common_spec.Activation.GELU,
        layernorm_embedding=True,
        num_source_embeddings=2,
        embeddings_merge=common_spec.EmbeddingsMerge.ADD,
    )
    encoder.scale_embeddings = False
    words, types = encoder.embeddings
    words.weight = tensors["embeddings.word_embeddings.weight"]
    types.weight = tensors["embeddings.token_type_embeddings.weight"]
    encoder.position_encodings.encodings = tensors["embeddings.position_embeddings.weight"]
    _Weights(tensors, "embeddings").set_norm(encoder.layernorm_embedding, "LayerNorm")
    for number, layer in enumerate(encoder.layer):
        _set_layer(layer, _Weights(tensors, f"encoder.layer.{number}"))
    return TransformerEncoderModelSpec(encoder)


def _set_layer(layer: Any, weights: _Weights) -> None:
    """Set the weights of a layer."""
    weights.set_linear(
        layer.self_attention.linear[0], *(f"attention.self.{name}" for name in ("query", "key", "value"))
    )
    weights.set_linear(layer.self_attention.linear[1], "attention.output.dense")
    weights.set_norm(layer.self_attention.layer_norm, "attention.output.LayerNorm")
    weights.set_linear(layer.ffn.linear_0, "intermediate.dense")
    weights.set_linear(layer.ffn.linear_1, "output.dense")
    weights.set_norm(layer.ffn.layer_norm, "output.LayerNorm")
