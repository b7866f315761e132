"""chrF++ is sacrebleu's."""

import pytest
from sacrebleu.metrics.chrf import CHRF

import rainbow.metrics.word.chrf as chrf_module
from rainbow.metrics import Batch
from rainbow.metrics.word.chrf import ChrF


def chrf(output: str, *references: str) -> float:
    return ChrF().score(Batch([output], [references]))[0, 0]


def test_two_letters_are_scored_as_by_hand() -> None:
    # characters: 2 of 3 and 2 of 2, pairs 1 of 2 and 1 of 1, words 0 of 1 and 0 of 1; no text has the other orders
    precision, recall = (2 / 3 + 1 / 2 + 0) / 3, (1 + 1 + 0) / 3
    assert chrf("abc", "ab") == pytest.approx(100 * 5 * precision * recall / (4 * precision + recall))


def test_the_best_reference_counts() -> None:
    assert chrf("the inn is cheap", "no", "the inn") == chrf("the inn is cheap", "the inn")


@pytest.mark.parametrize("change", [{"char_order": 5}, {"beta": 3}, {"whitespace": True}, {"lowercase": True}])
def test_the_signature_changes_when_the_scorer_does_something_else(change, monkeypatch) -> None:
    signature = ChrF().signature
    monkeypatch.setattr("sacrebleu.metrics.chrf.CHRF", lambda **options: CHRF(**options | change))
    chrf_module._scorer_fingerprint.cache_clear()
    try:
        assert ChrF().signature != signature
    finally:
        chrf_module._scorer_fingerprint.cache_clear()
