"""Requests for the rows of a corpus, and their estimated size."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from rainbow.corpus import Corpus
from rainbow.judging.judge import Criterion, Judge

# Assumed characters per token until the server reports a count, and tokens added per question.
CHARACTERS, ADDED = 4.0, 16

_LACKING = {"input": "no input (meaning representation)", "references": "no reference"}

Request = dict[str, Any]


class Question(NamedTuple):
    """One question about an output, or about an ordered pair of outputs."""

    criterion: Criterion  # the column
    rows: tuple[int, ...]  # of the corpus; of two, the first is shown first
    requests: tuple[Request, ...]  # one for each sample
    skip_reason: str | None = None  # set if the question lacks a text and is not sent


def make_questions(corpus: Corpus, judge: Judge) -> list[Question]:
    """Return all questions: one per row, or two per pair of outputs for one item."""
    texts = _row_texts(corpus)
    return [
        _make_question(judge, criterion, rows, texts)
        for criterion in judge.criteria
        for rows in (_ordered_pairs(corpus) if criterion.template.pairs else ((row,) for row in range(len(corpus))))
    ]


def _ordered_pairs(corpus: Corpus) -> Iterator[tuple[int, int]]:
    """Yield every pair of outputs for one item in both orders."""
    for places in corpus.frame.groupby(["dataset", "item"], sort=False).indices.values():
        for one, other in combinations(map(int, places), 2):
            yield from ((one, other), (other, one))


def _row_texts(corpus: Corpus) -> list[dict[str, str]]:
    frame = corpus.frame
    rows = zip(frame["mr"], frame["output"], frame["references"], strict=True)
    return [{"input": mr, "output": output, "references": "\n".join(shown)} for mr, output, shown in rows]


def _make_question(judge: Judge, criterion: Criterion, rows: tuple[int, ...], texts: list[dict[str, str]]) -> Question:
    values = dict(texts[rows[0]])
    if missing := [why for gap, why in _LACKING.items() if gap in criterion.template.gaps and not values[gap]]:
        return Question(criterion, rows, (), missing[0])
    if len(rows) == 2:
        values |= {"first": texts[rows[0]]["output"], "second": texts[rows[1]]["output"]}
    low, high = criterion.scale
    text = criterion.template.fill(values | {"low": f"{low:g}", "high": f"{high:g}"})
    return Question(criterion, rows, tuple(_make_request(judge, criterion, text, n) for n in range(criterion.samples)))


def _make_request(judge: Judge, criterion: Criterion, text: str, sample: int) -> Request:
    body = {"model": judge.model, "messages": [{"role": "user", "content": text}], **criterion.parameters}
    body |= {"seed": judge.seed + sample, **judge.request}
    return {name: value for name, value in body.items() if value != ""}


def request_key(url: str, request: Request) -> str:
    """Return the key of a request: the SHA-256 of its content and URL."""
    return hashlib.sha256(json.dumps([url, request], sort_keys=True).encode()).hexdigest()


def estimate_tokens(requests: Sequence[Request], characters: float = CHARACTERS) -> list[int]:
    """Return the estimated tokens of each request and its answer."""
    return [_request_tokens(request, characters) for request in requests]


def _request_tokens(request: Request, characters: float) -> int:
    length = sum(len(message["content"]) for message in request["messages"])
    answered = request.get("max_tokens") or request.get("max_completion_tokens") or 0
    return ADDED + int(answered) + int(-(-length // characters))
