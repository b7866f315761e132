"""Learning in other languages than English."""

from random import Random

import pytest

from rainbow import Corpus, learn
from rainbow.audit.perturbations import ENGLISH_SENTENCES
from rainbow.learned.training.training_rows import corrupt_outputs

TEXT = "das Haus ist groß klein schön und liegt am Fluss mit Garten für Kinder im Ort"
WORDS = TEXT.split()


def german(rows: int = 60) -> Corpus:
    """Return outputs of two kinds, the better ones nearer to their references; without inputs."""
    random = Random(1)
    references = [" ".join(random.sample(WORDS, 9)) for _ in range(rows)]
    outputs = [text if place % 2 else " ".join(random.sample(WORDS, 9)) for place, text in enumerate(references)]
    quality = [5.0 if place % 2 else 1.0 + place % 3 for place in range(rows)]
    made = Corpus.from_texts(outputs, [[text] for text in references], quality=quality)
    return Corpus(made.frame, ("quality",), language="de")


@pytest.mark.slow
def test_a_scorer_of_a_file_without_inputs_needs_none() -> None:
    scorer = learn(german(), ["quality"], protocols=["kfold"], resamples=20).scorer()
    good, bad = scorer(["das Haus ist groß", "Kinder Ort"], [["das Haus ist groß"]] * 2)
    assert good > bad


def test_worse_copies_have_no_english_sentences() -> None:
    assert not ENGLISH_SENTENCES & {*corrupt_outputs(german()).kinds}
