"""Short examples of functions in reports."""

import numpy as np
import pandas as pd
import pytest

from rainbow.reports.embedding import script_json, slot_coverage
from rainbow.reports.figures.distributions import countable_ratings
from rainbow.reports.figures.scatter import binned_means, jitter
from rainbow.reports.grid import colour_limit
from rainbow.reports.number_format import format_fixed, format_precise
from rainbow.reports.orders import leaf_order
from rainbow.reports.overview.disagreeing_outputs import percentiles
from rainbow.reports.saved.saved_systems import saved_folder
from rainbow.reports.system_sections.corpus_metrics import plain_name


def flat(value: object) -> str:
    return " ".join(repr(value).split())


@pytest.mark.parametrize(("call", "expected"), [
    (lambda: leaf_order(np.array([[1, 0.1, 0.9], [0.1, 1, 0.2], [0.9, 0.2, 1]])), [1, 2, 0]),
    (lambda: flat(percentiles([3, 1, 3, float("nan"), 2]).tolist()), "[75.0, 12.5, 75.0, nan, 37.5]"),
    (lambda: script_json({"output": "</script><b>&"}), '{"output":"\\u003c/script>\\u003cb>&"}'),
    (lambda: flat((abs(jitter(np.array([1.0, 2, 2, 4]), 3) - [1, 2, 2, 4]) < 0.5).all()), "np.True_"),
    (
        lambda: [
            values.round(2).tolist()
            for values in binned_means(np.repeat([1.0, 2.0], 10), np.tile([3.0, 5, 4, 4, 4], 4), 3)
        ],
        [[1.0, 2.0], [4.0, 4.0], [0.41, 0.41]],
    ),
    (lambda: colour_limit([0.13, -0.41, float("nan")]), 0.5),
    (lambda: colour_limit([]), 0.2),
    (lambda: format_fixed(0.456), "0.46"),
    (lambda: format_fixed(-0.004), "0.00"),
    (lambda: format_fixed(-1.25, 1), "−1.2"),
    (lambda: format_fixed(float("nan")), "–"),
    (lambda: format_precise(0.012345), "0.0123"),
    (lambda: format_precise(69.902), "69.9"),
    (lambda: format_precise(1038.0), "1,038"),
    (lambda: format_precise(-0.5), "−0.500"),
    (lambda: format_precise(1234.5), "1,234"),
    (lambda: format_precise(1e-09), "0.00"),
    (lambda: flat((saved_folder("demo"), saved_folder("data/mine.csv"))), "(PosixPath('.'), PosixPath('.'))"),
    (
        lambda: slot_coverage(
            pd.DataFrame({"mr": ["inform(name=inn,food=thai)"], "output": ["an inn"], "references": [["an inn"]]})
        )["said"],
        ["rm"],
    ),
    (lambda: plain_name("normalised_average"), "normalised average"),
    (lambda: plain_name("unique_tokens_percent"), "unique tokens, %"),
])  # fmt: skip
def test_an_example_gives_what_it_says(call, expected) -> None:
    assert call() == expected


def test_counted_marks() -> None:
    scores = pd.DataFrame({"fluency": [n / 30 for n in range(31)], "quality": 0.5})
    assert countable_ratings(scores.tail(2), ["fluency"])["fluency"].round(3).tolist() == [0.967, 1.0]
    assert countable_ratings(scores, ["fluency", "quality"]).tail(1).round(2).values.tolist() == [[0.95, 0.55]]
