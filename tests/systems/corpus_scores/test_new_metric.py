"""A metric that is one file, with what its rows add up: all that `rainbow systems` needs of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from rainbow import Corpus
from rainbow.base.arrays import FloatArray
from rainbow.metrics import Batch, Column, Metric, register
from rainbow.metrics.contract import registry
from rainbow.stats.resampling.paired_resampling import approximate_randomisation
from rainbow.systems.alignment import align_systems
from rainbow.systems.corpus_scores.corpus_scores import evaluate_metrics
from rainbow.systems.similarity import compute_similarity
from rainbow.systems.system_evaluation import evaluate_systems


@dataclass(frozen=True)
class Covered(Metric):
    """The share of the words of the first reference that an output has; of a system, of all words together."""

    name = "covered"
    group = "word"
    columns = (Column("covered", True, 0.0, 1.0),)
    needs = frozenset({"references"})
    system_columns = (Column("covered words", True, 0.0, 1.0),)

    def compute(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        return self.score_sums(self.compute_sums(batch, rows))

    def compute_sums(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        pairs = [(batch.outputs[row].split(), batch.references[row][0].split()) for row in rows]
        return np.array([[sum(word in output for word in words), len(words)] for output, words in pairs], dtype=float)


@dataclass(frozen=True)
class Shouts(Metric):
    """The number of exclamation marks; of a system, their mean. It fills in no sums."""

    name = "shouts"
    group = "grammar"
    columns = (Column("shouts", False, 0.0),)
    system_columns = columns

    def compute(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        return np.array([[float(batch.outputs[row].count("!"))] for row in rows])


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    registry.all_metrics()
    monkeypatch.setattr(registry, "_METRICS", dict(registry._METRICS))
    register(Covered)
    register(Shouts)
    yield


REFERENCES = ["the cheap inn", "a bar", "the inn near a pub", "dogs", "a pub", "no inn"]
GOOD, BAD = [*REFERENCES[:5], "no"], ["an inn !", "a !", "the pub", "dogs !", "!", "inn"]


def corpus() -> Corpus:
    references, items = [[text] for text in REFERENCES], [*"123456"]
    return Corpus.from_texts([*GOOD, *BAD], references * 2, item=items * 2, system=["good"] * 6 + ["bad"] * 6)


def sums(outputs: list[str]) -> FloatArray:
    """Return by hand what each output adds up."""
    pairs = [(output.split(), text.split()) for output, text in zip(outputs, REFERENCES, strict=True)]
    return np.array([[len(set(output) & set(words)), len(words)] for output, words in pairs], dtype=float)


def test_its_score_of_a_system_is_that_of_the_sums() -> None:
    table = evaluate_metrics(align_systems(corpus()), ["covered words"], resamples=99, rng=1).scores
    assert table["system"].tolist() == ["good", "bad"]
    # Of 15 words the first system lacks one; the second has inn, a, the, pub, dogs and inn.
    assert table["covered words"].tolist() == [14 / 15, 6 / 15]


def test_its_interval_and_tests_of_pairs_are_those_of_the_sums() -> None:
    scores, differences, _ = evaluate_metrics(align_systems(corpus()), ["covered words"], resamples=500, rng=1)
    assert (scores["covered words_low"] < scores["covered words"]).all()
    assert (scores["covered words"] < scores["covered words_high"]).tolist() == [True, True]
    (test,) = differences.to_dict("records")
    share = {"statistic": lambda sums: sums[:, 0] / sums[:, 1], "resamples": 20_000, "rng": 2}
    shuffled = approximate_randomisation(sums(GOOD), sums(BAD), **share)
    assert test["difference"] == pytest.approx(8 / 15) and test["low"] < test["difference"] < test["high"]
    assert test["p_randomisation"] == pytest.approx(shuffled.p, abs=0.02)


def test_without_sums_of_its_own_a_system_has_the_mean_and_the_better_direction_comes_first() -> None:
    table = evaluate_metrics(align_systems(corpus()), ["shouts"], resamples=99, rng=1).scores
    assert table[["system", "shouts"]].to_numpy().tolist() == [["good", 0.0], ["bad", 4 / 6]]


def test_it_stands_beside_others_and_in_the_similarity_of_systems() -> None:
    aligned = align_systems(corpus())
    found = evaluate_metrics(aligned, ["TER", "covered words", Shouts()], resamples=99, rng=1)
    assert list(found.scores)[1:4] == ["TER", "covered words", "shouts"]
    assert set(found.differences["metric"]) == {"TER", "covered words", "shouts"}
    assert compute_similarity(aligned, ["covered words"]).pairs["metric"].tolist() == ["covered words"] * 2
    table = evaluate_systems(corpus(), metrics=["covered words"], resamples=99, rng=1)["corpus_metrics"]
    assert list(table)[9:11] == ["chrF++", "covered words"]


def test_what_no_metric_gives_is_refused_and_so_is_a_name_that_two_give() -> None:
    with pytest.raises(ValueError, match="no corpus-level metric gives 'covered'"):
        evaluate_metrics(align_systems(corpus()), ["covered"])

    class Other(Shouts):
        name = "other"

    with pytest.raises(ValueError, match="other: shouts is already defined by shouts"):
        evaluate_metrics(align_systems(corpus()), [Shouts(), Other()])


def test_a_metric_that_lacks_what_it_needs_is_missing_with_the_reason() -> None:
    class Needy(Shouts):
        name, needs = "needy", frozenset({"mr"})

    scores, differences, missing = evaluate_metrics(align_systems(corpus()), [Needy()], resamples=99, rng=1)
    assert scores["shouts"].isna().all() and missing == {"shouts": "row 0: no meaning representation"}
    assert differences.empty
