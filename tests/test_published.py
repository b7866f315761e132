"""Every stored column of the EMNLP 2017 file, computed anew from the public texts; the table is printed (pytest -s)."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from rainbow import load_dataset, score_corpus
from tests.judged import published

ROWS = 2460

# Least number of rows that must be exact, and how near is exact: 1e-3, or nothing but the last bit; half a unit of the
# last stored digit for RE, which some rows have with one decimal.
EXACT = {
    "len": (2460, 1e-9),
    "wps": (2460, 1e-9),
    "cpw": (2460, 1e-9),
    "sps": (2239, 1e-9),
    "spw": (2239, 1e-9),
    "RE": (2239, 0.05 + 1e-9),
    "pol": (2416, 1e-9),
    "ppw": (2416, 1e-9),
    "BLEU1": (2459, 1e-3),
    "BLEU2": (2459, 1e-3),
    "BLEU3": (2459, 1e-3),
    "BLEU4": (2459, 1e-3),
    "ROUGE": (2459, 1e-3),
    "METEOR": (2459, 1e-3),
    "TER": (2459, 1e-3),
    "LEPOR": (2459, 1e-3),
    "CIDEr": (2459, 1e-3),
    "NIST": (2459, 1e-3),
    "Levenshtein": (2460, 1e-9),
    "msp": (round(0.70 * ROWS), 1e-9),
}
RANK = {"SIM": 0.78}


@pytest.fixture(scope="module")
def columns(data_dir: Path) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return our scores and the stored ones, on the texts and by the definitions of 2017."""
    corpus = published(data_dir, load_dataset, "emnlp2017")
    stored = corpus.frame.filter(like="published.").rename(columns=lambda name: name.removeprefix("published."))
    return score_corpus(corpus, [*EXACT, *RANK], as_published=True), stored


def test_the_stored_columns_come_out(columns: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    ours, stored = columns
    assert len(ours) == ROWS
    report = pd.DataFrame({
        "exact rows": {
            name: (ours[name] - stored[name]).abs().le(EXACT.get(name, (0, 1e-3))[1]).sum() for name in ours
        },
        "needed": {name: least for name, (least, _) in EXACT.items()},
        "Pearson": {name: np.corrcoef(ours[name], stored[name])[0, 1] for name in ours},
        "Spearman": {name: ours[name].corr(stored[name], method="spearman") for name in ours},
    }).loc[list(ours)]  # fmt: skip
    print("\n" + report.to_string(float_format="{:.4f}".format))
    short = [name for name, (least, _) in EXACT.items() if report.at[name, "exact rows"] < least]
    short += [name for name, least in RANK.items() if report.at[name, "Spearman"] < least]
    assert short == []
