"""Whole systems by the metrics of Belz and Reiter (2006), and tests whether two of them differ."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from rainbow.base.arrays import Random
from rainbow.corpus.rows import validate_references
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.word.nist.nist import Nist
from rainbow.stats.resampling.paired_resampling import approximate_randomisation
from rainbow.stats.tidy import require, tidy
from rainbow.systems.corpus_scores.segment_sums import SegmentSums
from rainbow.systems.replications.belz_reiter.four_metrics import four_metrics

if TYPE_CHECKING:
    import pandas as pd


def system_scores(frame: pd.DataFrame) -> pd.DataFrame:
    """Return NIST-5, BLEU-4, ROUGE-4 and SE of every system, on the items for which all systems have an output.

    Source: Belz, A. and Reiter, E. (2006). Comparing automatic and human evaluation of NLG systems. EACL, table 2.
    """
    found = _sums(frame)
    return tidy(
        [
            {"system": name, "n": len(parts["SE"].sums)}
            | {metric: part.scores.item() for metric, part in parts.items()}
            for name, parts in found.items()
        ],
        ["system", "NIST-5", "BLEU-4", "ROUGE-4", "SE", "n"],
    )


def system_differences(frame: pd.DataFrame, *, resamples: int = 10_000, rng: Random = None) -> pd.DataFrame:
    """Test each two systems for a difference in each of the four metrics, by approximate randomisation.

    Source: Riezler, S. and Maxwell, J. T. (2005). On some pitfalls in automatic evaluation and significance testing for
    MT. ACL workshop on intrinsic and extrinsic evaluation measures.
    """
    found = _sums(frame)
    # One seed for all, so that a test does not depend on which systems were tested before.
    seed = int(np.random.default_rng(rng).integers(2**62))
    lines = []
    for metric in next(iter(found.values())):
        for first, second in combinations(found, 2):
            one, other = found[first][metric], found[second][metric]
            result = approximate_randomisation(one.sums, other.sums, of_sums=one.of_sums, resamples=resamples, rng=seed)
            lines.append({"metric": metric, "first": first, "second": second} | result._asdict())
    return tidy(lines, ["metric", "first", "second", "difference", "p", "n", "resamples", "reason"])


def _sums(frame: pd.DataFrame) -> dict[str, dict[str, SegmentSums]]:
    """Return what the metrics add up, for every system, on the items that all have."""
    require(frame, ["system", "item", "output", "references"])
    if (twice := frame.duplicated(["system", "item"])).any():
        row = frame[twice].iloc[0]
        raise ValueError(f"system {row['system']!r} has two outputs for item {row['item']}: keep one")
    outputs = frame.pivot(index="item", columns="system", values="output").dropna()
    if outputs.empty:
        raise ValueError("there is no item for which all systems have an output: compare systems on the same items")
    sets = _references(frame)
    texts = [sets[item] for item in outputs.index]
    nist = Nist().fit(Batch([""] * len(texts), texts))
    return {str(name): four_metrics(outputs[name].tolist(), texts, nist) for name in dict.fromkeys(frame["system"])}


def _references(frame: pd.DataFrame) -> dict[Hashable, tuple[str, ...]]:
    """Return the references of every item, which are the same for all systems."""
    found: dict[Hashable, tuple[str, ...]] = {}
    for item, references in zip(frame["item"], validate_references("references", frame["references"]), strict=True):
        if found.setdefault(item, references) != references:
            raise ValueError(f"item {item} has different references for different systems")
    return found
