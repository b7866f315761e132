"""Non-inferiority tests of new outputs against earlier ones for the same inputs."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from rainbow.base.lazy import pd
from rainbow.stats.differences.mean_differences import paired_t
from rainbow.stats.differences.multiplicity import holm

SIGNIFICANT = 0.05


def compare_outputs(
    now: pd.DataFrame, before: pd.DataFrame, metrics: Mapping[str, bool], margin: float | None = None
) -> pd.DataFrame:
    """Compare the mean scores of two tables of outputs for the same inputs, metric by metric."""
    from rainbow.analysis.run_comparison import shared_item_means

    for name, table in (("now", now), ("before", before)):
        if missing := [column for column in ("item", *metrics) if column not in table]:
            raise ValueError(f"the table of {name} has no column {missing[0]!r}")
    new, old = shared_item_means(now, before, list(metrics))
    result = pd.DataFrame([_metric_row(metric, new[metric].to_numpy(), old[metric].to_numpy()) for metric in metrics])
    result["p_holm"] = holm(result["p"])
    sign = np.where([metrics[metric] for metric in result["metric"]], 1.0, -1.0)
    if margin is None:
        # If every input differs by the same amount, p is undefined but the difference is certain.
        certain = result["p_holm"].lt(SIGNIFICANT) | (result["p"].isna() & result["n"].gt(1))
        result["worse"] = (sign * result["difference"] < 0) & certain
    else:
        lowest = np.where(sign > 0, result["low"], -result["high"])
        result["worse"] = ~(np.where(result["p"].isna(), sign * result["difference"], lowest) > -margin)
    return result[["metric", "n", "before", "now", "difference", "low", "high", "p", "p_holm", "worse", "reason"]]


def _metric_row(metric: str, now: np.ndarray, before: np.ndarray) -> dict[str, object]:
    known = ~(np.isnan(now) | np.isnan(before))
    test = paired_t(now[known], before[known])
    means = (float(values[known].mean()) if known.any() else np.nan for values in (before, now))
    row = dict(zip(("before", "now"), means, strict=True))
    bounds = {"low": test.low, "high": test.high, "p": test.p, "reason": test.reason}
    return {"metric": metric, "n": int(known.sum()), **row, "difference": row["now"] - row["before"], **bounds}
