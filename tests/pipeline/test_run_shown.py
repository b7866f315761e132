"""A run shows itself in a few lines: its page, its stages, the verdicts."""

from pathlib import Path

import pytest

import rainbow


@pytest.mark.once
def test_a_run_shows_its_page_its_stages_and_the_verdicts(tmp_path, monkeypatch, figures_unwritten) -> None:
    monkeypatch.chdir(tmp_path)
    frame = rainbow.load_dataset("demo").take(range(0, 1038, 10)).frame
    frame[["item", "system", "mr", "output", "quality", "naturalness"]].to_csv("mine.csv", index=False)
    found = rainbow.run("mine.csv", resamples=50)
    first, stages, *verdicts = repr(found).splitlines()
    assert first == f"Run of mine: {Path('reports', 'mine.html')}"
    done = ("metrics", "learned score", "metric cards", "analysis", "recommendation")
    assert stages.startswith(f"stages: {' (done), '.join(done)} (done), systems (left out)") and len(verdicts) == 2
    assert all(found.findings[place - 2].startswith(f"{line}. ") for place, line in enumerate(verdicts))
    assert len(repr(found)) < 400

    shown = found._repr_html_()
    assert '<a href="reports/mine.html">' in shown and shown.count("<tr") == 1 + len(found.stages)
    assert all(line in shown for line in verdicts)
