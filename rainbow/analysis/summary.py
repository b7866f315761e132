"""Summary of an analysis: best metrics, their agreement, and warnings."""

from __future__ import annotations

from typing import Any

from rainbow._version import __version__
from rainbow.analysis.agreement.best_ceilings import best_ceilings, missing_ceiling_reasons
from rainbow.analysis.analyse import Tables
from rainbow.analysis.analysis_inputs import Inputs
from rainbow.analysis.checks.failure_causes import group_causes
from rainbow.analysis.judges.judge_sentences import label_sentences
from rainbow.base.lazy import pd
from rainbow.scoring.table_cells import POOLED

JUDGES = ("rating", "metric", "kind", "winning_rate", "advantage", "passes", "spearman", "spearman_rater", "epsilon")
VERDICTS = ("rating", "verdict", "metric", "headline", "because", "left_out", "agreement", "low", "high", "n", "needed")
BEST = ("dataset", "rating", "group", "metric", "r", "low", "high", "n", "p_selected", "candidates")


def summarise(inputs: Inputs, tables: Tables) -> dict[str, Any]:
    """Return the inputs and main results as JSON-serialisable data; NaN if undefined."""
    frame = inputs.frame
    judged = {"meta_evaluation": tables["meta_evaluation"].to_dict("records")} if "meta_evaluation" in tables else {}
    return {
        "outputs": len(frame),
        "items": int(frame.groupby(["dataset", "item"]).ngroups),
        "datasets": list(dict.fromkeys(frame["dataset"])),
        "systems": list(dict.fromkeys(frame["system"])),
        "ratings": list(inputs.ratings),
        "metrics": list(inputs.metrics),
        **(_rating_records(tables) if inputs.ratings else {}),
        **({"judges": _judge_records(inputs, tables)} if inputs.ratings and inputs.stands_for else {}),
        **({"judge_labels": labels} if (labels := label_sentences(tables)) else {}),
        **judged,
        "resamples": inputs.resamples,
        "seed": inputs.seed,
        "version": __version__,
    }


def _rating_records(tables: Tables) -> dict[str, Any]:
    return {
        "verdicts": _records(tables["verdicts"], list(VERDICTS)),
        "best_metrics": _best_records(tables),
        "ceilings": list(best_ceilings(tables["ceilings"]).values()),
        "no_ceilings": missing_ceiling_reasons(tables["ceilings"]),
        "warnings": [cause._asdict() for cause in group_causes(tables["checks"])],
    }


def _judge_records(inputs: Inputs, tables: Tables) -> list[dict[str, Any]]:
    """Return the test results over all raters and outputs."""
    table = tables["alternative_annotators"]
    whole = table["dataset"].iloc[-1]  # all datasets together come last
    asked = table["rating"].isin(list(inputs.stands_for.values()))
    return _records(table[(table["rater"] == POOLED) & (table["dataset"] == whole) & asked], list(JUDGES))


def _best_records(tables: Tables) -> list[dict[str, Any]]:
    """Return the best metrics over the outputs of each dataset, and of all."""
    best = tables["best_metrics"]
    chosen = (best["system"] == POOLED) & (best["level"] == "pooled") & (best["stratum"] == POOLED)
    if best["dataset"].nunique() == 2:  # one dataset, and the same pooled
        chosen &= best["dataset"] != POOLED
    return _records(best[chosen], list(BEST))


def _records(table: pd.DataFrame, columns: list[str]) -> list[dict[str, Any]]:
    return [dict(zip(columns, row, strict=True)) for row in table[columns].itertuples(index=False, name=None)]
