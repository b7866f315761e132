"""Small learned metrics of the embedded dataset, for tests."""

from functools import cache

from rainbow import Corpus, load_dataset
from rainbow.learned.learner.regressor import Preset, RainbowRegressor
from rainbow.learned.model.model import Model
from rainbow.learned.training.features import Features

COLUMNS = ("TER", "chrF++", "slots_missing", "slots_invented", "lm_mean", "len", "cpw", "spw")
TEXTS = ("delexicalised", "surface")


@cache
def demo_rows(size: int = 120) -> Corpus:
    """Rows of the embedded dataset, spread over its act types and systems."""
    corpus = load_dataset("demo")
    return corpus.take(range(0, len(corpus), len(corpus) // size)[:size])


@cache
def demo_model(preset: Preset = "default", columns: tuple[str, ...] = COLUMNS, texts: tuple[str, ...] = TEXTS) -> Model:
    """A learned metric of the quality of these rows."""
    corpus = demo_rows()
    features = Features(columns, texts).fit(corpus)
    learner = RainbowRegressor(preset).fit(features.table(corpus), corpus.frame["quality"]).learner_
    return Model("demo", "quality", 1.0, 6.0, features, learner)
