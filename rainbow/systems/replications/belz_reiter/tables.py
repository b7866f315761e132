"""What Belz and Reiter (2006) computed of the systems of a corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rainbow.corpus import Corpus
from rainbow.systems.replications.belz_reiter.rater_correlations import rater_correlations
from rainbow.systems.replications.belz_reiter.system_scores import system_differences, system_scores

if TYPE_CHECKING:
    import pandas as pd


def belz_reiter(corpus: Corpus, judged: pd.DataFrame | None, resamples: int, seed: int) -> dict[str, pd.DataFrame]:
    """Return their four metrics (``belz_reiter_scores``) and tests of all pairs of systems."""
    import pandas as pd

    tables = {
        "belz_reiter_scores": system_scores(corpus.frame),
        "belz_reiter_differences": system_differences(corpus.frame, resamples=resamples, rng=seed),
    }
    if judged is not None and {"rater", "group"} <= set(judged):
        by_criterion = judged.groupby("criterion", sort=False, observed=True)
        tables["belz_reiter_raters"] = pd.concat(
            [rater_correlations(part).assign(rating=criterion) for criterion, part in by_criterion], ignore_index=True
        )
    return tables
