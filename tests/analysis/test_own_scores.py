"""Tables 9, 10 and 11 from scores of our own: by the definitions of 2017, and by the right ones."""

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from rainbow import load_dataset, score_corpus
from rainbow.analysis.correlations.correlation import correlate
from rainbow.analysis.noise import without_noise
from tests.analysis.conftest import PRINTED

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("own scores")]

TABLES = ("novikova2017_table09", "novikova2017_table10", "novikova2017_table11")
# Columns that come out on 2,459 rows or more (tests/test_published.py), whose correlations must therefore come out.
EXACT = ["TER", "BLEU1", "BLEU2", "BLEU3", "BLEU4", "ROUGE", "NIST", "LEPOR", "CIDEr", "METEOR", "len", "wps", "cpw"]
SURFACE = ["RE", "cpw", "len", "wps", "sps", "spw", "pol", "ppw"]


@pytest.fixture(scope="module")
def differences(data_dir: Path, printed: Callable[[str], pd.DataFrame]) -> Callable[[bool], pd.DataFrame]:
    """Give a function that compares every printed cell with that of our own scores."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAINBOW_DATA", str(data_dir))
        corpus = load_dataset("emnlp2017")
    cells = pd.concat([printed(name) for name in TABLES]).query("metric != 'prs'")

    def compare(as_published: bool) -> pd.DataFrame:
        scores = score_corpus(corpus, list(dict.fromkeys(cells["metric"])), as_published=as_published)
        frame = corpus.frame.replace({"dataset": PRINTED}).join(without_noise(scores, list(scores)))
        ours = [_cell(frame, *key) for key in cells[["dataset", "system", "metric", "rating"]].itertuples(index=False)]
        return cells.assign(ours=ours, difference=[r - rho for r, rho in zip(ours, cells["rho"], strict=True)])

    return compare


def _cell(frame: pd.DataFrame, dataset: str, system: str, metric: str, rating: str) -> float:
    for name, value in (("dataset", dataset), ("system", system)):
        if value != "all":
            frame = frame[frame[name] == value]
    return correlate(frame[metric], frame[rating]).r


def test_scores_by_the_definitions_of_2017_give_the_printed_correlations(
    differences: Callable[[bool], pd.DataFrame],
) -> None:
    table = differences(True)
    table = table[table["metric"].isin(EXACT)]
    matched = table["ours"].round(2).sub(table["rho"]).abs() < 0.005
    print(f"\nown scores as published, tables 9 to 11: {matched.sum()}/{len(table)} cells")
    # A cell that misses does so by a unit of the last digit: one corrupt row, or double rounding in print.
    assert (table.loc[~matched, "difference"].abs() < 0.0151).all()
    assert matched.mean() > 0.98


def test_right_scores_part_from_the_printed_ones_as_documented(differences: Callable[[bool], pd.DataFrame]) -> None:
    table = differences(False)
    by_metric = table.groupby("metric", sort=False)["difference"]
    report = pd.DataFrame({"mean": by_metric.mean(), "largest": by_metric.agg(lambda d: d.abs().max())})
    print("\nours - printed, over tables 9 to 11\n" + report.round(3).to_string())
    assert (report.loc[SURFACE, "largest"] < 0.025).all()  # the same texts and definitions; only syllables differ
    word_based = ["BLEU1", "BLEU2", "BLEU3", "BLEU4", "ROUGE", "NIST", "LEPOR", "CIDEr", "METEOR"]
    assert (report.loc[word_based, "mean"] > 0).all()  # computed alike for every system, they agree better with people
