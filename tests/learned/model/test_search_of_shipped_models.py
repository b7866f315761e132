"""What a short search finds that cheats the shipped models: no more than it found when they were made."""

import pytest

from rainbow import load_dataset
from rainbow.audit.search.random_search import search_shares, search_texts
from rainbow.learned.model.model_file import read_shipped_model

# The share of 12 inputs for which random words score above the worst, median and best reference: means of 2 searches.
FOUND = {
    "informativeness-fast": (0.71, 0.38, 0.09),
    "informativeness-top5": (0.30, 0.00, 0.00),
    "naturalness-fast": (0.88, 0.71, 0.42),
    "naturalness-top5": (0.96, 0.63, 0.38),
    "quality-fast": (0.46, 0.21, 0.00),
    "quality-top5": (0.88, 0.63, 0.42),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", FOUND)
def test_a_short_search_finds_no_more_than_it_did(name: str) -> None:
    found = search_texts(read_shipped_model(name).predict, load_dataset("demo"), inputs=12, evaluations=960)
    shares = search_shares(found).groupby("baseline", sort=False)["above"].mean()
    for baseline, known in zip(("worst", "median", "best"), FOUND[name], strict=True):
        assert shares[baseline] <= known + 0.005, f"{name}: above the {baseline} reference for {shares[baseline]:.2f}"
