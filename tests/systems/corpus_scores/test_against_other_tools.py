"""Corpus metrics against the tools that people use, as black boxes."""

from itertools import zip_longest

import numpy as np
import pytest
from nltk.translate.nist_score import corpus_nist as nltk_nist
from sacrebleu.metrics import BLEU, CHRF, TER

from rainbow.base.native import kernels
from rainbow.metrics import Batch
from rainbow.metrics.word.meteor.meteor import joined
from rainbow.metrics.word.nist.information import mteval_tokens
from rainbow.systems.corpus_scores.base import CorpusMetric, Segments
from rainbow.systems.corpus_scores.chrf import CorpusChrF
from rainbow.systems.corpus_scores.means import CorpusTer, MeanScore
from rainbow.systems.corpus_scores.meteor import CorpusMeteor
from rainbow.systems.corpus_scores.mteval import CorpusBleu, CorpusNist
from rainbow.text.tokens.ptb import ptb_tokens
from tests.systems.corpus_scores.made import score, texts

SEEDS = range(8)


def streams(references: list[list[str]]) -> list[list[str | None]]:
    """Return the references as sacrebleu takes them: the first of every output, the second of every output ..."""
    return [list(stream) for stream in zip_longest(*references)]


@pytest.mark.parametrize("seed", SEEDS)
def test_bleu_is_that_of_sacrebleu(seed: int) -> None:
    outputs, references = texts(60, seed)
    theirs = BLEU(lowercase=True, tokenize="13a", smooth_method="none").corpus_score(outputs, streams(references))
    assert score(CorpusBleu(), outputs, references) == pytest.approx(theirs.score / 100, abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_nist_is_that_of_nltk_with_one_reference(seed: int) -> None:
    outputs, references = texts(60, seed)
    first = [texts[:1] for texts in references]
    tokens = [[mteval_tokens(text) for text in texts] for texts in first]
    hypotheses = [mteval_tokens(text) for text in outputs]
    # nltk looks at the lengths of the shortest references, mteval at their mean: with one they are the same.
    assert score(CorpusNist(), outputs, first) == pytest.approx(nltk_nist(tokens, hypotheses, n=5), abs=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_chrf_is_that_of_sacrebleu(seed: int) -> None:
    outputs, references = texts(60, seed)
    theirs = CHRF(word_order=2).corpus_score(outputs, streams(references)).score
    assert score(CorpusChrF(), outputs, references) == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_ter_is_that_of_sacrebleu(seed: int) -> None:
    outputs, references = texts(40, seed)
    theirs = TER().corpus_score(outputs, streams(references)).score
    assert score(CorpusTer(), outputs, references) == pytest.approx(theirs / 100, abs=1e-12)


@pytest.mark.skipif(kernels() is None, reason="the compiled kernels were not built")
@pytest.mark.parametrize("metric", [CorpusBleu(), CorpusNist(), CorpusChrF()], ids=lambda metric: metric.name)
def test_segments_contribute_the_same_without_the_compiled_kernels(
    metric: CorpusMetric, monkeypatch: pytest.MonkeyPatch
) -> None:
    outputs, references = texts(200, 7)
    outputs[:3] = ["", "é £", "zyzzyva"]
    references[3:5] = [["a", "zoo"], [". ."]]
    systems = ["one", "two"] * 100
    compiled = metric.statistics(Segments(Batch(outputs, references, collections=systems, threads=2)))
    monkeypatch.setenv("RAINBOW_NATIVE", "0")
    plain = metric.statistics(Segments(Batch(outputs, references, collections=systems)))
    assert compiled.shape == (200, metric.width)
    np.testing.assert_allclose(compiled, plain, rtol=1e-12)


@pytest.mark.usefixtures("java")
@pytest.mark.xdist_group("meteor")
def test_meteor_is_that_of_the_program_for_the_sums_of_its_statistics() -> None:
    from tests.oracles.meteor_jar import meteor_jar_of_corpus

    outputs, references = texts(80, 1)
    outputs[:5] = [texts[0] for texts in references[:5]]  # in one chunk, nothing left over
    ours = score(CorpusMeteor(), outputs, references)
    theirs = meteor_jar_of_corpus(
        [joined(ptb_tokens(output)) for output in outputs],
        [[joined(ptb_tokens(text)) for text in several] for several in references],
    )
    assert ours == pytest.approx(theirs, abs=1e-12)


def test_a_mean_is_the_mean_of_the_segments_scores() -> None:
    outputs, references = texts(30, 5)
    segments = Segments(Batch(outputs, references))
    assert score(MeanScore("ROUGE-L", "ROUGE"), outputs, references) == pytest.approx(
        segments.scores("rouge-l")[:, 0].mean(), abs=1e-12
    )


@pytest.mark.parametrize("metric", [CorpusBleu(), CorpusNist(), CorpusChrF(), MeanScore("CIDEr", "CIDErD")])
def test_texts_that_share_nothing_score_0_without_a_warning(metric: CorpusBleu) -> None:
    assert score(metric, ["zoo", ""], [["an inn"], ["a pub"]]) == 0.0


def test_scores_of_many_sums_at_once_are_those_of_each() -> None:
    outputs, references = texts(40, 3)
    segments = Segments(Batch(outputs, references))
    for metric in (CorpusBleu(), CorpusNist(), CorpusChrF(), CorpusTer()):
        sums = metric.statistics(segments).reshape(4, 10, -1).sum(axis=1)
        apart = [float(metric.of_sums(row)) for row in sums]
        np.testing.assert_allclose(metric.of_sums(sums.reshape(2, 2, -1)).ravel(), apart, rtol=0, atol=1e-12)
