"""What a search tries, and what it keeps."""

import math
from random import Random

import pytest

from rainbow.audit.search.hill_climbing import EDITS, START, Climb

WORDS = ["a", "b", "c", "d", "e", "f"]


def climb(guided: bool = False, seed: int = 1) -> Climb:
    return Climb(WORDS, Random(seed), guided=guided)


def distance(first: tuple[str, ...], second: tuple[str, ...]) -> int:
    """Count the places at which two texts of one length differ, or what one of two has more."""
    return abs(len(first) - len(second)) or sum(a != b for a, b in zip(first, second, strict=True))


def test_it_starts_from_random_words_of_the_domain() -> None:
    start = climb().text
    assert len(start) == START and set(start) <= set(WORDS) and start != climb(seed=2).text


def test_the_start_is_tried_first_and_all_else_is_one_edit_away() -> None:
    one = climb()
    texts = one.texts()
    assert (len(texts), texts[0]) == (EDITS, one.text)
    assert all(distance(text, one.text) <= 2 for text in texts)  # two places change where words are swapped
    assert {len(text) for text in texts} == {START - 1, START, START + 1}


@pytest.mark.parametrize("guided", [False, True])
def test_the_score_never_falls_and_is_that_of_the_text(guided: bool) -> None:
    one, before = climb(guided), -math.inf
    for _ in range(40):
        one.update_best([text.count("c") - abs(len(text) - 9) for text in one.texts()])
        assert one.score >= before and one.score == one.text.count("c") - abs(len(one.text) - 9)
        before = one.score
    assert one.score == 9


def test_a_text_is_kept_only_if_it_is_better() -> None:
    one = climb()
    one.texts()
    one.update_best([0.0] * EDITS)
    kept = one.text
    one.texts()
    one.update_best([0.0] * EDITS)
    assert one.text == kept


def test_texts_without_a_score_are_never_kept() -> None:
    one = climb()
    one.texts()
    one.update_best([math.nan] * EDITS)
    assert (one.score, len(one.text)) == (-math.inf, START)


def test_a_guided_climb_first_leaves_out_every_word_of_the_text_it_has() -> None:
    one = climb(guided=True)
    one.texts()
    one.update_best([1.0] + [0.0] * (EDITS - 1))
    texts = one.texts()
    assert (texts[:START], len(texts)) == ([one.text[:place] + one.text[place + 1 :] for place in range(START)], EDITS)
    one.update_best([0.0] * EDITS)
    assert one.texts()[:START] != texts[:START]  # nothing changed: what they earn is known


def test_a_guided_climb_edits_most_often_what_earns_least() -> None:
    one = climb(guided=True)
    one.texts()
    one.update_best([1.0] + [0.0] * (EDITS - 1))
    one.texts()
    one.update_best([0.9 if place == 5 else 0.1 for place in range(START)] + [0.0] * (EDITS - START))
    changed = [0] * START
    for _ in range(20):
        for text in one.texts():
            if len(text) == START and distance(text, one.text) == 1:
                changed[next(place for place in range(START) if text[place] != one.text[place])] += 1
        one.update_best([0.0] * EDITS)
    assert max(range(START), key=changed.__getitem__) == 5 and changed[5] > 3 * sum(changed) / START


def test_long_and_short_texts_can_be_climbed() -> None:
    for better in (1, -1):
        one = climb(guided=True)
        for _ in range(60):
            texts = one.texts()
            assert len(texts) == EDITS
            one.update_best([float(better * len(text)) for text in texts])
        assert len(one.text) > EDITS if better > 0 else not one.text
