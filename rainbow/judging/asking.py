"""All questions that have no answer yet are asked, several at a time, within a budget."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from rainbow.base.progress import RowProgress, silent
from rainbow.judging.answers import Answers
from rainbow.judging.questions import CHARACTERS, Request, estimated_tokens
from rainbow.judging.reading import counted, parsed, used_tokens
from rainbow.judging.server import Server, SilentError, UnansweredError

GRACE = 5.0  # seconds that are waited, after an interrupt, for answers that are paid for
GONE = 20  # questions after another without a word: the server is gone
_LOOK = 0.2  # seconds between two looks at what another process asks
_GO_ON = "what was answered is kept, and the same command goes on"


def ask(
    requests: Mapping[str, Request],
    server: Server,
    answers: Answers,
    *,
    at_once: int = 4,
    budget: int | None = None,
    check: Callable[[str, Any], None] = lambda *_: None,
    progress: RowProgress = silent,
) -> dict[str, str]:
    """Ask all requests that have no answer yet, and keep what is answered."""
    asking = _Asking(requests, server, answers, budget, progress)
    try:
        asyncio.run(asking.all(at_once, check))
    except RuntimeError as error:
        raise RuntimeError(f"{error}; {_GO_ON}") from None
    return asking.reasons


class _Asking:
    """One run: what is done, what was spent, and why questions have no answer."""

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
        known = answers.of(requests)
        self._characters, self._done = characters_a_token(requests, known), len(known)
        self._left = [key for key in requests if key not in known]
        self._claimed: list[str] = []  # by other processes
        self.reasons: dict[str, str] = {}

    async def all(self, at_once: int, check: Callable[[str, Any], None]) -> None:
        """Ask all that are left."""
        async with self._server:
            await self._several(self._left[:1], 1)
            for key, found in self._answers.of(self._left[:1]).items():
                check(key, found)
            await self._several(self._left[1:], at_once)
            if self._claimed:
                told = f"another run asks {len(self._claimed)} of these questions now, and its answers are waited for"
                warnings.warn(told, stacklevel=2)
            while self._claimed:
                await asyncio.sleep(_LOOK)
                claimed, self._claimed = self._claimed, []
                await self._several(claimed, at_once)

    async def _several(self, keys: Iterable[str], at_once: int) -> None:
        """Ask some; what is open when one of them ends the run is waited for, as it is paid for."""
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
                await self._unless_claimed(key)
            except BaseException:
                self._over = True
                raise

    async def _unless_claimed(self, key: str) -> None:
        if not self._answers.claim(key):
            self._claimed.append(key)
            return
        try:
            if not self._answers.of([key]):  # or another process was first
                await self._one(key)
        finally:
            self._answers.give_back(key)
        self._done += 1
        self._progress("asking", self._done, len(self._requests))

    async def _one(self, key: str) -> None:
        request = self._requests[key]
        (expected,) = estimated_tokens([request], self._characters)
        self._answers.check_room()
        self._spend(expected)
        try:
            text = await self._server.answer(request)
        except UnansweredError as error:
            self.reasons[key] = str(error)
            self._heard(isinstance(error, SilentError), str(error))
            return
        self._heard(False)
        self._answers.put(key, request, text)
        used = used_tokens(parsed(text))
        self._spent += (expected if used is None else used) - expected

    def _heard(self, silent: bool, told: str = "") -> None:
        """Count the questions, one after the other, that the server said nothing to."""
        self._silent = self._silent + 1 if silent else 0
        if self._silent >= GONE:
            raise RuntimeError(f"the server said nothing to {GONE} questions, one after the other ({told})")

    def _spend(self, tokens: int) -> None:
        """Count the tokens that a question is expected to need, before it is asked."""
        if self._budget is not None and self._spent + tokens > self._budget:
            raise RuntimeError(f"the budget of {self._budget:,} tokens is used up ({self._spent:,} were used)")
        self._spent += tokens


def characters_a_token(requests: Mapping[str, Request], known: Mapping[str, Any]) -> float:
    """Return how many characters of these questions a token has, as far as the server has counted them; else 4."""
    counts = {key: counted(answer, "prompt_tokens") for key, answer in known.items()}
    tokens = sum(count for count in counts.values() if count)
    said = sum(len(requests[key]["messages"][0]["content"]) for key, count in counts.items() if count)
    return said / tokens if tokens else CHARACTERS
