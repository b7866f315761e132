"""What perturbations make of a corpus, whatever its texts."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rainbow.audit.perturbations import PERTURBATIONS, TRAINING_PERTURBATIONS, perturb, perturbed_corpus, validate_kinds
from rainbow.audit.spans import Words
from rainbow.corpus import Corpus
from rainbow.datasets import load_dataset
from rainbow.text.words.mentions import mention_words

KINDS = (
    *("dropped-slot", "wrong-value", "swapped-values", "repeated-word", "repeated-phrase", "shuffled-words"),
    *("truncated", "empty", "unrelated-sentence", "other-reference", "mr-copied", "length-padding"),
    *("previous-turn", "empty-but-fluent"),
)
# Kinds that outputs of demo or one sentence about one input do not allow.
OF_DIALOGUES = {"previous-turn"}

# Texts made of what the rules look at, and any text at all.
LISTED = (
    "the The a an inn Inn is it in of near soma SoMa citycentre city centre cheap cheaply and or , . ? ! that which",
    "does n't not has x X dogs allow called 's priced : ; | \n  yes no 555",
)
SPOKEN = st.lists(st.sampled_from([word for line in LISTED for word in line.split(" ")]), max_size=25).map(" ".join)
TEXTS = SPOKEN | st.text(max_size=30)
VALUES = st.sampled_from(
    ["inn", "soma", "citycentre", "cheap", "X", "555", "yes", "no", "dont_care", "soma or noma", "'"]
)
SLOTS = st.lists(st.tuples(st.sampled_from(["name", "area", "near", "dogs_allowed", "price"]), VALUES), max_size=5)
MRS = st.just("") | SLOTS.map(lambda slots: "inform({})".format(",".join(f'{name}="{value}"' for name, value in slots)))
ROWS = st.lists(st.tuples(TEXTS, MRS, st.lists(TEXTS, max_size=2)), min_size=1, max_size=5)


def corpus_of(rows: Sequence[tuple[str, str, Sequence[str]]]) -> Corpus:
    outputs, mrs, references = zip(*rows, strict=True)
    return Corpus.from_texts(outputs, references, mrs)


def test_the_kinds_stand_in_their_order() -> None:
    assert tuple(PERTURBATIONS) == KINDS
    assert tuple(TRAINING_PERTURBATIONS) == KINDS[:12]  # see tests/learned/training/test_corruption.py
    assert (validate_kinds(), validate_kinds(["empty", "truncated", "empty"])) == (list(KINDS), ["empty", "truncated"])


@settings(max_examples=200)
@given(ROWS)
def test_any_text_gives_another_text_or_none(rows: Sequence[tuple[str, str, Sequence[str]]]) -> None:
    corpus = corpus_of(rows)
    table = perturb(corpus)
    for position, kind, text in table.itertuples(index=False):
        assert kind in PERTURBATIONS and isinstance(text, str) and text != corpus.frame["output"][position]
    assert not table.duplicated(["row", "kind"]).any() and len(perturbed_corpus(corpus, table)) == len(table)


@settings(max_examples=50)
@given(ROWS, st.randoms(use_true_random=False))
def test_rows_become_the_same_in_any_order(rows: list[tuple[str, str, Sequence[str]]], rng: object) -> None:
    order = list(range(len(rows)))
    rng.shuffle(order)  # type: ignore[attr-defined]
    corpus = corpus_of(rows)
    straight = {(row, kind): text for row, kind, text in perturb(corpus).itertuples(index=False)}
    mixed = {(order[row], kind): text for row, kind, text in perturb(corpus.take(order)).itertuples(index=False)}
    assert mixed == straight


@settings(max_examples=300)
@given(SPOKEN)
def test_words_are_found_where_they_stand(text: str) -> None:
    located = Words.from_text(text)
    assert list(located.tokens) == mention_words(text)
    for token, start, stop in zip(*located, strict=True):
        assert token in mention_words(text[start:stop])


@pytest.fixture(scope="module")
def demo() -> Corpus:
    return load_dataset("demo").take(range(0, 1038, 10))


def test_the_seed_decides(demo: Corpus) -> None:
    first = perturb(demo, seed=1)
    assert first.equals(perturb(demo, seed=1))
    other = first.merge(perturb(demo, seed=2), on=["row", "kind"])
    differing = (other["text_x"] != other["text_y"]).groupby(other["kind"]).mean()
    assert set(differing[differing == 0].index) == {"empty", "mr-copied"}


def test_kinds_do_not_depend_on_each_other(demo: Corpus) -> None:
    table, chosen = perturb(demo), perturb(demo, ["truncated", "dropped-slot"])
    assert chosen["kind"].drop_duplicates().tolist() == ["truncated", "dropped-slot"]
    for kind in ("truncated", "dropped-slot"):
        lines = (table[table["kind"] == kind], chosen[chosen["kind"] == kind])
        assert lines[0].reset_index(drop=True).equals(lines[1].reset_index(drop=True))


def test_every_kind_can_be_made_of_most_outputs(demo: Corpus) -> None:
    counts = perturb(demo)["kind"].value_counts()
    assert set(counts.index) == set(KINDS) - OF_DIALOGUES and counts.min() > 0.6 * len(demo)


def test_perturbing_leaves_the_corpus_alone(demo: Corpus) -> None:
    before = demo.frame.copy(deep=True)
    perturbed_corpus(demo, perturb(demo))
    assert demo.frame.equals(before)


def test_perturbed_rows_keep_all_but_output_ratings_and_views(demo: Corpus) -> None:
    table = perturb(demo, ["empty", "truncated"])
    made = perturbed_corpus(demo, table)
    assert made.ratings == () and not made.views and made.frame["output"].tolist() == table["text"].tolist()
    assert made.frame["perturbation"].tolist() == table["kind"].tolist()
    kept = ["dataset", "system", "item", "mr", "mr_type", "references"]
    originals = demo.frame.iloc[table["row"].tolist()].reset_index(drop=True)
    assert made.frame[kept].equals(originals[kept]) and "quality" not in made.frame
    assert made.frame["id"].tolist()[0] == f"{originals['id'][0]} empty"


def test_delexicalised_views_are_those_of_the_perturbed_text() -> None:
    corpus = Corpus.from_texts(["it is in soma", "in noma"], [["soma!"], [""]], ["i(area=soma)", "i(area=noma)"])
    made = perturbed_corpus(corpus, perturb(corpus, "wrong-value").iloc[:1])
    assert made.view("delexicalised").outputs == ("it is in noma",)
    assert made.view("delexicalised").references == (("Xarea!",),)


def test_no_perturbed_row_is_an_empty_corpus() -> None:
    corpus = Corpus.from_texts([""])
    table = perturb(corpus, ["empty", "mr-copied"])
    assert (list(table), len(perturbed_corpus(corpus, table))) == (["row", "kind", "text"], 0)


@pytest.mark.parametrize("kinds", ["empties", ["empty", "empties"]])
def test_an_unknown_kind_is_told_with_the_nearest(kinds: str | list[str]) -> None:
    with pytest.raises(ValueError, match="unknown perturbation 'empties': did you mean empty"):
        perturb(Corpus.from_texts(["x"]), kinds)


def test_a_long_text_can_be_perturbed() -> None:
    text = "the inn, which is near soma, has dogs and. " * 3000
    mr = "inform(name='the inn',near=soma,dogs_allowed=yes,area=noma)"
    alone = {"wrong-value", "other-reference"}
    assert set(perturb(Corpus.from_texts([text], mrs=[mr]))["kind"]) >= set(KINDS) - OF_DIALOGUES - alone
