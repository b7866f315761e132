"""Annotation interfaces by name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from rainbow.base.files import write_csv
from rainbow.base.lazy import pd
from rainbow.stats.tidy_tables import records
from rainbow.study.annotation.label_studio import write_label_studio
from rainbow.study.annotation.potato import write_potato
from rainbow.study.annotation.rater_pages import task_texts, write_pages

if TYPE_CHECKING:
    from rainbow.study.study import Study


def _page_instructions(study: Study) -> str:
    return f"{write_pages(study)[0].parent}: send each rater one page; it works offline and saves a file to send back"


def _potato_instructions(study: Study) -> str:
    commands = write_potato(study)
    return f"start with {'; when all have answered, with '.join(commands)}; raters log in as r1, r2, ..."


def _label_studio_instructions(study: Study) -> str:
    write_label_studio(study)
    return f"start with python -m rainbow.study.annotation.start_label_studio {study.folder}; each rater has a project"


def _table_instructions(study: Study) -> str:
    return f"{write_task_table(study)}: one row per task; results need its column task, and one column per rating"


INTERFACES: dict[str, Callable[[Study], str]] = {
    "page": _page_instructions,
    "potato": _potato_instructions,
    "label-studio": _label_studio_instructions,
    "table": _table_instructions,
}


def write_interface(study: Study, interface: str) -> str:
    """Write the files of an annotation interface, and return instructions."""
    return INTERFACES[interface](study)


def write_task_table(study: Study) -> Path:
    """Write ``table/tasks.csv``: `task`, `asks`, `input`, `reference`, `text`, `second_text`, `list`."""
    rows = []
    for task in records(study.tasks):
        seen = task_texts(study, task)
        texts = [*seen.pop("texts"), ""]
        head = {"task": f"{study.name}-{task['task']}", "list": task["rater"], "asks": task["asks"]}
        rows.append({**head, **seen, "text": texts[0], "second_text": texts[1]})
    return write_csv(study.folder / "table" / "tasks.csv", pd.DataFrame(rows))
