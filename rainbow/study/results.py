"""Results of a study so far: answers, checks for careless raters, differences, and whether the target is reached."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.base.files import write_csv
from rainbow.base.lazy import pd
from rainbow.datasets.columns import Columns, save_columns
from rainbow.stats.agreement.chance_corrected import krippendorff_alpha
from rainbow.stats.agreement.raters import rater_against_rest
from rainbow.stats.agreement.rating_matrix import Agreement
from rainbow.stats.estimation.sample_size import (
    always_valid_half_width,
    interval_power,
    paired_t_power,
    required_rows,
    t_half_width,
)
from rainbow.stats.tidy_tables import records, tidy_table
from rainbow.study.collection import COLUMNS, collect_answers
from rainbow.study.design import AT_END, EARLY, REFERENCE, WORSE
from rainbow.study.settings import Settings, Target
from rainbow.study.study import Study, encode_references

DIFFERENCE_COLUMNS = ("rating", "first", "second", "n", "difference", "low", "high", "deviation", "settled")

# Inputs that a look before the end wants: with fewer the deviation is not known well enough.
FEWEST_INPUTS = 20


class StoppingVerdict(NamedTuple):
    """Whether a study may stop, and why."""

    enough: bool  # whether what was aimed at is reached, or all that was planned is there
    because: str  # in a sentence


def rating_agreement(
    answers: pd.DataFrame, rating: str, *, self_agreement: bool = False, seed: int = 2017
) -> Agreement:
    """Return Krippendorff's alpha (interval) with a bootstrap interval, between or within raters."""
    own = answers[(answers["rating"] == rating) & (answers["control"] == "")]
    if (own["against"] != "").any():
        own = own.sort_values(["item", "system"], kind="stable").drop_duplicates(["task"])
    rows, columns = ["id", "against"], "rater"
    if self_agreement:
        rows, columns = [*rows, "rater"], "repeat"
    else:
        own = own[own["repeat"] == 0]
    table = own.groupby([*rows, columns])["value"].mean().unstack()
    return krippendorff_alpha(table.to_numpy(dtype=float), "interval", rng=seed)


def system_differences(answers: pd.DataFrame, settings: Settings, *, complete: bool) -> pd.DataFrame:
    """Return the difference of mean ratings of every two systems, with intervals."""
    rows: list[dict[str, Any]] = []
    for rating, own in answers[answers["control"] == ""].groupby("rating", sort=False):
        target = settings.target if settings.target and settings.target.rating == rating else None
        systems = sorted(own["system"].unique())
        means = None if (own["against"] != "").any() else _item_means(own)
        for first, second in combinations(systems, 2):
            if means is None:
                compared = own["system"].isin([first, second]) & own["against"].isin([first, second])
                alone = own[own["system"].isin([first, second])].assign(value=math.nan)  # never compared
                both = _item_means(own[compared] if compared.any() else alone)
            else:
                both = means
            values = (both[first] - both[second]).dropna().to_numpy(dtype=float)
            result = _difference_interval(values, settings.items, comb(len(systems), 2), complete)
            settled = None if target is None else _is_decided(result, target, len(values), complete)
            rows.append({"rating": rating, "first": first, "second": second, **result, "settled": settled})
    return tidy_table(rows, DIFFERENCE_COLUMNS)


def _item_means(own: pd.DataFrame) -> pd.DataFrame:
    """Return the mean of each system per input; NaN if there is none."""
    return own.groupby(["dataset", "item", "system"])["value"].mean().unstack()


def _difference_interval(values: FloatArray, planned: int, pairs: int, complete: bool) -> dict[str, Any]:
    n = len(values)
    mean, deviation = (float(values.mean()), float(values.std(ddof=1))) if n > 1 else (math.nan, math.nan)
    if complete:
        half = t_half_width(deviation, n, AT_END / pairs)
    else:
        half = always_valid_half_width(deviation, n, planned, EARLY / pairs)
    return {"n": n, "difference": mean, "low": mean - half, "high": mean + half, "deviation": deviation}


def _is_decided(row: dict[str, Any], target: Target, n: int, complete: bool) -> bool:
    """Return whether the interval is narrow enough or decides about the target difference."""
    low, high = row["low"], row["high"]
    if not math.isfinite(high - low) or (n < FEWEST_INPUTS and not complete):
        return False
    if target.margin is not None:
        return bool(high - low <= 2 * target.margin)
    limit = target.difference or 0.0
    return bool(low > 0 or high < 0 or (-limit < low and high < limit))


def stopping_verdict(table: pd.DataFrame, settings: Settings, *, missing: int) -> StoppingVerdict:
    """Return whether a study may stop."""
    target = settings.target
    own = table[table["rating"] == target.rating] if target else table.iloc[:0]
    if target and len(own) and own["settled"].all():
        goal = f"no interval has a half-width above {target.margin:g}" if target.margin else ("every pair is decided")
        return StoppingVerdict(True, f"done: {goal} ({target.rating})")
    if not missing:
        return StoppingVerdict(
            True, "all planned answers are complete" + (f", {_shortfall(own, target)}" if target else "")
        )
    return StoppingVerdict(
        False, f"not done: {missing} answers are missing" + (f"; {_shortfall(own, target)}" if target else "")
    )


def _shortfall(own: pd.DataFrame, target: Target) -> str:
    """Describe what is not reached, and the number of inputs it would take."""
    open_ones = own[~own["settled"].astype(bool)]
    progress = f"{len(own) - len(open_ones)} of {len(own)} pairs of systems are decided ({target.rating})"
    sizes = [_required_inputs(row, target, len(own)) for row in records(open_ones)]
    known = [size for size in sizes if size]
    return (
        f"{progress}; at the current variance, {max(known)} inputs in total would reach the target"
        if known
        else progress
    )


def _required_inputs(row: dict[str, Any], target: Target, pairs: int) -> int | None:
    deviation, level = row["deviation"], AT_END / pairs
    if not deviation > 0:
        return None
    power = paired_t_power if target.margin is None else interval_power
    goal = target.margin or target.difference or 0.0
    return required_rows(lambda n: power(goal, deviation, n, level), target.power)


@dataclass(frozen=True, eq=False)
class Results:
    """Results of a study so far."""

    study: Study  # the study
    answers: pd.DataFrame  # all answers, see :func:`~rainbow.study.collection.collect_answers`
    raters: pd.DataFrame  # one row per rater, see :func:`~rainbow.study.results.check_raters`
    notes: list[str]  # notes about the files
    counting: pd.DataFrame  # answers of raters who are not left out
    differences: pd.DataFrame  # system differences, see :func:`~rainbow.study.results.system_differences`
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
    (answers, notes), settings = collect_answers(study, study.returned), study.settings
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
        notes=notes,
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


RATER_COLUMNS = ("rater", "answers", "controls", "failed", "seconds", "agrees", "flagged")

# A rater who looks fails a control with this probability at most; more failures than that has in 1 of 20 are a flag.
SLIPS, LEVEL = 0.1, 0.05
# Words a second that nobody reads; whoever does so in more than half of the tasks is flagged.
FASTEST = 12
# Number of worse texts for which the test can reach the level.
FEWEST = 3
# Number of equal answers that raises a flag.
ALIKE = 10


def check_raters(answers: pd.DataFrame) -> pd.DataFrame:
    """Return a row per rater with reasons to doubt the answers."""
    first = answers[(answers["repeat"] == 0) & (answers["control"] == "")]
    means = first.groupby(["rating", "id", "against", "rater"])["value"].mean().unstack()
    others = [rater_against_rest(own) for _, own in means.groupby(level="rating")]
    agrees = pd.concat(others).groupby("rater")["r"].mean()
    rows = [_rater_row(str(rater), own, float(agrees.get(rater, math.nan))) for rater, own in answers.groupby("rater")]
    return tidy_table(rows, RATER_COLUMNS)


def _rater_row(rater: str, own: pd.DataFrame, agrees: float) -> dict[str, Any]:
    tasks, scores = own.drop_duplicates("task"), _task_scores(own)
    controls = scores[scores["control"] != ""]
    failed = int(controls["fails"].sum())
    reasons = list(_control_reason(scores, len(controls), failed))
    words = np.array([len(text.split()) for text in tasks["output"]])
    hasty = int((tasks["seconds"].gt(0) & (tasks["seconds"] < words / FASTEST)).sum())
    if 2 * hasty > len(tasks):
        reasons.append(f"answered {hasty} of {len(tasks)} tasks faster than anyone can read")
    usual = own[(own["control"] == "") & (own["against"] == "")]
    for rating, values in usual.groupby("rating")["value"]:
        if len(values) >= ALIKE and values.nunique() == 1 and not (usual["spans"] == "[]").all():
            reasons.append(f"gave {values.iloc[0]:g} {len(values)} times out of {len(values)} ({rating})")
    return {
        **{"rater": rater, "answers": len(tasks), "controls": len(controls), "failed": failed},
        **{"seconds": float(tasks["seconds"].median()), "agrees": agrees},
        "flagged": "; ".join(reasons),
    }


def _task_scores(own: pd.DataFrame) -> pd.DataFrame:
    """Return the mean rank (0 to 1) per task, and whether a control fails."""
    own = own[(own["control"] == "") | (own["id"] == "")]  # of a comparison that is a control the worse text
    pairs = own["against"] != ""
    ranks = own["value"].where(pairs, own.groupby("rating")["value"].rank(pct=True))
    scores = own.assign(score=ranks, pairs=pairs).groupby("task")[["score", "pairs", "control"]]
    table = scores.agg({"score": "mean", "pairs": "first", "control": "first"})
    usual = table.loc[(table["control"] == "") & ~table["pairs"], "score"]
    limit = np.where(table["pairs"], 0.5, usual.mean())
    worse = (table["control"] == WORSE) & (table["score"] >= limit)
    return table.assign(fails=worse | ((table["control"] == REFERENCE) & (table["score"] < usual.quantile(0.25))))


def _control_reason(scores: pd.DataFrame, controls: int, failed: int) -> Iterator[str]:
    from scipy.stats import binom, mannwhitneyu

    single = scores[~scores["pairs"]]
    worse, usual = (single.loc[single["control"] == kind, "score"] for kind in (WORSE, ""))
    if failed and binom.sf(failed - 1, controls, SLIPS) < LEVEL:
        yield f"failed {failed} of {controls} controls"
    elif len(worse) >= FEWEST and len(usual) and not mannwhitneyu(worse, usual, alternative="less").pvalue < LEVEL:
        yield f"did not rate {len(worse)} worthless texts below the others"
