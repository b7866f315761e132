"""The metrics of whole systems in two tables: scores with intervals, and differences of all pairs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray, Random
from rainbow.base.progress import Progress
from rainbow.metrics import Batch
from rainbow.stats.differences.multiplicity import holm
from rainbow.stats.tidy import tidy
from rainbow.systems.align import Aligned
from rainbow.systems.corpus_scores.average import NormalisedAverage
from rainbow.systems.corpus_scores.base import CorpusMetric, Segments
from rainbow.systems.corpus_scores.chrf import CorpusChrF
from rainbow.systems.corpus_scores.groups import groups
from rainbow.systems.corpus_scores.means import CorpusTer, MeanScore
from rainbow.systems.corpus_scores.meteor import CorpusMeteor
from rainbow.systems.corpus_scores.mteval import CorpusBleu, CorpusNist
from rainbow.systems.corpus_scores.resampling import bootstrap_scores, interval, pair_tests

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["AVERAGE", "DIFFERENCE_COLUMNS", "METRICS", "CorpusMetrics", "corpus_metrics"]

# Those of the E2E challenge, under their names in its table. What it calls CIDEr is CIDEr-D.
_PARTS: tuple[CorpusMetric, ...] = (
    CorpusBleu(),
    CorpusNist(),
    CorpusMeteor(),
    MeanScore("ROUGE-L", "ROUGE"),
    MeanScore("CIDEr", "CIDErD", 10.0),
)
_FURTHER: tuple[CorpusMetric, ...] = (MeanScore("CIDEr_cosine", "CIDEr", 10.0), CorpusTer(), CorpusChrF())
AVERAGE = NormalisedAverage(_PARTS)
METRICS = (*_PARTS, AVERAGE, *_FURTHER)

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
    """What the metrics say of the systems.

    Attributes
    ----------
    scores
        A row per system, the best first: its scores under the metrics' names, their 95 % bootstrap intervals as
        ``NAME_low`` and ``NAME_high``, `n` (items), `groups` (letters: systems that share one do not differ
        significantly in the metric that they are sorted by).
    differences
        A row per metric and pair of systems (:data:`DIFFERENCE_COLUMNS`).
    missing
        Why a metric is NaN, by its name.
    """

    scores: pd.DataFrame
    differences: pd.DataFrame
    missing: Mapping[str, str]


def corpus_metrics(
    aligned: Aligned,
    metrics: Sequence[CorpusMetric] = METRICS,
    *,
    resamples: int = 10_000,
    rng: Random = None,
    threads: int = 1,
    progress: Progress = iter,
) -> CorpusMetrics:
    """Return every system's scores, their intervals, and tests of all pairs of systems.

    Segments are resampled, the same for all systems; p is corrected for the number of pairs by Holm's method, for each
    metric by itself. Systems are sorted by the normalised average, or by the first metric that can be computed.

    Parameters
    ----------
    aligned
        The outputs (:func:`rainbow.systems.align.align`); metrics see their surface.
    metrics
        Which.
    resamples
        Bootstrap samples and shuffles. With m pairs, no p below m / (resamples + 1) comes out after correction: 21
        systems need 4,200 or more for any difference to be significant at 5 %.
    rng
        A seed or a numpy Generator.
    threads
        How many threads the compiled kernels use; the numbers are the same for any number.
    progress
        Wraps the names of the metrics while they are computed.

    Examples
    --------
    >>> from rainbow.corpus import Corpus
    >>> from rainbow.systems.align import align
    >>> texts = ["an inn", "a cheap inn", "the inn", "inns"]
    >>> corpus = Corpus.of(
    ...     texts + ["no", "a pub", "the bar", "zoo"],
    ...     [[text] for text in texts] * 2,
    ...     item=list("1234") * 2,
    ...     system=["good"] * 4 + ["bad"] * 4,
    ... )
    >>> scores, differences, missing = corpus_metrics(align(corpus), [CorpusTer()], resamples=99, rng=1)
    >>> scores["system"].tolist(), scores["TER"].tolist(), scores["n"].tolist()
    (['good', 'bad'], [0.0, 0.75], [4, 4])
    """
    generator = np.random.default_rng(rng)
    # Every metric sees the same samples and shuffles: what is drawn for one does not depend on the others.
    seeds = [int(seed) for seed in generator.integers(2**63, size=2)]
    missing = {metric.name: reason for metric in metrics if (reason := metric.unavailable())}
    counted = _counted(aligned, [metric for metric in metrics if metric.name not in missing], threads, progress)
    columns: dict[str, Any] = {}
    tests: list[dict[str, Any]] = []
    for metric in metrics:
        if metric.name in missing:
            columns |= _columns(metric.name, np.full((3, len(aligned.systems)), np.nan))
            continue
        statistics = counted[metric.name]
        samples = bootstrap_scores(metric, statistics, resamples, seeds[0])
        bounds = np.array([interval(samples[:, place]) for place in range(len(aligned.systems))]).T
        columns |= _columns(metric.name, np.vstack([metric.of_sums(statistics.sum(axis=1)), bounds]))
        tests += _tests(metric, statistics, samples, aligned.systems, resamples, seeds[1])
    differences = tidy(tests, DIFFERENCE_COLUMNS)
    return CorpusMetrics(_scores(aligned, metrics, columns, differences), differences, missing)


def _counted(
    aligned: Aligned, metrics: Sequence[CorpusMetric], threads: int, progress: Progress
) -> dict[str, FloatArray]:
    """Return the statistics of every metric, shapes (systems, items, width); those of parts are counted once."""
    corpus = aligned.corpus.take(aligned.rows.ravel().tolist())
    segments = Segments(Batch.of(corpus, corpus.view("surface"), threads))
    shape = (len(aligned.systems), len(aligned.items), -1)
    simple = {metric.name: metric for metric in _simple(metrics)}
    counted = {name: simple[name].statistics(segments).reshape(shape) for name in progress(list(simple))}
    for metric in metrics:
        if isinstance(metric, NormalisedAverage):
            counted[metric.name] = np.concatenate([counted[part.name] for part in metric.parts], axis=-1)
    return counted


def _simple(metrics: Iterable[CorpusMetric]) -> Iterator[CorpusMetric]:
    for metric in metrics:
        if isinstance(metric, NormalisedAverage):
            yield from metric.parts
        else:
            yield metric


def _columns(name: str, values: FloatArray) -> dict[str, FloatArray]:
    return dict(zip((name, f"{name}_low", f"{name}_high"), values, strict=True))


def _tests(
    metric: CorpusMetric,
    statistics: FloatArray,
    samples: FloatArray,
    systems: Sequence[str],
    resamples: int,
    seed: int,
) -> list[dict[str, Any]]:
    rows = [test._asdict() for test in pair_tests(metric, statistics, samples, resamples, seed)]
    for p in ("p_bootstrap", "p_randomisation"):
        for row, adjusted in zip(rows, holm([row[p] for row in rows]), strict=True):
            row[f"{p}_holm"] = float(adjusted)
    for row in rows:
        row |= {"metric": metric.name, "first": systems[row["first"]], "second": systems[row["second"]]}
        row |= {"n": statistics.shape[1], "resamples": resamples}
    return rows


def _scores(
    aligned: Aligned, metrics: Sequence[CorpusMetric], columns: Mapping[str, FloatArray], differences: pd.DataFrame
) -> pd.DataFrame:
    """Return the table of scores, the best system first, points before intervals, and the groups."""
    import pandas as pd

    names = [metric.name for metric in metrics]
    bounds = [name for name in columns if name not in names]
    table = pd.DataFrame({"system": aligned.systems, **{name: columns[name] for name in (*names, *bounds)}})
    table["n"] = len(aligned.items)
    defined = [metric for metric in (AVERAGE, *metrics) if metric.name in table and table[metric.name].notna().any()]
    table["groups"] = ""
    if not defined:
        return table
    by = defined[0]
    table = table.sort_values(by.name, ascending=not by.higher_is_better, kind="stable", ignore_index=True)
    own = differences[differences["metric"] == by.name]
    apart = own[own["p_randomisation_holm"] < ALPHA]
    table["groups"] = groups(table["system"].tolist(), zip(apart["first"], apart["second"], strict=True))
    table.attrs["sorted by"] = by.name
    return table
