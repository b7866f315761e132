"""Fabricated errors: what they do to a text, what such texts are rated, and which may be learned with which rows."""

from collections import Counter
from random import Random

import numpy as np
import pytest

from rainbow import Corpus
from rainbow.learned.protocols.groups import folded_text
from rainbow.learned.training.fabrication import (
    UNRATED,
    UNTOUCHED,
    Scale,
    Source,
    allowed,
    fabricated,
    lowered,
    sources_of,
    with_errors,
)
from rainbow.learned.training.features import Features
from rainbow.text.words.words_and_marks import text_words

COLUMNS = ("delexicalised", "meaning")
WORDS = ["xname", "is", "a", "cheap", "inn", "in", "xarea", ",", "and", "the", "pub", "serves", "thai", "food", "."]


def source(text: str, row: int = 0, dataset: str = "", rated: bool = True) -> Source:
    return Source((text, "inform name xname"), row, dataset, folded_text(text), rated)


def made(seed: int, count: int, words: list[str] = WORDS) -> list[str]:
    return with_errors(words, count, Random(seed), lambda rng: rng.choice(["zoo", "dog"]))


def test_one_error_takes_away_repeats_inserts_or_replaces_one_word() -> None:
    kinds: Counter[str] = Counter()
    for seed in range(400):
        found = made(seed, 1)
        gone, come = Counter(WORDS) - Counter(found), Counter(found) - Counter(WORDS)
        kinds[f"-{sum(gone.values())} +{sum(come.values())}{' new' if come.keys() & {'zoo', 'dog'} else ''}"] += 1
        assert not gone.keys() & UNTOUCHED, "punctuation and articles stay"
        assert not come.keys() & UNTOUCHED
    assert set(kinds) == {"-1 +0", "-0 +1", "-0 +1 new", "-1 +1 new"}
    # Of five kinds drawn alike two say a word again.
    assert kinds["-0 +1"] == pytest.approx(160, abs=45)
    assert kinds["-1 +0"] == pytest.approx(80, abs=35)


def test_the_last_word_is_never_taken_away_and_articles_give_way_where_there_is_nothing_else() -> None:
    for seed in range(100):
        assert len(made(seed, 4, ["inn"])) >= 1
    assert {tuple(made(seed, 1, ["the", "."])) for seed in range(60)} - {("the", ".")}


def test_a_word_is_not_replaced_by_itself() -> None:
    drawn = iter(["inn", "inn", "pub"] * 50).__next__
    for seed in range(50):
        if (found := with_errors(["inn"], 1, Random(seed), lambda rng: drawn())) != ["inn", "inn"]:
            assert "pub" in found


def test_every_source_gives_itself_and_copies_with_one_to_four_errors() -> None:
    texts = [" ".join(WORDS), "xname is an inn ."]
    found = fabricated([source(text) for text in texts], COLUMNS, seed=3)
    assert found.sources.tolist() == [0] * 5 + [1] * 5
    assert found.errors.tolist() == [0, 1, 2, 3, 4] * 2
    assert [found.texts["delexicalised"][place] for place in (0, 5)] == texts
    assert set(found.texts["meaning"]) == {"inform name xname"}
    assert len(set(found.texts["delexicalised"])) > 8


def test_what_becomes_of_a_row_does_not_hang_on_the_order_of_the_rows() -> None:
    sources = [source(" ".join(WORDS[start:]), start) for start in range(8)]
    first, second = fabricated(sources, COLUMNS), fabricated(sources[::-1], COLUMNS)
    assert first.texts["delexicalised"][:5] == second.texts["delexicalised"][-5:]
    other = fabricated(sources, COLUMNS, seed=1)
    assert other.texts["delexicalised"] != first.texts["delexicalised"]


@pytest.mark.parametrize(
    ("rated", "paper", "code"),
    [
        (6.0, [6, 4, 3, 2, 1], [6, 4, 4, 3, 2]),
        (5.5, [5.5, 4, 3, 2, 1], [5.5, 4, 3.5, 2.5, 1.5]),
        (5.0, [5, 4, 3, 2, 1], [5, 4, 3, 2, 1]),
        (3.5, [3.5, 2.5, 1.5, 1, 1], [3.5, 2.5, 1.5, 1, 1]),
        (1.0, [1, 1, 1, 1, 1], [1, 1, 1, 1, 1]),
    ],
)
def test_errors_cost_what_the_paper_says_and_what_its_code_does(
    rated: float, paper: list[float], code: list[float]
) -> None:
    ratings, errors = np.full((5, 1), rated), np.arange(5)
    assert lowered(ratings, errors, UNRATED)[:, 0].tolist() == paper
    assert lowered(ratings, errors, UNRATED, "code")[:, 0].tolist() == code


def test_on_another_scale_an_error_costs_a_fifth_of_it() -> None:
    scale = Scale(np.array([0.0, 1.0]), np.array([100.0, 6.0]))
    assert lowered(np.array([[80.0, 5.0], [100.0, 6.0]]), np.array([2, 1]), scale).tolist() == [[40, 3], [60, 4]]


def test_sources_are_outputs_references_and_the_background_as_the_learner_reads_them() -> None:
    mr = "inform(name='the inn',kids_allowed=yes)"
    further = Corpus.of([""], [["a pub is there", "."]], ["inform(name=chow)"], dataset=["sfrest"])
    corpus = Corpus.of(["the inn is cheap", ""], [["It is The Inn."], ["bye"]], [mr, "bye()"])
    corpus = Corpus(corpus.frame, background=further)
    features = Features((), COLUMNS)
    found = sources_of(corpus, ["outputs", "references", "background"], features)
    meaning = "inform name xname kidsallowed yes"
    assert [(own.texts, own.row, own.dataset, own.rated) for own in found] == [
        (("Xname is cheap", meaning), 0, "", True),
        (("It is Xname.", meaning), 0, "", False),
        (("bye", "bye"), 1, "", False),
        (("a pub is there", "inform name xname"), -1, "sfrest", False),
        ((".", "inform name xname"), -1, "sfrest", False),
    ]
    assert sources_of(corpus, [], features) == []


def test_what_would_tell_of_rows_held_out_may_not_be_learned() -> None:
    sources = [
        source("of a training row", 0),
        source("of a row held out", 1),
        source("The output held out.", 0, rated=False),
        source("of the background, known", -1, "sfrest"),
        source("of the background, of a dataset left out", -1, "bagel"),
        source("of a background without a name", -1),
        source("the output held out .", -1),
    ]
    outputs = [folded_text(text) for text in ("an output", "the output held out.")]
    found = allowed(sources, np.array([0]), ["sfrest", "bagel"], outputs)
    assert found.tolist() == [True, False, False, True, False, True, False]


def test_words_are_drawn_as_often_as_they_occur() -> None:
    sources = [source("thai " * 50 + "food"), source("pub")]
    words = Counter(word for text in fabricated(sources, COLUMNS).texts["delexicalised"] for word in text_words(text))
    assert words["thai"] > 10 * (words["pub"] - 4)
