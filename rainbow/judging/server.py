"""Client of an untrusted server with the OpenAI chat API, whose answers never keep the API key."""

from __future__ import annotations

import asyncio
import base64
import re
import time
from functools import cache
from html.entities import codepoint2name
from typing import Any

from rainbow.base.formatting import safe_line
from rainbow.base.lazy import httpx2, openai
from rainbow.judging.answer_parser import parse_answer
from rainbow.judging.judge import Judge

LARGEST = 1 << 20  # bytes of an answer
_LONGEST_TOLD = 300  # characters of an error
# Statuses that concern all questions (key, model, address, quota); others may concern one question only.
_OF_ALL = (401, 402, 403, 404, 405, 407, 410, 429)


class UnansweredError(Exception):
    """A request has no answer; others may have."""


class SilentError(UnansweredError):
    """A request has no answer and the server gave no reason."""


class Server:
    """Client of a judge's server for one event loop."""

    def __init__(self, judge: Judge) -> None:
        self._judge, self._secret = judge, judge.secret
        self._client = _client(judge, self._secret)

    async def __aenter__(self) -> Server:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.close()

    async def answer(self, request: dict[str, Any]) -> str:
        """Return the server's response without the key, with retries."""
        try:
            result = await self._client.post("/chat/completions", cast_to=httpx2.Response, body=request)
        except openai.APIStatusError as error:
            raise self._error_message(error) from None
        except openai.OpenAIError as error:
            cause = error.__cause__
            message = self._safe_message(f"{error} {cause or ''}")
            absent = httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.ProxyError, httpx2.UnsupportedProtocol
            if isinstance(cause, httpx2.RequestError) and not isinstance(cause, absent):
                raise SilentError(f"the connection broke before the answer arrived: {message}") from None
            raise RuntimeError(f"{self._judge.url} does not respond: {message}") from None
        return self._parse_completion(result.content)

    def _error_message(self, error: openai.APIStatusError) -> Exception:
        status = error.status_code
        message = f"the server returned {self._safe_message(f'{status}: {error.message}')}"
        if 300 <= status < 400:
            where = self._safe_message(error.response.headers.get("location", "another address"))
            return UnansweredError(f"the server returned {status} and redirects to {where}: redirects are not followed")
        if status in _OF_ALL:
            return RuntimeError(message.replace("the server", self._judge.url, 1))
        return UnansweredError(message)

    def _parse_completion(self, content: bytes) -> str:
        """Return the answer if it can be stored and read again."""
        try:
            text = redact_secret(content.decode(), self._secret)
            result = parse_answer(text)
        except ValueError as error:
            raise UnansweredError(f"the answer is not readable JSON: {self._safe_message(str(error))}") from None
        if result is not None and not (isinstance(result, dict) and result.get("choices")):
            raise UnansweredError("the server did not return a chat completion")
        return text

    def _safe_message(self, message: str) -> str:
        """Return an error message in one line, without the key."""
        return redact_secret(safe_line(redact_secret(message, self._secret)), self._secret)[:_LONGEST_TOLD]


def _client(judge: Judge, secret: str | None) -> openai.AsyncOpenAI:
    try:
        import openai
    except ModuleNotFoundError as error:
        raise RuntimeError("openai is not installed: pip install 'rainbow-nlg[judge]'") from error
    return openai.AsyncOpenAI(
        base_url=judge.url, api_key=secret or "none", max_retries=judge.retries, http_client=_bounded_client(judge)
    )


def _bounded_client(judge: Judge) -> httpx2.AsyncClient:
    """Return a client without redirects and with limits on response size and time."""
    pace = _RateLimiter(judge.requests_per_minute)

    class Bounded(httpx2.AsyncClient):
        async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
            await pace.wait()
            try:
                async with asyncio.timeout(judge.seconds):
                    response = await super().send(request, **options | {"stream": True, "follow_redirects": False})
                    try:
                        content = await _read_response(response)
                    finally:
                        await response.aclose()
            except TimeoutError:
                raise SilentError(f"no complete answer after {judge.seconds:g} seconds") from None
            return httpx2.Response(response.status_code, headers=response.headers, content=content, request=request)

    # Without a limit of its own, no answer is unpacked: little can become very much.
    waits = httpx2.Timeout(None, connect=judge.seconds / 2)
    open_at_once = httpx2.Limits(max_connections=judge.at_once)
    return Bounded(timeout=waits, limits=open_at_once, headers={"Accept-Encoding": "identity"})


async def _read_response(response: httpx2.Response) -> bytes:
    if response.headers.get("content-encoding", "identity").lower() != "identity":
        raise UnansweredError("the server sent a compressed response that was not requested")
    content = bytearray()
    async for part in response.aiter_raw():
        content += part
        if len(content) > LARGEST:
            raise UnansweredError(f"the answer is longer than {LARGEST:,} bytes")
    return bytes(content)


class _RateLimiter:
    """Limits requests per minute, retries included, at even intervals."""

    def __init__(self, per_minute: float | None) -> None:
        self._distance, self._next = 60 / per_minute if per_minute else 0.0, 0.0

    async def wait(self) -> None:
        now = time.monotonic()
        start = max(now, self._next)
        self._next = start + self._distance
        await asyncio.sleep(start - now)


HIDDEN = "..."  # its replacement


def redact_secret(text: str, secret: str | None) -> str:
    r"""Return a text without the key in any encoding: escaped, Base64 or hexadecimal."""
    return _secret_pattern(secret).sub(HIDDEN, text) if secret else text


@cache
def _secret_pattern(secret: str) -> re.Pattern[str]:
    own = secret.encode()
    # The Base64 digits that the key produces at any alignment.
    digits = [
        base64.b64encode(bytes(before) + own)[-(-before * 8 // 6) : (before + len(own)) * 8 // 6].decode()
        for before in range(3)
    ]
    forms = [secret, own.hex(), *digits, *(form.translate(str.maketrans("+/", "-_")) for form in digits)]
    return re.compile("|".join("".join(map(_character_pattern, form)) for form in forms), re.IGNORECASE)


def _character_pattern(character: str) -> str:
    """Return a regular expression that matches every escape of a character, including repeated ones."""
    number = ord(character)
    named = codepoint2name.get(number)
    # Taken back never: texts of backslashes alone would be slow.
    before = r"\\{1,8}" if character == "\\" else r"\\{1,8}+"
    escaped = rf"{before}(?:u00{number:02x}|x{number:02x}|{re.escape(character)})"
    encoded = rf"%(?:25){{0,4}}{number:02x}|&(?:amp;){{0,4}}#(?:0{{0,6}}{number}|x0{{0,6}}{number:x});?"
    entity = f"|&(?:amp;){{0,4}}{named};" if named else ""
    return rf"(?:{re.escape(character)}|{escaped}|{encoded}{entity})"
