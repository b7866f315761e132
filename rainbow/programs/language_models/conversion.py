"""Published models converted to CTranslate2 without PyTorch, in the user's cache."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import numpy as np
import platformdirs
from numpy.typing import NDArray

GGUF_FORMAT = 1  # of what :func:`convert_gguf` writes
WEIGHTS = "int8"  # people's judgements are met as well as by 32 bits, three times as fast
# llama.cpp's name of the only supported pre-tokenizer.
PARTED = "smollm"

Tensor = Callable[[str], NDArray[np.float32]]


def convert_gguf(file: Path, folder: Path) -> Path:
    """Write the model of a GGUF file as ``model.bin``, ``config.json`` and ``tokenizer.json``."""
    import gguf

    try:
        reader = gguf.GGUFReader(file)
    except (ValueError, IndexError, OSError) as error:
        raise ValueError(f"{file} is not a GGUF file: {error}") from error
    _check_supported(file, reader)
    with write_folder(folder) as part:
        _specification(reader).save(str(part))
        _make_tokenizer(reader).save(str(part / "tokenizer.json"))
    return folder


def _field(reader: Any, name: str) -> Any:
    return reader.fields[name].contents() if name in reader.fields else None


def _check_supported(file: Path, reader: Any) -> None:
    results = [_field(reader, name) for name in ("general.architecture", "tokenizer.ggml.model", "tokenizer.ggml.pre")]
    if results != ["llama", "gpt2", PARTED] or any(tensor.name == "rope_freqs.weight" for tensor in reader.tensors):
        raise ValueError(
            f"{file} has a model of type {'/'.join(map(str, results))}, but only llama/gpt2/{PARTED} is supported: "
            "convert the model with ct2-transformers-converter --copy_files tokenizer.json, and use that folder"
        )


def _specification(reader: Any) -> Any:
    """Return the CTranslate2 specification of the model with its weights."""
    from ctranslate2.specs import common_spec
    from ctranslate2.specs.transformer_spec import TransformerDecoderModelSpec
    from gguf.quants import dequantize

    tensors = {tensor.name: tensor for tensor in reader.tensors}

    def tensor(name: str) -> NDArray[np.float32]:
        result: NDArray[np.float32] = dequantize(tensors[name].data, tensors[name].tensor_type).astype(np.float32)
        return result

    specification = TransformerDecoderModelSpec.from_config(
        _field(reader, "llama.block_count"),
        _field(reader, "llama.attention.head_count"),
        num_heads_kv=_field(reader, "llama.attention.head_count_kv"),
        activation=common_spec.Activation.SWISH,
        pre_norm=True,
        ffn_glu=True,
        rms_norm=True,
        rotary_dim=0,
        rotary_interleave=True,  # GGUF has the rows of queries and keys in that order
        rotary_base=_field(reader, "llama.rope.freq_base"),
    )
    _set_decoder(specification.decoder, tensor, "output.weight" in tensors)
    tokens = _field(reader, "tokenizer.ggml.tokens")
    specification.register_vocabulary(tokens)
    start = tokens[_field(reader, "tokenizer.ggml.unknown_token_id") or 0]
    specification.config.bos_token = specification.config.eos_token = specification.config.unk_token = start
    specification.config.layer_norm_epsilon = _field(reader, "llama.attention.layer_norm_rms_epsilon")
    specification.validate()
    specification.optimize(quantization=WEIGHTS)
    return specification


def _set_decoder(decoder: Any, tensor: Tensor, projected: bool) -> None:
    """Set the decoder's weights; without an output projection the embedding is reused."""
    decoder.scale_embeddings = False
    decoder.embeddings.weight = tensor("token_embd.weight")
    decoder.projection.weight = tensor("output.weight") if projected else decoder.embeddings.weight
    decoder.layer_norm.gamma = tensor("output_norm.weight")
    for number, layer in enumerate(decoder.layer):
        for target, names in (
            (layer.self_attention.linear[0], ("attn_q", "attn_k", "attn_v")),
            (layer.self_attention.linear[1], ("attn_output",)),
            (layer.ffn.linear_0, ("ffn_gate",)),
            (layer.ffn.linear_0_noact, ("ffn_up",)),
            (layer.ffn.linear_1, ("ffn_down",)),
        ):
            target.weight = np.concatenate([tensor(f"blk.{number}.{name}.weight") for name in names])
        layer.self_attention.layer_norm.gamma = tensor(f"blk.{number}.attn_norm.weight")
        layer.ffn.layer_norm.gamma = tensor(f"blk.{number}.ffn_norm.weight")


def _make_tokenizer(reader: Any) -> Any:
    """Return a BPE tokenizer that splits numbers into single digits."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    vocabulary = {token: number for number, token in enumerate(_field(reader, "tokenizer.ggml.tokens"))}
    merges = [tuple(merge.split(" ")) for merge in _field(reader, "tokenizer.ggml.merges")]
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=merges))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer


Tensors = dict[str, NDArray[np.float32]]
BERT_FORMAT = 1  # of what :func:`convert_bert` writes


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
    specification = _encoder_specification(described, change(tensors) if change else tensors, layers)
    specification.register_vocabulary((source / "vocab.txt").read_text("utf-8").splitlines())
    specification.config.unk_token = "[UNK]"
    specification.config.layer_norm_epsilon = described["layer_norm_eps"]
    specification.validate()
    specification.optimize()
    with write_folder(folder) as part:
        specification.save(str(part))
    return folder


def _encoder_specification(described: dict[str, Any], tensors: Tensors, layers: int) -> Any:
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


def cache_folder(name: str) -> Path:
    """Return the cache folder of a converted model."""
    return platformdirs.user_cache_path("rainbow-nlg") / "language_models" / name


@contextmanager
def write_folder(folder: Path) -> Iterator[Path]:
    """Yield a temporary folder that replaces `folder` on success and is removed on failure."""
    part = folder.with_name(f".{folder.name}.{uuid4().hex}.part")
    part.mkdir(parents=True)
    try:
        yield part
        try:
            part.replace(folder)
        except OSError:  # another process was faster
            if not folder.is_dir():
                raise
    finally:
        shutil.rmtree(part, ignore_errors=True)
