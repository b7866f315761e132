"""Pages of outputs in another language, and of outputs without ratings."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from rainbow import Corpus
from rainbow.reports.pages.metrics_page import make_report
from rainbow.reports.saved.saved_analysis import SavedAnalysis, load_analysis
from rainbow.reports.sections import scores_section
from tests.reports.conftest import save

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


TEXTS = {
    "ru": "Отель Прага номер {} стоит у реки и принимает гостей с детьми.",
    "en": "The hotel Praha {} is at the river.",
}


@pytest.mark.usefixtures("figures_unwritten")
@pytest.mark.parametrize(("language", "shown"), [("ru", False), ("en", True)])
def test_slots_and_the_general_score_are_shown_in_english_only(language: str, shown: bool, tmp_path: Path) -> None:
    outputs = [TEXTS[language].format(place) for place in range(24)]
    corpus = Corpus.from_texts(
        outputs,
        [[text] for text in reversed(outputs)],
        [f"Hotel {place} | location | river" for place in range(24)],
        language=language,
        quality=[place % 5 for place in range(24)],
    )
    save(tmp_path, "hotels", corpus, ["ter", "slots"], resamples=20)
    page = make_report(load_analysis("hotels", folder=tmp_path)).html
    assert ("Slots of the input are" in page) is shown
    assert ("rainbow audit quality-fast hotels --words" in page) is shown
    assert ("rainbow audit TER hotels --words" in page) is not shown and (" 1 metric " in page) is not shown
