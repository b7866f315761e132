"""An encoder of texts: a vector for every token, as a layer of a pretrained network has it."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from rainbow.base.arrays import BoolArray
from rainbow.base.fetched import locate, missing
from rainbow.base.fingerprint import file_sha256
from rainbow.base.remembered import Remembered
from rainbow.programs.bundles import MINILM

__all__ = ["DEFAULT", "Embedded", "embedded", "encoder_identity", "layers_of", "missing_encoder"]

DEFAULT = "minilm"
_PACKAGES = ("torch", "transformers")
_DEFAULT_LAYERS = 6
# A text of thirty tokens takes 50 kB.
_remembered = Remembered[tuple[str, int, str], "Embedded"](5_000)
_lock = threading.Lock()


class Embedded(NamedTuple):
    """A text as an encoder sees it.

    Attributes
    ----------
    vectors
        Of length 1, one for each token, shape (tokens, dimensions).
    counts
        Which tokens count: all but those that mark the beginning and the end, shape (tokens,).
    """

    vectors: Any
    counts: BoolArray


def missing_encoder(model: str = DEFAULT) -> str | None:
    """Say what this machine lacks to run an encoder, and how to mend it; None if it lacks nothing.

    Examples
    --------
    >>> missing_encoder() is None or "rainbow" in missing_encoder()
    True
    """
    if lacking := [name for name in _PACKAGES if not find_spec(name)]:
        return f"{', '.join(lacking)} not installed: pip install 'rainbow-nlg[neural]'"
    return missing(MINILM) if model == DEFAULT else None


def embedded(texts: Sequence[str], model: str, layer: int) -> list[Embedded]:
    """Return the tokens of every text as vectors; each distinct text is read once, and by itself.

    Batches would change the last digits: a text's vectors do not depend on those beside it.

    Parameters
    ----------
    texts
        Blanks around them do not count; what is longer than the model reads is cut.
    model
        ``minilm``, a folder, or the name of a model in the cache of Hugging Face's hub.
    layer
        Whose vectors, counted from 1.

    Raises
    ------
    RuntimeError
        If something is missing (:func:`missing_encoder`).
    """
    if lacking := missing_encoder(model):
        raise RuntimeError(lacking)
    keys = [(model, layer, text.strip()) for text in texts]
    with _lock:
        return _remembered.of(keys, lambda new: [_embed(*key) for key in new])


def _embed(model: str, layer: int, text: str) -> Embedded:
    import torch

    tokenizer, network = _loaded(model)
    readable = text.encode("utf-8", "replace").decode()  # half a surrogate pair is no text
    longest = min(tokenizer.model_max_length, getattr(network.config, "max_position_embeddings", 512))
    tokens = tokenizer.encode(readable, add_special_tokens=True, max_length=longest, truncation=True)
    with torch.inference_mode():
        states = network(torch.tensor([tokens]), output_hidden_states=True).hidden_states
    vectors = states[layer][0]
    special = {tokenizer.cls_token_id, tokenizer.sep_token_id}
    return Embedded(vectors / vectors.norm(dim=-1, keepdim=True), np.array([token not in special for token in tokens]))


@cache
def _loaded(model: str) -> tuple[Any, Any]:
    os.environ.setdefault("HF_HUB_OFFLINE", "1")  # nothing is downloaded while scoring
    import transformers

    folder = _folder(model)
    library: Any = transformers
    library.utils.logging.disable_progress_bar()
    network = library.AutoModel.from_pretrained(folder, dtype="float32")
    return transformers.AutoTokenizer.from_pretrained(folder), network.eval()


def _folder(model: str) -> str:
    """Return the folder of the default model, every file checked; another name as it is."""
    if model != DEFAULT:
        return model
    first, *_ = map(locate, MINILM)
    return str(first.parent)


def layers_of(model: str) -> int:
    """Return how many layers a model has.

    Examples
    --------
    >>> layers_of("minilm")
    6
    """
    if model == DEFAULT:
        return _DEFAULT_LAYERS
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    import transformers

    return int(transformers.AutoConfig.from_pretrained(model).num_hidden_layers)


def encoder_identity(model: str) -> str:
    """Return what names a model in a signature: its name and the hash of its weights, as far as they lie in a folder.

    Examples
    --------
    >>> encoder_identity("minilm")
    'all-MiniLM-L6-v2 53aa51172d14'
    """
    if model == DEFAULT:
        weights = next(file for file in MINILM if file.local.endswith(".safetensors"))
        return f"all-MiniLM-L6-v2 {weights.sha256[:12]}"
    files = sorted(Path(model).glob("*.safetensors")) if Path(model).is_dir() else []
    return " ".join([Path(model).name if files else model, *(file_sha256(file)[:12] for file in files)])
