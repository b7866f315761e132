"""Awkward texts: every metric gives what the table in the contract's documentation says."""

import re
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from rainbow.metrics import Batch, Metric
from rainbow.metrics.contract import base
from tests.metrics.conftest import fitted, has_kernel

REFERENCE = "the inn is cheap"
MR = "inform(type=inn,price_range=cheap)"
LONG = "the inn is cheap and " * 20_000


def batch(*outputs: str, references: Sequence[str] = (REFERENCE,)) -> Batch:
    return Batch(outputs, [references] * len(outputs), [MR] * len(outputs))


ORDINARY = batch("the inn is not cheap")

BATCHES = {
    "empty output": batch("", " ", " \n"), "no reference": batch(*ORDINARY.outputs, references=[]),
    "blank reference": batch(*ORDINARY.outputs, references=[" \n", ""]),
    "punctuation only": batch("?! ..."), "emoji only": batch("😀"), "one token": batch("inn"),
    "newline": batch("the inn\nis not cheap"), "``|||``": batch("the ||| inn", "the|||inn"),
    "NUL": batch("the \0 inn", "🍕 the \ud800 inn"),  # and half of a character
    "100,000 tokens": batch(LONG),
}  # fmt: skip


def table() -> dict[str, dict[str, str]]:
    """Read the table: for each text what the metrics of each group give."""
    lines = [
        re.split(r"\s{2,}", line.strip()) for line in base.__doc__.split("====\n")[1:4] for line in line.split("\n")
    ]
    header, *rows = [cells for cells in lines if len(cells) == 5]
    return {row[0]: dict(zip(header[1:], row[1:], strict=True)) for row in rows}


def is_worst(metric: Metric, values: np.ndarray, ordinary: np.ndarray) -> bool:
    if metric.name == "ter":
        return values.tolist() == [1.0]
    worst = [column.low if column.higher_is_better else column.high for column in metric.columns]
    directed = [column.higher_is_better is not None for column in metric.columns]
    return bool(np.isclose(values, worst, atol=1e-6)[directed].all())


CHECKS: dict[str, Callable[[Metric, np.ndarray, np.ndarray], bool]] = {
    "worst": is_worst,
    "NaN": lambda metric, values, ordinary: bool(np.isnan(values).all()),
    "0 or NaN": lambda metric, values, ordinary: bool((np.isnan(values) | (values == 0)).all()),
    "a number": lambda metric, values, ordinary: bool(np.isfinite(values).all()),
    "a number or NaN": lambda metric, values, ordinary: bool((np.isnan(values) | np.isfinite(values)).all()),
    "as ever": lambda metric, values, ordinary: values.tolist() == ordinary.tolist(),
    "as a blank": lambda metric, values, ordinary: values.tolist() == ordinary.tolist(),
}


@pytest.mark.parametrize("text", BATCHES)
def test_awkward_texts_give_what_the_table_says(name: str, implementation: str, text: str) -> None:
    metric, rows = fitted(name), BATCHES[text]
    expected = table()[text][metric.group]
    if text in ("no reference", "blank reference"):
        expected = "NaN" if "references" in metric.needs else "a number" if name.startswith("general-") else "as ever"
    if text == "100,000 tokens" and (name in ("parser", "languagetool") or name.startswith("likelihood")):
        expected = "NaN"
    elif (
        text == "100,000 tokens"
        and implementation == "python"
        and (name.startswith("general-") or has_kernel(type(metric)))
    ):
        rows = batch(LONG[: len(LONG) // 10])  # METEOR's twin takes minutes for all
    (ordinary,) = metric.score(ORDINARY)
    for values in metric.score(rows):
        assert CHECKS[expected](metric, values, ordinary), f"{expected}: {values}"


@pytest.mark.once
def test_the_table_has_every_text_and_no_other() -> None:
    assert set(table()) == set(BATCHES)
