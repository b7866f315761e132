"""GPTScore: the mean log probability under a pretrained model, after examples that never are the row's own."""

import math
from pathlib import Path

import pytest
from scipy.stats import spearmanr

from rainbow import load_dataset
from rainbow.metrics import Batch, MissingResourceError, get
from rainbow.metrics.probability import gptscore
from rainbow.metrics.probability.gptscore import Demonstrations, GPTScore
from rainbow.programs.smollm2 import Continuation, missing_smollm2
from rainbow.scoring.score_corpus import fit_metrics, score_corpus

CHEAP, DEAR, PHONE = "inform(name=a,price=cheap)", "inform(name=b,price=dear)", "request(phone)"

pytestmark = pytest.mark.once


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Continuation]:
    """Put one in the place of the model whose answer depends on the length of the text, and note what it is asked."""
    seen: list[Continuation] = []

    def log_probabilities(continuations: list[Continuation]) -> list[tuple[float, ...] | None]:
        seen.extend(continuations)
        return [None if "long" in one.text else (-float(len(one.text)), -1.0) for one in continuations]

    monkeypatch.setattr(gptscore, "missing_smollm2", lambda: None)
    monkeypatch.setattr(gptscore, "log_probabilities", log_probabilities)
    return seen


def batch(outputs: list[str], mrs: list[str | None], references: list[list[str]] | None = None) -> Batch:
    return Batch(outputs, references, mrs, items=[f"item {mr}" for mr in mrs])


SEEN = batch(["", "", ""], [CHEAP, DEAR, PHONE], [["a is\n cheap"], ["b is dear", "dear b"], ["which phone?"]])


def test_the_score_is_the_mean_over_tokens_after_examples_and_meaning(asked: list[Continuation]) -> None:
    values = GPTScore().fit(SEEN).score(batch(["so\n cheap "], ["inform_no_match(near='the pier')"]))
    (one,) = asked
    examples = sorted(one.prompt.strip().split("\n\n"))
    assert examples in (
        ["inform: name = a, price = cheap\na is cheap", "request: phone\nwhich phone?"],
        ["inform: name = b, price = dear\nb is dear", "request: phone\nwhich phone?"],
    )
    assert (one.before, one.text) == ("inform no match: near = the pier\n", "so cheap\n")
    assert values.tolist() == [[-(len("so cheap\n") + 1) / 2]]


def test_examples_have_different_acts_and_slots_and_do_not_hang_on_the_order() -> None:
    more = batch([""] * 4, ["inform(a)", "inform(b)", "inform(a,b)", PHONE], [["x"], ["y"], ["z"], ["which?"]])
    assert [example.reference for example in Demonstrations.chosen(more, 2).examples][1] == "which?\n"
    chosen = Demonstrations.chosen(SEEN, 12)
    assert len(chosen.examples) == 2
    reversed_rows = Batch(SEEN.outputs, [SEEN.references[row] for row in (2, 1, 0)], SEEN.mrs[::-1], SEEN.items[::-1])
    assert Demonstrations.chosen(reversed_rows, 12) == chosen
    assert Demonstrations.chosen(SEEN, 1).examples == chosen.examples[:1]


def test_no_example_is_of_the_rows_own_item_or_meaning(asked: list[Continuation]) -> None:
    metric = GPTScore().fit(SEEN)
    for example in metric.statistics.examples:
        own_item = Batch(["x"], None, ["inform(other)"], items=[example.item])
        own_meaning = Batch(["x"], None, [example.meaning], items=["another"])
        for rows in (own_item, own_meaning):
            asked.clear()
            metric.score(rows)
            assert asked
            assert not any(example.reference in one.prompt for one in asked)


def test_the_background_gives_examples_too() -> None:
    rows = Batch(["x"], [["a is cheap"]], [CHEAP], background=Batch(["y"], [["the phone?"]], [PHONE]))
    given = Demonstrations.chosen(rows, 12).examples
    assert {example.reference for example in given} == {"a is cheap\n", "the phone?\n"}


def test_an_example_is_no_longer_than_a_model_can_read() -> None:
    rows = batch(["", ""], [CHEAP, DEAR], [["a is cheap " * 100], ["b is dear"]])
    assert [example.reference for example in Demonstrations.chosen(rows, 12).examples] == ["b is dear\n"]


def test_without_references_the_meaning_stands_alone(asked: list[Continuation]) -> None:
    rows = batch(["a"], [CHEAP])
    assert GPTScore().fit(rows).score(rows).tolist() == [[-1.5]]
    assert asked[0].prompt == ""


def test_what_is_not_defined_is_nan_with_its_reason(asked: list[Continuation]) -> None:
    metric, rows = GPTScore().fit(SEEN), batch(["", "?!", "so long", "a"], [CHEAP, CHEAP, CHEAP, None])
    values = metric.score(rows)
    assert all(map(math.isnan, values[:, 0]))
    reasons = metric.reasons(rows, values)
    assert reasons[3, 0] == "there is no meaning representation"
    assert reasons[0, 0].startswith("the output has no word, or with its meaning representation more than")


def test_examples_that_are_none_are_refused() -> None:
    with pytest.raises(ValueError, match="not a meaning representation, a reference and an item"):
        Demonstrations.from_json([["inform(a)", "text"]])


def test_a_missing_model_is_told_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gptscore, "missing_smollm2", lambda: "rainbow fetch smollm2")
    with pytest.raises(MissingResourceError, match="gptscore: rainbow fetch smollm2"):
        get("gptscore")


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        # On all 2,460 rows .30, .25 and .16; of 123 the standard error is .09.
        pytest.param(20, {"informativeness": 0.1}, marks=pytest.mark.slow),
        pytest.param(1, {"informativeness": 0.28, "naturalness": 0.23, "quality": 0.14}, marks=pytest.mark.published),
    ],
)
def test_it_goes_with_what_people_say(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch, step: int, expected: dict[str, float]
) -> None:
    if missing := missing_smollm2():
        pytest.skip(missing)
    monkeypatch.setenv("RAINBOW_DATA", str(data_dir))
    corpus = load_dataset("emnlp2017")
    metrics = fit_metrics(corpus, ["gptscore"])
    rows = corpus.take(range(0, len(corpus), step))
    scores = score_corpus(rows, metrics)["gptscore"]
    found = {name: spearmanr(scores, rows.frame[name]).statistic for name in expected}
    assert all(found[name] > least for name, least in expected.items()), found
