"""Fingerprints: of plain data, and of what the stemmer does."""

from collections.abc import Iterator
from typing import Any

import pytest

from rainbow.base.fingerprint import fingerprint
from rainbow.text.words import snowball
from rainbow.text.words.mentions import stem_word
from rainbow.text.words.stem_fingerprint import stem_fingerprint

# Endings that the stemmer lists, but whose work is done without the list or by a later step just as well.
WITHOUT_EFFECT = {"ousness", "iveness", "tional", "abli"}
# What these tables hold is changed to something, what the others hold is cut off.
CHANGES = ("_STEP_2", "_STEP_3")


def test_it_is_twelve_hexadecimal_digits_of_the_content() -> None:
    assert fingerprint({"b": [1, None, "é"], "a": 0.5}) == fingerprint({"a": 0.5, "b": [1, None, "é"]})
    assert len(fingerprint([])) == 12 and int(fingerprint([]), 16) >= 0


@pytest.mark.parametrize("other", [["a", "b"], ["b", "a", ""], ["ba"], "ba", [["b", "a"]], ["b", "a "], []])
def test_other_content_has_another_fingerprint(other: Any) -> None:
    assert fingerprint(other) != fingerprint(["b", "a"])


def test_what_json_cannot_hold_is_refused() -> None:
    with pytest.raises(TypeError, match="not JSON serializable"):
        fingerprint({1, 2})


def forget() -> None:
    stem_word.cache_clear()
    stem_fingerprint.cache_clear()


@pytest.fixture
def fresh() -> Iterator[None]:
    """Forget all stems, before and after."""
    forget()
    yield
    forget()


def test_a_stemmer_that_lacks_any_ending_has_another_fingerprint(fresh: None) -> None:
    usual, same = stem_fingerprint(), set()
    for name in ("_DOUBLE", "_STEP_2", "_STEP_3", "_STEP_4"):
        table = getattr(snowball, name)
        for ending in table:
            with pytest.MonkeyPatch.context() as patch:
                kept = [other for other in table if other != ending]
                patch.setattr(
                    snowball, name, {other: table[other] for other in kept} if name in CHANGES else tuple(kept)
                )
                forget()
                if stem_fingerprint() == usual:
                    same.add(ending)
    assert same <= WITHOUT_EFFECT


def test_a_stemmer_that_does_the_same_has_the_same_fingerprint(fresh: None) -> None:
    usual = stem_fingerprint()
    forget()
    assert stem_fingerprint() == usual
