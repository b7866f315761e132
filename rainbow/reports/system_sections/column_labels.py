"""Labels and meanings of the columns of `rainbow systems`."""

from __future__ import annotations

from rainbow.reports.grid import ARROWS, Column
from rainbow.reports.saved.saved_systems import SavedSystems
from rainbow.systems.corpus_scores.metric_average import AVERAGE
from rainbow.systems.corpus_scores.system_columns import system_columns

_MEANINGS = {
    AVERAGE: "mean of BLEU, NIST / 10, METEOR, ROUGE-L and CIDEr / 10",
    "BLEU": "corpus BLEU-4 (mteval-v13a), 0 to 1",
    "NIST": "corpus NIST-5 (mteval-v13a), from 0",
    "METEOR": "corpus METEOR 1.5, 0 to 1",
    "ROUGE-L": "mean ROUGE-L of the outputs, 0 to 1",
    "CIDEr": "mean CIDEr-D of the outputs, 0 to 10, printed as CIDEr by the tools of MS-COCO and E2E",
    "CIDEr_cosine": "mean CIDEr of the outputs as originally defined, 0 to 10",
    "TER": "edits per reference word",
    "chrF++": "corpus chrF++, 0 to 100",
}


def metric_columns(saved: SavedSystems) -> list[str]:
    """Return the corpus metrics of a table, the sort key first."""
    names = [str(name) for name in saved.tables["corpus_metrics"] if f"{name}_low" in saved.tables["corpus_metrics"]]
    return sorted(names, key=lambda name: name != AVERAGE)


def higher_is_better(metric: str) -> bool:
    """Return whether higher is better for a corpus metric."""
    known = system_columns()
    return metric not in known or bool(known[metric].column.higher_is_better)


def metric_column(metric: str) -> Column:
    """Return the column head of a corpus metric."""
    arrow, direction = ARROWS[higher_is_better(metric)]
    return Column(f"{plain_name(metric)} {arrow}", f"{describe_metric(metric)}; {direction}")


def describe_metric(metric: str) -> str:
    """Return the description of a corpus metric."""
    return _MEANINGS.get(metric, metric)


def plain_name(name: str) -> str:
    """Return the name of a column or measure as words."""
    return name.removesuffix("_percent").replace("_", " ") + (", %" if name.endswith("_percent") else "")
