"""Sentences, word salad, and a learner that tells them from one another."""

from pathlib import Path

import numpy as np
import pytest

from rainbow import load_dataset
from rainbow.audit.climbing import EDITS
from rainbow.audit.search import search
from rainbow.corpus import Corpus
from rainbow.learned.learner.hardened import Hardened
from rainbow.learned.learner.trend_kernel_ridge import TrendKernelRidge
from rainbow.learned.model.model import Model
from rainbow.learned.model.model_file import load_model, save_model
from rainbow.learned.training import salad
from rainbow.learned.training.features import TEXTS, Features
from rainbow.learned.training.learn import Examples, Recipe, learn
from rainbow.learned.training.salad import Salad

FEATURES = Features(("lm_mean", "lm_min", "slor", "doubled_words", "slots_missing", "len"), TEXTS)
RATINGS = ["quality", "naturalness"]


@pytest.fixture(scope="module", autouse=True)
def _small() -> object:
    sizes = {"SENTENCES": 150, "SALADS": 30, "ROUNDS": 2, "SEARCHED": 4, "EVALUATIONS": 3 * EDITS}
    with pytest.MonkeyPatch.context() as patch:
        for name, size in sizes.items():
            patch.setattr(salad, name, size)
        yield


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return load_dataset("demo").take(range(0, 1038, 4))


@pytest.fixture(scope="module")
def features(corpus: Corpus) -> Features:
    return FEATURES.fit(corpus)


@pytest.fixture(scope="module")
def examples(corpus: Corpus, features: Features, _small: object) -> Examples:
    return Examples.of(corpus, RATINGS, Recipe(FEATURES, hardened=True), features)


def made(examples: Examples) -> Salad:
    assert examples.salad is not None
    return examples.salad


def test_there_are_sentences_salad_of_five_kinds_and_what_two_searches_found(
    corpus: Corpus, examples: Examples
) -> None:
    told = made(examples)
    texts, items = told.table["surface"].tolist(), corpus.frame["item"].nunique()
    assert told.sentence.sum() == 150 + min(150, items)
    assert (~told.sentence).sum() == 30 * 5 + 2 * 4 * 2
    said = {*corpus.frame["output"], *(text for some in corpus.frame["references"] for text in some)}
    assert all(text in said for text, sentence in zip(texts, told.sentence, strict=True) if sentence)
    assert len(told.originals) == len(texts)


def test_no_rating_is_looked_at_and_the_seed_decides(corpus: Corpus, features: Features, examples: Examples) -> None:
    unrated = Corpus(corpus.frame.drop(columns=RATINGS))
    assert Salad.of(unrated, features, 2017).table.equals(made(examples).table)
    assert not Salad.of(unrated, features, 3).table.equals(made(examples).table)


def test_only_the_texts_for_the_inputs_of_the_rows_are_learned_from(examples: Examples) -> None:
    told, half = made(examples), np.arange(len(examples.table) // 2)
    alone = told._replace(
        table=told.table[told.originals < len(half)].reset_index(drop=True),
        sentence=told.sentence[told.originals < len(half)],
        originals=told.originals[told.originals < len(half)],
    )
    scores, texts = examples.table[list(FEATURES.columns)].to_numpy(float), read(examples)
    first, second = (one.learner(FEATURES.columns, TEXTS, half) for one in (told, alone))
    np.testing.assert_array_equal(first.predict(scores, texts), second.predict(scores, texts))


def read(examples: Examples) -> dict[str, list[str]]:
    return {name: examples.table[name].tolist() for name in TEXTS}


def test_a_hardened_learner_keeps_the_order_of_outputs_and_is_harder_to_cheat(
    corpus: Corpus, features: Features, examples: Examples
) -> None:
    rows = np.arange(len(corpus))
    hard, soft = (
        [one.estimator.learner_ for one in learn(given, rows, Recipe(FEATURES, hardened=True))]
        for given in (examples, examples._replace(salad=None))
    )
    assert [type(one) for one in (*hard, *soft)] == [Hardened, Hardened, TrendKernelRidge, TrendKernelRidge]
    scores = examples.table[list(FEATURES.columns)].to_numpy(float)
    before, after = (one.predict(scores, read(examples))[:, 0] for one in (soft[0], hard[0]))
    assert np.corrcoef(before, after)[0, 1] > 0.97
    found = [
        search(model_of(features, one).predict, corpus, inputs=8, evaluations=12 * EDITS, ways=["plain"], seed=5)
        for one in (soft[0], hard[0])
    ]
    means = [table["score"].mean() - table["worst"].mean() for table in found]
    assert means[1] < means[0] - 0.5


def model_of(features: Features, learner: object) -> Model:
    return Model("quality-hard", "quality", 1.0, 6.0, features.portable(), learner)  # type: ignore[arg-type]


def test_a_hardened_model_is_saved_and_read_back(
    corpus: Corpus, features: Features, examples: Examples, tmp_path: Path
) -> None:
    [one] = learn(examples._replace(ratings=examples.ratings[:, :1]), np.arange(120), Recipe(FEATURES, hardened=True))
    model = model_of(features, one.estimator.learner_)
    read_back = load_model(save_model(model, tmp_path / "hard.rainbow"))
    np.testing.assert_array_equal(read_back.predict(corpus), model.predict(corpus))


def test_a_corpus_without_references_or_inputs_has_salad_of_its_outputs(features: Features) -> None:
    corpus = Corpus.of([f"the inn is in area {number} and cheap" for number in range(20)] + [" "])
    told = Salad.of(corpus, Features(("len",), ("surface",)).fit(corpus), 1)
    assert told.sentence.sum() == 20
    assert (~told.sentence).sum() > 100
