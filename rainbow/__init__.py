"""RAINBOW: every metric of generated text, compared with human ratings, and better ones learned from both.

>>> import rainbow
>>> corpus = rainbow.Corpus.from_texts(["the inn is cheap"], [["the inn is not cheap", "a cheap inn"]])
>>> rainbow.score_corpus(corpus, metrics=["BLEU1", "TER"])
   BLEU1   TER
0    1.0  0.25
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rainbow._version import __version__

if TYPE_CHECKING:
    from rainbow.corpus import Corpus, View
    from rainbow.datasets import load_dataset, open_dataset
    from rainbow.learned.score import score
    from rainbow.learned.scorer import Scorer, load_model
    from rainbow.metrics.contract.views import PreparedReferences
    from rainbow.pipeline import run
    from rainbow.scoring.score_corpus import score_corpus
    from rainbow.scoring.score_rows import score_rows
    from rainbow.serving import Reward, compute
    from rainbow.serving.analysis import analyse
    from rainbow.serving.comparison import compare_systems
    from rainbow.serving.learning import learn
    from rainbow.serving.training.training_log import TrainingLog
    from rainbow.study import Study

__all__ = [
    "Corpus",
    "PreparedReferences",
    "Reward",
    "Scorer",
    "Study",
    "TrainingLog",
    "View",
    "__version__",
    "analyse",
    "compare_systems",
    "compute",
    "learn",
    "load_dataset",
    "load_model",
    "open_dataset",
    "run",
    "score",
    "score_corpus",
    "score_rows",
]

# Module of each public name, imported on first use so that `import rainbow` is fast.
_HOMES = {
    "Corpus": "rainbow.corpus",
    "PreparedReferences": "rainbow.metrics.contract.views",
    "Reward": "rainbow.serving",
    "Scorer": "rainbow.learned.scorer",
    "Study": "rainbow.study",
    "TrainingLog": "rainbow.serving.training.training_log",
    "View": "rainbow.corpus",
    "analyse": "rainbow.serving.analysis",
    "compare_systems": "rainbow.serving.comparison",
    "compute": "rainbow.serving",
    "learn": "rainbow.serving.learning",
    "load_dataset": "rainbow.datasets",
    "load_model": "rainbow.learned.scorer",
    "open_dataset": "rainbow.datasets",
    "run": "rainbow.pipeline",
    "score": "rainbow.learned.score",
    "score_corpus": "rainbow.scoring.score_corpus",
    "score_rows": "rainbow.scoring.score_rows",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    if name in ("metrics", "datasets"):
        return import_module(f"rainbow.{name}")
    raise AttributeError(f"module 'rainbow' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "datasets", "metrics"])
