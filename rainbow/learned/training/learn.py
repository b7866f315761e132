"""Learn a metric from a corpus with human ratings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.corpus import Corpus
from rainbow.learned.learner.regressor import READERS, Preset, RainbowRegressor
from rainbow.learned.network.fine_tuning import Tuning
from rainbow.learned.network.passes import Tell
from rainbow.learned.network.training import Network
from rainbow.learned.protocols.groups import folded_text, row_groups
from rainbow.learned.training.corruption import WEIGHT as WEIGHT_OF_COPIES
from rainbow.learned.training.corruption import Corrupted, corrupted_outputs, made_up_ratings
from rainbow.learned.training.elimination import eliminate
from rainbow.learned.training.fabrication import (
    UNRATED,
    Kind,
    Rule,
    Scale,
    Source,
    allowed,
    fabricated,
    lowered,
    scale_of,
    sources_of,
)
from rainbow.learned.training.features import Features, StoredColumns, general_in
from rainbow.learned.training.reference_errors import ReferenceErrors, references_with_errors
from rainbow.learned.training.several import WEIGHT

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["LARGEST", "Examples", "Learned", "Recipe", "forests", "learn"]

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
    network: Network = Network()  # what `network` is like
    fabricated: tuple[Kind, ...] = ()  # the texts into which `network` has errors put, to learn from as well
    rule: Rule = "paper"  # what those are taken to be rated
    # whether the ratings are learned from; else texts with errors alone are: by a learner of scores, references
    rated: bool = True
    tell: Tell | None = None  # is told how far the training of `encoder` and `network` is
    tuning: Tuning = Tuning()  # which encoder `encoder` trains and how
    first: tuple[str, ...] = ()  # ratings that `encoder` learns before those that are wanted, one after the other


class Examples(NamedTuple):
    """What is learned from: a table of features and ratings per output, and the same for corrupted copies.

    `corpora` says of every output which corpus it is from, as a number; `weights`
    how much it counts; `names` are those of the ratings. `sources` are the texts that errors are put into for the
    network, `unrated` those with errors for a learner of scores, where no rating is learned from; `corpus` says what of
    them may be learned with which rows.
    """

    table: pd.DataFrame
    ratings: FloatArray
    corpora: IntArray
    weights: FloatArray
    copies: Corrupted | None
    copies_table: pd.DataFrame | None
    corpus: Corpus
    names: Sequence[str]
    sources: Sequence[Source] = ()
    unrated: ReferenceErrors | None = None
    unrated_table: pd.DataFrame | None = None

    @classmethod
    def of(
        cls,
        corpus: Corpus,
        ratings: list[str],
        recipe: Recipe,
        features: Features | StoredColumns,
        known: pd.DataFrame | None = None,
    ) -> Examples:
        """Compute the features of a corpus and, if the recipe says so, of corrupted copies of it.

        `features` are those of the recipe, fitted; `known` are scores computed before (see :meth:`Features.table`).
        """
        rated = corpus.frame[ratings].to_numpy(float)
        copies = corrupted_outputs(corpus, recipe.seed) if recipe.corrupted else None
        table = features.table(corpus, known)
        frame = corpus.frame
        corpora = frame.groupby("corpus" if "corpus" in frame else "dataset", dropna=False, sort=False).ngroup()
        weights = frame[WEIGHT].to_numpy(float) if WEIGHT in frame else np.ones(len(frame))
        copied = features.table(copies.corpus) if copies is not None else None
        sources: Sequence[Source] = ()
        if recipe.preset == "network" and isinstance(features, Features):
            sources = sources_of(corpus, recipe.fabricated, features)
        unrated = (
            references_with_errors(corpus, recipe.seed) if not (recipe.rated or recipe.preset in READERS) else None
        )
        unrated_table = features.table(unrated.corpus) if unrated is not None else None
        return cls(
            table,
            rated,
            corpora.to_numpy(np.intp),
            weights,
            copies,
            copied,
            corpus,
            ratings,
            sources,
            unrated,
            unrated_table,
        )


class Learned(NamedTuple):
    """A fitted estimator of one rating with the columns it looks at, and the rank of every column it could have."""

    estimator: RainbowRegressor
    columns: list[str]
    ranks: pd.Series[int] | None


def learn(examples: Examples, rows: IntArray, recipe: Recipe) -> list[Learned]:
    """Learn every rating from these rows, and from their corrupted copies: one result per rating.

    Rows without a rating are left out of what is learned of it, and of more than :data:`LARGEST` rows so many are
    drawn, as evenly as can be from all corpora: what a kernel costs grows with their cube.

    Raises
    ------
    ValueError
        If there are fewer columns than are to be kept.
    """
    places = range(examples.ratings.shape[1])
    known = ~np.isnan(examples.ratings[rows])
    if recipe.top is None and recipe.preset != "paper" and (known.all() or not recipe.rated):
        # All ratings have the same rows and columns: how alike outputs are is computed once for all.
        columns = _columns(examples, recipe)
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
    """Return the random forest over quantised scores of Novikova et al. (2017), grown on the scores that were chosen.

    As in 2017 it learns from these rows alone, not from corrupted copies. `learned` is what :func:`learn` gave. Where
    that looks at no score, the forest has all that there are.
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


def _columns(examples: Examples, recipe: Recipe) -> list[str]:
    """Return the columns that are learned from: of the table all, but where texts alone are read."""
    return list(recipe.features.texts if recipe.preset in READERS else examples.table.columns)


def _learn_one(examples: Examples, rows: IntArray, place: int, recipe: Recipe) -> Learned:
    columns, ranks = _columns(examples, recipe), None
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
    if recipe.preset == "encoder":
        return _encoder(examples, rows, columns, places, recipe)
    if recipe.preset == "network":
        return _network(examples, rows, columns, places, recipe)
    if examples.unrated is not None and examples.unrated_table is not None:
        return _unrated(examples, examples.unrated, examples.unrated_table[columns], rows, places, recipe)
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


def _unrated(
    examples: Examples, made: ReferenceErrors, table: pd.DataFrame, rows: IntArray, places: list[int], recipe: Recipe
) -> RainbowRegressor:
    """Learn from references, taken for the best there is, and from copies of them with errors."""
    chosen = made.learnable(examples.corpus.frame, rows)
    if not len(chosen):
        raise ValueError("there is no reference to put errors into: what the inputs have is said by held-out outputs")
    best = np.repeat(UNRATED.high[None], len(chosen), axis=0)
    told = np.repeat(lowered(best, made.errors[chosen], UNRATED, recipe.rule), len(places), axis=1)
    names = [examples.names[place] for place in places]
    return _regressor(names, recipe).fit(table.iloc[chosen], _targets(told), np.ones(len(chosen)))


def _targets(ratings: FloatArray) -> FloatArray:
    return ratings[:, 0] if ratings.shape[1] == 1 else ratings


def _encoder(
    examples: Examples, rows: IntArray, columns: list[str], places: list[int], recipe: Recipe
) -> RainbowRegressor:
    """Train an encoder on the ratings that come first, and then on those that are wanted."""
    table, frame = examples.table.iloc[rows][columns], examples.corpus.frame
    groups = row_groups(frame, "by-item-and-text")[rows]
    start = None
    for ratings in (*(frame[[name]].to_numpy(float)[rows] for name in recipe.first), examples.ratings[rows][:, places]):
        known = ~np.isnan(ratings).any(axis=1)
        estimator = RainbowRegressor("encoder", recipe.seed, tell=recipe.tell, tuning=recipe.tuning, start=start)
        start = estimator.fit(table[known], _targets(ratings[known]), groups=groups[known]).learner_
    return estimator


def _network(
    examples: Examples, rows: IntArray, columns: list[str], places: list[int], recipe: Recipe
) -> RainbowRegressor:
    """Learn from texts alone: those of rated rows, and those with errors."""
    import pandas as pd

    table, ratings = examples.table.iloc[rows][columns], examples.ratings[rows][:, places]
    # Which pass is the best is chosen by rows that share neither input nor text with those learned from.
    groups = row_groups(examples.corpus.frame, "by-item-and-text")[rows]
    if recipe.fabricated:
        scale = scale_of(ratings) if recipe.rated else UNRATED
        texts, made_up, sources = _made_up(examples, rows, places, recipe, scale)
        table = pd.concat([table, texts]) if recipe.rated else texts
        ratings = np.concatenate([ratings, made_up]) if recipe.rated else made_up
        groups = np.concatenate([groups, np.full(len(made_up), -1)]) if recipe.rated else sources
    estimator = RainbowRegressor("network", recipe.seed, recipe.network, recipe.tell)
    return estimator.fit(table, _targets(ratings), groups=groups)


def _made_up(
    examples: Examples, rows: IntArray, places: list[int], recipe: Recipe, scale: Scale
) -> tuple[pd.DataFrame, FloatArray, IntArray]:
    """Return texts with errors that may be learned with these rows, what they are taken to be rated, and their sources.

    Of texts that nobody rated, equal ones are taken once.
    """
    import pandas as pd

    frame = examples.corpus.frame
    folded = list(map(folded_text, frame["output"].tolist()))
    may = allowed(examples.sources, rows, frame["dataset"].tolist(), folded)
    taken = [source for source, own in zip(examples.sources, may, strict=True) if own]
    sources = list({source if source.rated else source.texts: source for source in taken}.values())
    if not sources:
        raise ValueError("there is no text to put errors into: give references, a background, or fabricate none")
    made = fabricated(sources, recipe.features.texts, recipe.seed)
    own = np.array([source.rated and recipe.rated for source in sources])[:, None]
    at = np.array([source.row for source in sources], dtype=np.intp)
    given = np.where(own, examples.ratings[at][:, places], scale.high)
    made_up = lowered(given[made.sources], made.errors, scale, recipe.rule)
    return pd.DataFrame(made.texts, dtype=object), made_up, made.sources
