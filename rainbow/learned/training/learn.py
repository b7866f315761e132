"""Training of a metric on a rated corpus."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.base.lazy import pd
from rainbow.corpus import Corpus
from rainbow.learned.learner.regressor import Preset, RainbowRegressor
from rainbow.learned.training.features import Features, StoredColumns, select_general
from rainbow.learned.training.training_rows import (
    CORPUS_WEIGHT,
    WEIGHT,
    CorruptedOutputs,
    assumed_ratings,
    corrupt_outputs,
)
from rainbow.metrics.contract.registry import all_columns

# No more rows than these are learned from, besides their copies: 1 GB and half a minute.
MAX_ROWS = 5000


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
    """Training data: features and ratings per output of a corpus, and the same for corrupted copies."""

    corpus: Corpus
    names: Sequence[str]  # of the ratings
    recipe: Recipe
    features: Features | StoredColumns  # of the recipe, fitted
    table: pd.DataFrame
    ratings: FloatArray
    corpora: IntArray
    weights: FloatArray
    copies: CorruptedOutputs | None
    copies_table: pd.DataFrame | None

    @classmethod
    def from_corpus(
        cls,
        corpus: Corpus,
        ratings: Sequence[str],
        recipe: Recipe,
        features: Features | StoredColumns,
        known: pd.DataFrame | None = None,
    ) -> Examples:
        """Compute the features of a corpus and, if the recipe requires it, of corrupted copies."""
        rated = corpus.frame[list(ratings)].to_numpy(float)
        copies = corrupt_outputs(corpus, recipe.seed) if recipe.corrupted else None
        table = features.table(corpus, known)
        frame = corpus.frame
        corpora = frame.groupby("corpus" if "corpus" in frame else "dataset", dropna=False, sort=False).ngroup()
        weights = frame[CORPUS_WEIGHT].to_numpy(float) if CORPUS_WEIGHT in frame else np.ones(len(frame))
        copied = features.table(copies.corpus) if copies is not None else None
        own = (table, rated, corpora.to_numpy(np.intp), weights, copies, copied)
        return cls(corpus, ratings, recipe, features, *own)


class LearnedMetric(NamedTuple):
    """A fitted estimator of one rating, its columns, and the ranks of all candidate columns."""

    estimator: RainbowRegressor
    columns: list[str]
    ranks: pd.Series[int] | None


def learn_metrics(examples: Examples, rows: IntArray) -> list[LearnedMetric]:
    """Learn every rating from these rows and their corrupted copies: one result per rating."""
    recipe = examples.recipe
    places = range(examples.ratings.shape[1])
    known = ~np.isnan(examples.ratings[rows])
    if recipe.top is None and recipe.preset == "default" and known.all():
        # All ratings have the same rows and columns: how alike outputs are is computed once for all.
        columns = list(examples.table.columns)
        joint = _fit_regressor(examples, rows, columns, list(places))
        separate = [joint] if len(places) == 1 else [joint.select_rating(place) for place in places]
        return [LearnedMetric(estimator, columns, None) for estimator in separate]
    return [_learn_rating(examples, rows[known[:, place]], place) for place in places]


def _sample_rows(examples: Examples, rows: IntArray) -> IntArray:
    """Return the rows in order, sampled evenly across corpora if there are too many."""
    if len(rows) <= MAX_ROWS:
        return rows
    shuffled = np.random.default_rng(examples.recipe.seed).permutation(rows)
    turns = pd.Series(examples.corpora[shuffled]).groupby(examples.corpora[shuffled]).cumcount().to_numpy()
    return np.sort(shuffled[np.argsort(turns, kind="stable")[:MAX_ROWS]])


def learn_forests(examples: Examples, rows: IntArray, learned: Sequence[LearnedMetric]) -> list[LearnedMetric]:
    """Return the quantised-score random forests of Novikova et al. (2017) on the chosen scores."""
    features, paper = examples.features, examples.recipe._replace(preset="paper")
    alone = examples._replace(copies=None, copies_table=None, recipe=paper)
    passed = {*features.texts, *select_general(features.columns)}
    grown = []
    for place, one in enumerate(learned):
        columns = [name for name in one.columns if name not in passed] or list(features.columns)
        known = rows[~np.isnan(examples.ratings[rows, place])]
        grown.append(LearnedMetric(_fit_regressor(alone, known, columns, [place]), columns, one.ranks))
    return grown


def _learn_rating(examples: Examples, rows: IntArray, place: int) -> LearnedMetric:
    recipe, features = examples.recipe, examples.features
    columns, ranks = list(examples.table.columns), None
    if recipe.top is not None:
        scores = examples.table[list(features.columns)]
        if recipe.top > scores.shape[1]:
            raise ValueError(f"{recipe.top} columns are to be kept, but there are only {scores.shape[1]}: keep fewer")
        ranks = rank_features(scores.iloc[rows], examples.ratings[rows, place], recipe.seed)
        columns = [*ranks.sort_values().index[: recipe.top], *features.texts]
    elif recipe.preset == "combination":
        # Those of the best combination, with no general score of another rating.
        general = select_general(features.columns)
        own = _own_general(examples, general, place)
        columns = [name for name in directed_columns(examples.table) if name not in general or name in own]
        used = _fit_regressor(examples, rows, columns, [place]).learner_.used
        columns = [columns[one] for one in used] or columns[:1]
    return LearnedMetric(_fit_regressor(examples, rows, columns, [place]), columns, ranks)


def _fit_regressor(examples: Examples, rows: IntArray, columns: list[str], places: list[int]) -> RainbowRegressor:
    rows = _sample_rows(examples, rows)
    table, ratings = examples.table.iloc[rows][columns], examples.ratings[rows][:, places]
    weights = examples.weights[rows]
    if examples.copies is not None and examples.copies_table is not None:
        among = np.isin(examples.copies.originals, rows)
        table = pd.concat([table, examples.copies_table.loc[among, columns]])
        originals = examples.copies.originals[among]
        # The ends of the scale are those of these rows: other ratings must not be seen, not even by their extremes.
        low, high = ratings.min(axis=0), ratings.max(axis=0)
        worthless = examples.copies.worthless[among]
        made_up = assumed_ratings(examples.ratings[originals][:, places], worthless, low, high)
        ratings = np.concatenate([ratings, made_up])
        weights = np.concatenate([weights, WEIGHT * examples.weights[originals]])
    # The estimator starts from the general score of the same rating.
    general = select_general(examples.features.columns)
    own = tuple(_own_general(examples, general, place) for place in places)
    regressor = RainbowRegressor(examples.recipe.preset, examples.recipe.seed, general=own if general else ())
    return regressor.fit(table, ratings[:, 0] if len(places) == 1 else ratings, weights)


def _own_general(examples: Examples, general: tuple[str, ...], place: int) -> tuple[str, ...]:
    """Return the general score of the same rating, else of all ratings; of quality for a combination."""
    own = tuple(one for one in general if one.endswith(f"_{examples.names[place]}"))
    alone = examples.recipe.preset == "combination"
    return own or tuple(one for one in general if not alone or one.endswith("_quality"))


def directed_columns(names: Iterable[Any]) -> list[str]:
    """Return the columns of metrics for which higher or lower is better."""
    known = all_columns()
    return [name for name in names if name in known and known[name][0].higher_is_better is not None]


TREES, LEAF, SHARE_TRIED = 50, 5, 1 / 3
# If each split tries a single feature, importances depend on the random draw only.
MIN_TRIED = 2
# While there are many features a fifth of them goes at a time; the last ones go one by one.
SHARE_DROPPED, ONE_BY_ONE_FROM = 0.2, 10


def rank_features(scores: pd.DataFrame, ratings: FloatArray, seed: int = 2017) -> pd.Series[int]:
    """Rank features by recursive elimination of the least important ones.

    Source: Guyon, I., Weston, J., Barnhill, S. and Vapnik, V. (2002). Gene selection for cancer classification using
    support vector machines. Machine Learning 46.
    """
    from sklearn.ensemble import RandomForestRegressor

    filled = scores.fillna(scores.median()).fillna(0.0)
    left = list(scores.columns)
    ranks: dict[str, int] = {}
    while len(left) > 1:
        tried = min(len(left), max(MIN_TRIED, int(SHARE_TRIED * len(left))))
        forest = RandomForestRegressor(TREES, min_samples_leaf=LEAF, max_features=tried, random_state=seed)
        importance = forest.fit(filled[left].to_numpy(), ratings).feature_importances_
        dropped = 1 if len(left) <= ONE_BY_ONE_FROM else int(len(left) * SHARE_DROPPED)
        for place in np.argsort(importance, kind="stable")[:dropped]:
            ranks[left[place]] = len(scores.columns) - len(ranks)
        left = [name for name in left if name not in ranks]
    ranks |= dict.fromkeys(left, 1)
    return pd.Series([ranks[name] for name in scores.columns], index=scores.columns, name="rank", dtype=int)
