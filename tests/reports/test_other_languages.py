"""The report of outputs in another language shows nothing that is known in English only."""

from pathlib import Path

import pytest

from rainbow import Corpus
from rainbow.reports.pages.metrics_page import make_report
from rainbow.reports.saved.saved_analysis import load_analysis
from tests.reports.conftest import save

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
