"""How much work METEOR's aligner would have with two texts, and what METEOR lacks."""

from pathlib import Path

import pytest

from rainbow.text import meteor as module
from rainbow.text.meteor import LARGEST_EFFORT, effort, missing_meteor


@pytest.mark.parametrize(
    ("output", "reference", "expected"),
    [
        ("", "an inn", 0),
        ("inn", "inn", 1),
        ("good good", "well well", 2 * 2 * 4),  # synonyms are no less work than equal words
        ("a b c", "d e f", 3 * 3 * 3),
        ("o'neill", "x", 3 * 3),  # METEOR parts words at punctuation
    ],
)
def test_effort_is_the_pairs_there_can_be_times_the_square_of_the_longer_length(
    output: str, reference: str, expected: int
) -> None:
    assert effort(output, reference) == expected == effort(reference, output)


def test_ordinary_texts_are_far_from_the_largest_effort() -> None:
    sentence = "the inn is a cheap place near the river that serves good indian food and allows dogs "
    assert effort(sentence * 5, sentence * 5) < LARGEST_EFFORT / 100


def test_a_path_that_java_cannot_read_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "meteor_file", lambda name: Path("/home/josé") / name)
    assert "in a folder whose path is plain ASCII" in (missing_meteor() or "")


def test_a_missing_file_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Path:
        raise FileNotFoundError("pycocoevalcap is not installed: pip install pycocoevalcap")

    monkeypatch.setattr(module, "meteor_file", missing)
    assert missing_meteor() == "pycocoevalcap is not installed: pip install pycocoevalcap"
