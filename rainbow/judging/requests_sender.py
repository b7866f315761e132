"""Concurrent requests to a server within a token budget."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from rainbow.base.progress import RowProgress, silent
from rainbow.judging.answer_parser import parse_answer, token_count, used_tokens
from rainbow.judging.answer_store import Answers
from rainbow.judging.questions import CHARACTERS, Request, estimate_tokens
from rainbow.judging.server import Server, SilentError, UnansweredError

GRACE = 5.0  # seconds that are waited, after an interrupt, for answers that are paid for
MOST_SILENT = 20  # questions after another without a word: the server is gone
_LOOK = 0.2  # seconds between two looks at what another process asks
_GO_ON = "answers are saved; run the same command to resume"


def send_requests(
    requests: Mapping[str, Request],
    server: Server,
    answers: Answers,
    *,
    at_once: int = 4,
    budget: int | None = None,
    check: Callable[[str, Any], None] = lambda *_: None,
    progress: RowProgress = silent,
) -> dict[str, str]:
    """Send all unanswered requests and store the answers."""
    asking = _Run(requests, server, answers, budget, progress)
    try:
        asyncio.run(asking.all(at_once, check))
    except RuntimeError as error:
        raise RuntimeError(f"{error}; {_GO_ON}") from None
    return asking.reasons


class _Run:
    """One run: progress, spent tokens and reasons for missing answers."""

    def __init__(
        self,
        requests: Mapping[str, Request],
        server: Server,
        answers: Answers,
        budget: int | None,
        progress: RowProgress,
    ) -> None:
        self._requests, self._server, self._answers = requests, server, answers
        self._budget, self._progress = budget, progress
        self._spent, self._silent, self._over = 0, 0, False
        known = answers.lookup(requests)
        self._characters, self._done = characters_per_token(requests, known), len(known)
        self._left = [key for key in requests if key not in known]
        self._claimed: list[str] = []  # by other processes
        self.reasons: dict[str, str] = {}

    async def all(self, at_once: int, check: Callable[[str, Any], None]) -> None:
        """Send all remaining requests."""
        async with self._server:
            await self._send_batch(self._left[:1], 1)
            for key, result in self._answers.lookup(self._left[:1]).items():
                check(key, result)
            await self._send_batch(self._left[1:], at_once)
            if self._claimed:
                message = f"another run is sending {len(self._claimed)} of these requests; waiting for its answers"
                warnings.warn(message, stacklevel=2)
            while self._claimed:
                await asyncio.sleep(_LOOK)
                claimed, self._claimed = self._claimed, []
                await self._send_batch(claimed, at_once)

    async def _send_batch(self, keys: Iterable[str], at_once: int) -> None:
        """Send some requests; if one ends the run, wait for the others because they are paid for."""
        left = iter(keys)
        workers = [asyncio.create_task(self._work(left)) for _ in range(at_once)]
        try:
            await asyncio.wait(workers)
        except asyncio.CancelledError:
            self._over = True
            await asyncio.wait(workers, timeout=GRACE)
            raise
        finally:
            for worker in workers:
                worker.cancel()
            ends = await asyncio.gather(*workers, return_exceptions=True)
        for error in filter(None, ends):
            raise error

    async def _work(self, left: Iterator[str]) -> None:
        for key in left:
            if self._over:
                return
            try:
                await self._send_if_unclaimed(key)
            except BaseException:
                self._over = True
                raise

    async def _send_if_unclaimed(self, key: str) -> None:
        if not self._answers.claim(key):
            self._claimed.append(key)
            return
        try:
            if not self._answers.lookup([key]):  # or another process was first
                await self._send(key)
        finally:
            self._answers.give_back(key)
        self._done += 1
        self._progress("asking", self._done, len(self._requests))

    async def _send(self, key: str) -> None:
        request = self._requests[key]
        (expected,) = estimate_tokens([request], self._characters)
        self._answers.check_disk_space()
        if self._budget is not None and self._spent + expected > self._budget:
            raise RuntimeError(f"the budget of {self._budget:,} tokens is exhausted ({self._spent:,} used)")
        self._spent += expected  # reserved until the answer is there
        try:
            text = await self._server.answer(request)
        except UnansweredError as error:
            self.reasons[key] = str(error)
            self._count_silence(isinstance(error, SilentError), str(error))
            return
        self._count_silence(False)
        self._answers.put(key, request, text)
        used = used_tokens(parse_answer(text))
        self._spent += (expected if used is None else used) - expected

    def _count_silence(self, silent: bool, message: str = "") -> None:
        """Count consecutive requests without any response from the server."""
        self._silent = self._silent + 1 if silent else 0
        if self._silent >= MOST_SILENT:
            raise RuntimeError(f"the server did not respond to {MOST_SILENT} consecutive requests ({message})")


def characters_per_token(requests: Mapping[str, Request], known: Mapping[str, Any]) -> float:
    """Return the measured number of characters per token; 4 if unknown."""
    counts = {key: token_count(answer, "prompt_tokens") for key, answer in known.items()}
    tokens = sum(count for count in counts.values() if count)
    characters = sum(len(requests[key]["messages"][0]["content"]) for key, count in counts.items() if count)
    return characters / tokens if tokens else CHARACTERS
