"""Pretrained transformers in PyTorch: custom encoders, networks trained in studies, and classifiers of entailment."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from rainbow.base.caching import TextCache
from rainbow.base.downloads import locate_file, missing_files
from rainbow.base.lazy import torch
from rainbow.programs.bundles import MINILM

DEFAULT = "minilm"
LONGEST = 512  # tokens
_PACKAGES = ("torch", "transformers")


def network_unavailable_reason(model: str = DEFAULT) -> str | None:
    """Return what is missing to run a network and how to fix it; None if nothing."""
    if missing := _missing_packages():
        return missing
    if model == DEFAULT:
        return missing_files(MINILM)
    absent = f"{model!r} is neither a folder nor in the Hugging Face cache: hf download {model}"
    return None if model_folder(model) else absent


def _missing_packages() -> str | None:
    missing = [name for name in _PACKAGES if not find_spec(name)]
    return f"{', '.join(missing)} not installed: pip install 'rainbow-nlg[neural]'" if missing else None


@contextmanager
def one_thread() -> Iterator[None]:
    """Limit PyTorch to one thread, which is faster for small matrices."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def encode_texts(tokenizer: Any, network: Any, *texts: str, **options: Any) -> dict[str, Any]:
    """Return the encoder input of a text or a pair, truncated to the maximum length."""
    longest = min(tokenizer.model_max_length, getattr(network.config, "max_position_embeddings", LONGEST))
    return dict(tokenizer(*map(replace_surrogates, texts), max_length=longest, truncation=True, **options))


def replace_surrogates(text: str) -> str:
    """Return a text in which lone surrogates are question marks."""
    return text.encode("utf-8", "replace").decode()


@cache
def load_network(model: str) -> tuple[Any, Any]:
    """Return the shared tokenizer and network of a model; they must not be changed."""
    if missing := network_unavailable_reason(model):
        raise RuntimeError(missing)
    import transformers

    folder = default_folder() if model == DEFAULT else model_folder(model) or model
    library: Any = transformers
    library.utils.logging.disable_progress_bar()
    network = library.AutoModel.from_pretrained(folder, dtype="float32")
    return transformers.AutoTokenizer.from_pretrained(folder), network.eval()


def default_folder() -> Path:
    """Return the folder of the default model after checking every file."""
    first, *_ = map(locate_file, MINILM)
    return first.parent


def model_folder(model: str) -> Path | None:
    """Return the folder of a custom model: a path, or a folder in the hub's cache."""
    if Path(model).is_dir():
        return Path(model)
    os.environ.setdefault("HF_HUB_OFFLINE", "1")  # nothing is downloaded while scoring
    from huggingface_hub import try_to_load_from_cache

    try:
        result = try_to_load_from_cache(model, "config.json")
    except ValueError:  # the hub has no such names
        return None
    return Path(result).parent if isinstance(result, str) else None


# The environment variable that names the model: a folder, or one in the cache of Hugging Face's hub.
VARIABLE = "RAINBOW_NLI"
_lock = threading.Lock()
_remembered = TextCache[tuple[str, str, str], "EntailmentResult"](50_000)


class EntailmentResult(NamedTuple):
    """Whether `entailment` is the most probable label, and its probability."""

    most_probable: bool
    probability: float


def entailment_unavailable_reason(model: str | None = None) -> str | None:
    """Return what is missing to run a classifier and how to fix it; None if nothing."""
    if missing := _missing_packages():
        return missing
    if model or os.environ.get(VARIABLE):
        return None
    return f"no model is set: {VARIABLE}=FOLDER, with a transformers sequence classifier for entailment"


def classify_pairs(pairs: Sequence[tuple[str, str]], model: str) -> list[EntailmentResult]:
    """Return for each premise and hypothesis whether the first entails the second."""
    keys = [(model, premise, hypothesis) for premise, hypothesis in pairs]
    with _lock:
        return _remembered.get_or_compute(keys, lambda new: [_classify(*key) for key in new])


def _classify(model: str, premise: str, hypothesis: str) -> EntailmentResult:
    tokenizer, network, label = _load_classifier(model)
    tokens = encode_texts(tokenizer, network, premise, hypothesis, return_tensors="pt")
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
