"""Scores that others published, joined to the outputs: UniEval's agreement with the medians of the ratings."""

import pytest

from rainbow import load_dataset
from rainbow.stats.correlation.correlation import correlate

RATINGS = {
    "informativeness": "unieval_informativeness", "naturalness": "unieval_naturalness", "quality": "unieval_overall"
}  # fmt: skip


@pytest.mark.parametrize(
    ("dataset", "expected"), [("sfrest", [0.225, 0.330, 0.293]), ("sfhotel", [0.249, 0.320, 0.321])]
)
def test_unieval_s_spearman_comes_out(data_dir, monkeypatch, dataset, expected) -> None:
    file = data_dir.parent / "published" / f"unieval2022_{dataset}.csv"
    if not file.is_file():
        pytest.skip(f"the published scores are not at {file}")
    monkeypatch.setenv("RAINBOW_DATA", str(data_dir))
    frame = load_dataset(dataset, joined=file, scores=[f"{name}:higher" for name in RATINGS.values()]).frame
    assert frame[[*RATINGS.values()]].notna().all(axis=None)
    assert [round(correlate(frame[score], frame[rating]).r, 3) for rating, score in RATINGS.items()] == expected
