"""Result tables of crowdsourcing platforms, one row per task and worker."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rainbow.base.fingerprint import fingerprint
from rainbow.base.lazy import pd
from rainbow.datasets.lexicon import role_by_name
from rainbow.datasets.shapes.pairs import preference_value
from rainbow.study.responses.answer import Answer, File, belonging_study

if TYPE_CHECKING:
    from rainbow.study.study import Study

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
    for row in table.to_dict("records"):
        rater = f"w{fingerprint([study.name, row[worker]])[:6]}"
        order[rater] += 1
        took = _parse_number(row[seconds]) if seconds else 0.0
        for question in asked:
            if (value := row[question.name]) != "":
                won = preference_value(value, "first", "second") if question.is_pairs else value
                task = str(row["task"]).partition("-")[2]
                yield Answer(rater, task, question.name, value if won is None else won, took, 0.0, order[rater])


def _parse_number(text: Any) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
