"""Results of a study so far: answers, doubtful raters and progress."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rainbow.base.files import write_csv
from rainbow.base.lazy import pd
from rainbow.datasets.column_settings import save_columns
from rainbow.datasets.columns import Columns
from rainbow.stats.agreement.rating_matrix import Agreement
from rainbow.study.progress import StoppingVerdict, rating_agreement, stopping_verdict, system_differences
from rainbow.study.rater_checks import check_raters
from rainbow.study.responses.collection import COLUMNS, collect_answers
from rainbow.study.study import Study, encode_references


@dataclass(frozen=True, eq=False)
class Results:
    """Results of a study so far."""

    study: Study  # the study
    answers: pd.DataFrame  # all answers, see :func:`~rainbow.study.responses.collection.collect_answers`
    raters: pd.DataFrame  # one row per rater, see :func:`~rainbow.study.rater_checks.check_raters`
    notes: list[str]  # notes about the files
    counting: pd.DataFrame  # answers of raters who are not left out
    differences: pd.DataFrame  # system differences, see :func:`~rainbow.study.progress.system_differences`
    unflagged: pd.DataFrame  # the same without flagged raters
    agreement: dict[str, Agreement]  # per rating
    self_agreement: dict[str, Agreement]  # per rating
    missing: int  # number of tasks without an answer
    verdict: StoppingVerdict  # whether the study may stop


def read_results(study: Study) -> Results:
    """Read the answers in the folder ``returned`` of a study, and compute its current results.

    Parameters
    ----------
    study : Study
        The study.

    Returns
    -------
    Results
        Answers, rater checks, system differences, agreement and whether the study may end.

    Examples
    --------
    >>> import rainbow
    >>> from tempfile import TemporaryDirectory
    >>> from rainbow.study.questions import Question
    >>> from rainbow.study.settings import Settings
    >>> from rainbow.study.simulated import write_simulated_answers
    >>> settings = Settings("demo", (Question.parse("quality"),), items=10)
    >>> with TemporaryDirectory() as folder:
    ...     study = Study.make(rainbow.load_dataset("demo"), settings, Path(folder))
    ...     paths = write_simulated_answers(study, lambda id: 4.0, rng=1)
    ...     results = read_results(study)
    >>> len(results.answers), results.missing
    (108, 0)
    """
    collected = collect_answers(study, study.returned)
    answers, settings = collected.answers, study.settings
    raters = check_raters(answers)
    counting = answers[~answers["rater"].isin(settings.left_out)]
    flagged = raters.loc[raters["flagged"] != "", "rater"]
    unflagged = counting[~counting["rater"].isin(flagged)]
    missing = len(study.tasks) - answers["task"].nunique()
    complete = missing == 0
    result = system_differences(counting, settings, complete=complete)
    names = [question.name for question in settings.questions]
    return Results(
        study=study,
        answers=answers,
        raters=raters,
        notes=collected.notes,
        counting=counting,
        differences=result,
        unflagged=system_differences(unflagged, settings, complete=complete),
        agreement={name: rating_agreement(counting, name, seed=settings.seed) for name in names},
        self_agreement={
            name: rating_agreement(counting, name, self_agreement=True, seed=settings.seed) for name in names
        },
        missing=missing,
        verdict=stopping_verdict(result, settings, missing=missing),
    )


def write_results(results: Results) -> list[Path]:
    """Write ``answers.csv``, which every command reads, and the other tables."""
    folder, outputs = results.study.folder, results.study.outputs
    unasked = outputs[~outputs["id"].isin(results.counting["id"])].rename(columns={"mr": "input"})
    table = pd.concat([results.counting, unasked.assign(rater="", control="", rating="")], ignore_index=True)
    left_out = results.answers[~results.answers.index.isin(results.counting.index)]
    written = [
        write_csv(folder / "answers.csv", encode_references(table[list(COLUMNS)])),
        write_csv(folder / "left_out.csv", encode_references(left_out)),
        write_csv(folder / "raters.csv", results.raters),
        write_csv(folder / "differences.csv", results.differences),
    ]
    names = tuple(question.name for question in results.study.settings.questions)
    columns = Columns(output=("output",), references=("references",), system="system", item="item", ratings=names)
    inputs = {"input": "input"} if outputs["mr"].any() else {}
    save_columns(written[0], columns.with_defaults(Columns.create(rater="rater", **inputs)))
    return written
