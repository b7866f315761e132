"""Misspellings of a batch are counted text by text, each with the slot values of its own row accepted."""

from hypothesis import given
from hypothesis import strategies as st

from rainbow.meaning import parse_meaning
from rainbow.metrics import Batch
from rainbow.metrics.grammar.misspellings.misspellings import Misspellings
from rainbow.metrics.grammar.misspellings.spelling import misspelled_stems, stems

PIECES = st.sampled_from(["The", "restarnaut", "Zazou’s", "zazou", "Café", "cafe\u0301", "isnt't", "X7y", "koreanly"])
BLANKS = st.sampled_from([" ", "-", "\n", "\xa0", "\u2028", "\0", "\ud800", "'"])
TEXTS = st.lists(PIECES | BLANKS | st.text(max_size=4), max_size=12).map("".join)
MRS = st.sampled_from(["", "inform(name=zazou)", "inform(name='le restarnaut';near=\"Café Zazou's\")", "reqmore()"])


@given(st.lists(st.tuples(TEXTS, MRS), min_size=1, max_size=4))
def test_a_row_has_as_many_as_its_text_with_its_slot_values_accepted(rows: list[tuple[str, str]]) -> None:
    counts = Misspellings().score(Batch([text for text, _ in rows], mrs=[mr for _, mr in rows]))
    expected = []
    for text, mr in rows:
        known = stems(" ".join(slot.value for slot in parse_meaning(mr).slots) if mr else "")
        expected.append(sum(stem not in known for stem in misspelled_stems(text)))
    assert counts[:, 0].tolist() == expected


@given(st.lists(TEXTS, min_size=1, max_size=3))
def test_the_published_column_accepts_nothing(texts: list[str]) -> None:
    batch = Batch(texts, mrs=["inform(name=zazou)"] * len(texts))
    found = Misspellings(as_published=True).score(batch)[:, 0].tolist()
    assert found == [len(misspelled_stems(text)) for text in texts]


def test_a_hundred_thousand_words_take_seconds() -> None:
    text = " ".join(f"restarnaut{chr(97 + number % 26)}é" for number in range(100_000))
    assert Misspellings().score(Batch([text])).tolist() == [[100_000]]


def test_values_of_the_input_are_accepted_in_any_case_and_as_possessives() -> None:
    batch = Batch(["FITZBILLIES, Fitzbillies's fitzbilies"], mrs=["inform(name='near Fitzbillies')"])
    assert Misspellings().score(batch).tolist() == [[1.0]]
