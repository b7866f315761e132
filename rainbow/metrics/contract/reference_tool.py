"""Reference implementations of metrics, which `rainbow verify` compares with ours."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple

import numpy as np

from rainbow.base.arrays import BoolArray, FloatArray
from rainbow.metrics.contract.batch import Batch
from rainbow.text.tokens.ptb import ptb_tokens


class Tool(NamedTuple):
    """A program that computes columns of a metric too.

    Shapes: scores (rows, columns).
    """

    package: str  # the package that brings it, as pip has it
    columns: tuple[str, ...]  # which of the metric's columns
    scores: Callable[[Batch], FloatArray]
    definition: str = ""  # how its definition differs, as a sentence; empty where it does not
    differs: Callable[[Batch], BoolArray] | None = None  # the rows of a batch where that may show; None where on none
    ours: Callable[[Batch], FloatArray] | None = None
    missing: Callable[[], str | None] = lambda: None  # says what else is missing on this machine; None where nothing is
    tolerance: float = 1e-9  # differences up to this are rounding
    scores_in: Callable[[Batch, str], FloatArray] | None = None  # in another language; None where in English only

    def version(self) -> str | None:
        """Return the version of the package; None if it is not installed."""
        try:
            return version(self.package)
        except PackageNotFoundError:
            return None


def coco_scores(name: str, batch: Batch, **options: int) -> FloatArray:
    """Return the scores of an MS-COCO tool (`bleu`, `cider` or `rouge`), shape (rows, columns)."""
    scorer = getattr(import_module(f"pycocoevalcap.{name}.{name}"), name.capitalize())()
    references = {row: [" ".join(ptb_tokens(text)) for text in texts] for row, texts in enumerate(batch.references)}
    outputs = {row: [" ".join(ptb_tokens(text))] for row, text in enumerate(batch.outputs)}
    _, scores = scorer.compute_score(references, outputs, **options)
    return np.atleast_2d(np.array(scores, dtype=float)).T


def differs_by_output(is_so: Callable[[str], bool]) -> Callable[[Batch], BoolArray]:
    """Return a function that finds the rows with such an output."""
    return lambda batch: np.array([is_so(output) for output in batch.outputs], dtype=bool)


def differs_by_text(is_so: Callable[[str], bool]) -> Callable[[Batch], BoolArray]:
    """Return a function that finds the rows with such an output or reference."""
    return lambda batch: np.array(
        [any(map(is_so, (output, *texts))) for output, texts in batch.pairs(range(len(batch)))], dtype=bool
    )


def _has_split_token(text: str) -> bool:
    return any(len(token.split()) != 1 for token in ptb_tokens(text))


# Differences between tools that read captions.
SPLIT_TOKENS = "the tool takes space-separated tokens and splits a token that contains a no-break space (0800 555 111)"
rows_with_split_tokens = differs_by_text(_has_split_token)


def score_rows(score: Callable[[str, Sequence[str]], float | Sequence[float]], batch: Batch) -> FloatArray:
    """Return the scores of every output against its references, shape (rows, columns)."""
    rows: Iterator[float | Sequence[float]] = map(score, batch.outputs, batch.references)
    return np.array([np.atleast_1d(np.asarray(row, dtype=float)) for row in rows])
