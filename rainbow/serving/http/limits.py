"""What a request must be: addressed to this machine, authorised, and within limits."""

from __future__ import annotations

import asyncio
import base64
import binascii
import hashlib
import hmac
import ipaddress
import json
import re
import socket
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from typing import NamedTuple
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

READ_SECONDS = 10.0  # a body that takes longer is not waited for
READ_AWAY = 1 << 28  # bytes of a refused body that are read and dropped, so that its sender comes to read the answer


class RequestRejected(HTTPException):
    """A request is rejected before its body is read."""


class Limits(NamedTuple):
    """Limits on a request and the queue."""

    rows: int = 1024  # of one request: 413
    bytes: int = 1 << 22  # of one body: 413
    characters: int = 2000  # of one text
    queue: int = 256  # requests that are under way
    work: int = 1 << 20  # characters of all texts of one request: 413


class BodyReader:
    """Reads request bodies with limits on size and number; the oldest is dropped first."""

    def __init__(self, most_bytes: int, most_bodies: int) -> None:
        self.most_bytes, self.most_bodies = most_bytes, most_bodies
        self._coming: dict[asyncio.Timeout, None] = {}  # in the order in which they began

    async def read(self, request: Request) -> bytes:
        """Return the body of a request."""
        if int(request.headers.get("content-length", 0)) > self.most_bytes:
            raise self._too_much()
        chunks, size = [], 0
        try:
            async with self._reading():
                async for chunk in request.stream():
                    size += len(chunk)
                    if size > self.most_bytes:
                        raise self._too_much()
                    chunks.append(chunk)
        except TimeoutError:
            raise HTTPException(408, f"the body did not arrive within {READ_SECONDS:g} seconds") from None
        return b"".join(chunks)

    @asynccontextmanager
    async def _reading(self) -> AsyncIterator[None]:
        async with asyncio.timeout(READ_SECONDS) as deadline:
            self._coming[deadline] = None
            try:
                if len(self._coming) > self.most_bodies:
                    oldest = next(iter(self._coming))
                    del self._coming[oldest]
                    oldest.reschedule(0)
                yield
            finally:
                self._coming.pop(deadline, None)

    def _too_much(self) -> RequestRejected:
        return RequestRejected(413, f"the body has more than {self.most_bytes:,} bytes: send fewer rows per request")


async def drain_body(request: Request) -> None:
    """Discard the rest of a rejected body so that the client receives the response."""
    if "expect" in request.headers:  # the sender waits for leave to send
        return
    left = READ_AWAY
    try:
        async with asyncio.timeout(READ_SECONDS):
            while left > 0:
                message = await request.receive()
                left -= len(message.get("body", b""))
                if not message.get("more_body"):
                    return
    except TimeoutError:
        return


def check_token(token: str) -> None:
    """Raise an error if a token cannot be sent in a header."""
    if odd := [character for character in token if not (character.isascii() and character.isprintable())]:
        raise ValueError(
            f"the token contains {odd[0]!r}, which cannot be sent in a header: use printable ASCII characters"
        )


def check_authorised(request: Request, token: str | None) -> None:
    """Raise an error unless the token is sent as bearer, X-Api-Key or password of the URL."""
    if token is None:
        return
    kind, _, given = request.headers.get("authorization", "").partition(" ")
    if kind.lower() == "basic":
        try:
            given = base64.b64decode(given, validate=True).decode().partition(":")[2]
        except (binascii.Error, UnicodeDecodeError):
            given = ""
    given = given or request.headers.get("x-api-key", "")
    # of digests: the time says nothing of the token, its length neither
    if not hmac.compare_digest(*(hashlib.sha256(text.encode()).digest() for text in (given.strip(), token))):
        wanted = "missing or wrong token: send Authorization: Bearer TOKEN"
        raise RequestRejected(401, wanted, {"WWW-Authenticate": "Bearer"})


_JSON = re.compile(rb"application/(?:[a-z0-9.+-]+\+)?json\s*(?:;.*)?", re.IGNORECASE | re.DOTALL)


class HostCheck:
    """Middleware that accepts only JSON requests addressed to this machine, not from web pages."""

    def __init__(self, app: ASGIApp, names: Collection[str] = ()) -> None:
        self.app = app
        self.named = frozenset(name.lower().rstrip(".") for name in names)
        own = socket.gethostname().lower()
        self.known = self.named | {"localhost", own, own.partition(".")[0]}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and (refusal := self._rejection(scope)):
            status, problem = refusal
            await Response(json.dumps({"error": problem}), status, None, "application/json")(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    def _rejection(self, scope: Scope) -> tuple[int, str] | None:
        """Return the status and message of a rejection."""
        sent = {name: value for name, value in scope["headers"] if name in (b"host", b"origin", b"content-type")}
        host, origin = (sent.get(name, b"").decode("latin-1") for name in (b"host", b"origin"))
        name = _host_name(f"//{host}")
        if not (name in self.known or _is_ip_address(name)):
            return 421, f"unknown host name {name!r:.99}: allow it with --allow-host NAME on the server"
        if origin and _host_name(origin) not in self.named:
            return 403, (
                f"requests from the web page {origin!r:.99} are not allowed: allow it with --allow-host NAME on the "
                "server"
            )
        if scope["method"] == "POST" and not _JSON.fullmatch(sent.get(b"content-type", b"")):
            return 415, "the content type is not JSON: send Content-Type: application/json"
        return None


def _host_name(url: str) -> str:
    """Return the host of a URL; empty if it has none."""
    try:
        return (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return ""


def _is_ip_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
