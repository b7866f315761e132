"""A task table for crowdsourcing platforms."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rainbow.base.files import write_csv
from rainbow.stats.tidy_tables import records
from rainbow.study.annotation.rater_pages import task_texts

if TYPE_CHECKING:
    from rainbow.study.study import Study


def write_task_table(study: Study) -> Path:
    """Write ``table/tasks.csv``: `task`, `asks`, `input`, `reference`, `text`, `second_text`, `list`."""
    import pandas as pd

    rows = []
    for task in records(study.tasks):
        seen = task_texts(study, task)
        texts = [*seen.pop("texts"), ""]
        head = {"task": f"{study.name}-{task['task']}", "list": task["rater"], "asks": task["asks"]}
        rows.append({**head, **seen, "text": texts[0], "second_text": texts[1]})
    return write_csv(study.folder / "table" / "tasks.csv", pd.DataFrame(rows))
