"""Studies of the demo for all tests of this folder."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rainbow import Corpus, load_dataset
from rainbow.study import Study
from rainbow.study.questions import Question
from rainbow.study.settings import Settings

Make = Callable[..., Study]

# A rating of every kind, a scale of marks and one of numbers.
EVERY = ("quality", "fluency=0-100", "worth=magnitude", "faults=errors", "better=pairs")


@pytest.fixture(scope="session")
def demo() -> Corpus:
    return load_dataset("demo")


@pytest.fixture(scope="session")
def worth(demo: Corpus) -> Callable[[str], float]:
    """Return what an output is worth to simulated raters."""
    return dict(zip(demo.frame["id"], demo.frame["quality"], strict=True)).__getitem__


@pytest.fixture
def make(demo: Corpus, tmp_path: Path) -> Make:
    """Return what makes a study of the demo, with these ratings and sizes."""

    def made(*ratings: str, corpus: Corpus = demo, folder: str = "study", **sizes: Any) -> Study:
        questions = tuple(map(Question.parse, ratings or ("quality",)))
        return Study.make(corpus, Settings("demo", questions, **{"items": 8, **sizes}), tmp_path / folder)

    return made
