"""Table 9's cells of the parser's score, from our own parses of the outputs."""

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from rainbow import load_dataset
from rainbow.metrics import Batch
from rainbow.metrics.grammar.parser_score import ParserScore
from rainbow.programs.stanford_parser import parser_unavailable_reason
from rainbow.stats.correlation.correlation import correlate
from tests.analysis.conftest import PRINTED
from tests.judged import published

pytestmark = [pytest.mark.published, pytest.mark.xdist_group("parser")]


def test_the_printed_correlations_of_prs_come_out(data_dir: Path, printed: Callable[[str], pd.DataFrame]) -> None:
    if missing := parser_unavailable_reason():
        pytest.skip(missing)
    frame = published(data_dir, load_dataset, "emnlp2017").frame.replace({"dataset": PRINTED})
    frame["prs"] = ParserScore().score(Batch(frame["output"].tolist(), threads=2))[:, 0]
    cells = printed("novikova2017_table09").query("metric == 'prs'")
    ours = [
        correlate(rows["prs"], rows[rating]).r
        for dataset, system, rating in cells[["dataset", "system", "rating"]].itertuples(index=False)
        for rows in [frame[(frame["dataset"] == dataset) & (frame["system"] == system)]]
    ]
    table = cells[["dataset", "system", "rating", "rho"]].assign(ours=ours, difference=ours - cells["rho"])
    matched = (table["ours"].round(2) - table["rho"]).abs() < 0.005
    print(f"\ntable 9, prs: {matched.sum()}/{len(table)} cells\n{table.round(4).to_string(index=False)}")
    assert len(table) == 18 and matched.all()
