"""From the rows of a corpus to the requests that are sent, and how much they are."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from rainbow.corpus import Corpus
from rainbow.judging.judge import Criterion, Judge

# What is taken for the length of a token until a server has counted its own; and what it adds to a question.
CHARACTERS, ADDED = 4.0, 16

_LACKING = {"input": "there is no input (meaning representation)", "references": "there is no reference"}

Request = dict[str, Any]


class Question(NamedTuple):
    """What is asked about one output, or about two in one order."""

    criterion: Criterion  # the column
    rows: tuple[int, ...]  # of the corpus; of two, the first is shown first
    requests: tuple[Request, ...]  # one for each sample
    lacking: str | None = None  # why it cannot be asked, and then there are no requests; else None


def questions(corpus: Corpus, judge: Judge) -> list[Question]:
    """Return all questions: for each column one a row, or two for each two outputs for one item."""
    texts = _texts(corpus)
    return [
        _question(judge, criterion, rows, texts)
        for criterion in judge.criteria
        for rows in (_orders(corpus) if criterion.template.pairs else ((row,) for row in range(len(corpus))))
    ]


def _orders(corpus: Corpus) -> Iterator[tuple[int, int]]:
    """Give every two outputs for one item in both orders."""
    for places in corpus.frame.groupby(["dataset", "item"], sort=False).indices.values():
        for one, other in combinations(map(int, places), 2):
            yield from ((one, other), (other, one))


def _texts(corpus: Corpus) -> list[dict[str, str]]:
    frame = corpus.frame
    rows = zip(frame["mr"], frame["output"], frame["references"], strict=True)
    return [{"input": mr, "output": output, "references": "\n".join(shown)} for mr, output, shown in rows]


def _question(judge: Judge, criterion: Criterion, rows: tuple[int, ...], texts: list[dict[str, str]]) -> Question:
    values = dict(texts[rows[0]])
    if lacking := [why for gap, why in _LACKING.items() if gap in criterion.template.gaps and not values[gap]]:
        return Question(criterion, rows, (), lacking[0])
    if len(rows) == 2:
        values |= {"first": texts[rows[0]]["output"], "second": texts[rows[1]]["output"]}
    low, high = criterion.scale
    text = criterion.template.filled(values | {"low": f"{low:g}", "high": f"{high:g}"})
    return Question(criterion, rows, tuple(_request(judge, criterion, text, n) for n in range(criterion.samples)))


def _request(judge: Judge, criterion: Criterion, text: str, sample: int) -> Request:
    body = {"model": judge.model, "messages": [{"role": "user", "content": text}], **criterion.parameters}
    body |= {"seed": judge.seed + sample, **judge.request}
    return {name: value for name, value in body.items() if value != ""}


def key_of(url: str, request: Request) -> str:
    """Return what a request is known by: the SHA-256 of all that is sent, and where to."""
    return hashlib.sha256(json.dumps([url, request], sort_keys=True).encode()).hexdigest()


def estimated_tokens(requests: Sequence[Request], characters: float = CHARACTERS) -> list[int]:
    """Return how many tokens each request and its answer may have."""
    return [_tokens(request, characters) for request in requests]


def _tokens(request: Request, characters: float) -> int:
    said = sum(len(message["content"]) for message in request["messages"])
    answered = request.get("max_tokens") or request.get("max_completion_tokens") or 0
    return ADDED + int(answered) + int(-(-said // characters))
