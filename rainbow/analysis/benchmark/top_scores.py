"""The score with the highest agreement on each corpus, next to the one the verdict names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rainbow.scoring.table_cells import POOLED

if TYPE_CHECKING:
    import pandas as pd

# The verdict holds systems and inputs fixed, as the table does not: a score may win by telling systems apart.
WHY_DIFFERENT = (
    "Verdicts are based on agreement within systems and inputs, the table on agreement over all outputs "
    "or pairs, so they may name different scores."
)


def top_scores(table: pd.DataFrame) -> pd.DataFrame:
    """Return the top score per corpus and rating; `named` says whether the verdict names it too."""
    first = table[(table["rank"] == 1) & (table["corpus"] != POOLED)].drop_duplicates(["corpus", "rating"])
    pairs = zip(first["metric"], first["headline"], strict=True)
    return first.assign(named=[f" {metric} " in f" {headline} " for metric, headline in pairs])
