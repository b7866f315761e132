"""A corpus is checked when it is made, and says which row and field is wrong."""

from pathlib import Path
from unicodedata import normalize

import numpy as np
import pandas as pd
import pytest

import rainbow
from rainbow import Corpus, View
from rainbow.corpus.rows import validate_references, validate_texts
from rainbow.metrics import Batch, get


def test_rows_keep_their_order_and_what_is_missing_is_filled_in() -> None:
    corpus = Corpus.from_texts(["b", "a"], [["x"], ["y", "z"]], ["inform(name=x)", ""], system=["one", "two"])
    assert (corpus.frame["output"].tolist(), corpus.frame["id"].tolist()) == (["b", "a"], ["1", "2"])
    assert corpus.frame["item"].tolist() == ["inform(name=x)", "y | z"]
    assert corpus.frame["mr_type"].tolist() == ["inform", ""]
    assert corpus.frame["references"].tolist() == [("x",), ("y", "z")]


def test_the_table_that_was_given_is_not_changed() -> None:
    frame = pd.DataFrame({"output": ["a"], "quality": ["5"]})
    before = frame.copy(deep=True)
    assert Corpus(frame, ratings=("quality",)).frame["quality"].tolist() == [5.0]
    pd.testing.assert_frame_equal(frame, before)


@pytest.mark.parametrize(("arguments", "message"), [
    (dict(outputs=["a"], mrs=["inform(name)"], mr_format="xml"), "^unknown format 'xml'"),
    (dict(outputs=["a"], mrs=["inform(name"], mr_format="act"), r"row 1, mr: cannot read .* as act"),
    (dict(outputs=["a", "b", "c"], id=["x", "y", "x"]), "row 3, id: 'x' is already used in row 1"),
    (dict(outputs=["a", "b"], quality=[5, "good"]), "row 2, quality: 'good' is not a number"),
])  # fmt: skip
def test_a_wrong_row_is_named_with_its_field(arguments: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Corpus.from_texts(**arguments)


def test_a_table_without_outputs_is_refused() -> None:
    with pytest.raises(ValueError, match="no column 'output'"):
        Corpus(pd.DataFrame({"text": ["a"]}))


def test_a_missing_rating_is_nan() -> None:
    frame = Corpus.from_texts(["a", "b"], quality=[None, 4], naturalness=[None, None]).frame
    assert (frame["quality"].isna().tolist(), frame["naturalness"].dtype) == ([True, False], float)


def test_word_based_metrics_see_delexicalised_texts_where_there_is_a_meaning_representation() -> None:
    corpus = Corpus.from_texts(["the inn", "the inn"], [["an inn"], ["an inn"]], ["inform(name=inn)", None])
    assert corpus.default_view == "delexicalised"
    assert corpus.view().outputs == ("the Xname", "the inn")
    assert corpus.view().references == (("an Xname",), ("an inn",))
    assert corpus.view("surface").outputs == ("the inn", "the inn")


def test_an_unknown_view_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="no view 'published': choose from surface"):
        Corpus.from_texts(["a"]).view("published")


@pytest.mark.parametrize("rows", [(("a", "b"), ((), ())), (("a",), ((),), ("one", "two"))])
def test_a_view_must_cover_every_row(rows: tuple) -> None:
    with pytest.raises(ValueError, match="view 'own' must have an output and references for each of the 1 rows"):
        Corpus(pd.DataFrame({"output": ["a"]}), views={"own": View("own", *rows)})


def test_taking_rows_takes_their_views_along() -> None:
    frame = pd.DataFrame({"output": ["a", "b"]})
    corpus = Corpus(frame, views={"own": View("own", ("A", "B"), ((), ()), ("one", "two"))}).take([1])
    assert corpus.view("own").outputs == ("B",)
    assert corpus.view("own").collections == ("two",)


TEXTS = ["Das Café der Frau Müller ist schön.", "Über die Brücke fährt heute kein Zug."]
OTHERS = ["Das Café von Müller ist sehr schön.", "Über die Brücke fährt ein Zug."]
DECOMPOSED = [normalize("NFD", text) for text in TEXTS]


def test_scores_do_not_depend_on_the_form() -> None:
    references = [[text] for text in OTHERS]
    composed = rainbow.score_corpus(Corpus.from_texts(TEXTS, references), group="word")
    decomposed = rainbow.score_corpus(Corpus.from_texts(DECOMPOSED, references), group="word")
    np.testing.assert_array_equal(decomposed.to_numpy(), composed.to_numpy())
    turned = [[normalize("NFD", text)] for text in OTHERS]
    np.testing.assert_array_equal(
        rainbow.score_corpus(Corpus.from_texts(TEXTS, turned), group="word").to_numpy(), composed.to_numpy()
    )


def test_slots_are_found_in_either_form() -> None:
    corpus = Corpus.from_texts(DECOMPOSED[:1], inputs=["inform(name='Frau Müller')"])
    assert rainbow.score_corpus(corpus, ["slots"])["slots_realised"].tolist() == [1.0]


@pytest.mark.parametrize("name", ["ter", "bleu", "rouge-n"])
def test_a_batch_of_a_metric_takes_either_form(name: str) -> None:
    references = [[text] for text in TEXTS]
    assert (get(name).score(Batch(DECOMPOSED, references)) == get(name).score(Batch(TEXTS, references))).all()


def test_a_scorer_takes_either_form() -> None:
    scorer = rainbow.Scorer("fast")
    found = scorer(DECOMPOSED, [[text] for text in OTHERS]).tolist()
    assert found == scorer(TEXTS, [[text] for text in OTHERS]).tolist()


def test_a_file_is_read_in_either_form(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(f"output,reference\n{DECOMPOSED[0]},{TEXTS[0]}\n", encoding="utf-8")
    frame = rainbow.load_dataset(path).frame
    assert frame["output"][0] == frame["references"][0][0] == TEXTS[0]


def test_composed_texts_are_not_copied() -> None:
    assert all(found is given for found, given in zip(validate_texts("outputs", TEXTS), TEXTS, strict=True))
    [(reference,)] = validate_references("references", [[TEXTS[0]]])
    assert reference is TEXTS[0]
