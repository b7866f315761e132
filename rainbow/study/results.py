"""What a study has shown so far: its answers as one table, who is doubted, how far it is."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rainbow.base.files import write_csv
from rainbow.datasets.columns import Columns
from rainbow.datasets.remembered import remember
from rainbow.stats.agreement.rating_matrix import Agreement
from rainbow.study.progress import Verdict, agreement_of, differences, verdict
from rainbow.study.raters import rater_table
from rainbow.study.returned.collect import COLUMNS, collect
from rainbow.study.study import Study, with_json_references

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class Results:
    """What a study has shown so far."""

    study: Study  # the study
    answers: pd.DataFrame  # all answers, see :func:`~rainbow.study.returned.collect.collect`
    raters: pd.DataFrame  # a row for each rater, see :func:`~rainbow.study.raters.rater_table`
    notes: list[str]  # what is to be said of the files
    counting: pd.DataFrame  # the answers that count: of raters who are not left out
    differences: pd.DataFrame  # of systems, see :func:`~rainbow.study.progress.differences`
    unflagged: pd.DataFrame  # of systems, see :func:`~rainbow.study.progress.differences`
    agreement: dict[str, Agreement]  # for each rating
    self_agreement: dict[str, Agreement]  # for each rating
    missing: int  # tasks without an answer
    verdict: Verdict  # whether the study may end


def results(study: Study) -> Results:
    """Return what a study has shown so far, by the files in its folder ``returned``."""
    collected = collect(study, study.returned)
    answers, settings = collected.answers, study.settings
    raters = rater_table(answers)
    counting = answers[~answers["rater"].isin(settings.left_out)]
    flagged = raters.loc[raters["flagged"] != "", "rater"]
    unflagged = counting[~counting["rater"].isin(flagged)]
    missing = len(study.tasks) - answers["task"].nunique()
    complete = missing == 0
    found = differences(counting, settings, complete=complete)
    names = [question.name for question in settings.questions]
    return Results(
        study=study,
        answers=answers,
        raters=raters,
        notes=collected.notes,
        counting=counting,
        differences=found,
        unflagged=differences(unflagged, settings, complete=complete),
        agreement={name: agreement_of(counting, name, seed=settings.seed) for name in names},
        self_agreement={name: agreement_of(counting, name, self_agreement=True, seed=settings.seed) for name in names},
        missing=missing,
        verdict=verdict(found, settings, missing=missing),
    )


def write_results(found: Results) -> list[Path]:
    """Write ``answers.csv``, which every command takes as it is, and the tables beside it."""
    import pandas as pd

    folder, outputs = found.study.folder, found.study.outputs
    unasked = outputs[~outputs["id"].isin(found.counting["id"])].rename(columns={"mr": "input"})
    table = pd.concat([found.counting, unasked.assign(rater="", control="", rating="")], ignore_index=True)
    left_out = found.answers[~found.answers.index.isin(found.counting.index)]
    written = [
        write_csv(folder / "answers.csv", with_json_references(table[list(COLUMNS)])),
        write_csv(folder / "left_out.csv", with_json_references(left_out)),
        write_csv(folder / "raters.csv", found.raters),
        write_csv(folder / "differences.csv", found.differences),
    ]
    names = tuple(question.name for question in found.study.settings.questions)
    said = Columns(output=("output",), references=("references",), system="system", item="item", ratings=names)
    inputs = {"input": "input"} if outputs["mr"].any() else {}
    remember(written[0], said.over(Columns.of(rater="rater", **inputs)))
    return written
