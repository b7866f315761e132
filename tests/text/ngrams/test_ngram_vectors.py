"""Vectors of texts from a table of n-grams: sums of rows, for each text by itself, near what the network says."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import pdist
from scipy.stats import spearmanr

from rainbow.datasets import load_dataset
from rainbow.learned.learner.text_kernel import TextKernel
from rainbow.text.ngrams.ngram_vectors import DIMENSIONS, TABLE, ngram_vectors, table_digest, vector_tokens
from scripts.text_vectors import missing_vectors, text_vectors

TEXTS = [
    "The hotel is cheap.", "cheap hotel the is", "", "!?", "zyzzyva", "\ud800 inn", "日本料理 £20-25", "inn " * 9000
]  # fmt: skip

SAID = ["The", " ", "  ", "\n", "\x85", "hotel", "is", "Cheap", ".", "£", "20", "-", "'", "s", "ΑΣ", "İ", "_", "\ud800"]


def test_a_vector_is_the_sum_of_the_rows_of_all_known_ngrams_over_the_number_of_tokens() -> None:
    with np.load(TABLE) as saved:
        known, rows = saved["ngrams"].tobytes().decode().split("\n"), saved["rows"].astype(float)
    assert known == sorted(set(known)) and rows.shape == (len(known), DIMENSIONS)
    for text in ("The hotel is near the, the, zyzzyva.", *TEXTS[:5]):
        words = vector_tokens(text)
        stand = [" ".join(words[i : i + n]) for n in (1, 2, 3) for i in range(len(words) - n + 1)]
        expected = sum((rows[known.index(ngram)] for ngram in stand if ngram in known), np.zeros(DIMENSIONS))
        np.testing.assert_allclose(ngram_vectors([text])[0], expected / max(1, len(words)), rtol=1e-12)
    assert any(ngram_vectors(["The hotel is cheap."])[0])


def test_vectors_are_of_each_text_by_itself_and_of_any_text() -> None:
    together = ngram_vectors(TEXTS)
    assert together.shape == (len(TEXTS), DIMENSIONS) and np.isfinite(together).all()
    np.testing.assert_array_equal(np.concatenate([ngram_vectors([text]) for text in TEXTS[::-1]]), together[::-1])
    assert not together[2].any() and not together[4].any() and (together[0] != together[1]).any()
    assert ngram_vectors([]).shape == (0, DIMENSIONS)


@given(st.lists(st.one_of(st.text(), st.lists(st.sampled_from(SAID)).map("".join)), max_size=5))
def test_the_compiled_twin_gives_the_same_bits(texts: list[str]) -> None:
    vectors = []
    for switch in ("1", "0"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("RAINBOW_NATIVE", switch)
            vectors.append(ngram_vectors(texts))
    np.testing.assert_array_equal(*vectors)


@pytest.mark.slow
def test_how_far_apart_the_network_finds_texts_is_told_better_than_by_shared_words() -> None:
    if missing := missing_vectors():
        pytest.skip(missing)
    texts = list(dict.fromkeys(load_dataset("demo").frame["output"]))[:25]
    network = text_vectors(texts)
    apart = pdist((network - network.mean(axis=0)) / network.std(axis=0))
    shared = TextKernel("words", texts, np.ones(len(texts))).vectors(texts).toarray()
    ours, baseline = (spearmanr(pdist(vectors), apart)[0] for vectors in (ngram_vectors(texts), shared))
    print(f"Spearman with the distances of SmolLM2, {len(texts)} demo texts: {ours:.3f}, shared words {baseline:.3f}")
    assert ours > baseline


def test_the_table_has_a_name_of_its_own() -> None:
    assert table_digest() == table_digest() and table_digest().startswith("n-grams ")
