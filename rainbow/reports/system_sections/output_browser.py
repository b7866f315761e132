"""Outputs of two systems side by side for the same input."""

from __future__ import annotations

import json
from typing import Any

from rainbow.base.lazy import pd
from rainbow.reports.embedding import compress_json, slot_coverage
from rainbow.reports.saved.saved_systems import SavedSystems
from rainbow.reports.section import Section

# The tables of texts that `rainbow systems` saves: they stand in the page as one.
OUTPUTS, INPUTS, ERRORS = "outputs", "inputs", "utterance_slot_errors"

# Slot counts of the outputs, and the share of words in the closest reference, which the page computes.
KINDS = ("slot errors", "missing", "wrong", "repeated", "added")
SHARED_WORDS = "shared words"

ORDERS = {
    "either": "largest difference from the other system",
    "above": "better than the other system",
    "below": "worse than the other system",
    "worst": "worst by the metric",
    "best": "best by the metric",
    "data": "by input",
}


def section(saved: SavedSystems) -> Section:
    """Return the data of the browser, initially for the two best systems."""
    table = output_table(saved)
    first, second = saved.systems(saved.parts[0])[:2]
    kinds = [name for name in KINDS if name in table]
    metrics = [{"name": name, "lower": True} for name in kinds] + [{"name": SHARED_WORDS, "lower": False}]
    browser: dict[str, Any] = {
        "name": saved.name,
        "file": f"analysis/{saved.name}/{OUTPUTS}.csv",
        "ratings": [],
        "raters": {},
        "metrics": metrics,
        "best": {"": metrics[0]["name"]},
        "system": first,
        "beside": second,
        "slots": compress_json(slot_coverage(table)) if kinds and not saved.name.endswith("-published") else None,
    }
    return Section("systems-outputs", "Outputs side by side", {"browser": browser, "orders": ORDERS})


def output_table(saved: SavedSystems) -> pd.DataFrame:
    """Return outputs with input, references and slot errors, by input."""
    inputs = saved.tables[INPUTS]
    inputs = inputs.assign(references=inputs["references"].map(json.loads), place=inputs.index)
    table = saved.tables[OUTPUTS].merge(inputs, on=["dataset", "item"]).sort_values("place", kind="stable")
    if ERRORS in saved.tables:
        errors = saved.tables[ERRORS].set_index("id")[[*KINDS[1:]]]
        table = table.join(errors.assign(**{KINDS[0]: errors.sum(axis=1, skipna=False)}), on="id")
    return table.drop(columns="place").reset_index(drop=True)
