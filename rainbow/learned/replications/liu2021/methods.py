"""Classification methods: each learns from pairs and scores the classes of others."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.learned.protocols.groups import folded_text
from rainbow.learned.protocols.training_overlap import look_up_targets
from rainbow.learned.replications.liu2021.bilstm import classify_bilstm
from rainbow.learned.replications.liu2021.encoder import classify_encoder
from rainbow.learned.replications.liu2021.study import POINTS, Fold, Instances, Setting

if TYPE_CHECKING:
    from scipy.sparse import csr_array

# From a fold to a number for every test pair and class, shape (test pairs, classes): the largest is predicted.
Classify = Callable[[Fold, Setting], FloatArray]


class Classifier(NamedTuple):
    """A method: its description, its function, and whether it selects passes on dev pairs."""

    said: str
    classify: Classify
    chooses: bool = False


def classify_majority(fold: Fold, setting: Setting) -> FloatArray:
    """Return the class frequencies in training."""
    return np.tile(_one_hot_labels(fold.train).mean(axis=0), (len(fold.test), 1))


def classify_lookup(fold: Fold, setting: Setting) -> FloatArray:
    """Return the class frequencies of the same text in training, or of all texts if unseen."""
    texts = [folded_text(output) for own in (fold.train, fold.test) for output in own.outputs]
    numbers: IntArray = np.unique(np.array(texts), return_inverse=True)[1]
    known, size = _one_hot_labels(fold.train), len(fold.train)
    shares = known.mean(axis=0)
    targets = np.concatenate([known, np.tile(shares, (len(fold.test), 1))])
    result = look_up_targets(targets, np.arange(size), np.arange(size, len(texts)), [numbers])
    # Ties between classes of a text are broken by overall frequency.
    likeliest: FloatArray = result + shares / (size + 1)
    return likeliest


def classify_svm(fold: Fold, setting: Setting, *, only_outputs: bool = False) -> FloatArray:
    """Classify by a one-vs-one linear SVM on word counts, C = 1."""
    from sklearn.svm import SVC

    machine = SVC(kernel="linear", C=1.0, decision_function_shape="ovr")
    train, test = _word_counts(fold, only_outputs)
    machine.fit(train, fold.train.labels)
    numbers = machine.decision_function(test)
    # For two classes there is one number, which speaks for the second.
    return _expand_classes(machine.classes_, numbers if numbers.ndim > 1 else np.stack([-numbers, numbers], axis=1))


def classify_logistic(fold: Fold, setting: Setting) -> FloatArray:
    """Classify by logistic regression on the same word counts."""
    from sklearn.linear_model import LogisticRegression

    machine = LogisticRegression(max_iter=1000)
    train, test = _word_counts(fold, only_outputs=False)
    machine.fit(train, fold.train.labels)
    return _expand_classes(machine.classes_, machine.predict_proba(test))


CLASSIFIERS: dict[str, Classifier] = {
    "majority": Classifier("the most common class", classify_majority),
    "look-up": Classifier("the class of the same text in training", classify_lookup),
    "svm": Classifier("support vector machine on the words of output and reference", classify_svm),
    "svm-output": Classifier(
        "support vector machine on the words of the output only", partial(classify_svm, only_outputs=True)
    ),
    "logistic": Classifier("logistic regression on the words of output and reference", classify_logistic),
    "bilstm": Classifier("bidirectional LSTM over the words of output and reference", classify_bilstm, chooses=True),
    "encoder": Classifier("MiniLM, fine-tuned on pairs of output and reference", classify_encoder),
}


def _one_hot_labels(instances: Instances) -> FloatArray:
    ones: FloatArray = (instances.labels[:, None] == POINTS).astype(float)
    return ones


def _word_counts(fold: Fold, only_outputs: bool) -> tuple[csr_array, csr_array]:
    """Return the word counts of training and test pairs, with the training vocabulary."""
    from sklearn.feature_extraction.text import CountVectorizer

    train, test = (
        own.outputs if only_outputs else list(map(" ".join, zip(own.outputs, own.references, strict=True)))
        for own in (fold.train, fold.test)
    )
    counter = CountVectorizer()
    return counter.fit_transform(train), counter.transform(test)


def _expand_classes(known: FloatArray, numbers: FloatArray) -> FloatArray:
    """Return class scores for all classes; unseen classes never have the highest score."""
    values = np.full((len(numbers), len(POINTS)), numbers.min(initial=0) - 1)
    values[:, np.searchsorted(POINTS, known)] = numbers
    return values
