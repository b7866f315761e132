"""SmolLM2, a small pretrained language model: how probable it finds a text after others, and its vectors of texts."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from contextlib import redirect_stderr
from copy import copy
from functools import cache, lru_cache
from importlib.util import find_spec
from io import StringIO
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rainbow.resources.artifact import locate, missing
from rainbow.resources.bundles import SMOLLM2, bundle
from rainbow.text.remembered import Remembered

__all__ = [
    "DIMENSIONS",
    "LONGEST",
    "MODEL",
    "VECTORS",
    "Continuation",
    "log_probabilities",
    "missing_smollm2",
    "text_vectors",
]

MODEL = f"SmolLM2-135M-Instruct.Q4_1 {SMOLLM2.sha256[:12]}"
LONGEST = 1000  # tokens of a continuation and what it is said to, and of a text with a vector
LAYER, DIMENSIONS = 20, 576  # of the 30 layers, the one that vectors are taken from, and how long they are
VECTORS = f"{MODEL} layer {LAYER} {LONGEST}"  # what they hang on


class Continuation(NamedTuple):
    """A text, what comes right before it, and what comes before both and is the same for many texts."""

    prompt: str
    before: str
    text: str


_lock = threading.Lock()
_remembered = Remembered[Continuation, tuple[float, ...] | None](50_000)
_vectors = Remembered[str, NDArray[np.float32]](20_000)


def missing_smollm2() -> str | None:
    """Say what this machine lacks to run the model, and how to mend it; None if it lacks nothing.

    Examples
    --------
    >>> missing_smollm2() is None or "rainbow" in missing_smollm2()
    True
    """
    if not all(map(find_spec, ("transformers", "torch", "gguf"))):
        return "transformers, torch or gguf is not installed: pip install 'rainbow-nlg[neural]'"
    return missing(bundle("smollm2"), "smollm2")


def log_probabilities(continuations: Sequence[Continuation]) -> list[tuple[float, ...] | None]:
    """Give the natural-log probability of every token of each text, given all that comes before it.

    Each text is read by itself, never beside others: batches would change the last digits.

    Parameters
    ----------
    continuations
        Those with equal prompts are best neighbours: a prompt is read once.

    Returns
    -------
    list
        For each text a number for each of its tokens, which are shorter than words; None where the text and what is
        right before it have more than :data:`LONGEST` tokens.

    Raises
    ------
    RuntimeError
        If something is missing (:func:`missing_smollm2`).

    References
    ----------
    Ben Allal, L. et al. (2025). SmolLM2: when Smol goes big. Data-centric training of a small language model. arXiv
    2502.02737.

    Examples
    --------
    >>> log_probabilities([Continuation("one two three", "", " four")])  # doctest: +SKIP
    [(-8.98...,)]
    """
    if lacking := missing_smollm2():
        raise RuntimeError(lacking)
    with _lock:
        return _remembered.of(continuations, lambda new: [_logs(*continuation) for continuation in new])


def text_vectors(texts: Sequence[str]) -> NDArray[np.float64]:
    """Give a vector for each text: the mean, over its tokens, of what the model has made of them two thirds of the way.

    There the model knows most of how words belong together; the layers above turn that into which word comes next.
    Each text is read by itself, up to its 1,000th token.

    Returns
    -------
    array
        Shape (texts, 576). A few entries are far larger than all others: standardise them before use.

    Raises
    ------
    RuntimeError
        If something is missing (:func:`missing_smollm2`).

    References
    ----------
    Liu, N. F. et al. (2019). Linguistic knowledge and transferability of contextual representations. NAACL: middle
    layers carry over to other tasks best.

    Examples
    --------
    >>> text_vectors(["the inn is cheap", "cheap inn the is"]).shape  # doctest: +SKIP
    (2, 576)
    """
    if lacking := missing_smollm2():
        raise RuntimeError(lacking)
    with _lock:
        found = _vectors.of(texts, lambda new: [_vector(text) for text in new])
    return np.array(found, dtype=np.float64).reshape(len(texts), DIMENSIONS)


def _vector(text: str) -> NDArray[np.float32]:
    import torch

    # All that a model of this kind does not care about gathers at the first token: that is none of the text's.
    tokens = [_tokenizer().eos_token_id, *_tokens(f"{text}\n")[:LONGEST]]
    with torch.inference_mode():
        states = _lower_layers()(torch.tensor([tokens]), use_cache=False).last_hidden_state[0, 1:]
    mean: NDArray[np.float32] = states.mean(dim=0).numpy()
    return mean


def _logs(prompt: str, before: str, text: str) -> tuple[float, ...] | None:
    import torch

    known, first = _read(prompt)
    context, tokens = _tokens(before), _tokens(text)
    if len(context) + len(tokens) > LONGEST or not tokens:
        return None if tokens else ()
    state = copy(known)  # the model puts longer tensors in the place of these, and leaves these as they are
    state.layers = [copy(layer) for layer in known.layers]
    with torch.inference_mode():
        answer = _model()(torch.tensor([context + tokens]), past_key_values=state, logits_to_keep=len(tokens) + 1)
        # What is said of a token stands at the one before it: of the first, perhaps at the prompt's last.
        said = answer.logits[0, :-1] if context else torch.cat([first, answer.logits[0, :-1]])
        logs = said.log_softmax(-1).gather(1, torch.tensor(tokens)[:, None])
    return tuple(logs[:, 0].tolist())


@lru_cache(maxsize=16)
def _read(prompt: str) -> tuple[Any, Any]:
    """Read what is the same for many texts: the state after it, and what the model expects next, shape (1, tokens)."""
    import torch

    tokens = _tokens(prompt) or [_tokenizer().eos_token_id]  # there must be something that comes before
    with torch.inference_mode():
        answer = _model()(torch.tensor([tokens]), use_cache=True, logits_to_keep=1)
    return answer.past_key_values, answer.logits[0]


def _tokens(text: str) -> list[int]:
    # Half a surrogate pair is no text: the tokenizer refuses it.
    readable = text.encode("utf-8", "replace").decode()
    tokens: list[int] = _tokenizer()(readable)["input_ids"]
    return tokens


@cache
def _tokenizer() -> Any:
    return _loaded("AutoTokenizer")


@cache
def _model() -> Any:
    return _loaded("AutoModelForCausalLM", dtype="float32").eval()


@cache
def _lower_layers() -> Any:
    import torch

    model = _loaded("AutoModel", dtype="float32", num_hidden_layers=LAYER).eval()
    model.norm = torch.nn.Identity()  # what would come after the last of all layers
    return model


def _loaded(kind: str, **options: str | int) -> Any:
    os.environ.setdefault("HF_HUB_OFFLINE", "1")  # read when the library is imported: the file lies here
    import transformers

    path = locate(SMOLLM2)
    with redirect_stderr(StringIO()):  # its progress bars have no switch
        return getattr(transformers, kind).from_pretrained(str(path.parent), gguf_file=path.name, **options)
