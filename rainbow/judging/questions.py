"""Questions to a judge about the rows of a corpus, and the ratings in its answers."""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from rainbow._version import __version__
from rainbow.base.arrays import FloatArray
from rainbow.base.lazy import pd
from rainbow.corpus import Corpus
from rainbow.judging.answer_parser import ParsedRating, parse_mark, used_tokens
from rainbow.judging.judge import MISSING, Criterion, Judge
from rainbow.stats.order.position_bias import position_bias

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
    columns = (corpus.frame[name] for name in ("mr", "output", "references"))
    texts = [
        {"input": mr, "output": output, "references": "\n".join(shown)}
        for mr, output, shown in zip(*columns, strict=True)
    ]
    single = [(row,) for row in range(len(corpus))]
    # Every pair of outputs for one item, in both orders.
    items = corpus.frame.groupby(["dataset", "item"], sort=False).indices.values()
    both = [pair for rows in items for two in combinations(map(int, rows), 2) for pair in (two, two[::-1])]
    return [
        _make_question(judge, criterion, rows, texts)
        for criterion in judge.criteria
        for rows in (both if criterion.template.pairs else single)
    ]


def _make_question(judge: Judge, criterion: Criterion, rows: tuple[int, ...], texts: list[dict[str, str]]) -> Question:
    values = dict(texts[rows[0]])
    if missing := [why for gap, why in _LACKING.items() if gap in criterion.template.gaps and not values[gap]]:
        return Question(criterion, rows, (), missing[0])
    if len(rows) == 2:
        values |= {"first": texts[rows[0]]["output"], "second": texts[rows[1]]["output"]}
    low, high = criterion.scale
    text = criterion.template.fill(values | {"low": f"{low:g}", "high": f"{high:g}"})
    body = {"model": judge.model, "messages": [{"role": "user", "content": text}], **criterion.parameters}
    bodies = [body | {"seed": judge.seed + sample, **judge.request} for sample in range(criterion.samples)]
    requests = [{name: value for name, value in own.items() if value != ""} for own in bodies]
    return Question(criterion, rows, tuple(requests))


def request_key(url: str, request: Request) -> str:
    """Return the key of a request: the SHA-256 of its content and URL."""
    return hashlib.sha256(json.dumps([url, request], sort_keys=True).encode()).hexdigest()


def estimate_tokens(requests: Sequence[Request], characters: float = CHARACTERS) -> list[int]:
    """Return the estimated tokens of each request and its answer."""
    lengths = [sum(len(message["content"]) for message in request["messages"]) for request in requests]
    answered = [request.get("max_tokens") or request.get("max_completion_tokens") or 0 for request in requests]
    return [ADDED + int(most) + int(-(-length // characters)) for most, length in zip(answered, lengths, strict=True)]


_KEYS = ("id", "dataset", "system", "item", "mr", "output")


class Judged(NamedTuple):
    """Ratings of all outputs."""

    table: pd.DataFrame
    about: dict[str, dict[str, Any]]
    tokens: int  # of all questions and answers, as far as the server counted them


def collect_ratings(
    corpus: Corpus, judge: Judge, questions: Sequence[Question], answers: Mapping[str, Any], reasons: Mapping[str, str]
) -> Judged:
    """Return the judge's ratings of all outputs."""
    table, about = corpus.frame[list(_KEYS)], dict[str, dict[str, Any]]()
    for criterion in judge.criteria:
        own = [question for question in questions if question.criterion is criterion]
        marks = {question.rows: _mean_mark(question, judge, answers, reasons) for question in own}
        one_by_one = [marks[rows] for rows in sorted(marks)]
        result, pairs = _pair_ratings(marks, corpus) if criterion.template.pairs else (one_by_one, {})
        values = np.array([mark.value for mark in result])
        reasons_told: Any = [mark.reason for mark in result]
        table = table.assign(**{criterion.column: values, criterion.column + MISSING: reasons_told})
        # Of unique requests and their answers.
        keys = {request_key(judge.url, request) for question in own for request in question.requests}
        tokens = sum(used_tokens(answers[key]) or 0 for key in keys if key in answers)
        signature = f"{judge.signature(criterion)}|version:{__version__}"
        about[criterion.column] = {
            "signature": signature,
            "model": judge.model,
            "tokens": tokens,
            **_column_summary(values, result),
            **pairs,
        }
    return Judged(table, about, sum(used_tokens(answer) or 0 for answer in answers.values()))


def _mean_mark(
    question: Question, judge: Judge, answers: Mapping[str, Any], reasons: Mapping[str, str]
) -> ParsedRating:
    """Return the mean of the valid samples; without any, the reason of the first."""
    if question.skip_reason:
        return ParsedRating(math.nan, question.skip_reason)
    keys = [request_key(judge.url, request) for request in question.requests]
    marks = [
        parse_mark(answers[key], question.criterion)
        if key in answers
        else ParsedRating(math.nan, reasons.get(key, "not asked"))
        for key in keys
    ]
    values = [mark.value for mark in marks if mark.reason is None]
    return ParsedRating(math.fsum(values) / len(values)) if values else marks[0]


def _pair_ratings(
    marks: Mapping[tuple[int, ...], ParsedRating], corpus: Corpus
) -> tuple[list[ParsedRating], dict[str, Any]]:
    """Return the win rate of each output and the position bias."""
    shares, reasons = defaultdict[int, list[float]](list), dict[int, str | None]()
    for (one, other), mark in marks.items():
        turned = marks[other, one]
        if one > other:
            continue
        if mark.reason or turned.reason:
            reasons |= dict.fromkeys((one, other), mark.reason or turned.reason)
            continue
        share = (mark.value + 1 - turned.value) / 2
        shares[one].append(share)
        shares[other].append(1 - share)
    alone = "no other output for the item"
    results = [
        ParsedRating(math.fsum(shares[row]) / len(shares[row]))
        if shares[row]
        else ParsedRating(math.nan, reasons.get(row, alone))
        for row in range(len(corpus))
    ]
    known = [(*rows, mark.value) for rows, mark in marks.items() if mark.reason is None]
    first, second, wins = zip(*known, strict=True) if known else ((), (), ())
    items = corpus.frame.groupby(["dataset", "item"], sort=False).ngroup().to_numpy()[[*first]] if known else ()
    return results, {"position": position_bias(items, first, second, wins, rng=0)}


def _column_summary(values: FloatArray, parsed: Sequence[ParsedRating]) -> dict[str, Any]:
    there = values[~np.isnan(values)]
    return {
        "answered": len(there),
        "missing": dict(Counter(mark.reason for mark in parsed if mark.reason)),
        "mean": float(there.mean()) if len(there) else math.nan,
        "deviation": float(there.std()) if len(there) else math.nan,
    }
