"""Vectors of texts: what SmolLM2 makes of them on the way to its next word; `make_ngram_vectors` learns from them.

They need ``pip install 'rainbow-nlg[neural]'`` and ``rainbow fetch smollm2``.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import redirect_stderr
from functools import cache
from importlib.util import find_spec
from io import StringIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rainbow.base.downloads import locate_file, missing_files
from rainbow.programs.bundles import SMOLLM2, bundle_files

__all__ = ["DIMENSIONS", "LAYER", "LONGEST", "loaded", "missing_vectors", "text_vectors"]

LAYER, DIMENSIONS = 20, 576  # of the 30 layers, the one that vectors are taken from, and how long they are
LONGEST = 1000  # tokens that are read of a text
# CTranslate2, which runs the whole model, gives no states of single layers. transformers needs the last two for files.
_PACKAGES = ("torch", "transformers", "accelerate", "gguf")


def missing_vectors() -> str | None:
    """Say what this machine lacks to make vectors, and how to mend it; None if it lacks nothing."""
    if lacking := [name for name in _PACKAGES if not find_spec(name)]:
        return f"{', '.join(lacking)} not installed: pip install 'rainbow-nlg[neural]'"
    return missing_files(bundle_files("smollm2"))


def text_vectors(texts: Sequence[str]) -> NDArray[np.float64]:
    """Return a vector for each text: the mean over its tokens of the model's hidden state, two thirds of the way up.

    Each text is read by itself, up to its 1,000th token. A few entries are far larger than all others.

    Returns
    -------
    array
        Shape (texts, 576).

    References
    ----------
    Liu, N. F. et al. (2019). Linguistic knowledge and transferability of contextual representations. NAACL: middle
    layers carry over to other tasks best.
    """
    return np.array([_vector(text) for text in texts], dtype=np.float64).reshape(len(texts), DIMENSIONS)


def _vector(text: str) -> NDArray[np.float32]:
    import torch

    # All that a model of this kind does not care about gathers at the first token: that is none of the text's.
    tokenizer = tokenizer_of_model()
    readable = f"{text}\n".encode("utf-8", "replace").decode()  # half a surrogate pair is no text
    tokens = [tokenizer.eos_token_id, *tokenizer(readable)["input_ids"][:LONGEST]]
    with torch.inference_mode():
        states = _lower_layers()(torch.tensor([tokens]), use_cache=False).last_hidden_state[0, 1:]
    mean: NDArray[np.float32] = states.mean(dim=0).numpy()
    return mean


@cache
def _lower_layers() -> Any:
    import torch

    model = loaded("AutoModel", dtype="float32", num_hidden_layers=LAYER).eval()
    model.norm = torch.nn.Identity()  # what would come after the last of all layers
    return model


@cache
def tokenizer_of_model() -> Any:
    """Return the tokenizer."""
    return loaded("AutoTokenizer")


def loaded(kind: str, **options: str | int) -> Any:
    """Return what a class of transformers makes of the model's file."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")  # read when the library is imported: the file lies here
    import transformers

    path = locate_file(SMOLLM2)
    with redirect_stderr(StringIO()):  # its progress bars have no switch
        return getattr(transformers, kind).from_pretrained(str(path.parent), gguf_file=path.name, **options)
