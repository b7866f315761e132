"""The page of a study that was done again: what was measured beside what was printed, number by number."""

import math

import pandas as pd
import pytest

from rainbow.reports.pages.study_page import study_page
from tests.reports.reading import Reader

RESULTS = pd.DataFrame(
    {
        "condition": ["folds", "folds", "domain-C1"],
        "setup": ["S1", "S4", "S1"],
        "runs": [5.0, 1.0, 1.0],
        "n": [2460, 2460, 500],
        **{f: [0.2893, 0.3434, 0.1] for f in ("pearson", "spearman", "mae", "rmse")},
        **{f"printed_{f}": [0.273, 0.33, math.nan] for f in ("pearson", "spearman", "mae", "rmse")},
        "over_best_metric_p": [1e-9, 0.03, math.nan],
        "over_s1_p": [math.nan, 0.2, math.nan],
    }
)


@pytest.fixture(scope="module")
def page() -> Reader:
    return Reader(study_page("dusek2017", RESULTS).html)


def test_each_condition_has_a_table_of_what_was_measured_and_what_was_printed(page: Reader) -> None:
    folds = [cell.text for cell in page.cells["study-folds"]]
    assert (folds[:3], folds[len(folds) // 2 :][-2:]) == (["5", "0.289", "0.273"], ["0.030", "0.20"])


def test_what_was_not_printed_has_no_column(page: Reader) -> None:
    assert [cell.text for cell in page.cells["study-domain-C1"]][:3] == ["1", "0.100", "0.100"]
    assert len(page.cells["study-domain-C1"]) == len(page.cells["study-folds"]) / 2 - 4


def test_every_number_is_that_of_its_place_in_the_table(page: Reader) -> None:
    placed = [cell.source.split(":") for cell in page.numbers if cell.value]
    assert len(placed) > 20
    for (_, row, column), shown in zip(placed, (cell for cell in page.numbers if cell.value), strict=True):
        assert float(shown.value) == pytest.approx(RESULTS[column][int(row)], rel=1e-5)


def test_names_of_a_study_are_shown_as_they_are_written() -> None:
    odd = '</script><img src=x onerror="alert(1)">{{ 7 * 7 }}'
    html = study_page("dusek2017", RESULTS.assign(setup=["S1", odd, "S1"], condition=[odd, odd, "C1"])).html
    assert "<img src=x" not in html and 'onerror="alert' not in html
    cells = Reader(html)
    assert f"study-{odd}" in cells.cells and len(cells.cells[f"study-{odd}"]) == 2 * 11
