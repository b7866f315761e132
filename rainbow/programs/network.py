"""Pretrained networks of transformers, run by PyTorch: encoders of one's own, and what studies train further."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rainbow.base.fetched import locate_file, missing_files
from rainbow.programs.bundles import MINILM

DEFAULT = "minilm"
LONGEST = 512  # tokens
_PACKAGES = ("torch", "transformers")


def missing_network(model: str = DEFAULT) -> str | None:
    """Say what this machine lacks to run a network, and how to mend it; None if it lacks nothing."""
    if lacking := [name for name in _PACKAGES if not find_spec(name)]:
        return f"{', '.join(lacking)} not installed: pip install 'rainbow-nlg[neural]'"
    if model == DEFAULT:
        return missing_files(MINILM)
    return None if folder_of(model) else _absent(model)


def _absent(model: str) -> str:
    return f"there is no folder {model!r}, and no such model in the hub's cache: hf download {model}"


@contextmanager
def one_thread() -> Iterator[None]:
    """Let PyTorch compute in one thread: more take longer over small products, and hours where others compute too."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def tokens_of(tokenizer: Any, network: Any, *texts: str) -> dict[str, list[int]]:
    """Return what an encoder reads of a text, or of a pair: token numbers and what goes with them, cut where it
    ends.
    """
    longest = min(tokenizer.model_max_length, getattr(network.config, "max_position_embeddings", LONGEST))
    return dict(tokenizer(*map(readable, texts), add_special_tokens=True, max_length=longest, truncation=True))


def readable(text: str) -> str:
    """Return a text that any tokenizer reads: half a surrogate pair, which is none, becomes a question mark."""
    return text.encode("utf-8", "replace").decode()


@cache
def loaded(model: str) -> tuple[Any, Any]:
    """Return the tokenizer and the network of a model, which all share: nobody may change them."""
    if lacking := missing_network(model):
        raise RuntimeError(lacking)
    import transformers

    folder = default_folder() if model == DEFAULT else folder_of(model) or model
    library: Any = transformers
    library.utils.logging.disable_progress_bar()
    network = library.AutoModel.from_pretrained(folder, dtype="float32")
    return transformers.AutoTokenizer.from_pretrained(folder), network.eval()


def default_folder() -> Path:
    """Return the folder of the default model, every file checked."""
    first, *_ = map(locate_file, MINILM)
    return first.parent


def folder_of(model: str) -> Path | None:
    """Return where a model lies that is not the default one: a folder, or one in the hub's cache."""
    if Path(model).is_dir():
        return Path(model)
    os.environ.setdefault("HF_HUB_OFFLINE", "1")  # nothing is downloaded while scoring
    from huggingface_hub import try_to_load_from_cache

    try:
        found = try_to_load_from_cache(model, "config.json")
    except ValueError:  # the hub has no such names
        return None
    return Path(found).parent if isinstance(found, str) else None
