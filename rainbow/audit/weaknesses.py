"""Which faults a metric does not see: kinds of worse texts for which it seldom falls."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from rainbow.audit.audit import audit_metrics, column_direction
from rainbow.base.formatting import format_count
from rainbow.base.lazy import pd
from rainbow.corpus import Corpus

ROWS = 100  # outputs to make worse
BLIND = 0.8  # share of texts below which a metric does not see a kind of fault
_FEWEST = 10  # texts of a kind
_NAMED = 5  # kinds in a sentence


def sample_rows(corpus: Corpus) -> Corpus:
    """Return at most ROWS evenly spaced outputs."""
    places = np.linspace(0, max(0, len(corpus) - 1), min(ROWS, len(corpus)))
    return corpus.take(places.round().astype(int).tolist())


def audit_sample(corpus: Corpus, names: Iterable[str]) -> pd.DataFrame:
    """Return the share of texts whose score drops, per column with a direction and kind of worse text."""
    table = audit_metrics(sample_rows(corpus), list(names))
    directed = table["metric"].map(column_direction).notna()
    # A missing score neither drops nor stays.
    enough = (table["n"] >= _FEWEST) & (2 * table["unscored"] <= table["n"])
    return table.loc[directed & enough, ["metric", "kind", "n", "falls", "low", "high"]]


def weakness_sentence(lines: pd.DataFrame) -> str:
    """Return what a column does not see, the least visible fault first; empty without lines."""
    if lines.empty:
        return ""
    blind = lines[lines["falls"] < BLIND].sort_values("falls", kind="stable")
    if blind.empty:
        return f"falls for every kind of worse text ({format_count(len(lines), 'kind')})"
    shares = zip(blind["kind"], blind["falls"], strict=True)
    kinds = [f"{kind.replace('-', ' ')} ({100 * falls:.0f} %)" for kind, falls in shares]
    more = ", ..." if len(kinds) > _NAMED else ""
    first = ", ".join(kinds[:_NAMED])
    return f"does not reliably fall for {len(kinds)} of {len(lines)} kinds of worse texts: {first}{more}"
