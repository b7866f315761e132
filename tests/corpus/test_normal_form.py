"""A letter with its accent is one letter, whether it is written as one character or as two."""

from pathlib import Path
from unicodedata import normalize

import numpy as np
import pytest

import rainbow
from rainbow.corpus import Corpus
from rainbow.corpus.rows import validate_references, validate_texts
from rainbow.metrics import Batch, get

TEXTS = ["Das Café der Frau Müller ist schön.", "Über die Brücke fährt heute kein Zug."]
OTHERS = ["Das Café von Müller ist sehr schön.", "Über die Brücke fährt ein Zug."]
DECOMPOSED = [normalize("NFD", text) for text in TEXTS]


def test_scores_do_not_depend_on_the_form() -> None:
    references = [[text] for text in OTHERS]
    composed = rainbow.score_corpus(Corpus.from_texts(TEXTS, references), group="word")
    decomposed = rainbow.score_corpus(Corpus.from_texts(DECOMPOSED, references), group="word")
    np.testing.assert_array_equal(decomposed.to_numpy(), composed.to_numpy())
    turned = [[normalize("NFD", text)] for text in OTHERS]
    np.testing.assert_array_equal(
        rainbow.score_corpus(Corpus.from_texts(TEXTS, turned), group="word").to_numpy(), composed.to_numpy()
    )


def test_slots_are_found_in_either_form() -> None:
    corpus = Corpus.from_texts(DECOMPOSED[:1], inputs=["inform(name='Frau Müller')"])
    assert rainbow.score_corpus(corpus, ["slots"])["slots_realised"].tolist() == [1.0]


@pytest.mark.parametrize("name", ["ter", "bleu", "rouge-n"])
def test_a_batch_of_a_metric_takes_either_form(name: str) -> None:
    references = [[text] for text in TEXTS]
    assert (get(name).score(Batch(DECOMPOSED, references)) == get(name).score(Batch(TEXTS, references))).all()


def test_a_scorer_takes_either_form() -> None:
    scorer = rainbow.Scorer("fast")
    assert (
        scorer(DECOMPOSED, [[text] for text in OTHERS]).tolist() == scorer(TEXTS, [[text] for text in OTHERS]).tolist()
    )


def test_a_file_is_read_in_either_form(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(f"output,reference\n{DECOMPOSED[0]},{TEXTS[0]}\n", encoding="utf-8")
    frame = rainbow.load_dataset(path).frame
    assert frame["output"][0] == frame["references"][0][0] == TEXTS[0]


def test_composed_texts_are_not_copied() -> None:
    assert all(found is given for found, given in zip(validate_texts("outputs", TEXTS), TEXTS, strict=True))
    [(reference,)] = validate_references("references", [[TEXTS[0]]])
    assert reference is TEXTS[0]
