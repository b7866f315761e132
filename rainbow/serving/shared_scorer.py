"""A thread-safe scorer that batches concurrent calls."""

from __future__ import annotations

import heapq
import logging
import time
from collections.abc import Callable, Sequence
from itertools import accumulate, count
from threading import Condition
from typing import NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.corpus.rows import check_lengths, validate_references, validate_texts
from rainbow.serving.named_scorer import ScorerProtocol

TOGETHER = 256  # rows that are scored at once: a caller waits for no more than these, and for its own
SLICE = 64  # rows of one call that are scored at once, so that a long call lets others between
CHARACTERS = 1 << 14  # of the rows that are scored at once, or a single row's: some 20 ms of ordinary texts
AIM = 0.25  # seconds that a part of a call is to take, judged by the part before it
BEHIND = 10.0  # seconds that a part is put behind, in the queue, for each part of its call that came before
ALL = 8  # largest total length of a row's texts, as a multiple of the limit for one text

_LOG = logging.getLogger(__name__)


class ScorerError(RuntimeError):
    """The scorer failed for every row."""


class TooMuchWorkError(ValueError):
    """The texts of a call exceed the size limit of one batch."""


class ScoresWithReasons(NamedTuple):
    """Scores, and reasons for missing ones.

    Shapes: scores (n,).
    """

    scores: FloatArray  # the score of every text, shape (n,); NaN where it has none
    reasons: list[str]  # for every text why it has none; the empty string where it has one


class Row(NamedTuple):
    """A text with its references and input."""

    output: str
    references: tuple[str, ...]
    mr: str

    @property
    def work(self) -> int:
        """Cost estimate: the characters of all texts, plus one per text."""
        return sum(map(len, (self.output, self.mr, *self.references))) + 2 + len(self.references)


class SharedScorer:
    """A scorer for many threads: waiting calls are scored together."""

    def __init__(
        self,
        scorer: ScorerProtocol,
        *,
        batch_rows: int = TOGETHER,
        max_characters: int | None = None,
        max_work: int | None = None,
        observe: Callable[[int], object] = id,
    ) -> None:
        self.scorer, self.together, self._observe = scorer, batch_rows, observe
        self.max_characters, self.max_work = max_characters, max_work
        self.name, self.low, self.high, self.needs = scorer.name, scorer.low, scorer.high, scorer.needs
        self._waiting: list[tuple[float, int, _Call]] = []  # a heap, by when their turn is
        self._numbers = count()
        self._turn, self._busy = Condition(), False

    def __repr__(self) -> str:
        return f"SharedScorer({self.scorer!r})"

    def __call__(
        self,
        outputs: Sequence[str],
        references: Sequence[Sequence[str]] | None = None,
        mrs: Sequence[str] | None = None,
    ) -> FloatArray:
        """Return the score of every output, shape (n,); NaN where it has none."""
        return self.score_with_reasons(outputs, references, mrs).scores

    def score_with_reasons(
        self,
        outputs: Sequence[str],
        references: Sequence[Sequence[str] | str | None] | None = None,
        mrs: Sequence[str | None] | None = None,
    ) -> ScoresWithReasons:
        """Return the scores with reasons for missing ones; a reference may be a single string."""
        texts = validate_texts("outputs", outputs)
        check_lengths(len(texts), {"references": references, "mrs": mrs})
        sets = [()] * len(texts) if references is None else validate_references("references", references, single=True)
        meanings = [""] * len(texts) if mrs is None else validate_texts("mrs", mrs, optional=True)
        rows = [Row(*row) for row in zip(texts, sets, meanings, strict=True)]
        reasons = [self._rejection_reason(row) for row in rows]
        scores = np.full(len(rows), np.nan)
        good = [place for place, reason in enumerate(reasons) if not reason]
        if self.max_work is not None and (total := sum(rows[place].work for place in good)) > self.max_work:
            most_work = f"the limit is {self.max_work:,}"
            raise TooMuchWorkError(f"the texts have {total:,} characters in total: {most_work}; send fewer rows")
        part, most = 0, float(CHARACTERS)
        while good:
            sums = accumulate(rows[place].work for place in good[:SLICE])
            size = max(1, sum(done <= most for done in sums))  # leading rows that fit into a batch, at least one
            places, good = good[:size], good[size:]
            call = _Call([rows[place] for place in places], time.monotonic() + part * BEHIND)
            result = self._await_scores(call)
            part, most = part + 1, min(CHARACTERS, AIM * call.pace)
            scores[places] = result.scores
            for place, reason in zip(places, result.reasons, strict=True):
                reasons[place] = reason
        return ScoresWithReasons(scores, reasons)

    def _rejection_reason(self, row: Row) -> str:
        """Return why a row is not scored."""
        given = {"references": any(map(str.strip, row.references)), "mrs": bool(row.mr.strip())}
        if missing := [need for need in sorted(self.needs) if not given[need]]:
            return f"{self.name} needs {' and '.join(missing)}"
        longest = max(map(len, (row.output, row.mr, *row.references)))
        if self.max_characters is not None and longest > self.max_characters:
            return f"a text of {longest:,} characters: the limit is {self.max_characters:,}"
        if self.max_characters is not None and row.work > ALL * self.max_characters:
            return f"texts of {row.work:,} characters in total: the limit per row is {ALL * self.max_characters:,}"
        return ""

    def _await_scores(self, call: _Call) -> ScoresWithReasons:
        """Return the scores of a call, scoring all waiting calls if no other thread does."""
        with self._turn:
            heapq.heappush(self._waiting, (call.turn, next(self._numbers), call))
        while call.found is None:
            with self._turn:
                while self._busy and call.found is None:
                    self._turn.wait()
                if call.found is not None:
                    break
                self._busy, calls = True, self._next_calls()
            try:
                self._finish_calls(calls)
            finally:
                with self._turn:
                    self._busy = False
                    for taken in calls:  # nobody waits for what an interrupted thread had taken
                        taken.found = taken.found or RuntimeError("scoring was interrupted")
                    self._turn.notify_all()
        if isinstance(call.found, Exception):
            raise ScorerError(f"{self.name} failed: {_error_reason(call.found)}") from call.found
        return call.found

    def _next_calls(self) -> list[_Call]:
        """Take the calls of the next batch."""
        calls, rows, work = [heapq.heappop(self._waiting)[-1]], 0, 0
        while self._waiting:
            rows, work, following = rows + len(calls[-1].rows), work + calls[-1].work, self._waiting[0][-1]
            if rows + len(following.rows) > self.together or work + following.work > CHARACTERS:
                break
            calls.append(heapq.heappop(self._waiting)[-1])
        return calls

    def _finish_calls(self, calls: list[_Call]) -> None:
        """Score the rows of calls and store the results."""
        rows = [row for call in calls for row in call.rows]
        self._observe(len(rows))
        start = time.perf_counter()
        result = self._score_or_split(rows)
        pace = sum(call.work for call in calls) / max(time.perf_counter() - start, 1e-9)
        for call in calls:
            call.pace = pace
            own, result = result[: len(call.rows)], result[len(call.rows) :]
            broken = [score for score in own if isinstance(score, Exception) and not isinstance(score, ValueError)]
            if len(broken) == len(own):
                call.found = broken[0]
            else:
                scores = np.array([np.nan if isinstance(score, Exception) else score for score in own])
                undefined = f"{self.name} is undefined for this text"
                reasons = [
                    _error_reason(score) if isinstance(score, Exception) else undefined if np.isnan(score) else ""
                    for score in own
                ]
                call.found = ScoresWithReasons(scores, reasons)

    def _score_or_split(self, rows: list[Row]) -> list[float | Exception]:
        """Return the score or error of every row; failing batches are split in half."""
        outputs, references, mrs = map(list, zip(*rows, strict=True))
        try:
            scores = self.scorer(outputs, references if any(references) else None, mrs if any(mrs) else None)
            return list(map(float, np.asarray(scores).reshape(len(rows))))
        except Exception as error:
            if len(rows) > 1:
                half = len(rows) // 2
                return self._score_or_split(rows[:half]) + self._score_or_split(rows[half:])
            if not isinstance(error, ValueError):
                _LOG.exception("%s failed for the text %.80r", self.name, rows[0].output)
            return [error]


class _Call:
    """Rows of a waiting thread, their turn, results and speed."""

    def __init__(self, rows: list[Row], wait_seconds: float) -> None:
        self.rows, self.turn, self.work, self.pace = rows, wait_seconds, sum(row.work for row in rows), 0.0
        self.found: ScoresWithReasons | Exception | None = None


def _error_reason(error: Exception) -> str:
    """Return an error as a reason, with its type unless it is about a text."""
    problem = getattr(error, "problem", None) or str(error)  # a row's number there counts the rows of all callers
    return problem if isinstance(error, ValueError) else f"{type(error).__name__}: {problem}"
