"""A server that speaks OpenAI's chat completions, asked with patience."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

from rainbow.judging.judge import Judge

if TYPE_CHECKING:
    from openai import OpenAI

__all__ = ["Server", "UnansweredError"]

# What holds for this question alone: it is too long, the server broke down over it.
_OF_ONE = (400, 413, 422, 500, 502, 503, 504)


class UnansweredError(Exception):
    """One question has no answer; others may have."""


class Server:
    """The server of a judge.

    Parameters
    ----------
    judge
        Says where it is, and how it is asked.

    Raises
    ------
    RuntimeError
        If the package openai is not installed.
    ValueError
        If the environment has not the key that the judge names.
    """

    def __init__(self, judge: Judge) -> None:
        self._judge, self._secret = judge, judge.secret
        self._client = _client(judge, self._secret)

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return what the server answers; it is asked again where it has no time or fails.

        Raises
        ------
        UnansweredError
            If it answers anything but this question.
        RuntimeError
            If it answers nothing: it is not there, wants another key, has no such model, or the quota is used up.
        """
        import openai

        try:
            found = self._client.post("/chat/completions", cast_to=object, body=request)
        except openai.APIStatusError as error:
            told = self._told(f"{error.status_code}: {error.message}")
            if error.status_code in _OF_ONE:
                raise UnansweredError(f"the server answered {told}") from None
            raise RuntimeError(f"{self._judge.url} answered {told}") from None
        except openai.OpenAIError as error:
            raise RuntimeError(f"{self._judge.url} does not answer: {self._told(str(error))}") from None
        if not isinstance(found, dict) or not found.get("choices"):
            raise UnansweredError("the server answered something else than a chat completion")
        return found

    def _told(self, message: str) -> str:
        """Return what an error says, in one line, without the key."""
        shown = message.replace(self._secret, "...") if self._secret else message
        return " ".join(shown.split())[:300]


def _client(judge: Judge, secret: str | None) -> OpenAI:
    try:
        import openai
    except ModuleNotFoundError as error:
        raise RuntimeError("openai is not installed: pip install 'rainbow-nlg[judge]'") from error
    hooks = {"request": [_Pace(judge.requests_per_minute)]} if judge.requests_per_minute else {}
    return openai.OpenAI(
        base_url=judge.url,
        api_key=secret or "none",
        max_retries=judge.retries,
        timeout=judge.seconds,
        http_client=openai.DefaultHttpx2Client(event_hooks=hooks),
    )


class _Pace:
    """Lets so many requests a minute pass, further tries among them, at even distances."""

    def __init__(self, per_minute: float) -> None:
        self._distance, self._next, self._lock = 60 / per_minute, 0.0, threading.Lock()

    def __call__(self, _: object) -> None:
        with self._lock:
            now = time.monotonic()
            start = max(now, self._next)
            self._next = start + self._distance
        time.sleep(start - now)
