"""Prometheus metrics of a server."""

from __future__ import annotations

import time
from collections.abc import Callable, Set

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
ROWS = (1, 2, 4, 8, 16, 32, 64, 128, 256)


class ServerMetrics:
    """Metrics of one application."""

    def __init__(self, waiting: Callable[[], float]) -> None:
        own = self._registry = CollectorRegistry()
        self._requests = Counter("rainbow_requests", "Finished requests", ["path", "status"], registry=own)
        self._rows = Counter("rainbow_rows", "Rows in these requests", ["outcome"], registry=own)
        self._seconds = Histogram(
            "rainbow_request_seconds", "Seconds from request to response", ["path"], buckets=SECONDS, registry=own
        )
        self.rows_together = Histogram(
            "rainbow_rows_scored_together", "Rows scored together", buckets=ROWS, registry=own
        )
        queue = Gauge("rainbow_waiting_requests", "Requests in progress", registry=own)
        queue.set_function(waiting)

    def count_request(self, path: str, status: int, seconds: float) -> None:
        """Count a finished request."""
        self._requests.labels(path, str(status)).inc()
        self._seconds.labels(path).observe(seconds)

    def count_rows(self, outcome: str, rows: int) -> None:
        """Count rows by outcome: scored, missing or rewarded."""
        self._rows.labels(outcome).inc(rows)

    def exposition(self) -> tuple[bytes, str]:
        """Return the metrics in Prometheus text format, and its content type."""
        return generate_latest(self._registry), CONTENT_TYPE_LATEST


class RequestCounter:
    """Middleware that counts requests and seconds per status; unknown paths share a label."""

    def __init__(self, app: ASGIApp, numbers: ServerMetrics, paths: Set[str]) -> None:
        self.app, self.numbers, self.paths = app, numbers, paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        start, statuses = time.perf_counter(), [500]

        async def watched(message: Message) -> None:
            if message["type"] == "http.response.start":
                statuses.append(message["status"])
            await send(message)

        try:
            await self.app(scope, receive, watched)
        finally:
            path = scope["path"] if scope["path"] in self.paths else "other"
            self.numbers.count_request(path, statuses[-1], time.perf_counter() - start)
