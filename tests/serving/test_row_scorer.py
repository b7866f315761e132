"""Scorers of single metrics and of the rows of a dataset."""

import re

import numpy as np
import pytest

from rainbow.metrics import get
from rainbow.serving import MetricScorer, RowScorer
from rainbow.serving.http.limits import check_token

TEXTS, TARGETS = ["the inn is cheap", "a bar"], [["the inn is cheap"], ["the bar"]]


def similarity() -> RowScorer:
    return RowScorer(MetricScorer("SE"), references="target")


def test_scores_are_those_of_the_scorer_with_the_columns_that_are_named():
    columns = {"target": TARGETS, "mr": ["", ""], "level": [1, 2]}
    np.testing.assert_array_equal(similarity()(TEXTS, columns), MetricScorer("SE")(TEXTS, TARGETS))


def test_one_row_has_the_score_that_it_has_among_others():
    scores = [similarity().one(text, {"target": target}) for text, target in zip(TEXTS, TARGETS, strict=True)]
    assert scores == similarity()(TEXTS, {"target": TARGETS}).tolist()


def test_what_a_scorer_needs_must_be_named():
    with pytest.raises(ValueError, match="SE needs references: name their dataset column"):
        RowScorer(MetricScorer("SE"))


def test_the_learned_metric_reads_what_is_named_and_needs_nothing():
    assert RowScorer().scorer.needs == frozenset()
    row = {"target": ["the inn is cheap"], "mr": ["inform(name='the inn',price=cheap)"]}
    scores = {RowScorer(**named)(["the inn"], row)[0] for named in ({}, {"mrs": "mr"}, {"references": "target"})}
    assert len(scores) == 3


@pytest.mark.parametrize(("columns", "message"), [
    ({"mr": ["", ""]}, "unknown column 'target': the columns are mr"),
    ({"target": TARGETS[:1]}, "column 'target' has 1 entries for 2 outputs"),
    ({"target": [["a"], [1]]}, "row 2, column 'target'"),
])  # fmt: skip
def test_a_column_that_does_not_fit_is_refused(columns, message):
    with pytest.raises(ValueError, match=message):
        similarity()(TEXTS, columns)


def test_it_says_what_it_reads():
    assert repr(similarity()) == "RowScorer(MetricScorer('SE', low=0.0, high=1.0), references='target', inputs=None)"
    assert RowScorer(MetricScorer("SE"), references="both", mrs="both").columns == ["both"]


def test_check_token() -> None:
    check_token("open sesame")
    message = re.escape("the token contains 'ü', which cannot be sent in a header: use printable ASCII characters")
    with pytest.raises(ValueError, match=message):
        check_token("schlüssel")


def test_a_language_is_given_or_named() -> None:
    german, references = (
        ["Das Haus ist schön und liegt am Fluss, und Kinder sind dort willkommen."],
        [["Die Häuser sind schön."]],
    )
    with pytest.warns(UserWarning, match=r"the outputs are German, and are scored as English: MetricScorer\('METEOR'"):
        as_english = MetricScorer("METEOR")(german, references)
    as_german = MetricScorer("METEOR", language="de")(german, references)
    assert as_german != as_english
    assert MetricScorer("METEOR", metric=get("meteor", language="de"))(german, references) == as_german
    with pytest.raises(ValueError, match="METEOR: it knows 16 languages only, and the outputs are Chinese"):
        MetricScorer("METEOR", language="zh")


def test_a_score_in_chinese_does_not_depend_on_its_batch() -> None:
    scorer, outputs, references = MetricScorer("ROUGE1", language="zh"), ["你好吗", "很便宜"], [["你好"], ["便宜"]]
    alone = scorer(outputs, references).tolist()
    assert scorer([*outputs, "旅馆很便宜,离河三公里"], [*references, ["旅馆"]]).tolist()[:2] == alone == [0.8, 0.8]
