"""Summary of an analysis: best metrics, their agreement, and warnings; saving it to a folder for reports."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rainbow._version import __version__
from rainbow.analysis.agreement.ceiling import best_ceilings, missing_ceiling_reasons
from rainbow.analysis.analyse import TABLES, Tables
from rainbow.analysis.analysis_inputs import Inputs
from rainbow.analysis.checks.findings import group_causes
from rainbow.analysis.judges.judge_sentences import label_sentences
from rainbow.base.files import write_json
from rainbow.base.lazy import pd
from rainbow.scoring.result_tables import write_tables
from rainbow.scoring.table_cells import POOLED
from rainbow.stats.tidy_tables import records

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
        "verdicts": records(tables["verdicts"][list(VERDICTS)]),
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
    chosen = (table["rater"] == POOLED) & (table["dataset"] == whole) & asked
    return records(table.loc[chosen, list(JUDGES)])


def _best_records(tables: Tables) -> list[dict[str, Any]]:
    """Return the best metrics over the outputs of each dataset, and of all."""
    best = tables["best_metrics"]
    chosen = (best["system"] == POOLED) & (best["level"] == "pooled") & (best["stratum"] == POOLED)
    if best["dataset"].nunique() == 2:  # one dataset, and the same pooled
        chosen &= best["dataset"] != POOLED
    return records(best.loc[chosen, list(BEST)])


def analysis_files(folder: Path) -> list[Path]:
    """Return the files that an analysis may write, the summary first."""
    return [folder / "summary.json", *(folder / f"{table.name}.csv" for table in TABLES)]


def save_analysis(
    folder: Path, tables: Mapping[str, pd.DataFrame], summary: Mapping[str, Any], *, guard: bool = False
) -> Path:
    """Write every table as CSV and the summary as JSON; return the path of the summary."""
    write_tables(folder, tables, guard=guard)
    for table in TABLES:
        if table.name not in tables:
            (folder / f"{table.name}.csv").unlink(missing_ok=True)
    # A summary of ratings is what a report on metrics is made from.
    return write_json(folder / ("summary.json" if summary["ratings"] else "meta_evaluation.json"), summary)
