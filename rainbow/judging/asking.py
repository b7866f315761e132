"""All questions that have no answer yet are asked, several at a time, within a budget."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from rainbow.base.progress import RowProgress, silent
from rainbow.judging.answers import Answers
from rainbow.judging.questions import CHARACTERS, Request, estimated_tokens
from rainbow.judging.reading import used_tokens
from rainbow.judging.server import UnansweredError

__all__ = ["ask", "characters_a_token"]

_GO_ON = "what was answered is kept, and the same command goes on"

Answer = dict[str, Any]


def ask(
    requests: Mapping[str, Request],
    answer: Callable[[Request], Answer],
    answers: Answers,
    *,
    at_once: int = 4,
    budget: int | None = None,
    check: Callable[[str, Answer], None] = lambda *_: None,
    progress: RowProgress = silent,
) -> dict[str, str]:
    """Ask all requests that have no answer yet, and keep what is answered.

    Parameters
    ----------
    requests
        By their keys.
    answer
        Asks one (:meth:`rainbow.judging.server.Server.answer`).
    answers
        Where answers are kept.
    at_once
        How many are open at a time; the first is asked alone.
    budget
        How many tokens may be used.
    check
        Is given the key of the first request and its answer, and raises an error if the others should not be asked.
    progress
        Is told how many are answered.

    Returns
    -------
    dict
        For each key that has no answer the reason.

    Raises
    ------
    RuntimeError
        If the server is of no use, or the budget is used up; what was answered is kept.
    """
    known = answers.of(requests)
    left = [key for key in requests if key not in known]
    asked = _Asked(requests, answer, answers, budget, characters_a_token(requests, known))
    reasons: dict[str, str] = {}
    pool = ThreadPoolExecutor(at_once)
    try:
        for number, start in enumerate((left[:1], left[1:])):
            for done, (key, reason) in enumerate(pool.map(asked.one, start), start=1 + number):
                progress("asking", len(known) + done, len(requests))
                if reason:
                    reasons[key] = reason
            for key, found in ({} if number else answers.of(start)).items():
                check(key, found)
    except RuntimeError as error:
        raise RuntimeError(f"{error}; {_GO_ON}") from None
    finally:
        asked.over = True
        pool.shutdown(cancel_futures=True)
    return reasons


class _Asked:
    """What one thread does for one question."""

    def __init__(
        self,
        requests: Mapping[str, Request],
        answer: Callable[[Request], Answer],
        answers: Answers,
        budget: int | None,
        characters: float,
    ) -> None:
        self._requests, self._answer, self._answers = requests, answer, answers
        self._budget, self._characters, self._spent = budget, characters, 0
        self._lock = threading.Lock()
        self.over = False

    def one(self, key: str) -> tuple[str, str | None]:
        """Ask one question; its key, and the reason if there is no answer."""
        if self.over:
            return key, "it was not asked"
        request = self._requests[key]
        (expected,) = estimated_tokens([request], self._characters)
        self._spend(expected)
        try:
            found = self._answer(request)
        except UnansweredError as error:
            return key, str(error)
        except RuntimeError:
            self.over = True
            raise
        self._answers.put(key, request, found)
        used = used_tokens(found)
        with self._lock:
            self._spent += (expected if used is None else used) - expected
        return key, None

    def _spend(self, tokens: int) -> None:
        """Count the tokens that a question is expected to need, before it is asked."""
        with self._lock:
            if self._budget is not None and self._spent + tokens > self._budget:
                self.over = True
                raise RuntimeError(f"the budget of {self._budget:,} tokens is used up ({self._spent:,} were used)")
            self._spent += tokens


def characters_a_token(requests: Mapping[str, Request], known: Mapping[str, Answer]) -> float:
    """Return how many characters of these questions a token has, as far as the server has counted them; else 4.

    Examples
    --------
    >>> characters_a_token({"1f": {"messages": [{"content": "Is it good?"}]}}, {})
    4.0
    """
    counted = {key: (answer.get("usage") or {}).get("prompt_tokens") for key, answer in known.items()}
    tokens = sum(int(count) for count in counted.values() if count)
    said = sum(len(requests[key]["messages"][0]["content"]) for key, count in counted.items() if count)
    return said / tokens if tokens else CHARACTERS
