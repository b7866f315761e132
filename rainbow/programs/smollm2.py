"""SmolLM2, a small pretrained language model: how probable it finds a text after others."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Hashable, Sequence
from contextlib import redirect_stderr
from copy import copy
from functools import cache, lru_cache
from importlib.util import find_spec
from io import StringIO
from typing import Any, NamedTuple, TypeVar

from rainbow.base.fetched import locate, missing
from rainbow.base.remembered import Remembered
from rainbow.programs.bundles import SMOLLM2, bundle

__all__ = [
    "LONGEST",
    "MODEL",
    "Continuation",
    "loaded",
    "log_probabilities",
    "missing_smollm2",
    "read_once",
    "start",
    "tokens_of",
]

MODEL = f"SmolLM2-135M-Instruct.Q4_1 {SMOLLM2.sha256[:12]}"
_PACKAGES = ("torch", "transformers", "accelerate", "gguf")  # transformers reads the file by the last two
LONGEST = 1000  # tokens of a continuation and what it is said to

Text = TypeVar("Text", bound=Hashable)
Value = TypeVar("Value")


class Continuation(NamedTuple):
    """A text, what comes right before it, and what comes before both and is the same for many texts."""

    prompt: str
    before: str
    text: str


_lock = threading.Lock()
_remembered = Remembered[Continuation, tuple[float, ...] | None](50_000)


def missing_smollm2() -> str | None:
    """Say what this machine lacks to run the model, and how to mend it; None if it lacks nothing.

    Examples
    --------
    >>> missing_smollm2() is None or "rainbow" in missing_smollm2()
    True
    """
    if lacking := [name for name in _PACKAGES if not find_spec(name)]:
        return f"{', '.join(lacking)} not installed: pip install 'rainbow-nlg[neural]'"
    return missing(bundle("smollm2"))


def log_probabilities(continuations: Sequence[Continuation]) -> list[tuple[float, ...] | None]:
    """Return the natural-log probability of every token of each text, given all that comes before it.

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
    return read_once(_remembered, continuations, _logs)


def read_once(remembered: Remembered[Text, Value], texts: Sequence[Text], read: Callable[[Text], Value]) -> list[Value]:
    """Return what `read` makes of each text with the model, of those not remembered: one after the other.

    Raises
    ------
    RuntimeError
        If something is missing (:func:`missing_smollm2`).
    """
    if lacking := missing_smollm2():
        raise RuntimeError(lacking)
    with _lock:
        return remembered.of(texts, lambda new: [read(text) for text in new])


def _logs(continuation: Continuation) -> tuple[float, ...] | None:
    import torch

    prompt, before, text = continuation
    known, first = _read(prompt)
    context, tokens = tokens_of(before), tokens_of(text)
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

    tokens = tokens_of(prompt) or [start()]  # there must be something that comes before
    with torch.inference_mode():
        answer = _model()(torch.tensor([tokens]), use_cache=True, logits_to_keep=1)
    return answer.past_key_values, answer.logits[0]


def start() -> int:
    """Return the token that parts texts: what stands before a text where nothing else does."""
    token: int = _tokenizer().eos_token_id
    return token


def tokens_of(text: str) -> list[int]:
    """Return the tokens of a text, of any text."""
    # Half a surrogate pair is no text: the tokenizer refuses it.
    readable = text.encode("utf-8", "replace").decode()
    tokens: list[int] = _tokenizer()(readable)["input_ids"]
    return tokens


@cache
def _tokenizer() -> Any:
    return loaded("AutoTokenizer")


@cache
def _model() -> Any:
    return loaded("AutoModelForCausalLM", dtype="float32").eval()


def loaded(kind: str, **options: str | int) -> Any:
    """Return what a class of transformers makes of the model's file."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")  # read when the library is imported: the file lies here
    import transformers

    path = locate(SMOLLM2)
    with redirect_stderr(StringIO()):  # its progress bars have no switch
        return getattr(transformers, kind).from_pretrained(str(path.parent), gguf_file=path.name, **options)
