"""Mean agreement of every score over corpora, compared with output length."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rainbow.analysis.benchmark.agreement import COLUMNS, PAIRS
from rainbow.analysis.meta_evaluation import LENGTH
from rainbow.base.lazy import pd
from rainbow.scoring.table_cells import POOLED
from rainbow.stats.differences.multiplicity import holm
from rainbow.stats.differences.proportion_differences import MAX_EXACT_VALUES, sign_flip_p

MEAN = "mean over corpora"
NOT_EVERYWHERE = "not on every corpus"
ALPHA = 0.05
# A corpus on which fewer scores have a value (it has no references, say) does not count for means.
MOST = 0.5


def mean_agreement(table: pd.DataFrame) -> pd.DataFrame:
    """Return the mean agreement of every score over corpora with equal weights, best first."""
    scaled = table.assign(value=rescale_agreement(table))
    wide = scaled.groupby(["metric", "corpus"], sort=False)["value"].mean().unstack("corpus")
    wide = wide.loc[:, wide.notna().mean() >= MOST]
    wide = wide[wide.notna().any(axis=1)]
    groups = table.drop_duplicates("metric").set_index("metric")["group"]
    result = pd.DataFrame([_score_row(name, row, wide) for name, row in wide.iterrows()])
    result = result.assign(corpus=POOLED, rating=POOLED, measure=MEAN, group=result["metric"].map(groups))
    whole = result["n"] == wide.shape[1]
    result["rank"] = result["value"].where(whole).rank(method="min", ascending=False).astype("Int64")
    result = _add_clusters(result.sort_values(["rank", "value", "metric"], ascending=[True, False, True]), wide)
    return result.reindex(columns=list(COLUMNS)).reset_index(drop=True)


def rescale_agreement(table: pd.DataFrame) -> pd.Series[float]:
    """Return values on a scale where 0 is chance and 1 is perfect."""
    return table["value"].where(table["measure"] != PAIRS, 2 * table["value"] - 1)


def _score_row(name: Any, row: pd.Series[float], wide: pd.DataFrame) -> dict[str, Any]:
    known = row.notna()
    values = row[known].to_numpy(float)
    length = wide.loc[wide.index == LENGTH, known].to_numpy(float)[0] if LENGTH in wide.index else values * math.nan
    differences = (values - length)[~np.isnan(length)]
    p = sign_flip_p(differences) if len(differences) and name != LENGTH else math.nan
    return {
        "metric": name,
        "value": float(values.mean()),
        "n": len(values),
        "length": float(length.mean()),
        "p_length": p,
    }


def _add_clusters(table: pd.DataFrame, wide: pd.DataFrame) -> pd.DataFrame:
    """Return the table with the cluster of scores that are not worse than the best, if it can be tested."""
    ranked, corpora = table["rank"].notna(), wide.shape[1]
    others = int(ranked.sum()) - 1
    least = 2 / 2**corpora if corpora <= MAX_EXACT_VALUES else 0.0
    why = (
        "there is one corpus"
        if corpora == 1
        else (
            f"{corpora} corpora allow no p-value below {least:.2g}, and {max(others, 0)} scores are compared with "
            "the best"
        )
    )
    cluster, reason = pd.Series(pd.NA, index=table.index, dtype="Int64"), None
    if others < 1 or least * others >= ALPHA:
        reason = why
    else:
        head = wide.loc[table.loc[ranked, "metric"].iloc[0]]
        p = [sign_flip_p((head - wide.loc[name]).to_numpy(float)) for name in table.loc[ranked, "metric"].iloc[1:]]
        cluster[ranked] = np.where(np.concatenate([[False], holm(p) < ALPHA]), 2, 1)
    reasons: Any = [reason if there else NOT_EVERYWHERE for there in ranked]
    return table.assign(cluster=cluster, reason=pd.Series(reasons, index=table.index, dtype=object))
