"""Inputs of an analysis: scores, ratings, directions and numbers of resamples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from rainbow.analysis.differences.metric_differences import Test
from rainbow.base.lazy import pd
from rainbow.metrics.contract.metric_card import LEARNED
from rainbow.scoring.saved_scores import EXTERNAL, About
from rainbow.stats.agreement.alternative_annotator import RaterKind


class Inputs(NamedTuple):
    """Inputs of every analysis."""

    frame: pd.DataFrame  # a row per output, as :func:`rainbow.scoring.saved_scores.load_scores` gives it
    metrics: Sequence[str]  # columns of the frame
    ratings: Sequence[str]  # columns of the frame
    higher_is_better: Mapping[str, bool | None]  # direction and group of every metric
    groups: Mapping[str, str]  # direction and group of every metric
    resamples: int = 1000  # number of bootstrap resamples and permutations
    seed: int = 2017  # random seed
    differences: Test = "jackknife"
    judgements: pd.DataFrame | None = None
    stands_for: Mapping[str, str] = MappingProxyType({})
    raters: RaterKind = "crowd"  # who gave the ratings: ``experts``, ``skilled`` or a ``crowd``
    external: Sequence[str] = ()  # the metrics that the user brought as columns of scores
    undirected: Sequence[str] = ()  # those of them whose direction is not known: they are listed, not tested
    scale: Sequence[str] = ()  # words of the ratings' scales
    models: Mapping[str, str] = MappingProxyType({})  # the language model behind a score, if it is known

    @property
    def compared(self) -> tuple[pd.DataFrame, Sequence[str], Sequence[str], Mapping[str, bool | None]]:
        """The table, its metrics and ratings, and the directions of the metrics."""
        return self.frame, self.metrics, self.ratings, self.higher_is_better


def analysis_inputs(frame: pd.DataFrame, ratings: Sequence[str] | None = None) -> Inputs:
    """Select the columns to analyse from a table of scores."""
    about = About.from_table(frame)
    metrics, rated = list(about.signatures), list(ratings if ratings is not None else about.ratings)
    if unknown := [name for name in rated if name not in frame]:
        raise ValueError(f"{unknown[0]!r} is not a rating; the ratings are: {', '.join(about.ratings) or 'none'}")
    groups, better = about.groups_and_directions(metrics)
    return Inputs(
        frame,
        metrics,
        rated,
        better,
        groups,
        stands_for=_target_ratings(about, metrics),
        external=[name for name in metrics if groups[name] == EXTERNAL and not name.startswith(LEARNED)],
        undirected=[name for name in metrics if about.external.get(name, {}).get("unknown")],
        scale=about.columns.get("scale", ()),
        models={name: facts["model"] for name, facts in about.external.items() if "model" in facts},
    )


def _target_ratings(metadata: About, metrics: Sequence[str]) -> dict[str, str]:
    """Return the rating that each of these columns predicts."""
    named = {name: metadata.external.get(name, {}).get("rating") for name in metrics}
    for name, rating in named.items():
        if rating and rating not in metadata.ratings:
            known = ", ".join(metadata.ratings) or "none"
            raise ValueError(f"{name} predicts {rating!r}, which is not a rating; the ratings are: {known}")
    return {name: rating for name, rating in named.items() if rating}
