"""Log probabilities of texts by a language model on a server."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from typing import Any

from rainbow.base.formatting import safe_line

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
        import openai

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
        import openai

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
        except (openai.OpenAIError, ValueError) as error:  # an answer that is no JSON
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
