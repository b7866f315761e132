"""Table 8 of the E2E challenge: five metrics of 21 systems. pytest -s prints the cells that come out."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from rainbow.metrics import Batch
from rainbow.systems.alignment import AlignedSystems, align_systems
from rainbow.systems.corpus_scores.segment_sums import AVERAGE, PARTS, column_sums, normalised_average, system_columns
from tests.systems.e2e_files import read_e2e, read_printed

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


@pytest.fixture
def printed(data_dir: Path) -> pd.DataFrame:
    return read_printed(data_dir, "dusek2019_table08").set_index("system")


def test_every_cell_of_table_8_comes_out(data_dir: Path, printed: pd.DataFrame) -> None:
    assert compare(align_systems(read_e2e(data_dir)), list(PARTS), printed) == []


def test_the_printed_average_is_that_of_the_printed_metrics(printed: pd.DataFrame) -> None:
    average = normalised_average({name: printed[name].to_numpy() for name in PARTS})
    assert np.allclose(average, printed[AVERAGE], rtol=0, atol=WITHIN)
