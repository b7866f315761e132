"""Printed figures are those of the kernels, metrics and models that are there."""

import pytest

from benchmarks.__main__ import RESULTS
from benchmarks.results import fingerprint
from benchmarks.shipped import PAGE, page
from rainbow.metrics.general.general_score import missing_full_resources


@pytest.mark.published
def test_the_page_of_results_is_of_these_kernels_and_metrics() -> None:
    assert f"kernels and metrics `{fingerprint()}`" in RESULTS.read_text("utf-8"), "run `make bench`: the page is older"


def test_the_figures_of_shipped_models_are_those_of_their_cards() -> None:
    if missing := missing_full_resources():
        pytest.skip(missing)
    assert "\n".join(page()) in PAGE.read_text("utf-8"), "run `python -m benchmarks.shipped`: the page is older"
