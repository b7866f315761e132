"""How much a server takes, from whom, and how it refuses the rest."""

from __future__ import annotations

import asyncio
import base64
import binascii
import hmac
from typing import TYPE_CHECKING, NamedTuple

from starlette.exceptions import HTTPException

if TYPE_CHECKING:
    from starlette.requests import Request

__all__ = ["Limits", "Refused", "body_of", "drop_what_is_left", "let_in"]

READ_SECONDS = 30.0  # a body that takes longer is not waited for
READ_AWAY = 1 << 28  # bytes of a refused body that are read and dropped, so that its sender comes to read the answer


class Refused(HTTPException):
    """A request is refused before its body is read."""


class Limits(NamedTuple):
    """How much is taken at once; what is more gets an answer of its own.

    Attributes
    ----------
    rows
        Of one request: 413.
    bytes
        Of one body: 413.
    characters
        Of one text: no score, with the reason; the worst reward.
    queue
        Requests that are under way: 503. So bodies take at most `queue` times `bytes` of memory.
    """

    rows: int = 1024
    bytes: int = 1 << 22
    characters: int = 2000
    queue: int = 256


async def body_of(request: Request, most: int) -> bytes:
    """Return the body of a request.

    Raises
    ------
    Refused
        413 if it has, or says that it will have, more bytes than `most`.
    HTTPException
        408 if it does not come.
    """
    too_much = Refused(413, f"the body has more than {most:,} bytes: send fewer rows at a time")
    if int(request.headers.get("content-length", 0)) > most:
        raise too_much
    chunks, size = [], 0
    try:
        async with asyncio.timeout(READ_SECONDS):
            async for chunk in request.stream():
                size += len(chunk)
                if size > most:
                    raise too_much
                chunks.append(chunk)
    except TimeoutError:
        raise HTTPException(408, f"the body did not come within {READ_SECONDS:g} seconds") from None
    return b"".join(chunks)


async def drop_what_is_left(request: Request) -> None:
    """Read the rest of a refused body and drop it: else its sender meets a broken connection, not the answer."""
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


def let_in(request: Request, token: str | None) -> None:
    """Let only those in who send the token: as a bearer, as X-Api-Key, or as the password of the URL.

    Raises
    ------
    Refused
        401 if it is wanting or wrong.
    """
    if token is None:
        return
    kind, _, given = request.headers.get("authorization", "").partition(" ")
    if kind.lower() == "basic":
        try:
            given = base64.b64decode(given, validate=True).decode().partition(":")[2]
        except (binascii.Error, UnicodeDecodeError):
            given = ""
    given = given or request.headers.get("x-api-key", "")
    if not hmac.compare_digest(given.strip().encode(), token.encode()):
        wanted = "the token is wanting or wrong: send it as Authorization: Bearer TOKEN"
        raise Refused(401, wanted, {"WWW-Authenticate": "Bearer"})
