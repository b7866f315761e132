"""Table 8 of the E2E challenge: five metrics of 21 systems. pytest -s prints the cells that come out."""

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from rainbow.metrics import Batch
from rainbow.systems.alignment import AlignedSystems
from rainbow.systems.corpus_scores.segment_sums import AVERAGE, PARTS, column_sums, normalised_average, system_columns

pytestmark = pytest.mark.xdist_group("e2e")

# Half of the last printed digit.
WITHIN = 5e-5


def compare(aligned: AlignedSystems, metrics: list[str], printed: pd.DataFrame) -> list[str]:
    """Print how many cells come out, and give the names of the others."""
    corpus = aligned.corpus.take(aligned.rows.ravel().tolist())
    batch = Batch.from_corpus(corpus, corpus.view("surface"))
    missed, cells = [], 0
    for name, found in column_sums(system_columns(metrics), lambda _: batch, aligned.rows.shape).items():
        for system, score in zip(aligned.systems, found.scores, strict=True):
            cells += 1
            expected = printed.loc[system, name]
            if abs(score - expected) > WITHIN:
                missed.append(f"{system} {name}: {score:.6f}, printed {expected:.4f}")
    print(f"\ntable 8: {cells - len(missed)}/{cells}", *missed, sep="\n")
    return missed


def test_every_cell_of_table_8_comes_out(aligned_challenge, printed) -> None:
    assert compare(aligned_challenge, list(PARTS), printed("dusek2019_table08").set_index("system")) == []


def test_the_printed_average_is_that_of_the_printed_metrics(printed: Callable[[str], pd.DataFrame]) -> None:
    table = printed("dusek2019_table08").set_index("system")
    average = normalised_average({name: table[name].to_numpy() for name in PARTS})
    assert np.allclose(average, table[AVERAGE], rtol=0, atol=WITHIN)
