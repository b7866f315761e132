"""Metric cards on a page, from saved tables."""

from dataclasses import replace
from pathlib import Path

import pytest

from rainbow import load_dataset
from rainbow.pipeline.metric_cards import card_files, save_cards
from rainbow.reports.saved.saved_analysis import SavedAnalysis
from rainbow.reports.saved.saved_tables import TABLES, read_table
from rainbow.reports.sections.metric_cards import MetricCards, metric_cards

pytestmark = pytest.mark.xdist_group("reports")


@pytest.fixture
def measured(demo: SavedAnalysis, tmp_path: Path) -> SavedAnalysis:
    summary = save_cards(tmp_path, load_dataset("demo").take(range(60)), [*demo.metrics, "my_score"])
    assert summary.endswith("do not reliably fall for some kind of worse text")
    tables = {path.stem: read_table(path.read_bytes(), TABLES[path.stem]) for path in card_files(tmp_path)}
    return replace(demo, tables={**demo.tables, **tables})


def facts(found: MetricCards, name: str) -> dict[str, str]:
    return {card.name: card.facts for card in found.cards}[name]


def test_a_card_has_what_was_measured(measured: SavedAnalysis) -> None:
    bleu = facts(metric_cards(measured), "BLEU1")
    assert (bleu["Range"], bleu["Needs"]) == ("0 to 1, higher is better", "references")
    assert float(bleu["Cost"].split()[0]) > 0 and "swapped values (0 %)" in bleu["Worse texts"]
    for rating in measured.ratings:
        line = measured.lookup("correlations", "metric", rating=rating, level="pooled", **measured.all_outputs.filters)
        assert f"{rating} {line['BLEU1'].r:.2f} (" in bleu["Agreement with people"]
    assert "Worse texts" not in facts(metric_cards(measured), "len")  # neither more nor less is better


def test_the_table_shows_the_shares_of_the_cards(measured: SavedAnalysis) -> None:
    grid = metric_cards(measured).seen
    assert grid is not None
    kinds = [column.label for column in grid.columns]
    cells = {row.name: dict(zip(kinds, row.cells, strict=True)) for row in grid.rows}
    assert cells["BLEU1"]["swapped values"].number.text == "0\N{NO-BREAK SPACE}%"
    assert cells["TER"]["empty"].number.value == 1


def test_without_measurements_a_card_has_what_is_known(demo: SavedAnalysis) -> None:
    found = metric_cards(demo)
    assert found.seen is None
    assert facts(found, "TER").keys() == {"Range", "Needs", "Agreement with people", "Source"}
