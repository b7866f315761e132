"""Textual entailment by a sentence-pair classifier."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any, NamedTuple

from rainbow.base.caching import TextCache
from rainbow.base.lazy import torch

# The environment variable that names the model: a folder, or one in the cache of Hugging Face's hub.
VARIABLE = "RAINBOW_NLI"
_PACKAGES = ("torch", "transformers")
_lock = threading.Lock()
_remembered = TextCache[tuple[str, str, str], "EntailmentResult"](50_000)


class EntailmentResult(NamedTuple):
    """Whether `entailment` is the most probable label, and its probability."""

    most_probable: bool
    probability: float


def entailment_unavailable_reason(model: str | None = None) -> str | None:
    """Return what is missing to run a classifier and how to fix it; None if nothing."""
    if missing := [name for name in _PACKAGES if not find_spec(name)]:
        return f"{', '.join(missing)} not installed: pip install 'rainbow-nlg[neural]'"
    if model or os.environ.get(VARIABLE):
        return None
    return f"no model is set: {VARIABLE}=FOLDER, with a transformers sequence classifier for entailment"


def classify_pairs(pairs: Sequence[tuple[str, str]], model: str) -> list[EntailmentResult]:
    """Return for each premise and hypothesis whether the first entails the second."""
    if missing := entailment_unavailable_reason(model):
        raise RuntimeError(missing)
    keys = [(model, premise, hypothesis) for premise, hypothesis in pairs]
    with _lock:
        return _remembered.get_or_compute(keys, lambda new: [_classify(*key) for key in new])


def _classify(model: str, premise: str, hypothesis: str) -> EntailmentResult:
    tokenizer, network, label = _load_classifier(model)
    texts = (text.encode("utf-8", "replace").decode() for text in (premise, hypothesis))
    longest = min(tokenizer.model_max_length, getattr(network.config, "max_position_embeddings", 512))
    tokens = tokenizer(*texts, return_tensors="pt", truncation=True, max_length=longest)
    with torch.inference_mode():
        chances = network(**tokens).logits[0].double().softmax(-1)
    return EntailmentResult(int(chances.argmax()) == label, float(chances[label]))


@cache
def _load_classifier(model: str) -> tuple[Any, Any, int]:
    os.environ.setdefault("HF_HUB_OFFLINE", "1")  # nothing is downloaded while scoring
    import transformers

    network: Any = transformers.AutoModelForSequenceClassification.from_pretrained(model, dtype="float32")
    labels = {number: str(name).lower() for number, name in network.config.id2label.items()}
    results = [number for number, name in labels.items() if name.startswith("entail")]
    if not results:
        raise ValueError(f"{model} has the labels {', '.join(labels.values())}: none of them is entailment")
    return transformers.AutoTokenizer.from_pretrained(model), network.eval(), int(results[0])
