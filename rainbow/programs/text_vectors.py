"""Vectors of texts: what SmolLM2 makes of them on the way to its next word."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from contextlib import redirect_stderr
from functools import cache
from importlib.util import find_spec
from io import StringIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rainbow.base.fetched import locate, missing
from rainbow.base.remembered import Remembered
from rainbow.programs.bundles import SMOLLM2, bundle

__all__ = ["DIMENSIONS", "VECTORS", "missing_vectors", "text_vectors"]

LAYER, DIMENSIONS = 20, 576  # of the 30 layers, the one that vectors are taken from, and how long they are
LONGEST = 1000  # tokens that are read of a text
# What they depend on.
VECTORS = f"SmolLM2-135M-Instruct.Q4_1 {SMOLLM2.sha256[:12]} layer {LAYER} {LONGEST}"
# CTranslate2, which runs the whole model, gives no states of single layers. transformers needs the last two for files.
_PACKAGES = ("torch", "transformers", "accelerate", "gguf")

_lock = threading.Lock()
_remembered = Remembered[str, NDArray[np.float32]](20_000)


def missing_vectors() -> str | None:
    """Say what this machine lacks to make vectors, and how to mend it; None if it lacks nothing.

    Examples
    --------
    >>> missing_vectors() is None or "rainbow" in missing_vectors()
    True
    """
    if lacking := [name for name in _PACKAGES if not find_spec(name)]:
        return f"{', '.join(lacking)} not installed: pip install 'rainbow-nlg[neural]'"
    return missing(bundle("smollm2"))


def text_vectors(texts: Sequence[str]) -> NDArray[np.float64]:
    """Return a vector for each text: the mean over its tokens of the model's hidden state, two thirds of the way up.

    Each text is read by itself, up to its 1,000th token.

    Returns
    -------
    array
        Shape (texts, 576). A few entries are far larger than all others: standardise them before use.

    Raises
    ------
    RuntimeError
        If something is missing (:func:`missing_vectors`).

    References
    ----------
    Liu, N. F. et al. (2019). Linguistic knowledge and transferability of contextual representations. NAACL: middle
    layers carry over to other tasks best.

    Examples
    --------
    >>> text_vectors(["the inn is cheap", "cheap inn the is"]).shape  # doctest: +SKIP
    (2, 576)
    """
    if lacking := missing_vectors():
        raise RuntimeError(lacking)
    with _lock:
        found = _remembered.of(texts, lambda new: [_vector(text) for text in new])
    return np.array(found, dtype=np.float64).reshape(len(texts), DIMENSIONS)


def _vector(text: str) -> NDArray[np.float32]:
    import torch

    # All that a model of this kind does not care about gathers at the first token: that is none of the text's.
    tokenizer = _tokenizer()
    readable = f"{text}\n".encode("utf-8", "replace").decode()  # half a surrogate pair is no text
    tokens = [tokenizer.eos_token_id, *tokenizer(readable)["input_ids"][:LONGEST]]
    with torch.inference_mode():
        states = _lower_layers()(torch.tensor([tokens]), use_cache=False).last_hidden_state[0, 1:]
    mean: NDArray[np.float32] = states.mean(dim=0).numpy()
    return mean


@cache
def _lower_layers() -> Any:
    import torch

    model = _loaded("AutoModel", dtype="float32", num_hidden_layers=LAYER).eval()
    model.norm = torch.nn.Identity()  # what would come after the last of all layers
    return model


@cache
def _tokenizer() -> Any:
    return _loaded("AutoTokenizer")


def _loaded(kind: str, **options: str | int) -> Any:
    """Return what a class of transformers makes of the model's file."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")  # read when the library is imported: the file lies here
    import transformers

    path = locate(SMOLLM2)
    with redirect_stderr(StringIO()):  # its progress bars have no switch
        return getattr(transformers, kind).from_pretrained(str(path.parent), gguf_file=path.name, **options)
