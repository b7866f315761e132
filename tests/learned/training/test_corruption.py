"""Corrupted copies of rated outputs: which there are, what they are taken to be rated, and what they depend on."""

import hashlib

import numpy as np
import pytest

from rainbow import Corpus
from rainbow.audit.perturbations import perturb
from rainbow.learned.training.training_rows import assumed_ratings, corrupt_outputs
from tests.learned.demo_model import demo_rows

WORTHLESS = {"shuffled-words", "unrelated-sentence", "other-reference", "mr-copied"}


def test_every_output_has_one_copy_that_differs_from_it() -> None:
    corpus = demo_rows(60)
    copies = corrupt_outputs(corpus)
    assert copies.originals.tolist() == list(range(60))
    assert (copies.corpus.frame["output"].to_numpy() != corpus.frame["output"].to_numpy()[copies.originals]).all()


def test_a_copy_is_what_its_kind_of_perturbation_makes_of_the_output() -> None:
    corpus = demo_rows(60)
    copies = corrupt_outputs(corpus, seed=4).corpus.frame
    made = perturb(corpus, seed=4)
    texts = dict(zip(zip(made["row"], made["kind"], strict=True), made["text"], strict=True))
    for row, (kind, output) in enumerate(zip(copies["perturbation"], copies["output"], strict=True)):
        assert texts[row, kind] == output


def test_a_copy_keeps_the_input_and_the_references_of_its_output() -> None:
    corpus = demo_rows(60)
    copies = corrupt_outputs(corpus)
    originals = corpus.frame.iloc[copies.originals]
    for name in ("dataset", "system", "item", "mr", "references"):
        assert copies.corpus.frame[name].tolist() == originals[name].tolist()


def test_kinds_are_drawn_from_all_but_the_empty_output() -> None:
    kinds = set(corrupt_outputs(demo_rows(120)).corpus.frame["perturbation"])
    assert kinds >= {"dropped-slot", "wrong-value", "repeated-word", "truncated", *WORTHLESS} and "empty" not in kinds


def test_copies_that_say_nothing_of_what_was_asked_are_worthless_and_no_others() -> None:
    copies = corrupt_outputs(demo_rows(120))
    kinds = copies.corpus.frame["perturbation"]
    assert copies.worthless.tolist() == [kind in WORTHLESS for kind in kinds]
    assert 0 < copies.worthless.sum() < len(kinds)


def test_no_outputs_give_no_copies() -> None:
    copies = corrupt_outputs(Corpus.from_texts([]))
    assert (len(copies.corpus), copies.originals.shape, copies.worthless.shape) == (0, (0,), (0,))
    assert assumed_ratings(np.empty((0, 2)), copies.worthless, np.ones(2), np.ones(2)).shape == (0, 2)


def test_a_row_has_the_same_copy_in_any_order_of_the_rows() -> None:
    corpus, order = demo_rows(60), np.random.default_rng(1).permutation(60).tolist()
    first, second = (
        dict(zip(made.frame["id"], made.frame["output"], strict=True))
        for made in (corrupt_outputs(corpus).corpus, corrupt_outputs(corpus.take(order)).corpus)
    )
    assert first == second


def test_another_seed_draws_other_copies() -> None:
    first, again, other = (
        corrupt_outputs(demo_rows(60), seed).corpus.frame["output"].tolist() for seed in (2017, 2017, 1)
    )
    assert first == again and np.mean([a != b for a, b in zip(first, other, strict=True)]) > 0.5


@pytest.mark.parametrize(("seed", "digest"), [
    (2017, "c0a55a8b4766c260de21edb4279ee7714e4553b3a30cdc3a903541117517ef16"),
    (5, "5381075f250ee7579ab6e3c00d3414a4b746153699336b440bf139b5efdb7ed8"),
])  # fmt: skip
def test_the_copies_are_those_that_the_shipped_models_learned_from(seed: int, digest: str) -> None:
    frame = corrupt_outputs(demo_rows(120), seed).corpus.frame
    texts = "\0".join([*frame["id"], *frame["perturbation"], *frame["output"]])
    assert hashlib.sha256(texts.encode()).hexdigest() == digest


@pytest.mark.parametrize(("rated", "worthless", "expected"), [
    (6, False, 4), (5, False, 3), (3, False, 1), (2.5, False, 1), (1, False, 1), (6, True, 1), (1, True, 1)
])  # fmt: skip
def test_worthless_copies_get_the_worst_mark_and_others_lose_two_of_six(rated, worthless, expected) -> None:
    found = assumed_ratings(np.array([[rated]]), np.array([worthless]), np.array([1.0]), np.array([6.0]))
    assert found.tolist() == [[expected]]


def test_each_rating_loses_by_its_own_scale() -> None:
    rated = np.array([[6.0, 100.0, 0.5], [4.0, 30.0, 0.0]])
    found = assumed_ratings(rated, np.array([False, False]), np.array([1.0, 0.0, -1.0]), np.array([6.0, 100.0, 1.0]))
    np.testing.assert_allclose(found, [[4, 60, -0.3], [2, 0, -0.8]])


def test_what_is_not_known_of_an_output_is_not_known_of_its_copy() -> None:
    found = assumed_ratings(np.array([[np.nan, 5.0]]), np.array([False]), np.ones(2), np.full(2, 6.0))
    np.testing.assert_array_equal(found, [[np.nan, 3.0]])
