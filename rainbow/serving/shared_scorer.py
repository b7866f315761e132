"""A scorer that many threads call at once: what waits is scored together, and no call harms another."""

from __future__ import annotations

import heapq
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, count
from threading import Condition
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rainbow.corpus.rows import check_lengths, validate_references, validate_texts
from rainbow.serving.scores_texts import ScoresTexts

if TYPE_CHECKING:
    from rainbow.base.arrays import FloatArray

TOGETHER = 256  # rows that are scored at once: a caller waits for no more than these, and for its own
SLICE = 64  # rows of one call that are scored at once, so that a long call lets others between
CHARACTERS = 1 << 14  # of the rows that are scored at once, or a single row's: some 20 ms of ordinary texts
AIM = 0.25  # seconds that a part of a call is to take, judged by the part before it
BEHIND = 10.0  # seconds that a part is put behind, in the queue, for each part of its call that came before
ALL = 8  # a row's texts together may have so many times the characters that one may have

_LOG = logging.getLogger(__name__)


class ScorerError(RuntimeError):
    """The scorer failed for every row that it was given: nothing is known of the texts, something of the scorer."""


class TooMuchWorkError(ValueError):
    """The texts of a call have more characters than are scored at a time."""


class Reasoned(NamedTuple):
    """Scores, and why some are missing.

    Shapes: scores (n,).
    """

    scores: FloatArray  # the score of every text, shape (n,); NaN where it has none
    reasons: list[str]  # for every text why it has none; the empty string where it has one


class Row(NamedTuple):
    """A text, and what it is scored by."""

    output: str
    references: tuple[str, ...]
    mr: str

    @property
    def work(self) -> int:
        """How much there is to do: the characters of all texts, and one for each."""
        return sum(map(len, (self.output, self.mr, *self.references))) + 2 + len(self.references)


class SharedScorer:
    """A scorer for many threads: calls that come while it works are scored together when it is done."""

    def __init__(
        self,
        scorer: ScoresTexts,
        *,
        together: int = TOGETHER,
        max_characters: int | None = None,
        max_work: int | None = None,
        observe: Callable[[int], object] = id,
    ) -> None:
        self.scorer, self.together, self._observe = scorer, together, observe
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
        return self.reasoned(outputs, references, mrs).scores

    def reasoned(
        self,
        outputs: Sequence[str],
        references: Sequence[Sequence[str] | str | None] | None = None,
        mrs: Sequence[str | None] | None = None,
    ) -> Reasoned:
        """Return the scores as a call does, with the reason why a text has none; a reference may stand alone."""
        texts = validate_texts("outputs", outputs)
        check_lengths(len(texts), {"references": references, "mrs": mrs})
        sets = [()] * len(texts) if references is None else validate_references("references", references, one_bare=True)
        said = [""] * len(texts) if mrs is None else validate_texts("mrs", mrs, optional=True)
        rows = [Row(*row) for row in zip(texts, sets, said, strict=True)]
        reasons = [self._refusal(row) for row in rows]
        scores = np.full(len(rows), np.nan)
        good = [place for place, reason in enumerate(reasons) if not reason]
        self._check_work(rows[place].work for place in good)
        part, most = 0, float(CHARACTERS)
        while good:
            size = _fitting([rows[place].work for place in good[:SLICE]], most)
            places, good = good[:size], good[size:]
            call = _Call([rows[place] for place in places], time.monotonic() + part * BEHIND)
            found = self._wait_for(call)
            part, most = part + 1, min(CHARACTERS, AIM * call.pace)
            scores[places] = found.scores
            for place, reason in zip(places, found.reasons, strict=True):
                reasons[place] = reason
        return Reasoned(scores, reasons)

    def _check_work(self, work: Iterator[int]) -> None:
        if self.max_work is not None and (size := sum(work)) > self.max_work:
            most = f"at most {self.max_work:,} are scored at a time"
            raise TooMuchWorkError(f"the texts have {size:,} characters in all: {most}, send fewer rows")

    def _refusal(self, row: Row) -> str:
        """Return why a row is not even tried."""
        given = {"references": any(map(str.strip, row.references)), "mrs": bool(row.mr.strip())}
        if lacking := [need for need in sorted(self.needs) if not given[need]]:
            return f"{self.name} needs {' and '.join(lacking)}"
        longest = max(map(len, (row.output, row.mr, *row.references)))
        if self.max_characters is not None and longest > self.max_characters:
            return f"a text of {longest:,} characters: at most {self.max_characters:,} are scored"
        if self.max_characters is not None and row.work > ALL * self.max_characters:
            return f"texts of {row.work:,} characters in all: at most {ALL * self.max_characters:,} are scored of a row"
        return ""

    def _wait_for(self, call: _Call) -> Reasoned:
        """Return the scores of a call once they are known; score it, and what else waits, if nobody else does."""
        with self._turn:
            heapq.heappush(self._waiting, (call.turn, next(self._numbers), call))
        while call.found is None:
            with self._turn:
                while self._busy and call.found is None:
                    self._turn.wait()
                if call.found is not None:
                    break
                self._busy, calls = True, self._next()
            try:
                self._answer(calls)
            finally:
                with self._turn:
                    self._busy = False
                    for taken in calls:  # nobody waits for what an interrupted thread had taken
                        taken.found = taken.found or RuntimeError("the scoring was interrupted")
                    self._turn.notify_all()
        if isinstance(call.found, Exception):
            raise ScorerError(f"{self.name} failed: {_told(call.found)}") from call.found
        return call.found

    def _next(self) -> list[_Call]:
        """Take the calls whose turn it is, as many as are scored together."""
        calls, rows, work = [heapq.heappop(self._waiting)[-1]], 0, 0
        while self._waiting:
            rows, work, following = rows + len(calls[-1].rows), work + calls[-1].work, self._waiting[0][-1]
            if rows + len(following.rows) > self.together or work + following.work > CHARACTERS:
                break
            calls.append(heapq.heappop(self._waiting)[-1])
        return calls

    def _answer(self, calls: list[_Call]) -> None:
        """Give every call what was found of its rows."""
        rows = [row for call in calls for row in call.rows]
        self._observe(len(rows))
        start = time.perf_counter()
        found = self._tried(rows)
        pace = sum(call.work for call in calls) / max(time.perf_counter() - start, 1e-9)
        for call in calls:
            call.pace = pace
            own, found = found[: len(call.rows)], found[len(call.rows) :]
            broken = [score for score in own if isinstance(score, Exception) and not isinstance(score, ValueError)]
            if len(broken) == len(own):
                call.found = broken[0]
            else:
                scores = np.array([np.nan if isinstance(score, Exception) else score for score in own])
                call.found = Reasoned(scores, [self._reason(score) for score in own])

    def _tried(self, rows: list[Row]) -> list[float | Exception]:
        """Return the score of every row, or what went wrong: rows among which one fails are scored in two halves."""
        outputs, references, mrs = map(list, zip(*rows, strict=True))
        try:
            scores = self.scorer(outputs, references if any(references) else None, mrs if any(mrs) else None)
            return list(map(float, np.asarray(scores).reshape(len(rows))))
        except Exception as error:
            if len(rows) > 1:
                half = len(rows) // 2
                return self._tried(rows[:half]) + self._tried(rows[half:])
            if not isinstance(error, ValueError):
                _LOG.exception("%s failed for the text %.80r", self.name, rows[0].output)
            return [error]

    def _reason(self, score: float | Exception) -> str:
        if isinstance(score, Exception):
            return _told(score)
        return f"{self.name} has no value for this text" if np.isnan(score) else ""


class _Call:
    """The rows of a thread that waits, when their turn is, what was found, and in how many characters a second."""

    def __init__(self, rows: list[Row], turn: float) -> None:
        self.rows, self.turn, self.work, self.pace = rows, turn, sum(row.work for row in rows), 0.0
        self.found: Reasoned | Exception | None = None


def _fitting(work: Sequence[int], most: float) -> int:
    """Return how many of these rows have no more than so much work together; one at least."""
    sums = accumulate(work)
    return max(1, sum(1 for done in sums if done <= most))


def _told(error: Exception) -> str:
    """Return an error as a reason: the scorer's own sentence if it is about a text, else with what kind it is."""
    problem = getattr(error, "problem", None) or str(error)  # a row's number there counts the rows of all callers
    return problem if isinstance(error, ValueError) else f"{type(error).__name__}: {problem}"
