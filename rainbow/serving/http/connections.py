"""Connections of a server: how many, and how long one may take to say what it asks."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection
from typing import Any, ClassVar

from uvicorn.protocols.http.auto import AutoHTTPProtocol


class Guarded(AutoHTTPProtocol):  # type: ignore[misc, valid-type, unused-ignore]
    """What uvicorn does with a connection, within limits: `http` of its configuration."""

    most: ClassVar[int] = 768  # connections in all; a process may have some thousand files open
    most_of_one: ClassVar[int] = 512  # connections of one address, be it a machine with many callers or a proxy
    head_seconds: ClassVar[float] = 10.0
    read_seconds: ClassVar[float] = 30.0  # how long a caller may leave its answer unread

    waiting_since = 0.0
    _late: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None
    _has_begun = False

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for headers; make room where there are too many connections."""
        super().connection_made(transport)
        self._wait_for_head()
        address = self.client and self.client[0]
        of_one = [other for other in self.connections if other.client and other.client[0] == address]
        if len(of_one) > self.most_of_one:
            self._make_room(of_one)
        elif len(self.connections) > self.most:
            self._make_room(self.connections)

    def data_received(self, data: bytes) -> None:
        """Wait for headers until they are there."""
        self._has_begun = True
        if self._late is None and not self._is_under_way:
            self._wait_for_head()
        super().data_received(data)
        if self._is_under_way:
            self._cancel_late()

    def on_response_complete(self) -> None:
        """Wait for the next request; not for long for what is left of this one, where it was refused before its end."""
        if self.cycle.more_body:
            self._cancel_late()
            self._late = self.loop.call_later(self.head_seconds, self.transport.close)
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing more."""
        self._cancel_late()
        self._cancel_unread()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Wait for the caller to read its answer."""
        super().pause_writing()
        self._unread = self._unread or self.loop.call_later(self.read_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """Wait no longer: the caller reads on."""
        super().resume_writing()
        self._cancel_unread()

    @property
    def _is_under_way(self) -> bool:
        """Whether the headers of a request are there that is not answered yet."""
        return self.cycle is not None and not self.cycle.response_complete

    @property
    def has_asked(self) -> bool:
        """Whether a whole request is there that is not answered yet."""
        return self._is_under_way and not self.cycle.more_body

    def _wait_for_head(self) -> None:
        self.waiting_since = self.loop.time()
        self._late = self.loop.call_later(self.head_seconds, self._give_up)

    def _cancel_late(self) -> None:
        if self._late is not None:
            self._late.cancel()
        self._late = None

    def _cancel_unread(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
        self._unread = None

    def _give_up(self) -> None:
        self.turn_away(408, f"the headers did not come within {self.head_seconds:g} seconds")

    def _make_room(self, connections: Collection[Any]) -> None:
        idle = [
            other for other in connections if not (other is self or other.has_asked or other.transport.is_closing())
        ]
        if idle:
            oldest = min(idle, key=lambda other: other.waiting_since)
            oldest.turn_away(408, "the request did not come whole, and others wait for the connection")
        else:
            self.turn_away(503, "there are too many connections: ask again later")

    def turn_away(self, status: int, problem: str) -> None:
        """Close, with an answer; without one where nothing was asked: it would be taken for that of a later request."""
        if self.transport.is_closing():
            return
        if status == 503 or (self._has_begun and (self._late is not None or self._is_under_way)):
            self.transport.write(_answer(status, problem))
        self.transport.close()


def _answer(status: int, problem: str) -> bytes:
    body = json.dumps({"error": problem})
    phrase = {408: "Request Timeout", 503: "Service Unavailable"}[status]
    head = f"HTTP/1.1 {status} {phrase}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    return f"{head}Retry-After: 1\r\nConnection: close\r\n\r\n{body}".encode()
