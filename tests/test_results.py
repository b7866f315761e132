"""What benchmarks/RESULTS.md says was measured on the kernels and metrics that are there: asked at a release."""

import pytest

from benchmarks.__main__ import RESULTS
from benchmarks.results import fingerprint


@pytest.mark.published
def test_the_page_of_results_is_of_these_kernels_and_metrics() -> None:
    assert f"kernels and metrics `{fingerprint()}`" in RESULTS.read_text("utf-8"), "run `make bench`: the page is older"
