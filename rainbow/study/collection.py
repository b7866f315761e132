"""All returned answers as one table, with notes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from rainbow.base.fingerprint import file_sha256
from rainbow.base.formatting import format_count, safe_line
from rainbow.base.lazy import pd
from rainbow.stats.tidy_tables import records
from rainbow.study.annotation.interfaces import read_platform_table
from rainbow.study.annotation.label_studio import read_label_studio
from rainbow.study.annotation.potato import read_potato
from rainbow.study.annotation.rater_pages import read_page_file
from rainbow.study.questions import LONGEST_SPAN, Answer, File
from rainbow.study.study import Study

COLUMNS = (
    *("rater", "task", "order", "control", "repeat", "dataset", "id", "system", "item", "input", "output"),
    *("references", "rating", "value", "seconds", "spans", "against"),
)
MOST_NAMED = 5  # mistakes of one file that are listed one by one


class Collected(NamedTuple):
    """A row for each returned answer, and notes about the files."""

    answers: pd.DataFrame
    notes: list[str]


def collect_answers(study: Study, files: Sequence[Path]) -> Collected:
    """Read returned files; duplicates count once, and ignored answers are reported."""
    kept = _Kept(study)
    seen: dict[str, str] = {}
    for path in files:
        folders = (study.folder / "returned", study.folder, path.parent)
        name = str(path.relative_to(next(folder for folder in folders if path.is_relative_to(folder))))
        digest = file_sha256(path)
        if digest in seen:
            kept.notes.append(f"{name} is the same file as {seen[digest]}: counted once")
        else:
            kept.take(path, name)
        seen.setdefault(digest, name)
    rows = [row for answer in kept.answers.values() for row in kept.rows(answer)]
    table = pd.DataFrame(rows, columns=list(COLUMNS)).sort_values(["rater", "order"], kind="stable")
    done = Counter(table.drop_duplicates(["rater", "task"])["rater"])
    unfinished = [
        f"{rater} has answered {done[rater]} of {number} tasks"
        for rater, number in Counter(study.tasks["rater"]).items()
        if 0 < done[rater] < number
    ]
    return Collected(table.reset_index(drop=True), [*kept.notes, *unfinished])


@dataclass
class _Kept:
    """Valid answers so far, by rater, task and rating."""

    study: Study
    notes: list[str] = field(default_factory=list)
    answers: dict[tuple[str, str, str], Answer] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.tasks = {task["task"]: task for task in records(self.study.tasks)}

    def take(self, path: Path, name: str) -> None:
        file = read_returned(path, self.study)
        if file is None:
            self.notes.append(f"{name} is not a file of a study: ignored")
            return
        if file.study not in ("", self.study.name):
            self.notes.append(f"{name} belongs to another study ({safe_line(file.study)[:20]}): ignored")
            return
        if file.edited:
            self.notes.append(f"{name} was edited after it was saved: its answers count, check them")
        wrong, again = [], 0
        for answer in file.answers:
            if reason := self._rejection_reason(answer, file.own_lists):
                wrong.append(f"{name}, task {safe_line(answer.task)[:20]}, {safe_line(answer.rating)[:20]}: {reason}")
            else:
                again += self._add(answer, name)
        if again:
            self.notes.append(f"{name}: {format_count(again, 'repeated answer')}: counted once")
        self.notes += [f"{problem}: not counted" for problem in wrong[:MOST_NAMED]]
        if len(wrong) > MOST_NAMED:
            self.notes.append(f"{name}: {format_count(len(wrong) - MOST_NAMED, 'more answer')} not counted")

    def _rejection_reason(self, answer: Answer, own_lists: bool) -> str | None:
        task = self.tasks.get(answer.task)
        if task is None:
            return "unknown task"
        if own_lists and task["rater"] != answer.rater:
            return f"{safe_line(answer.rater)[:20]} was not assigned this task"
        try:
            question = self.study.settings.question(answer.rating)
            if question.is_pairs != (task["asks"] == "pairs"):
                return "this rating was not asked in this task"
            question.value(answer.value, len(task["output"]))
        except ValueError as error:
            return str(error)
        return None

    def _add(self, answer: Answer, file: str) -> bool:
        """Add an answer; return whether it was already present."""
        key = (answer.rater, answer.task, answer.rating)
        before = self.answers.get(key)
        if before is None or answer.at > before.at:
            self.answers[key] = answer
        if before is None:
            return False
        if before.value != answer.value:
            conflict = (
                f"{answer.task}, {answer.rating}: {before.value!r:.30} before, and {answer.value!r:.30} in {file}"
            )
            self.notes.append(f"{conflict}: the later one counts")
            return False
        return True

    def rows(self, answer: Answer) -> Iterator[dict[str, Any]]:
        task, question = self.tasks[answer.task], self.study.settings.question(answer.rating)
        value = question.value(answer.value, LONGEST_SPAN)
        spans = answer.value if isinstance(answer.value, str) else json.dumps(answer.value, ensure_ascii=False)
        shared: dict[str, Any] = {
            **{name: task[name] for name in ("task", "control", "repeat", "dataset", "item", "input")},
            **{"rater": answer.rater, "rating": answer.rating, "seconds": answer.seconds},
            "order": answer.order or task["order"],
            **{"references": task["references"], "spans": spans if question.kind == "errors" else ""},
        }
        names = ("id", "system", "output")
        first, second = ({name: task[f"{head}{name}"] for name in names} for head in ("", "other_"))
        yield {**shared, **first, "value": value, "against": second["system"]}
        if question.is_pairs:
            yield {**shared, **second, "value": 1 - value, "against": first["system"]}


def read_returned(path: Path, study: Study) -> File | None:
    """Return the answers in a returned file; None if the study did not create its tasks."""
    try:
        if path.suffix.lower() in (".csv", ".tsv"):
            file = read_platform_table(path, study)
        else:
            data = json.loads(path.read_text(encoding="utf-8"))
            file = read_page_file(data) or read_potato(data, study) or read_label_studio(data, study)
        return file and file._replace(answers=iter(list(file.answers)))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
