"""A pretrained encoder that reads an output and a reference as a pair, its layers trained further."""

from __future__ import annotations

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.learned.network.fine_tuning import Tuning, fine_tune
from rainbow.learned.replications.liu2021.study import POINTS, Fold, Instances, Setting

__all__ = ["encoder"]

TUNING = Tuning(passes=8)  # over 10,000 pairs of few texts; the authors had 25


def encoder(fold: Fold, setting: Setting) -> FloatArray:
    """Return how far each class speaks for the test pairs: MiniLM with an output a class, trained on the squared error.

    The authors had BERT-base and cross-entropy; but for more passes this is what ``rainbow fit --preset encoder`` does.
    Pairs are held out one by one to choose a pass, as in the paper's split.
    """
    classes = (fold.train.labels[:, None] == POINTS).astype(float)
    tuning, alone = TUNING._replace(device=setting.network.device), np.arange(len(fold.train))
    trained = fine_tune(_texts(fold.train), classes, tuning, setting.seed, alone, tell=setting.tell)
    return trained.predict(np.empty((len(fold.test), 0)), _texts(fold.test))


def _texts(pairs: Instances) -> dict[str, list[str]]:
    return {"output": pairs.outputs, "reference": pairs.references}
