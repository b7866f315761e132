"""A file with few rated outputs: the page and the findings report no agreement with people."""

import csv
from pathlib import Path

import pytest

from rainbow.analysis.minimum_sample_size import MINIMUM_RATED
from rainbow.pipeline import run
from tests.reports.reading import Reader

pytestmark = [pytest.mark.once, pytest.mark.usefixtures("figures_unwritten")]


def write_rated(path: Path, rows: int) -> None:
    """Write outputs of two systems with references and a rating each; METEOR orders the first three as people do."""
    with path.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["system", "input", "output", "reference", "quality"])
        for row in range(rows):
            reference = f"place {row // 2} is a cheap bar near the river"
            output = " ".join(reference.split()[: 9 - 2 * (row % 4)])
            table.writerow([["alpha", "beta"][row % 2], f"name=place {row // 2}", output, reference, 6 - row % 4])


@pytest.mark.parametrize(("rows", "shown"), [(3, False), (15, False), (MINIMUM_RATED, True)])
def test_agreement_with_people_is_reported_from_the_minimum_of_rated_outputs(
    tmp_path, monkeypatch, rows, shown
) -> None:
    monkeypatch.chdir(tmp_path)
    write_rated(tmp_path / "mine.csv", rows)
    found = run("mine.csv", rating="quality", output="output", resamples=20)
    assert any("rainbow fit" in sentence for sentence in found.findings) is shown and found.page is not None
    html = found.page.read_text()
    first = html[html.index('id="answer"') : html.index('id="failures"')]
    assert ("rungs" in first) is shown and ("METEOR" in first) is shown and ("differ most" in first) <= shown
    assert ("rainbow fit" in "".join(Reader(html).texts)) is shown
