"""Slot errors summed over each system's outputs."""

from __future__ import annotations

from typing import Any

from rainbow.base.lazy import pd
from rainbow.corpus import Corpus
from rainbow.stats.tidy_tables import tidy_table
from rainbow.systems.slot_errors.output_slot_errors import ERRORS, Reading, read_output, utterance_slot_errors

CLASSES = ("ok_percent", "added_percent", "missed_percent", "added_and_missed_percent")
COLUMNS = ("dataset", "system", "method", "outputs", "slots", *ERRORS, *CLASSES, "slot_error_rate_percent")


def system_slot_errors(corpus: Corpus, *, reading: Reading = read_output) -> pd.DataFrame:
    """Return the slot error rate and the slot error counts of every system.

    Source: Reed, L., Oraby, S. and Walker, M. (2018). Can neural generators for dialogue learn sentence planning and
    discourse structuring? INLG. Dušek, O., Novikova, J. and Rieser, V. (2020). Evaluating the state-of-the-art of
    end-to-end natural language generation: the E2E NLG challenge. Computer Speech & Language 59. Table 12.
    """
    return sum_slot_errors(utterance_slot_errors(corpus, reading=reading))


def sum_slot_errors(utterances: pd.DataFrame) -> pd.DataFrame:
    """Return :func:`system_slot_errors` from the table of :func:`utterance_slot_errors`."""
    counted = utterances[utterances["reason"].isna()]
    groups = counted.groupby(["dataset", "system"], sort=False)
    return tidy_table((_system_line(str(dataset), str(system), rows) for (dataset, system), rows in groups), COLUMNS)


def _system_line(dataset: str, system: str, rows: pd.DataFrame) -> dict[str, Any]:
    sums = {name: int(rows[name].sum()) for name in ("slots", *ERRORS)}
    missed, added = rows["missing"] + rows["wrong"] > 0, rows["added"] + rows["wrong"] > 0
    classes = (~missed & ~added, added & ~missed, missed & ~added, missed & added)
    return {
        "dataset": dataset,
        "system": system,
        "method": ", ".join(sorted(set(rows["method"]))),
        "outputs": len(rows),
        **sums,
        **{name: 100 * float(result.mean()) for name, result in zip(CLASSES, classes, strict=True)},
        "slot_error_rate_percent": 100 * sum(sums[name] for name in ERRORS) / sums["slots"],
    }
