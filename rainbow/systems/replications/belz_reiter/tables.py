"""Tables of Belz and Reiter (2006) for the systems of a corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rainbow.corpus import Corpus
from rainbow.systems.replications.belz_reiter.rater_correlations import correlate_raters
from rainbow.systems.replications.belz_reiter.system_scores import score_systems, system_differences

if TYPE_CHECKING:
    import pandas as pd


def belz_reiter_tables(
    corpus: Corpus, judged: pd.DataFrame | None, resamples: int, seed: int
) -> dict[str, pd.DataFrame]:
    """Return the four metrics (``belz_reiter_scores``) and tests of all pairs of systems."""
    import pandas as pd

    tables = {
        "belz_reiter_scores": score_systems(corpus.frame),
        "belz_reiter_differences": system_differences(corpus.frame, resamples=resamples, rng=seed),
    }
    if judged is not None and {"rater", "group"} <= set(judged):
        by_criterion = judged.groupby("criterion", sort=False, observed=True)
        tables["belz_reiter_raters"] = pd.concat(
            [correlate_raters(part).assign(rating=criterion) for criterion, part in by_criterion], ignore_index=True
        )
    return tables
