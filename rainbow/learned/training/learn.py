"""Learn a metric from a corpus with human ratings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.corpus import Corpus
from rainbow.learned.learner.regressor import Preset, RainbowRegressor
from rainbow.learned.training.corruption import WEIGHT as WEIGHT_OF_COPIES
from rainbow.learned.training.corruption import Corrupted, corrupted_outputs, made_up_ratings
from rainbow.learned.training.elimination import eliminate
from rainbow.learned.training.features import Features, StoredColumns, general_in
from rainbow.learned.training.several import WEIGHT

if TYPE_CHECKING:
    import pandas as pd

# No more rows than these are learned from, besides their copies: 1 GB and half a minute.
LARGEST = 5000


class Recipe(NamedTuple):
    """How a metric is learned."""

    features: Features | StoredColumns  # the columns and texts to learn from, not fitted
    # the learner, as :class:`~rainbow.learned.learner.regressor.RainbowRegressor` names them
    preset: Preset = "default"
    # how many columns are kept by recursive feature elimination, separately for every rating; None for all
    top: int | None = None
    corrupted: bool = True  # whether corrupted copies of the training rows are learned from as well
    seed: int = 2017  # of all that is drawn


class Examples(NamedTuple):
    """What is learned from: a table of features and ratings per output, and the same for corrupted copies."""

    table: pd.DataFrame
    ratings: FloatArray
    corpora: IntArray
    weights: FloatArray
    copies: Corrupted | None
    copies_table: pd.DataFrame | None
    names: Sequence[str]

    @classmethod
    def of(
        cls,
        corpus: Corpus,
        ratings: list[str],
        recipe: Recipe,
        features: Features | StoredColumns,
        known: pd.DataFrame | None = None,
    ) -> Examples:
        """Compute the features of a corpus and, if the recipe says so, of corrupted copies of it."""
        rated = corpus.frame[ratings].to_numpy(float)
        copies = corrupted_outputs(corpus, recipe.seed) if recipe.corrupted else None
        table = features.table(corpus, known)
        frame = corpus.frame
        corpora = frame.groupby("corpus" if "corpus" in frame else "dataset", dropna=False, sort=False).ngroup()
        weights = frame[WEIGHT].to_numpy(float) if WEIGHT in frame else np.ones(len(frame))
        copied = features.table(copies.corpus) if copies is not None else None
        return cls(table, rated, corpora.to_numpy(np.intp), weights, copies, copied, ratings)


class Learned(NamedTuple):
    """A fitted estimator of one rating with the columns it looks at, and the rank of every column it could have."""

    estimator: RainbowRegressor
    columns: list[str]
    ranks: pd.Series[int] | None


def learn(examples: Examples, rows: IntArray, recipe: Recipe) -> list[Learned]:
    """Learn every rating from these rows, and from their corrupted copies: one result per rating."""
    places = range(examples.ratings.shape[1])
    known = ~np.isnan(examples.ratings[rows])
    if recipe.top is None and recipe.preset != "paper" and known.all():
        # All ratings have the same rows and columns: how alike outputs are is computed once for all.
        columns = list(examples.table.columns)
        joint = _fitted(examples, rows, columns, list(places), recipe)
        separate = [joint] if len(places) == 1 else [joint.of_rating(place) for place in places]
        return [Learned(estimator, columns, None) for estimator in separate]
    return [_learn_one(examples, rows[known[:, place]], place, recipe) for place in places]


def _drawn(examples: Examples, rows: IntArray, recipe: Recipe) -> IntArray:
    """Return the rows, or of too many those that are drawn from each corpus in turn, in their order."""
    if len(rows) <= LARGEST:
        return rows
    import pandas as pd

    shuffled = np.random.default_rng(recipe.seed).permutation(rows)
    turns = pd.Series(examples.corpora[shuffled]).groupby(examples.corpora[shuffled]).cumcount().to_numpy()
    return np.sort(shuffled[np.argsort(turns, kind="stable")[:LARGEST]])


def forests(examples: Examples, rows: IntArray, recipe: Recipe, learned: Sequence[Learned]) -> list[Learned]:
    """Return the random forest over quantised scores of Novikova et al. (2017), grown on the scores that were
    chosen.
    """
    alone, paper = examples._replace(copies=None, copies_table=None), recipe._replace(preset="paper")
    grown = []
    for place, one in enumerate(learned):
        passed = {*recipe.features.texts, *general_in(recipe.features.columns)}
        chosen = [name for name in one.columns if name not in passed]
        columns = chosen or list(recipe.features.columns)
        known = rows[~np.isnan(examples.ratings[rows, place])]
        grown.append(Learned(_fitted(alone, known, columns, [place], paper), columns, one.ranks))
    return grown


def _learn_one(examples: Examples, rows: IntArray, place: int, recipe: Recipe) -> Learned:
    columns, ranks = list(examples.table.columns), None
    if recipe.top is not None:
        scores = examples.table[list(recipe.features.columns)]
        if recipe.top > scores.shape[1]:
            raise ValueError(f"{recipe.top} columns are to be kept of {scores.shape[1]}: keep fewer")
        ranks = eliminate(scores.iloc[rows], examples.ratings[rows, place], recipe.seed)
        columns = [*ranks.sort_values().index[: recipe.top], *recipe.features.texts]
    return Learned(_fitted(examples, rows, columns, [place], recipe), columns, ranks)


def _fitted(
    examples: Examples, rows: IntArray, columns: list[str], places: list[int], recipe: Recipe
) -> RainbowRegressor:
    import pandas as pd

    rows = _drawn(examples, rows, recipe)
    table, ratings = examples.table.iloc[rows][columns], examples.ratings[rows][:, places]
    weights = examples.weights[rows]
    if examples.copies is not None and examples.copies_table is not None:
        among = np.isin(examples.copies.originals, rows)
        table = pd.concat([table, examples.copies_table.loc[among, columns]])
        originals = examples.copies.originals[among]
        # The ends of the scale are those of these rows: other ratings must not be seen, not even by their extremes.
        low, high = ratings.min(axis=0), ratings.max(axis=0)
        worthless = examples.copies.worthless[among]
        made_up = made_up_ratings(examples.ratings[originals][:, places], worthless, low, high)
        ratings = np.concatenate([ratings, made_up])
        weights = np.concatenate([weights, WEIGHT_OF_COPIES * examples.weights[originals]])
    return _regressor([examples.names[place] for place in places], recipe).fit(table, _targets(ratings), weights)


def _regressor(names: Sequence[str], recipe: Recipe) -> RainbowRegressor:
    """Return the estimator: a rating that general scores have starts from that one, another from all."""
    general = general_in(recipe.features.columns)
    own = [tuple(one for one in general if one.endswith(f"_{name}")) or general for name in names]
    return RainbowRegressor(recipe.preset, recipe.seed, general=tuple(own) if general else ())


def _targets(ratings: FloatArray) -> FloatArray:
    return ratings[:, 0] if ratings.shape[1] == 1 else ratings
