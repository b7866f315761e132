"""Vectors of texts: what SmolLM2 makes of them on the way to its next word."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rainbow.base.remembered import Remembered
from rainbow.programs.smollm2 import LONGEST, MODEL, loaded, read_once, start, tokens_of

__all__ = ["DIMENSIONS", "VECTORS", "text_vectors"]

LAYER, DIMENSIONS = 20, 576  # of the 30 layers, the one that vectors are taken from, and how long they are
VECTORS = f"{MODEL} layer {LAYER} {LONGEST}"  # what they depend on

_remembered = Remembered[str, NDArray[np.float32]](20_000)


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
        If something is missing (:func:`~rainbow.programs.smollm2.missing_smollm2`).

    References
    ----------
    Liu, N. F. et al. (2019). Linguistic knowledge and transferability of contextual representations. NAACL: middle
    layers carry over to other tasks best.

    Examples
    --------
    >>> text_vectors(["the inn is cheap", "cheap inn the is"]).shape  # doctest: +SKIP
    (2, 576)
    """
    found = read_once(_remembered, texts, _vector)
    return np.array(found, dtype=np.float64).reshape(len(texts), DIMENSIONS)


def _vector(text: str) -> NDArray[np.float32]:
    import torch

    # All that a model of this kind does not care about gathers at the first token: that is none of the text's.
    tokens = [start(), *tokens_of(f"{text}\n")[:LONGEST]]
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
