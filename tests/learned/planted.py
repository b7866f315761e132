"""Rated outputs whose stored scores are known to say something of the ratings, or nothing."""

import numpy as np

from rainbow import Corpus
from rainbow.learned.learner.regressor import Preset
from rainbow.learned.training.features import StoredColumns
from rainbow.learned.training.learn import Examples, Recipe

RATINGS = ["naturalness", "quality"]
SIGNALS, NOISE = ("first", "second"), ("vague", "void", "vain")
COLUMNS = (*SIGNALS, *NOISE)

PLACES = ("soma", "marina", "presidio", "richmond", "sunset", "nopa", "mission", "castro")
NAMES = ("araldo", "brisa", "cortina", "dorado", "ermita", "fontana", "gaviota", "hidalgo", "isola", "jardin")


def planted(size: int = 80, seed: int = 1) -> Corpus:
    """Return outputs of two systems for half as many inputs; quality follows `first`, naturalness `second`."""
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(size, len(COLUMNS)))
    quality, naturalness = (_marks(scores[:, place] + 0.4 * rng.normal(size=size)) for place in (0, 1))
    asked = [(NAMES[item % len(NAMES)], PLACES[item // len(NAMES) % len(PLACES)]) for item in np.arange(size) // 2]
    frame = Corpus.from_texts(
        [f"{name} is {'a hotel' if row % 2 else 'an inn'} in {place}" for row, (name, place) in enumerate(asked)],
        [[f"the hotel {name} lies in {place}"] for name, place in asked],
        [f"inform(name={name},area={place})" for name, place in asked],
        dataset=["north" if row < size // 2 else "south" for row in range(size)],
        system=["A" if row % 2 else "B" for row in range(size)],
    ).frame
    stored = {f"published.{name}": scores[:, place] for place, name in enumerate(COLUMNS)}
    return Corpus(frame.assign(naturalness=naturalness, quality=quality, **stored), tuple(RATINGS))


def with_column(corpus: Corpus, name: str, values: np.ndarray) -> Corpus:
    """Return the corpus with another column of stored scores, or ratings."""
    return Corpus(corpus.frame.assign(**{name: values}), corpus.ratings)


def stored(preset: Preset = "default", top: int | None = None, columns: tuple[str, ...] = COLUMNS) -> Recipe:
    """Return a recipe that learns from the stored scores."""
    return Recipe(StoredColumns(columns), preset, top, corrupted=False)


def examples_of(corpus: Corpus, recipe: Recipe, ratings: list[str] | None = None) -> Examples:
    return Examples.from_corpus(corpus, ratings or RATINGS, recipe, recipe.features.fit(corpus))


def _marks(values: np.ndarray) -> np.ndarray:
    """Return marks from 1 to 6, in halves."""
    low, high = values.min(), values.max()
    return np.round(2 * (1 + 5 * (values - low) / (high - low))) / 2
