"""The page with links to several reports."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rainbow.reports.number_format import format_count
from rainbow.reports.overview.page_verdicts import page_verdicts
from rainbow.reports.pages.page import Page, WrittenPage, make_page
from rainbow.reports.saved.saved_analysis import SavedAnalysis
from rainbow.reports.saved.saved_systems import SavedSystems
from rainbow.reports.section import Section
from rainbow.reports.system_sections.answer_section import dataset_answers


def make_index(
    reports: Sequence[tuple[SavedAnalysis, WrittenPage]],
    compared: Sequence[tuple[SavedSystems, WrittenPage]],
    folder: Path,
) -> Page:
    """Return a page with a link to every report and its main result."""
    entries = [
        {
            "name": saved.name,
            "link": written.path.relative_to(folder).as_posix(),
            "outputs": format_count(len(saved.scores)),
            "systems": ", ".join(saved.summary["systems"]),
            "rulings": page_verdicts(saved),
        }
        for saved, written in reports
    ]
    systems = [
        {"name": saved.name, "link": written.path.relative_to(folder).as_posix(), "answers": dataset_answers(saved)}
        for saved, written in compared
    ]
    sections = [
        Section("reports", "Which metrics to trust, by dataset", {"entries": entries}),
        Section("index-systems", "Which system is better", {"entries": systems}),
    ]
    names = {saved.name for saved, _ in (*reports, *compared)}
    shown = [section for section in sections if section.data["entries"]]
    return make_page("index", "Reports", f"{len(names)} datasets", shown, {})
