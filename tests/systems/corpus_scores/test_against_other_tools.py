"""Corpus metrics against the tools that people use, as black boxes."""

from itertools import zip_longest
from typing import Any

import numpy as np
import pytest
from nltk.translate.nist_score import corpus_nist as nltk_nist
from sacrebleu.metrics import BLEU, CHRF, TER

from rainbow.base.native import kernels
from rainbow.metrics import Batch, get
from rainbow.metrics.word.meteor.meteor import join_tokens
from rainbow.text.tokens.mteval import mteval_tokens
from rainbow.text.tokens.ptb import ptb_tokens
from tests.systems.corpus_scores.made import score, sums_of, texts

SEEDS = range(8)


def streams(references: list[list[str]]) -> list[list[str | None]]:
    """Return the references as sacrebleu takes them: the first of every output, the second of every output ..."""
    return [list(stream) for stream in zip_longest(*references)]


@pytest.mark.parametrize(("name", "tool", "scale", "count"), [
    ("BLEU", BLEU(lowercase=True, tokenize="13a", smooth_method="none"), 100, 60),
    ("chrF++", CHRF(word_order=2), 1, 60),
    ("TER", TER(), 100, 40),
])  # fmt: skip
@pytest.mark.parametrize("seed", SEEDS)
def test_scores_are_those_of_sacrebleu(name: str, tool: Any, scale: int, count: int, seed: int) -> None:
    outputs, references = texts(count, seed)
    theirs = tool.corpus_score(outputs, streams(references)).score / scale
    assert score(name, outputs, references) == pytest.approx(theirs, abs=1e-9 if scale == 1 else 1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_nist_is_that_of_nltk_with_one_reference(seed: int) -> None:
    outputs, references = texts(60, seed)
    first = [texts[:1] for texts in references]
    tokens = [[mteval_tokens(text) for text in texts] for texts in first]
    hypotheses = [mteval_tokens(text) for text in outputs]
    # nltk looks at the lengths of the shortest references, mteval at their mean: with one they are the same.
    assert score("NIST", outputs, first) == pytest.approx(nltk_nist(tokens, hypotheses, n=5), abs=1e-9)


@pytest.mark.skipif(kernels() is None, reason="the compiled kernels were not built")
@pytest.mark.parametrize(("metric", "width"), [("BLEU", 10), ("NIST", 14), ("chrF++", 24)])
def test_segments_contribute_the_same_without_the_compiled_kernels(metric, width, monkeypatch) -> None:
    outputs, references = texts(200, 7)
    outputs[:3] = ["", "é £", "zyzzyva"]
    references[3:5] = [["a", "zoo"], [". ."]]
    systems = ["one", "two"] * 100
    compiled = sums_of(metric, Batch(outputs, references, collections=systems, threads=2)).sums
    monkeypatch.setenv("RAINBOW_NATIVE", "0")
    plain = sums_of(metric, Batch(outputs, references, collections=systems)).sums
    assert compiled.shape == (200, width)
    np.testing.assert_allclose(compiled, plain, rtol=1e-12)


@pytest.mark.usefixtures("java")
@pytest.mark.xdist_group("meteor")
def test_meteor_is_that_of_the_program_for_its_own_sums() -> None:
    from rainbow.programs.meteor_program import meteor_program_corpus_score

    outputs, references = texts(80, 1)
    outputs[:5] = [texts[0] for texts in references[:5]]  # in one chunk, nothing left over
    ours = score("METEOR", outputs, references)
    theirs = meteor_program_corpus_score(
        [join_tokens(ptb_tokens(output)) for output in outputs],
        [[join_tokens(ptb_tokens(text)) for text in several] for several in references],
    )
    assert ours == pytest.approx(theirs, abs=1e-12)


def test_a_mean_is_the_mean_of_the_segments_scores() -> None:
    outputs, references = texts(30, 5)
    scores = get("rouge-l").score(Batch(outputs, references))
    assert score("ROUGE-L", outputs, references) == pytest.approx(scores.mean(), abs=1e-12)


@pytest.mark.parametrize("metric", ["BLEU", "NIST", "chrF++", "CIDEr"])
def test_texts_that_share_nothing_score_0_without_a_warning(metric: str) -> None:
    assert score(metric, ["zoo", ""], [["an inn"], ["a pub"]]) == 0.0


def test_scores_of_many_sums_at_once_are_those_of_each() -> None:
    outputs, references = texts(40, 3)
    for metric in ("BLEU", "NIST", "chrF++", "TER"):
        found = sums_of(metric, Batch(outputs, references))
        sums = found.sums.reshape(4, 10, -1).sum(axis=1)
        apart = [float(found.score_sums(row)) for row in sums]
        np.testing.assert_allclose(found.score_sums(sums.reshape(2, 2, -1)).ravel(), apart, rtol=0, atol=1e-12)
