"""Fingerprints: of plain data, and of what the stemmer does."""

from collections.abc import Iterator
from typing import Any

import pytest
from nltk.stem.snowball import EnglishStemmer

from rainbow.text.fingerprint import fingerprint
from rainbow.text.mentions import stem
from rainbow.text.stem_probe import stem_fingerprint

# Suffixes that the stemmer lists, but whose work is done without the list or by a later step just as well.
WITHOUT_EFFECT = {"ousness", "iveness", "tional", "abli", "e", "l"}


def test_it_is_twelve_hexadecimal_digits_of_the_content() -> None:
    assert fingerprint({"b": [1, None, "é"], "a": 0.5}) == fingerprint({"a": 0.5, "b": [1, None, "é"]})
    assert len(fingerprint([])) == 12
    assert int(fingerprint([]), 16) >= 0


@pytest.mark.parametrize("other", [["a", "b"], ["b", "a", ""], ["ba"], "ba", [["b", "a"]], ["b", "a "], []])
def test_other_content_has_another_fingerprint(other: Any) -> None:
    assert fingerprint(other) != fingerprint(["b", "a"])


def test_what_json_cannot_hold_is_refused() -> None:
    with pytest.raises(TypeError, match="not JSON serializable"):
        fingerprint({1, 2})


def suffixes() -> list[tuple[str, str]]:
    """The lists of suffixes of the stemmer, step by step, and every suffix in them."""
    lists = [name for name in vars(EnglishStemmer) if name.endswith("_suffixes")]
    return [(name, suffix) for name in lists for suffix in getattr(EnglishStemmer, name)]


def forget() -> None:
    stem.cache_clear()
    stem_fingerprint.cache_clear()


@pytest.fixture
def fresh() -> Iterator[None]:
    """Forget all stems, before and after."""
    forget()
    yield
    forget()


def test_the_stemmer_knows_suffixes() -> None:
    assert len(suffixes()) > 50


def test_a_stemmer_that_lacks_any_suffix_has_another_fingerprint(fresh: None) -> None:
    usual, same = stem_fingerprint(), set()
    for name, suffix in suffixes():
        with pytest.MonkeyPatch.context() as patch:
            kept = tuple(other for other in getattr(EnglishStemmer, name) if other != suffix)
            patch.setattr(EnglishStemmer, name, kept)
            forget()
            if stem_fingerprint() == usual:
                same.add(suffix)
    assert same <= WITHOUT_EFFECT


def test_a_stemmer_that_does_the_same_has_the_same_fingerprint(fresh: None) -> None:
    usual = stem_fingerprint()
    forget()
    assert stem_fingerprint() == usual
