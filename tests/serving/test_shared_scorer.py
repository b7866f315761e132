"""Many threads call one scorer: each gets what it would get alone."""

import time
from collections.abc import Sequence
from threading import Event, Thread
from typing import Any

import numpy as np
import pytest

from rainbow.serving import MetricScorer
from rainbow.serving.shared_scorer import SLICE, ScorerError, SharedScorer

GOOD = ("the inn is in soma .", ["the inn lies in soma ."], "inform(name='the inn',area=soma)")


class Lengths:
    """Scores by length; fails for texts that say so, and waits where it is told to."""

    name, low, high, needs = "lengths", 0.0, 1e9, frozenset[str]()

    def __init__(self) -> None:
        self.scored: list[list[str]] = []
        self.entered, self.go_on = Event(), Event()
        self.go_on.set()

    def __call__(self, outputs: Sequence[str], references: Any = None, mrs: Any = None) -> np.ndarray:
        self.scored.append(list(outputs))
        self.entered.set()
        assert self.go_on.wait(10)
        if "odd" in outputs:
            raise ValueError("odd texts have no length")
        if "fatal" in outputs:
            raise KeyError("fatal")
        return np.array([len(text) for text in outputs], float)


def in_threads(calls: Sequence[Any]) -> list[Any]:
    """Return what each call gave, or raised, all of them called at once."""
    found: list[Any] = [None] * len(calls)

    def run(place: int) -> None:
        try:
            found[place] = calls[place]()
        except Exception as error:
            found[place] = error

    threads = [Thread(target=run, args=(place,)) for place in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    return found


def test_calls_that_come_while_the_scorer_works_are_scored_together() -> None:
    slow = Lengths()
    scorer = SharedScorer(slow)
    slow.go_on.clear()
    first = Thread(target=scorer, args=(["first"],))
    first.start()
    assert slow.entered.wait(10)
    others = [Thread(target=scorer, args=([f"text {place}"],)) for place in range(20)]
    for thread in others:
        thread.start()
    while len(scorer._waiting) < 20:
        time.sleep(0.001)
    slow.go_on.set()
    for thread in [first, *others]:
        thread.join(10)
    assert slow.scored[0] == ["first"]
    assert (sorted(slow.scored[1]), len(slow.scored)) == (sorted(f"text {place}" for place in range(20)), 2)


def test_every_thread_gets_the_scores_of_its_own_texts() -> None:
    scorer = SharedScorer(Lengths(), batch_rows=16)
    texts = [["x" * (call * 7 + row) for row in range(call % 5 + 1)] for call in range(200)]
    assert in_threads([lambda own=own: scorer(own).tolist() for own in texts]) == [list(map(len, own)) for own in texts]


def test_a_long_call_is_scored_in_slices() -> None:
    lengths = Lengths()
    assert SharedScorer(lengths)(["x" * row for row in range(3 * SLICE)]).tolist() == [*range(3 * SLICE)]
    assert [len(rows) for rows in lengths.scored] == [SLICE] * 3


def test_a_text_that_the_scorer_refuses_has_no_score_and_its_neighbours_have_theirs() -> None:
    found = SharedScorer(Lengths()).score_with_reasons(["one", "odd", "three"])
    np.testing.assert_array_equal(found.scores, [3, np.nan, 5])
    assert found.reasons == ["", "odd texts have no length", ""]


def test_a_text_for_which_the_scorer_breaks_harms_neither_its_neighbours_nor_other_callers() -> None:
    scorer = SharedScorer(Lengths())
    calls = [["one", "fatal", "three"], ["fatal"], ["four"]]
    found = in_threads([lambda own=own: scorer.score_with_reasons(own) for own in calls])
    np.testing.assert_array_equal(found[0].scores, [3, np.nan, 5])
    assert found[0].reasons[1] == "KeyError: 'fatal'"
    assert isinstance(found[1], ScorerError)  # nothing is known of its texts
    assert (str(found[1]), found[2].scores.tolist()) == ("lengths failed: KeyError: 'fatal'", [4])


def test_rows_with_and_without_references_and_inputs_get_what_they_get_alone() -> None:
    output, references, mr = GOOD
    alone = MetricScorer("ROUGE")
    expected = [alone([output], [references])[0], alone([output], [references], [mr])[0]]
    scorer = SharedScorer(MetricScorer("ROUGE"))
    calls = [lambda: scorer([output], [references]), lambda: scorer([output], [references], [mr])] * 20
    assert [float(found[0]) for found in in_threads(calls)] == expected * 20


def test_what_is_given_in_another_shape_is_told_to_the_caller_alone() -> None:
    scorer = SharedScorer(Lengths())
    with pytest.raises(ValueError, match="row 2, output: 3 is not a text"):
        scorer(["x", 3])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="references has 1 entries for 2 outputs"):
        scorer(["x", "y"], [["z"]])
    assert scorer([]).tolist() == []
