"""Means by system of outputs without ratings: intervals that take outputs for one input as one observation."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from rainbow.reports.saved.saved_analysis import SavedAnalysis
from rainbow.reports.sections import scores_section

pytestmark = pytest.mark.xdist_group("reports")


def notes(saved: SavedAnalysis, frame: pd.DataFrame) -> list[str]:
    table = scores_section.section(replace(saved, scores=frame), [], [], []).data["systems"]
    place = [column.label for column in table.columns].index("BLEU4")
    return [row.cells[place].note for row in table.rows]


def test_the_interval_of_a_mean_is_that_of_students_t(demo: SavedAnalysis) -> None:
    frame = demo.scores.head(12).assign(system="one", item=[str(place) for place in range(12)])
    half = stats.t.ppf(0.975, 11) * frame["BLEU4"].std() / np.sqrt(12)
    assert notes(demo, frame) == [f"± {half:.3f}"]


def test_outputs_for_one_input_count_once(demo: SavedAnalysis) -> None:
    frame = demo.scores.head(12).assign(system="one", item=[str(place) for place in range(12)])
    assert notes(demo, pd.concat([frame, frame], ignore_index=True)) == notes(demo, frame)
    assert notes(demo, frame.assign(item="same")) == [""]


def test_a_page_of_a_metric_that_no_list_names_shows_it(demo: SavedAnalysis) -> None:
    data = scores_section.section(replace(demo, summary={**demo.summary, "metrics": ["TER"]}), [], [], []).data
    assert data["columns"] == ["TER"] and len(data["outputs"][0]["scores"]) == 1
