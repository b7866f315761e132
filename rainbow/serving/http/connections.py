"""Connection limits of a server: number, and time to send a request."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection
from http import HTTPStatus
from typing import Any, ClassVar

from uvicorn.protocols.http.auto import AutoHTTPProtocol


class GuardedProtocol(AutoHTTPProtocol):  # type: ignore[misc, valid-type, unused-ignore]
    """uvicorn's HTTP protocol with limits on connections and time."""

    most: ClassVar[int] = 768  # connections in all; a process may have some thousand files open
    most_of_one: ClassVar[int] = 512  # connections of one address, be it a machine with many callers or a proxy
    head_seconds: ClassVar[float] = 10.0
    read_seconds: ClassVar[float] = 30.0  # how long a caller may leave its answer unread

    waiting_since = 0.0
    _late: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None
    _has_begun = False

    def connection_made(self, transport: Any) -> None:
        """Start the header timeout; close idle connections if there are too many."""
        super().connection_made(transport)
        self._start_header_timeout()
        address = self.client and self.client[0]
        of_one = [other for other in self.connections if other.client and other.client[0] == address]
        if len(of_one) > self.most_of_one:
            self._close_idle(of_one)
        elif len(self.connections) > self.most:
            self._close_idle(self.connections)

    def data_received(self, data: bytes) -> None:
        """Restart or stop the header timeout."""
        self._has_begun = True
        if self._late is None and not self._is_pending:
            self._start_header_timeout()
        super().data_received(data)
        if self._is_pending:
            self._cancel_overdue()

    def on_response_complete(self) -> None:
        """Wait for the next request; briefly for the rest of a rejected one."""
        if self.cycle.more_body:
            self._cancel_overdue()
            self._late = self.loop.call_later(self.head_seconds, self.transport.close)
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop all timeouts."""
        self._cancel_overdue()
        self._cancel_unread()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Start the timeout for a client that does not read its response."""
        super().pause_writing()
        self._unread = self._unread or self.loop.call_later(self.read_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """Stop that timeout."""
        super().resume_writing()
        self._cancel_unread()

    @property
    def _is_pending(self) -> bool:
        """Whether a request with complete headers is unanswered."""
        return self.cycle is not None and not self.cycle.response_complete

    @property
    def has_complete_request(self) -> bool:
        """Whether a complete request is unanswered."""
        return self._is_pending and not self.cycle.more_body

    def _start_header_timeout(self) -> None:
        self.waiting_since = self.loop.time()
        problem = f"the headers did not come within {self.head_seconds:g} seconds"
        self._late = self.loop.call_later(self.head_seconds, self.reject, 408, problem)

    def _cancel_overdue(self) -> None:
        if self._late is not None:
            self._late.cancel()
        self._late = None

    def _cancel_unread(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
        self._unread = None

    def _close_idle(self, connections: Collection[Any]) -> None:
        idle = [
            other
            for other in connections
            if not (other is self or other.has_complete_request or other.transport.is_closing())
        ]
        if idle:
            oldest = min(idle, key=lambda other: other.waiting_since)
            oldest.reject(408, "the request was incomplete, and others are waiting for the connection")
        else:
            self.reject(503, "too many connections: try again later")

    def reject(self, status: int, problem: str) -> None:
        """Close the connection, with a response if a request was received."""
        if self.transport.is_closing():
            return
        if status == 503 or (self._has_begun and (self._late is not None or self._is_pending)):
            body = json.dumps({"error": problem})
            head = f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\nContent-Type: application/json\r\n"
            ends = f"Content-Length: {len(body)}\r\nRetry-After: 1\r\nConnection: close\r\n\r\n"
            self.transport.write(f"{head}{ends}{body}".encode())
        self.transport.close()
