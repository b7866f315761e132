"""The ASGI application of `rainbow serve`: scores, rewards, health and metrics."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from rainbow._version import __version__
from rainbow.base.formatting import plain
from rainbow.serving.http.limits import (
    BodyReader,
    HostCheck,
    Limits,
    RequestRejected,
    check_authorised,
    check_token,
    drain_body,
)
from rainbow.serving.http.prometheus import RequestCounter, ServerMetrics
from rainbow.serving.http.responses import Responses
from rainbow.serving.named_scorer import ScorerProtocol
from rainbow.serving.shared_scorer import ScorerError, SharedScorer, TooMuchWorkError

THREADS = 64  # requests processed at a time; the others wait in the queue


def make_app(
    scorer: ScorerProtocol,
    *,
    references: str | None = None,
    mrs: str | None = None,
    rescale: bool = False,
    limits: Limits | None = None,
    token: str | None = None,
    hosts: Collection[str] = (),
) -> Starlette:
    """Return an ASGI application that scores texts, for uvicorn, Ray Serve or another server.

    Parameters
    ----------
    scorer : ScorerProtocol
        Scorer.
    references, mrs : str, optional
        Fields of a trainer's request that hold what the scorer needs: `prompt`, `data_source`, or a key of verl's
        `extra_info`. The default is `label` (verl's `ground_truth`) if the scorer needs only one of the two.
    rescale : bool
        Whether to map rewards to [0, 1].
    limits : Limits, optional
        Limits of a request and of the queue.
    token : str, optional
        Required header ``Authorization: Bearer TOKEN``; by default no authentication.
    hosts : collection of str
        Accepted hosts and web origins, besides localhost, the machine's own name and IP addresses.

    Raises
    ------
    ValueError
        If required fields are not given, the scale has no lower bound, or the token cannot be sent in a header.
    """
    if token is not None:
        check_token(token)
    server = _Server(scorer, limits or Limits(), token)
    count = server.numbers.count_rows
    answers = Responses(server.scorer, references, mrs, rescale=rescale, limits=server.limits, count=count)
    posted = {"/score": answers.score, "/get_reward": answers.openrlhf, "/compute_score": answers.verl}
    return Starlette(
        routes=[
            *(Route(path, server.post_endpoint(answer), methods=["POST"]) for path, answer in posted.items()),
            Route("/health", server.health),
            Route("/metrics", server.metrics),
        ],
        exception_handlers=dict.fromkeys((HTTPException, ClientDisconnect, Exception), _error_response),
        middleware=[
            Middleware(RequestCounter, numbers=server.numbers, paths={*posted, "/health", "/metrics"}),
            Middleware(HostCheck, names=hosts),
        ],
        lifespan=server.lifespan,
    )


class _Server:
    """A scorer, its pending requests, and its endpoints."""

    def __init__(self, scorer: ScorerProtocol, limits: Limits, token: str | None) -> None:
        self.limits, self.token, self.under_way = limits, token, 0
        self.bodies = BodyReader(limits.bytes, limits.queue)
        self.numbers = ServerMetrics(lambda: self.under_way)
        self.scorer = SharedScorer(
            scorer, max_characters=limits.characters, max_work=limits.work, observe=self.numbers.rows_together.observe
        )
        self.threads = ThreadPoolExecutor(THREADS, "scoring")

    @asynccontextmanager
    async def lifespan(self, _app: Starlette) -> AsyncIterator[None]:
        yield
        self.threads.shutdown()

    def post_endpoint(self, answer: Callable[[Any], dict[str, Any]]) -> Callable[[Request], Any]:
        """Return an endpoint that reads a body within limits and responds from a thread."""

        async def endpoint(request: Request) -> Response:
            try:
                check_authorised(request, self.token)
                self.check_queue()
                body = await self.bodies.read(request)
            except RequestRejected:
                await drain_body(request)
                raise
            with self.place():
                work = asyncio.get_running_loop().run_in_executor(self.threads, _respond, answer, body)
                del body
                return Response(await work, media_type="application/json")

        return endpoint

    def check_queue(self) -> None:
        """Raise an error if the queue is full."""
        if self.under_way >= self.limits.queue:
            raise RequestRejected(
                503, f"{self.under_way} requests are already waiting: try again later", {"Retry-After": "1"}
            )

    @contextmanager
    def place(self) -> Iterator[None]:
        """Hold a slot in the queue for a complete request body."""
        self.check_queue()
        self.under_way += 1
        try:
            yield
        finally:
            self.under_way -= 1

    async def health(self, _request: Request) -> Response:
        """Return capacity and scorer, for load balancers and clients."""
        ready = self.under_way < self.limits.queue
        about = {"ready": ready, "model": self.scorer.name, "version": __version__, "waiting": self.under_way}
        scale = {"low": self.scorer.low, "high": self.scorer.high, "needs": sorted(self.scorer.needs)}
        return JSONResponse(plain(about | scale), 200 if ready else 503)

    async def metrics(self, request: Request) -> Response:
        """Return the Prometheus metrics."""
        check_authorised(request, self.token)
        text, kind = self.numbers.exposition()
        return Response(text, media_type=kind)


def _respond(answer: Callable[[Any], dict[str, Any]], body: bytes) -> bytes:
    """Parse a body, compute and serialise the response, in a thread."""
    try:
        return json.dumps(plain(answer(_parse_body(body)))).encode()
    except TooMuchWorkError as error:
        raise HTTPException(413, str(error)) from error
    except ValueError as error:
        raise HTTPException(422, str(error)) from error
    except (SystemExit, KeyboardInterrupt) as error:  # what ends this thread must not stop the server
        raise HTTPException(500, f"the scoring was stopped: {type(error).__name__}") from error
    except ScorerError as error:
        raise HTTPException(500, str(error)) from error


def _parse_body(body: bytes) -> Mapping[str, Any]:
    try:
        given = json.loads(body, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise HTTPException(400, f"the body is not valid JSON: {error}") from error
    if not isinstance(given, dict):
        raise HTTPException(422, f"the body is {given!r:.40}: send a JSON object")
    return given


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON value; use null")


async def _error_response(_request: Request, error: Exception) -> Response:
    problem, status, headers = f"internal server error: {type(error).__name__}", 500, None
    if isinstance(error, HTTPException):
        problem, status, headers = error.detail, error.status_code, error.headers
    elif isinstance(error, ClientDisconnect):
        problem, status = "the client disconnected before the body was read", 400
    body = json.dumps({"error": problem})  # in ASCII: a message may contain characters that cannot be encoded
    return Response(body, status, headers, "application/json")
