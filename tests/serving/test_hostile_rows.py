"""One row never harms another: whatever its text or its input is, the rows beside it get the numbers they get alone."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rainbow
from rainbow.audit.audit import audit_metrics
from rainbow.corpus import Corpus
from rainbow.serving import MetricScorer, Reward

MR = "inform(name='the inn',area=soma)"
GOOD = ("the inn is in soma.", MR, ["the inn lies in soma"])

TEXTS = [
    "", " ", "\0", "\ud800", "🙂" * 50, "(" * 5000, "a" * 20_000, "a " * 2000, "%s{0}\\x", "=1+1", "\u202etxet", "|||",
]  # fmt: skip
INPUTS = [
    "inform(_=yes)", "inform(__=-)", "inform(name='---')", "inform(name='')", "inform()", "_[x]",
    "inform(name=" + " " * 5000 + ")",
    "inform(" + ",".join(f"s{place}=v{place}" for place in range(300)) + ")",
    "inform(name='" + "(" * 500 + "')", "inform(name='\ud800')",
]  # fmt: skip
ROWS = [*((text, MR, ["the inn"]) for text in TEXTS), *(("an inn", mr, ["the inn"]) for mr in INPUTS)]


def by_score(rows: list[tuple[str, str, list[str]]]) -> np.ndarray:
    outputs, mrs, _ = zip(*rows, strict=True)
    return rainbow.score(list(outputs), mrs=list(mrs))


def by_metrics(rows: list[tuple[str, str, list[str]]]) -> np.ndarray:
    outputs, mrs, references = zip(*rows, strict=True)
    names = [
        "slots", "sim", "levenshtein", "mr-type", "BLEU4", "METEOR", "TER", "chrF++", "readability", "misspellings"
    ]  # fmt: skip
    return rainbow.score_corpus(Corpus.from_texts(outputs, references, mrs), names).to_numpy()


def by_scorer(rows: list[tuple[str, str, list[str]]]) -> np.ndarray:
    return MetricScorer("doubled_words", low=-100)([row[0] for row in rows], mrs=[row[1] for row in rows])


def by_reward(rows: list[tuple[str, str, list[str]]]) -> np.ndarray:
    reward = Reward(mrs="mr")
    rewards: Any = reward(prompts=[""] * len(rows), completions=[row[0] for row in rows], mr=[row[1] for row in rows])
    return np.array(rewards, dtype=float)


def by_compute(rows: list[tuple[str, str, list[str]]]) -> np.ndarray:
    found = rainbow.compute(predictions=[row[0] for row in rows], mrs=[row[1] for row in rows])
    return np.array(found["scores"], dtype=float)


@pytest.mark.parametrize("door", [by_score, by_metrics, by_scorer, by_reward, by_compute])
def test_a_hostile_row_leaves_its_neighbours_as_they_are(door: Callable[[list[Any]], np.ndarray]) -> None:
    alone = door([GOOD])[0]
    together = door([GOOD, *ROWS, GOOD])
    assert len(together) == len(ROWS) + 2
    np.testing.assert_array_equal(together[[0, -1]], [alone, alone])


def test_an_audit_goes_through_hostile_rows() -> None:
    outputs, mrs, references = zip(*[GOOD, *ROWS], strict=True)
    table = audit_metrics(
        Corpus.from_texts(outputs, references, mrs), ["slots_realised"], kinds=["dropped-slot", "shuffled-words"]
    )
    assert table["n"].sum() > 0
