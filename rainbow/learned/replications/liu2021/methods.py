"""What classifies: each method learns from pairs and says how far each class speaks for others."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.learned.protocols.groups import folded_text
from rainbow.learned.protocols.lookup import looked_up
from rainbow.learned.replications.liu2021.bilstm import bilstm
from rainbow.learned.replications.liu2021.encoder import encoder
from rainbow.learned.replications.liu2021.study import POINTS, Fold, Instances, Setting

if TYPE_CHECKING:
    from scipy.sparse import csr_array

# From a fold to a number for every test pair and class, shape (test pairs, classes): the largest is predicted.
Classify = Callable[[Fold, Setting], FloatArray]


class Classifier(NamedTuple):
    """A method: what it is, what classifies, and whether it chooses among passes by pairs held out for that."""

    said: str
    classify: Classify
    chooses: bool = False


def majority(fold: Fold, setting: Setting) -> FloatArray:
    """Say how frequent each class is in training."""
    return np.tile(_one_hot(fold.train).mean(axis=0), (len(fold.test), 1))


def look_up(fold: Fold, setting: Setting) -> FloatArray:
    """Say which classes the same text has in training; where it is not there, which all have."""
    texts = [folded_text(output) for own in (fold.train, fold.test) for output in own.outputs]
    numbers: IntArray = np.unique(np.array(texts), return_inverse=True)[1]
    known, size = _one_hot(fold.train), len(fold.train)
    shares = known.mean(axis=0)
    targets = np.concatenate([known, np.tile(shares, (len(fold.test), 1))])
    found = looked_up(targets, np.arange(size), np.arange(size, len(texts)), [numbers])
    # Of classes that are as frequent for a text, the more frequent one of all.
    likeliest: FloatArray = found + shares / (size + 1)
    return likeliest


def svm(fold: Fold, setting: Setting, *, only_outputs: bool = False) -> FloatArray:
    """Part the classes by a linear support vector machine on counts of words, C = 1, one machine a pair of classes."""
    from sklearn.svm import SVC

    machine = SVC(kernel="linear", C=1.0, decision_function_shape="ovr")
    train, test = _counts(fold, only_outputs)
    machine.fit(train, fold.train.labels)
    numbers = machine.decision_function(test)
    # For two classes there is one number, which speaks for the second.
    return _by_class(machine.classes_, numbers if numbers.ndim > 1 else np.stack([-numbers, numbers], axis=1))


def logistic(fold: Fold, setting: Setting) -> FloatArray:
    """Part the classes by logistic regression on the same counts."""
    from sklearn.linear_model import LogisticRegression

    machine = LogisticRegression(max_iter=1000)
    train, test = _counts(fold, only_outputs=False)
    machine.fit(train, fold.train.labels)
    return _by_class(machine.classes_, machine.predict_proba(test))


CLASSIFIERS: dict[str, Classifier] = {
    "majority": Classifier("the commonest class", majority),
    "look-up": Classifier("the class that the same text has in training", look_up),
    "svm": Classifier("support vector machine on the words of output and reference", svm),
    "svm-output": Classifier("the same on the words of the output alone", partial(svm, only_outputs=True)),
    "logistic": Classifier("logistic regression on the words of both", logistic),
    "bilstm": Classifier("a bidirectional LSTM over the words of both", bilstm, chooses=True),
    "encoder": Classifier("MiniLM, its layers trained further on pairs of both", encoder),
}


def _one_hot(instances: Instances) -> FloatArray:
    ones: FloatArray = (instances.labels[:, None] == POINTS).astype(float)
    return ones


def _counts(fold: Fold, only_outputs: bool) -> tuple[csr_array, csr_array]:
    """Return the counts of words of training and test pairs, of the words that training has."""
    from sklearn.feature_extraction.text import CountVectorizer

    train, test = (
        own.outputs if only_outputs else list(map(" ".join, zip(own.outputs, own.references, strict=True)))
        for own in (fold.train, fold.test)
    )
    counter = CountVectorizer()
    return counter.fit_transform(train), counter.transform(test)


def _by_class(known: FloatArray, numbers: FloatArray) -> FloatArray:
    """Return numbers of the classes that were learned as numbers of all; those that were not are never the largest."""
    found = np.full((len(numbers), len(POINTS)), numbers.min(initial=0) - 1)
    found[:, np.searchsorted(POINTS, known)] = numbers
    return found
