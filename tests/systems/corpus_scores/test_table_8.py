"""Table 8 of the E2E challenge: five metrics of 21 systems. pytest -s prints the cells that come out."""

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from rainbow.metrics import Batch
from rainbow.systems.align import Aligned
from rainbow.systems.corpus_scores.base import CorpusMetric, Segments
from rainbow.systems.corpus_scores.corpus_scores import AVERAGE

pytestmark = pytest.mark.xdist_group("e2e")

# Half of the last printed digit.
WITHIN = 5e-5


def compare(aligned: Aligned, metrics: list[CorpusMetric], printed: pd.DataFrame) -> list[str]:
    """Print how many cells come out, and give the names of the others."""
    segments = Segments(Batch.of(aligned.corpus, aligned.corpus.view("surface")))
    missed, cells = [], 0
    for metric in metrics:
        scores = metric.of_sums(metric.statistics(segments)[aligned.rows].sum(axis=1))
        for system, score in zip(aligned.systems, scores, strict=True):
            cells += 1
            expected = printed.loc[system, metric.name]
            if abs(score - expected) > WITHIN:
                missed.append(f"{system} {metric.name}: {score:.6f}, printed {expected:.4f}")
    print(f"\ntable 8: {cells - len(missed)}/{cells}", *missed, sep="\n")
    return missed


def test_every_cell_of_table_8_comes_out(aligned_challenge: Aligned, printed: Callable[[str], pd.DataFrame]) -> None:
    table = printed("dusek2019_table08").set_index("system")
    assert compare(aligned_challenge, list(AVERAGE.parts), table) == []


def test_the_printed_average_is_that_of_the_printed_metrics(printed: Callable[[str], pd.DataFrame]) -> None:
    table = printed("dusek2019_table08").set_index("system")
    parts = [np.minimum(table[part.name] / part.top, 1) for part in AVERAGE.parts]
    assert np.allclose(np.mean(parts, axis=0), table[AVERAGE.name], rtol=0, atol=WITHIN)
