"""What every question of an analysis is asked about: scores, ratings, directions, and how much is drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from rainbow.analysis.differences.metric_differences import Test
from rainbow.metrics.contract.facts import LEARNED
from rainbow.scoring.saved_scores import EXTERNAL, About
from rainbow.stats.agreement.alternative_annotator import RaterKind

if TYPE_CHECKING:
    import pandas as pd


class Inputs(NamedTuple):
    """What every question is asked about.

    Attributes
    ----------
    frame
        A row per output, as :func:`rainbow.scoring.saved_scores.load_scores` gives it.
    metrics, ratings
        Columns of the frame.
    higher_is_better, groups
        Direction and group of every metric.
    resamples
        Number of bootstrap resamples and permutations.
    seed
        Random seed.
    differences
        How the correlations of two metrics are compared, as `test` of
        :func:`~rainbow.analysis.differences.metric_differences.metric_differences`.
    judgements
        What single people said of single outputs (:func:`rainbow.datasets.judgements`), where that is known.
    stands_for
        The rating that a column of scores stands for, as a judge's marks do: it may replace a rater, or not.
    raters
        Who gave the ratings: ``experts``, ``skilled`` or a ``crowd``.
    external
        The metrics that the user brought as columns of scores.
    undirected
        Those of them whose direction is not known: they are listed, not tested.
    """

    frame: pd.DataFrame
    metrics: Sequence[str]
    ratings: Sequence[str]
    higher_is_better: Mapping[str, bool | None]
    groups: Mapping[str, str]
    resamples: int = 1000
    seed: int = 2017
    differences: Test = "jackknife"
    judgements: pd.DataFrame | None = None
    stands_for: Mapping[str, str] = MappingProxyType({})
    raters: RaterKind = "crowd"
    external: Sequence[str] = ()
    undirected: Sequence[str] = ()


def inputs_of(frame: pd.DataFrame, ratings: Sequence[str] | None = None) -> Inputs:
    """Return the inputs that a table of scores makes: every command and function chooses its columns here.

    Parameters
    ----------
    frame
        A table with what is known of it in ``attrs``, as :func:`rainbow.scoring.saved_scores.load_scores` gives it.
    ratings
        Columns of ratings; by default those that the table names.

    Raises
    ------
    ValueError
        If the table has no such rating, or a column stands for a rating that the table does not have.
    """
    about = About.of(frame)
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
        stands_for=_stands_for(about, metrics),
        external=[name for name in metrics if groups[name] == EXTERNAL and not name.startswith(LEARNED)],
        undirected=[name for name in metrics if about.external.get(name, {}).get("unknown")],
    )


def _stands_for(about: About, metrics: Sequence[str]) -> dict[str, str]:
    """Return the rating that each of these columns stands for."""
    named = {name: about.external.get(name, {}).get("rating") for name in metrics}
    for name, rating in named.items():
        if rating and rating not in about.ratings:
            known = ", ".join(about.ratings) or "none"
            raise ValueError(f"{name} stands for {rating!r}, which is not a rating; the ratings are: {known}")
    return {name: rating for name, rating in named.items() if rating}
