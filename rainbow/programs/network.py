"""Pretrained transformers in PyTorch: custom encoders and networks trained in studies."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rainbow.base.downloads import locate_file, missing_files
from rainbow.base.lazy import torch
from rainbow.programs.bundles import MINILM

DEFAULT = "minilm"
LONGEST = 512  # tokens
_PACKAGES = ("torch", "transformers")


def network_unavailable_reason(model: str = DEFAULT) -> str | None:
    """Return what is missing to run a network and how to fix it; None if nothing."""
    if missing := [name for name in _PACKAGES if not find_spec(name)]:
        return f"{', '.join(missing)} not installed: pip install 'rainbow-nlg[neural]'"
    if model == DEFAULT:
        return missing_files(MINILM)
    absent = f"{model!r} is neither a folder nor in the Hugging Face cache: hf download {model}"
    return None if model_folder(model) else absent


@contextmanager
def one_thread() -> Iterator[None]:
    """Limit PyTorch to one thread, which is faster for small matrices."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def encode_texts(tokenizer: Any, network: Any, *texts: str) -> dict[str, list[int]]:
    """Return the encoder input of a text or a pair, truncated to the maximum length."""
    longest = min(tokenizer.model_max_length, getattr(network.config, "max_position_embeddings", LONGEST))
    return dict(
        tokenizer(*map(replace_surrogates, texts), add_special_tokens=True, max_length=longest, truncation=True)
    )


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
