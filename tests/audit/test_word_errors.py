"""Repeated, shuffled, truncated and empty texts."""

from collections import Counter
from random import Random

import pytest

from rainbow.audit.audit_rows import Perturbation, audit_rows
from rainbow.audit.text_errors import empty_text, repeat_phrase, repeat_word, shuffle_words, truncate_text
from rainbow.corpus import Corpus


def all_of(perturbation: Perturbation, text: str) -> set[str | None]:
    [row] = audit_rows(Corpus.from_texts([text]))
    return {perturbation(row, Random(seed)) for seed in range(100)}


def test_a_word_is_doubled_or_tripled_in_place() -> None:
    assert all_of(repeat_word, "The inn's, cheap!") == {
        *("The The inn's, cheap!", "The The The inn's, cheap!"),
        *("The inn's inn's, cheap!", "The inn's inn's inn's, cheap!"),
        *("The inn's, cheap cheap!", "The inn's, cheap cheap cheap!"),
    }


def test_hyphens_and_lone_clitics_keep_together() -> None:
    assert {"inn 's 's dog-friendly", "inn 's dog-friendly dog-friendly"} <= all_of(repeat_word, "inn 's dog-friendly")


def test_two_to_five_words_of_one_sentence_are_said_twice() -> None:
    assert all_of(repeat_phrase, "a b c") == {"a b a b c", "a b c b c", "a b c a b c"}
    assert all_of(repeat_phrase, "A b. C, d!") == {"A b A b. C, d!", "A b. C, d C, d!"}
    text = "one two three four five six seven"
    assert {len(found.split()) - 7 for found in all_of(repeat_phrase, text) if found} == {2, 3, 4, 5}


def test_shuffled_words_are_the_same_words_in_another_order() -> None:
    text = "The inn is cheap, and it has wifi."
    texts = all_of(shuffle_words, text)
    assert len(texts) > 50 and text not in texts
    for found in texts:
        assert found is not None and found.endswith(".") and Counter(found[:-1].split()) == Counter(text[:-1].split())


def test_two_words_can_only_change_places() -> None:
    assert all_of(shuffle_words, "so cheap?! ") == {"cheap so?! "}


@pytest.mark.parametrize("size", [2, 3, 4, 5, 10, 33])
def test_a_truncated_text_lacks_30_to_60_per_cent_of_its_words(size: int) -> None:
    words = [f"w{place}" for place in range(size)]
    lost = set()
    for text in all_of(truncate_text, " ".join(words) + "."):
        assert text is not None and text.split() == words[: len(text.split())]
        lost.add(size - len(text.split()))
    assert lost == {count for count in range(size) if 0.3 <= count / size <= 0.6}


def test_the_empty_text_is_empty() -> None:
    assert all_of(empty_text, "the inn") == {""}


@pytest.mark.parametrize(("perturbation", "text"), [
    *((repeat_word, text) for text in ("", " ", "?!")),
    *((repeat_phrase, text) for text in ("", "inn", "Inn. Cheap.", "?!")),
    *((shuffle_words, text) for text in ("", "inn.", "inn inn inn.")),
    *((truncate_text, text) for text in ("", "inn", "inn !")),
])  # fmt: skip
def test_too_few_words_cannot_be_perturbed(perturbation: Perturbation, text: str) -> None:
    assert all_of(perturbation, text) == {None}
