"""The answers in short: which metric agrees best with each rating, how far that goes, and what to beware of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rainbow._version import __version__
from rainbow.analysis.agreement.best_ceilings import best_ceilings, why_no_ceiling
from rainbow.analysis.analyse import Tables
from rainbow.analysis.checks.causes import causes
from rainbow.analysis.inputs import Inputs
from rainbow.scoring.cells import POOLED

if TYPE_CHECKING:
    import pandas as pd

JUDGES = ("rating", "metric", "kind", "winning_rate", "advantage", "passes", "spearman", "spearman_rater", "epsilon")
VERDICTS = ("rating", "verdict", "metric", "headline", "because", "left_out", "agreement", "low", "high", "n", "needed")
BEST = ("dataset", "rating", "group", "metric", "r", "low", "high", "n", "p_selected", "candidates")


def summarise(inputs: Inputs, tables: Tables) -> dict[str, Any]:
    """Return what was asked about and what came out, as plain data for JSON (NaN for what is not defined)."""
    frame = inputs.frame
    judged = {"meta_evaluation": tables["meta_evaluation"].to_dict("records")} if "meta_evaluation" in tables else {}
    return {
        "outputs": len(frame),
        "items": int(frame.groupby(["dataset", "item"]).ngroups),
        "datasets": list(dict.fromkeys(frame["dataset"])),
        "systems": list(dict.fromkeys(frame["system"])),
        "ratings": list(inputs.ratings),
        "metrics": list(inputs.metrics),
        **(_of_ratings(tables) if inputs.ratings else {}),
        **({"judges": _judges(inputs, tables)} if inputs.ratings and inputs.stands_for else {}),
        **judged,
        "resamples": inputs.resamples,
        "seed": inputs.seed,
        "version": __version__,
    }


def _of_ratings(tables: Tables) -> dict[str, Any]:
    return {
        "verdicts": _records(tables["verdicts"], list(VERDICTS)),
        "best_metrics": _best(tables),
        "ceilings": list(best_ceilings(tables["ceilings"]).values()),
        "no_ceilings": why_no_ceiling(tables["ceilings"]),
        "warnings": [cause._asdict() for cause in causes(tables["checks"])],
    }


def _judges(inputs: Inputs, tables: Tables) -> list[dict[str, Any]]:
    """Return what the test found of all raters together, over all outputs."""
    table = tables["alternative_annotators"]
    whole = table["dataset"].iloc[-1]  # all datasets together come last
    asked = table["rating"].isin(list(inputs.stands_for.values()))
    return _records(table[(table["rater"] == POOLED) & (table["dataset"] == whole) & asked], list(JUDGES))


def _best(tables: Tables) -> list[dict[str, Any]]:
    """Return the best metrics over the outputs of each dataset, and of all."""
    best = tables["best_metrics"]
    chosen = (best["system"] == POOLED) & (best["level"] == "pooled") & (best["stratum"] == POOLED)
    if best["dataset"].nunique() == 2:  # one dataset, and the same pooled
        chosen &= best["dataset"] != POOLED
    return _records(best[chosen], list(BEST))


def _records(table: pd.DataFrame, columns: list[str]) -> list[dict[str, Any]]:
    return [dict(zip(columns, row, strict=True)) for row in table[columns].itertuples(index=False, name=None)]
