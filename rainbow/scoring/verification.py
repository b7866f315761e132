"""Comparison of metric columns with reference implementations."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from rainbow.base.arrays import BoolArray, FloatArray
from rainbow.base.lazy import pd
from rainbow.corpus import Corpus
from rainbow.metrics.contract.base import LANGUAGE, Metric
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.contract.reference_tool import Tool
from rainbow.metrics.contract.registry import all_metrics
from rainbow.metrics.contract.selection import column_names, language_problem
from rainbow.stats.tidy_tables import tidy_table
from rainbow.text.languages.detection import ENGLISH

# Groups with reference tools; meaning and probability have none.
GROUPS = ("word", "grammar")

COLUMNS = (
    *("metric", "column", "tool", "version", "rows", "equal", "explained", "unexplained", "largest"),
    *("largest_unexplained", "example", "definition", "reason"),
)


def verify_metrics(
    corpus: Corpus,
    metrics: Iterable[type[Metric]] | None = None,
    *,
    rows: int | None = None,
    progress: Callable[[Any], Iterable[Any]] = iter,
) -> pd.DataFrame:
    """Compare metric columns with their reference implementations.

    Parameters
    ----------
    corpus : Corpus
        Rows to score.
    metrics : iterable of type, optional
        Metric classes; by default all of the groups word and grammar.
    rows : int, optional
        Number of evenly spaced rows; all by default.
    progress : callable
        Wraps the list of metrics, e.g. a progress bar.

    Returns
    -------
    DataFrame
        One row per column and tool. Columns: metric, column, tool and version (empty if no tool computes the column),
        rows (scored by both), equal, explained (differences explained by `definition`), unexplained (all others),
        largest and largest_unexplained (difference), example (id of the row with largest_unexplained), definition (how
        the tool's definition differs), reason (why nothing was compared).

    Examples
    --------
    >>> import rainbow
    >>> from rainbow.metrics import find
    >>> table = verify_metrics(rainbow.load_dataset("demo"), [find("ter"), find("sim")], rows=40)
    >>> table[["column", "tool", "rows", "unexplained", "reason"]]
      column       tool  rows  unexplained                            reason
    0    TER  sacrebleu    40            0                              None
    1    SIM                0            0  no other implementation is known
    """
    chosen = list(all_metrics().values() if metrics is None else metrics)
    if rows is not None and rows < len(corpus):
        corpus = corpus.take(sorted(set(np.linspace(0, len(corpus) - 1, rows).astype(int).tolist())))
    wanted = [metric for metric in chosen if metrics is not None or metric.group in GROUPS]
    return tidy_table([line for metric in progress(wanted) for line in _verify_metric(metric, corpus)], COLUMNS)


def _verify_metric(metric: type[Metric], corpus: Corpus) -> Iterator[dict[str, Any]]:
    lines = [line for tool in metric.tools for line in _verify_tool(metric, tool, corpus)]
    for column in column_names(metric):
        own = [line for line in lines if line["column"] == column]
        yield from own or [_result_row(metric, column, None, metric.no_tool)]


def _verify_tool(metric: type[Metric], tool: Tool, corpus: Corpus) -> list[dict[str, Any]]:
    language = corpus.with_language().language or ENGLISH
    version, missing = tool.version(), metric.unavailable() or language_problem(metric.languages, language)
    if version is None:
        missing = f"{tool.package} is not installed: pip install 'rainbow-nlg[bench]'"
    missing = missing or tool.missing() or _uncompared_language(metric, tool, language)
    batch, places = _complete_rows(metric, corpus)
    if missing or not len(places):
        reason = missing or "no row has the required inputs"
        return [_result_row(metric, column, tool, reason) for column in tool.columns]
    ours = _own_scores(metric, tool, batch, language)
    theirs = tool.scores(batch) if language == ENGLISH or tool.scores_in is None else tool.scores_in(batch, language)
    excused = tool.differs(batch) if tool.differs else np.zeros(len(batch), dtype=bool)
    ids = corpus.frame["id"].to_numpy()[places]
    return [
        _result_row(metric, column, tool, None)
        | _compare_scores(ours[:, place], theirs[:, place], excused, tool.tolerance, ids)
        for place, column in enumerate(tool.columns)
    ]


def _complete_rows(metric: type[Metric], corpus: Corpus) -> tuple[Batch, list[int]]:
    """Return the rows that have all inputs of the metric, each as its own document."""
    view = corpus.view("surface" if metric.surface_only else None)
    mrs = corpus.frame["mr"].tolist()
    whole = Batch(view.outputs, view.references, mrs, mr_format=corpus.mr_format)
    places = [row for row, lack in enumerate(metric.lacks(whole)) if lack is None]
    outputs, references = [view.outputs[row] for row in places], [whole.references[row] for row in places]
    return Batch(outputs, references, [mrs[row] for row in places], mr_format=corpus.mr_format), places


def _uncompared_language(metric: type[Metric], tool: Tool, language: str) -> str:
    """Return why a metric that depends on the language is not compared; empty if it is, or does not depend on it."""
    compared = language == ENGLISH or tool.scores_in or LANGUAGE not in metric().parameters()
    return "" if compared else "it is compared in English only"


def _own_scores(metric: type[Metric], tool: Tool, batch: Batch, language: str) -> FloatArray:
    if tool.ours:
        return tool.ours(batch)
    scores = metric().for_language(language).fit(batch).score(batch)
    return scores[:, [column_names(metric).index(name) for name in tool.columns]]


def _compare_scores(
    ours: FloatArray, theirs: FloatArray, exempt: BoolArray, tolerance: float, ids: Any
) -> dict[str, Any]:
    known = ~np.isnan(theirs)
    gaps = np.where(known, np.nan_to_num(np.abs(ours - theirs), nan=math.inf), 0.0)
    apart = gaps > tolerance * np.maximum(1.0, np.abs(np.nan_to_num(theirs)))
    unexplained = apart & ~exempt
    worst = int(np.argmax(np.where(unexplained, gaps, -1.0)))
    return {
        **{"rows": int(known.sum()), "equal": int((known & ~apart).sum()), "explained": int((apart & exempt).sum())},
        **{"unexplained": int(unexplained.sum()), "largest": float(gaps.max()) if known.any() else math.nan},
        "largest_unexplained": float(gaps[unexplained].max()) if unexplained.any() else 0.0,
        "example": str(ids[worst]) if unexplained.any() else "",
        "reason": None if known.any() else "the tool scores none of these rows",
    }


def _result_row(metric: type[Metric], column: str, tool: Tool | None, reason: str | None) -> dict[str, Any]:
    of_tool = (tool.package, tool.version() or "", tool.definition) if tool else ("", "", "")
    return {
        **{"metric": metric.name, "column": column, "tool": of_tool[0], "version": of_tool[1]},
        **{"definition": of_tool[2], "rows": 0, "equal": 0, "explained": 0, "unexplained": 0},
        **{"largest": math.nan, "largest_unexplained": math.nan, "example": "", "reason": reason},
    }
