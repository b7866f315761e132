"""System-level metrics in two tables: scores with intervals, and differences of all pairs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from string import ascii_lowercase
from typing import Any, NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray, Random
from rainbow.base.lazy import pd
from rainbow.corpus.views import CHARACTERS, SURFACE
from rainbow.metrics import Batch, Metric
from rainbow.metrics.contract.selection import language_problem
from rainbow.metrics.contract.views import Views
from rainbow.stats.differences.multiplicity import holm
from rainbow.stats.resamples import resamples_for_tests
from rainbow.stats.tidy_tables import tidy_table
from rainbow.systems.alignment import AlignedSystems
from rainbow.systems.corpus_scores.resampling import bootstrap_scores, pair_tests, percentile_bounds
from rainbow.systems.corpus_scores.segment_sums import (
    AVERAGE,
    PARTS,
    SegmentSums,
    SystemColumn,
    average_sums,
    column_sums,
    system_columns,
)

# Default columns in addition to the normalised average.
METRICS = (*PARTS, "CIDEr_cosine", "TER", "chrF++")

DIFFERENCE_COLUMNS = (
    "metric",
    "first",
    "second",
    "difference",
    "low",
    "high",
    "p_bootstrap",
    "p_bootstrap_holm",
    "p_randomisation",
    "p_randomisation_holm",
    "n",
    "resamples",
    "reason",
)
ALPHA = 0.05


class CorpusMetrics(NamedTuple):
    """System-level scores, differences and missing metrics."""

    scores: pd.DataFrame  # a row per system, the best first
    differences: pd.DataFrame  # a row per metric and pair of systems (:data:`DIFFERENCE_COLUMNS`)
    missing: Mapping[str, str]  # why a metric is NaN, by its name


def evaluate_metrics(
    aligned: AlignedSystems,
    metrics: Sequence[str | Metric] = METRICS,
    *,
    resamples: int = 10_000,
    rng: Random = None,
    threads: int = 1,
    view: str | None = None,
) -> CorpusMetrics:
    """Return scores and intervals of every system by these metrics, and tests of all system pairs."""
    generator = np.random.default_rng(rng)
    # All metrics share the same samples and shuffles, which do not depend on the selected metrics.
    seeds = [int(seed) for seed in generator.integers(2**63, size=2)]
    resamples = resamples_for_tests(resamples, math.comb(len(aligned.systems), 2), ALPHA)
    asked = system_columns(metrics)
    names = list(asked)
    if PARTS.keys() <= asked.keys():
        names.insert(1 + max(map(names.index, PARTS)), AVERAGE)
    counted, missing = _count_sums(aligned, asked, threads, view)
    columns: dict[str, Any] = {}
    tests: list[dict[str, Any]] = []
    for name in names:
        if name in missing:
            columns |= _interval_columns(name, np.full((3, len(aligned.systems)), np.nan))
            continue
        samples = bootstrap_scores(counted[name], resamples, seeds[0])
        bounds = np.array([percentile_bounds(samples[:, place]) for place in range(len(aligned.systems))]).T
        columns |= _interval_columns(name, np.vstack([counted[name].scores, bounds]))
        tests += _pair_test_rows(name, counted[name], samples, aligned.systems, resamples, seeds[1])
    differences = tidy_table(tests, DIFFERENCE_COLUMNS)
    return CorpusMetrics(_score_table(aligned, names, columns, asked, differences), differences, missing)


def _count_sums(
    aligned: AlignedSystems, columns: Mapping[str, SystemColumn], threads: int, view: str | None
) -> tuple[dict[str, SegmentSums], dict[str, str]]:
    """Return segment sums of shape (systems, items, k) for each metric, and why others are missing."""
    corpus = aligned.corpus.take(aligned.rows.ravel().tolist()).with_language()
    view = view or (CHARACTERS if corpus.default_view == CHARACTERS else SURFACE)
    views = Views.from_corpus(corpus, threads)

    def batch_for(metric: Metric) -> Batch:
        return views.get_for_metric(metric, view)

    columns = {
        name: column._replace(metric=column.metric.for_language(corpus.language)) for name, column in columns.items()
    }
    reasons = {
        name: column.metric.unavailable()
        or language_problem(column.metric.languages, corpus.language)
        or column.metric.missing_inputs(batch_for(column.metric))
        for name, column in columns.items()
    }
    missing = {name: reason for name, reason in reasons.items() if reason}
    possible = {name: column for name, column in columns.items() if name not in missing}
    counted = column_sums(possible, batch_for, aligned.rows.shape)
    if PARTS.keys() <= counted.keys():
        counted[AVERAGE] = average_sums(counted)
    elif PARTS.keys() <= columns.keys():
        missing[AVERAGE] = next(f"{name}: {missing[name]}" for name in PARTS if name in missing)
    return counted, missing


def _interval_columns(name: str, values: FloatArray) -> dict[str, FloatArray]:
    return dict(zip((name, f"{name}_low", f"{name}_high"), values, strict=True))


def _pair_test_rows(
    name: str, sums: SegmentSums, samples: FloatArray, systems: Sequence[str], resamples: int, seed: int
) -> list[dict[str, Any]]:
    rows = [test._asdict() for test in pair_tests(sums, samples, resamples, seed)]
    for p in ("p_bootstrap", "p_randomisation"):
        for row, adjusted in zip(rows, holm([row[p] for row in rows]), strict=True):
            row[f"{p}_holm"] = float(adjusted)
    for row in rows:
        row |= {"metric": name, "first": systems[row["first"]], "second": systems[row["second"]]}
        row |= {"n": sums.sums.shape[1], "resamples": resamples}
    return rows


def _score_table(
    aligned: AlignedSystems,
    names: Sequence[str],
    columns: Mapping[str, FloatArray],
    requested: Mapping[str, SystemColumn],
    differences: pd.DataFrame,
) -> pd.DataFrame:
    """Return the score table, the best system first, with intervals and significance groups."""
    bounds = [name for name in columns if name not in names]
    table = pd.DataFrame({"system": aligned.systems, **{name: columns[name] for name in (*names, *bounds)}})
    table["n"] = len(aligned.items)
    table["groups"] = ""
    defined = [name for name in (AVERAGE, *names) if name in names and table[name].notna().any()]
    if not defined:
        return table
    by = defined[0]
    lower_is_better = by in requested and not requested[by].column.higher_is_better
    table = table.sort_values(by, ascending=lower_is_better, kind="stable", ignore_index=True)
    own = differences[differences["metric"] == by]
    apart = own[own["p_randomisation_holm"] < ALPHA]
    table["groups"] = significance_groups(table["system"].tolist(), zip(apart["first"], apart["second"], strict=True))
    table.attrs["sorted by"] = by
    return table


def significance_groups(systems: Sequence[str], different: Iterable[tuple[str, str]]) -> list[str]:
    """Return the group letters of each system; systems that share a letter do not differ."""
    places = {system: place for place, system in enumerate(systems)}
    ends = [len(systems)] * len(systems)
    for one, other in different:
        first, last = sorted((places[one], places[other]))
        ends[: first + 1] = [min(end, last) for end in ends[: first + 1]]
    runs = [(start, end) for start, end in enumerate(ends) if start == 0 or end > ends[start - 1]]
    return [
        " ".join(_group_letters(number) for number, (start, end) in enumerate(runs) if start <= place < end)
        for place in range(len(systems))
    ]


def _group_letters(number: int) -> str:
    first, last = divmod(number, len(ascii_lowercase))
    return (ascii_lowercase[first - 1] if first else "") + ascii_lowercase[last]
