"""System scores by the metrics of Belz and Reiter (2006), and tests of their differences."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import combinations

import numpy as np

from rainbow.base.arrays import Random
from rainbow.base.lazy import pd
from rainbow.corpus import Corpus
from rainbow.corpus.rows import validate_references
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.word.nist import Nist
from rainbow.stats.resampling.paired_resampling import approximate_randomisation
from rainbow.stats.tidy_tables import require_columns, tidy_table
from rainbow.systems.corpus_scores.segment_sums import SegmentSums
from rainbow.systems.replications.belz_reiter.four_metrics import four_metrics
from rainbow.systems.replications.belz_reiter.rater_correlations import correlate_raters


def score_systems(frame: pd.DataFrame) -> pd.DataFrame:
    """Return NIST-5, BLEU-4, ROUGE-4 and SE of every system, on items that all systems have.

    Source: Belz, A. and Reiter, E. (2006). Comparing automatic and human evaluation of NLG systems. EACL, table 2.
    """
    result = _system_sums(frame)
    return tidy_table(
        [
            {"system": name, "n": len(parts["SE"].sums)}
            | {metric: part.scores.item() for metric, part in parts.items()}
            for name, parts in result.items()
        ],
        ["system", "NIST-5", "BLEU-4", "ROUGE-4", "SE", "n"],
    )


def system_differences(frame: pd.DataFrame, *, resamples: int = 10_000, rng: Random = None) -> pd.DataFrame:
    """Test every pair of systems for differences in the four metrics by approximate randomisation.

    Source: Riezler, S. and Maxwell, J. T. (2005). On some pitfalls in automatic evaluation and significance testing for
    MT. ACL workshop on intrinsic and extrinsic evaluation measures.
    """
    results = _system_sums(frame)
    # One seed for all, so that a test does not depend on which systems were tested before.
    seed = int(np.random.default_rng(rng).integers(2**62))
    lines = []
    for metric in next(iter(results.values())):
        for first, second in combinations(results, 2):
            one, other = results[first][metric], results[second][metric]
            result = approximate_randomisation(
                one.sums, other.sums, statistic=one.score_sums, resamples=resamples, rng=seed
            )
            lines.append({"metric": metric, "first": first, "second": second} | result._asdict())
    return tidy_table(lines, ["metric", "first", "second", "difference", "p", "n", "resamples", "reason"])


def _system_sums(frame: pd.DataFrame) -> dict[str, dict[str, SegmentSums]]:
    """Return the segment sums of every system, over the items common to all systems."""
    require_columns(frame, ["system", "item", "output", "references"])
    if (twice := frame.duplicated(["system", "item"])).any():
        row = frame[twice].iloc[0]
        raise ValueError(f"system {row['system']!r} has two outputs for item {row['item']}: keep one")
    outputs = frame.pivot(index="item", columns="system", values="output").dropna()
    if outputs.empty:
        raise ValueError("no item has an output of all systems: compare systems on the same items")
    sets = _shared_references(frame)
    texts = [sets[item] for item in outputs.index]
    nist = Nist().fit(Batch([""] * len(texts), texts))
    return {str(name): four_metrics(outputs[name].tolist(), texts, nist) for name in dict.fromkeys(frame["system"])}


def _shared_references(frame: pd.DataFrame) -> dict[Hashable, tuple[str, ...]]:
    """Return the references of every item; ValueError if they differ between systems."""
    result: dict[Hashable, tuple[str, ...]] = {}
    for item, references in zip(frame["item"], validate_references("references", frame["references"]), strict=True):
        if result.setdefault(item, references) != references:
            raise ValueError(f"item {item} has different references for different systems")
    return result


def belz_reiter_tables(
    corpus: Corpus, judged: pd.DataFrame | None, resamples: int, seed: int
) -> dict[str, pd.DataFrame]:
    """Return the four metrics (``belz_reiter_scores``) and tests of all pairs of systems."""
    tables = {
        "belz_reiter_scores": score_systems(corpus.frame),
        "belz_reiter_differences": system_differences(corpus.frame, resamples=resamples, rng=seed),
    }
    if judged is not None and {"rater", "group"} <= set(judged):
        by_criterion = judged.groupby("criterion", sort=False, observed=True)
        tables["belz_reiter_raters"] = pd.concat(
            [correlate_raters(part).assign(rating=criterion) for criterion, part in by_criterion], ignore_index=True
        )
    return tables
