"""Simulated raters, to try a study and measure its rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rainbow.base.arrays import Random
from rainbow.base.files import write_text
from rainbow.stats.tidy_tables import records
from rainbow.study.annotation.rater_pages import page_json
from rainbow.study.questions import Question
from rainbow.study.study import Study

# Reading speed of a rater, in words per second.
PACE = 4


def simulate_answers(
    study: Study, quality: Callable[[str], float], noise: float = 1.0, *, rng: Random = None
) -> dict[str, list[dict[str, Any]]]:
    """Return the saved answers of each simulated rater."""
    generator = np.random.default_rng(rng)
    result: dict[str, list[dict[str, Any]]] = {}
    for number, seen in enumerate(records(study.tasks)):
        seconds = round(float(len(seen["output"].split()) / PACE + generator.uniform(2, 6)), 1)
        for question in study.settings.asked(seen["asks"]):
            value = _draw_answer(question, seen, quality, noise, generator)
            entry = {"task": seen["task"], "rating": question.name, "value": value}
            result.setdefault(seen["rater"], []).append({**entry, "seconds": seconds, "at": number})
    return result


def write_simulated_answers(
    study: Study,
    quality: Callable[[str], float],
    noise: float = 1.0,
    *,
    careless: Sequence[str] = (),
    tasks: Mapping[str, int] | None = None,
    rng: Random = None,
) -> list[Path]:
    """Write the files of simulated raters to the folder ``returned`` of a study.

    Parameters
    ----------
    study : Study
        The study.
    quality : callable
        Returns the true rating of an output, given its id.
    noise : float
        Standard deviation of a rater's answers.
    rng : Generator or int
        Random generator or seed.
    careless : sequence of str
        Raters who answer every task at once, with their first answer.
    tasks : mapping of str to int, optional
        Number of tasks after which a rater saves the file; all by default.

    Examples
    --------
    >>> import rainbow
    >>> from tempfile import TemporaryDirectory
    >>> from rainbow.study.settings import Settings
    >>> from rainbow.study.study import Study
    >>> settings = Settings("demo", (Question.parse("quality"),), items=10)
    >>> with TemporaryDirectory() as folder:
    ...     study = Study.make(rainbow.load_dataset("demo"), settings, Path(folder))
    ...     paths = write_simulated_answers(study, lambda id: 4.0, rng=1)
    >>> [path.name for path in paths]
    ['r1.json', 'r2.json', 'r3.json']
    """
    paths = []
    for rater, answers in simulate_answers(study, quality, noise, rng=rng).items():
        wanted = dict.fromkeys(answer["task"] for answer in answers)
        there = [*wanted][: (tasks or {}).get(rater, len(wanted))]
        if rater in careless:
            first = {answer["rating"]: answer["value"] for answer in reversed(answers)}
            answers = [{**answer, "value": first[answer["rating"]], "seconds": 0.4} for answer in answers]
        content = page_json(study.name, rater, len(wanted), [one for one in answers if one["task"] in there])
        paths.append(write_text(study.folder / "returned" / f"{rater}.json", content))
    return paths


def _draw_answer(
    question: Question, task: Mapping[str, Any], quality: Callable[[str], float], noise: float, rng: np.random.Generator
) -> Any:
    control = {"worse": float(question.low), "reference": float(question.high)}.get(task["control"], 0.0)
    names = [task[f"{head}id"] for head in (("", "other_") if question.is_pairs else ("",))]
    results = [(quality(name) if name else control) + noise * rng.normal() for name in names]
    if question.is_pairs:
        return 0.5 if abs(results[0] - results[1]) < noise / 2 else float(results[0] > results[1])
    if question.kind == "magnitude":
        return max(1, round(100 * 2 ** ((results[0] - 4) / 2)))
    if question.kind == "errors":
        wanted = int(np.clip(round(6 - results[0]), 0, 3))
        kinds = rng.choice(question.error_kinds, wanted)
        return [{"start": 0, "end": 1, "kind": str(kind), "severity": "minor"} for kind in kinds]
    return int(np.clip(round(results[0]), question.low, question.high))
