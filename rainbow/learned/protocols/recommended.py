"""The recommended score: a learned combination, the best single column, the general score, or none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.base.lazy import pd
from rainbow.corpus.text_profile import text_lengths
from rainbow.learned.learner.combination import MOST, Combination
from rainbow.learned.protocols.evaluation import best_single_metric, fill_gaps
from rainbow.learned.protocols.groups import STRICT, assign_folds, iter_folds, row_groups
from rainbow.scoring.table_cells import orient_metrics
from rainbow.stats.correlation.weighted_correlation import weighted_correlations
from rainbow.stats.resampling.bootstrap import bootstrap
from rainbow.stats.tidy_tables import tidy_table

COMBINATION, SINGLE, GENERAL, LENGTH = "combination", "best single column", "general score", "length"
# Rated outputs and inputs, at least; outputs, at most: of more, inputs are drawn.
FEWEST, FEWEST_INPUTS, MAX_ROWS = 20, 5, 5000
# Folds, at most, and rated outputs in each.
MAX_FOLDS, FEWEST_IN_FOLD = 5, 10

_RECOMMENDED = (
    *("rating", "score", "columns", "spearman", "low", "high"),
    *(f"{name}{end}" for name in ("over_length", "over_single") for end in ("", "_low", "_high")),
    *("n", "inputs", "use", "advice", "seed", "reason"),
)


class Choices(NamedTuple):
    """The columns that a recommendation for one rating is chosen from."""

    combined: Sequence[str]  # columns of a combination: those that a model file can compute
    single: Sequence[str]
    general: str | None = None


class RatedColumns(NamedTuple):
    """Rated outputs of one rating, scores turned so that higher is better.

    Shapes: combined (n, columns), single (n, columns), general, length, rated (n,).
    """

    choices: Choices
    combined: FloatArray  # the general score last, if there is one
    single: FloatArray
    general: FloatArray | None
    length: FloatArray
    rated: FloatArray

    @classmethod
    def from_frame(
        cls, rows: pd.DataFrame, rating: str, choices: Choices, higher_is_better: Mapping[str, bool | None]
    ) -> RatedColumns:
        """Return the columns of rated outputs; the length is turned the way it agrees with the rating."""
        general = [choices.general] if choices.general else []
        names = list(dict.fromkeys([*choices.combined, *choices.single, *general]))
        turned = orient_metrics(rows, names, {**higher_is_better, **dict.fromkeys(general, True)})
        rated, length = rows[rating].to_numpy(float), text_lengths(rows["output"].tolist())
        agreement = weighted_correlations(length[:, None], rated[:, None], np.ones((1, len(rows)))).item()
        return cls(
            choices,
            turned[[*choices.combined, *general]].to_numpy(float),
            turned[list(choices.single)].to_numpy(float),
            turned[general].to_numpy(float)[:, 0] if general else None,
            length * (np.sign(np.nan_to_num(agreement)) or 1.0),
            rated,
        )

    @property
    def names(self) -> list[str]:
        """The scores that are compared, in order."""
        return [COMBINATION, SINGLE, *([GENERAL] if self.general is not None else []), LENGTH]

    def fit(self, rows: IntArray) -> Combination:
        """Return the combination learned from these rows."""
        columns = self.combined.shape[1]
        general = np.arange(columns) == columns - 1 if self.general is not None else np.zeros(columns, dtype=bool)
        directions = np.ones(columns, dtype=np.intp)
        return Combination(
            self.combined[rows], self.rated[rows, None], np.ones(len(rows)), directions, general[None, :]
        )

    def best_single(self, rows: IntArray) -> int | None:
        """Return the place of the single column that agrees best with the ratings of these rows."""
        names = dict.fromkeys(self.choices.single, True)
        best = best_single_metric(self.single[rows], self.rated[rows], names)
        return None if best.name is None else list(names).index(best.name)

    def predict(self, train: IntArray, rows: IntArray) -> FloatArray:
        """Return every score of some rows, chosen and learned from the training rows only, shape (rows, scores)."""
        place = self.best_single(train)
        single = np.zeros(len(rows)) if place is None else fill_gaps(self.single[rows, place])
        general = [] if self.general is None else [fill_gaps(self.general[rows])]
        combined = self.fit(train).predict(self.combined[rows], {})[:, 0]
        return np.column_stack([combined, single, *general, self.length[rows]])


def recommend(
    frame: pd.DataFrame,
    choices: Mapping[str, Choices],
    higher_is_better: Mapping[str, bool | None],
    *,
    resamples: int = 1000,
    seed: int = 2017,
) -> pd.DataFrame:
    """Return the agreement of every score of each rating on held-out outputs, and which to use.

    Source: Stone, M. (1974). Cross-validatory choice and assessment of statistical predictions. Journal of the Royal
    Statistical Society B 36. Davison, A. and Hinkley, D. (1997). Bootstrap methods and their application, section 3.8.
    """
    lines: list[dict[str, Any]] = []
    for rating, own in choices.items():
        rows = rated_rows(frame, rating, seed)
        if reason := missing_reason(rows, rating, own):
            lines.append({"rating": rating, "n": len(rows), "use": False, "advice": reason, "reason": reason})
            continue
        columns = RatedColumns.from_frame(rows, rating, own, higher_is_better)
        lines += ({"rating": rating, "seed": seed, **line} for line in _compare(rows, columns, resamples, seed))
    return tidy_table(({"reason": None, **line} for line in lines), _RECOMMENDED)


def rated_rows(frame: pd.DataFrame, rating: str, seed: int) -> pd.DataFrame:
    """Return the rated outputs; of very many, those of inputs drawn at random."""
    rows = frame[frame[rating].notna()]
    if len(rows) <= MAX_ROWS:
        return rows
    items = row_groups(rows, "by-item")
    order = np.random.default_rng(seed).permutation(int(items.max()) + 1)
    reached = np.cumsum(np.bincount(items)[order])
    return rows[np.isin(items, order[: np.searchsorted(reached, MAX_ROWS) + 1])]


def missing_reason(rows: pd.DataFrame, rating: str, choices: Choices) -> str:
    """Return why nothing can be recommended; empty if something can."""
    groups = int(row_groups(rows, STRICT).max(initial=-1)) + 1
    if len(rows) < FEWEST or groups < FEWEST_INPUTS:
        return (
            f"Too few ratings of {rating} for a recommendation: {len(rows)} outputs for {groups} unrelated inputs; "
            f"rate at least {FEWEST} outputs for {FEWEST_INPUTS} inputs."
        )
    if rows[rating].nunique() < 2:
        return f"Nothing can be recommended for {rating}: all outputs have the same rating."
    if not choices.combined or not choices.single:
        return f"Nothing can be recommended for {rating}: no computed metric has a direction."
    return ""


def _compare(rows: pd.DataFrame, columns: RatedColumns, resamples: int, seed: int) -> list[dict[str, Any]]:
    """Return a line for every score of one rating."""
    few = min(MAX_FOLDS, len(rows) // FEWEST_IN_FOLD)  # few rated outputs make few folds
    pairs = iter_folds(assign_folds(rows, STRICT, folds=few, seed=seed))
    folds = [(test, columns.predict(train, test), columns.rated[test][:, None]) for train, test in pairs]
    first = [columns.names.index(name) for name in (LENGTH, SINGLE)]

    def statistic(weights: FloatArray) -> FloatArray:
        r = _mean_correlations(folds, weights)
        return np.concatenate([r, *(r - r[:, [place]] for place in first)], axis=2)

    items = row_groups(rows, "by-item")
    bounds = bootstrap(statistic, items, "percentile", resamples=resamples, rng=seed)
    values = statistic(np.ones((1, len(rows))))[0]
    kinds = ("spearman", "over_length", "over_single")
    ends = [("low", "high"), *((f"{kind}_low", f"{kind}_high") for kind in kinds[1:])]
    lines = [
        {
            "score": name,
            "columns": _used_columns(columns, name),
            **dict(zip(kinds, values[place], strict=True)),
            **{low: bounds.low[place, kind] for kind, (low, _) in enumerate(ends)},
            **{high: bounds.high[place, kind] for kind, (_, high) in enumerate(ends)},
            "n": len(rows),
            "inputs": int(items.max()) + 1,
        }
        for place, name in enumerate(columns.names)
    ]
    used = choose_score(lines)
    advice = advice_sentence(lines, used)
    return [line | {"use": line["score"] == used, "advice": advice} for line in lines]


def _mean_correlations(folds: Sequence[tuple[IntArray, FloatArray, FloatArray]], weights: FloatArray) -> FloatArray:
    """Return the mean over folds of the correlation of each score, shape (resamples, scores, 1); 0 if undefined."""
    # Each fold chooses its own columns, whose values are not comparable with those of other folds.
    parts = [weighted_correlations(scores, rated, weights[:, rows]) for rows, scores, rated in folds]
    sizes = np.array([weights[:, rows].sum(axis=1) for rows, _, _ in folds])
    means: FloatArray = np.einsum("fr,frsk->rsk", sizes / sizes.sum(axis=0), np.nan_to_num(parts))
    return means


def choose_score(lines: Sequence[Mapping[str, Any]]) -> str | None:
    """Return the score to use; None if none is clearly better than the length."""
    # Clearly better: the interval of the difference lies above 0. The general score is preferred where it agrees at
    # least as well as what was learned.
    of = {line["score"]: line for line in lines}
    learned = COMBINATION if of[COMBINATION]["over_single_low"] > 0 else SINGLE
    order = [learned]
    if GENERAL in of:
        place = 0 if of[GENERAL]["spearman"] >= of[learned]["spearman"] else 1
        order.insert(place, GENERAL)
    return next((name for name in order if of[name]["over_length_low"] > 0), None)


def advice_sentence(lines: Sequence[Mapping[str, Any]], used: str | None) -> str:
    """Return one sentence on what to use, with the agreement of the alternatives."""
    of = {line["score"]: line for line in lines}
    # A combination that is ahead, but not by enough, is named as what it is.
    close = COMBINATION if used is not None and of[COMBINATION]["spearman"] > of[used]["spearman"] else None
    others = [
        f"{_label(line)} {line['spearman']:.2f}{' (not clearly better)' * (name == close)}"
        for name, line in of.items()
        if name not in (used, LENGTH)
    ]
    if used is None:
        return f"Nothing is better than length ({of[LENGTH]['spearman']:.2f}): {', '.join(others)}."
    line = of[used]
    figures = f"{line['spearman']:.2f} ({line['low']:.2f} to {line['high']:.2f})"
    return f"Use {_label(line, 'this combination')}: {figures}, {', '.join(others)}."


def _label(line: Mapping[str, Any], combination: str = "the combination") -> str:
    """Return the name of a score within a sentence."""
    if line["score"] == COMBINATION:
        return combination
    return f"the general score ({line['columns']})" if line["score"] == GENERAL else str(line["columns"])


def _used_columns(columns: RatedColumns, name: str) -> str:
    """Return the columns of a score learned from all rated outputs."""
    every, own = np.arange(len(columns.rated)), columns.choices
    if name == COMBINATION:
        names = [*own.combined, *([own.general] if own.general else [])]
        return ", ".join(names[place] for place in columns.fit(every).used[:MOST])
    if name == SINGLE:
        place = columns.best_single(every)
        return "" if place is None else own.single[place]
    return own.general or "" if name == GENERAL else LENGTH
