"""The page that leads to several reports."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rainbow.reports.first.rulings import rulings
from rainbow.reports.number import count
from rainbow.reports.pages.page import Page, Written, make_page
from rainbow.reports.saved.saved_analysis import Saved
from rainbow.reports.saved.saved_systems import SavedSystems
from rainbow.reports.section import Section
from rainbow.reports.system_sections.answer import answers


def make_index(
    reports: Sequence[tuple[Saved, Written]], compared: Sequence[tuple[SavedSystems, Written]], folder: Path
) -> Page:
    """Return a page with a link to every report and what it comes to."""
    entries = [
        {
            "name": saved.name,
            "link": written.path.relative_to(folder).as_posix(),
            "outputs": count(len(saved.scores)),
            "systems": ", ".join(saved.summary["systems"]),
            "rulings": rulings(saved),
        }
        for saved, written in reports
    ]
    systems = [
        {"name": saved.name, "link": written.path.relative_to(folder).as_posix(), "answers": answers(saved)}
        for saved, written in compared
    ]
    sections = [
        Section("reports", "What to trust, dataset by dataset", {"entries": entries}),
        Section("index-systems", "Which system is better", {"entries": systems}),
    ]
    names = {saved.name for saved, _ in (*reports, *compared)}
    shown = [section for section in sections if section.data["entries"]]
    return make_page("index", "Reports", f"{len(names)} datasets", shown, {})
