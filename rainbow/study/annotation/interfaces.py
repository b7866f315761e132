"""Annotation interfaces by name, and the task and result tables of crowdsourcing platforms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from rainbow.base.files import write_csv
from rainbow.base.fingerprint import fingerprint
from rainbow.base.lazy import pd
from rainbow.datasets.lexicon import role_by_name
from rainbow.datasets.shapes.comparisons import preference_value
from rainbow.stats.tidy_tables import records
from rainbow.study.annotation.label_studio import write_label_studio
from rainbow.study.annotation.potato import write_potato
from rainbow.study.annotation.rater_pages import task_texts, write_pages
from rainbow.study.questions import Answer, File, belonging_study
from rainbow.study.study import Study

INTERFACES = ("page", "potato", "label-studio", "table")


def write_interface(study: Study, interface: str) -> str:
    """Write the files of an annotation interface, and return instructions."""
    match interface:
        case "page":
            folder = write_pages(study)[0].parent
            return f"{folder}: send each rater one page; it works offline and saves a file to send back"
        case "potato":
            commands = "; when all have answered, with ".join(write_potato(study))
            return f"start with {commands}; raters log in as r1, r2, ..."
        case "label-studio":
            write_label_studio(study)
            command = f"python -m rainbow.study.annotation.start_label_studio {study.folder}"
            return f"start with {command}; each rater has a project"
    return f"{write_task_table(study)}: one row per task; results need its column task, and one column per rating"


def write_task_table(study: Study) -> Path:
    """Write ``table/tasks.csv``: `task`, `asks`, `input`, `reference`, `text`, `second_text`, `list`."""
    rows = []
    for task in records(study.tasks):
        seen = task_texts(study, task)
        texts = [*seen.pop("texts"), ""]
        head = {"task": f"{study.name}-{task['task']}", "list": task["rater"], "asks": task["asks"]}
        rows.append({**head, **seen, "text": texts[0], "second_text": texts[1]})
    return write_csv(study.folder / "table" / "tasks.csv", pd.DataFrame(rows))


_SECONDS = ("worktimeinseconds", "seconds", "duration", "time_taken")


def read_platform_table(path: Path, study: Study) -> File | None:
    """Return the answers in a table with columns for task, worker and ratings; None for any other file."""
    table = pd.read_csv(path, sep="\t" if path.suffix.lower() == ".tsv" else ",", dtype=str, keep_default_na=False)
    names = {str(name).removeprefix("Input.").removeprefix("Answer."): str(name) for name in table}
    worker = next((name for name in map(str, table) if role_by_name(name) == "rater"), None)
    if "task" not in names or worker is None:
        return None
    table = table.rename(columns={old: new for new, old in names.items()})
    return File(belonging_study(table["task"]), _read_answers(table, worker, study), own_lists=False)


def _read_answers(table: pd.DataFrame, worker: str, study: Study) -> Iterator[Answer]:
    order: Counter[str] = Counter()
    seconds = next((name for name in map(str, table) if name.lower() in _SECONDS), None)
    asked = [question for question in study.settings.questions if question.name in table]
    times = pd.to_numeric(table[seconds], errors="coerce").fillna(0.0).tolist() if seconds else [0.0] * len(table)
    for row, took in zip(table.to_dict("records"), times, strict=True):
        rater = f"w{fingerprint([study.name, row[worker]])[:6]}"
        order[rater] += 1
        for question in asked:
            if (value := row[question.name]) != "":
                won = preference_value(value, "first", "second") if question.is_pairs else value
                task = str(row["task"]).partition("-")[2]
                yield Answer(rater, task, question.name, value if won is None else won, took, 0.0, order[rater])
