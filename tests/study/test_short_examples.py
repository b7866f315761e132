"""Short examples of functions in study."""

import pytest

from rainbow.study.paper.question_image import Question, question_svg
from rainbow.study.responses.answer import belonging_study


@pytest.mark.parametrize(("call", "expected"), [(lambda: belonging_study(["0a1b-r1-01", "0a1b-r1-02"]), "0a1b")])
def test_an_example_gives_what_it_says(call, expected) -> None:
    assert call() == expected


def test_question_svg() -> None:
    drawn = question_svg(Question.parse("quality"), {"input": "inn", "texts": ["an <inn>"], "reference": ""})
    assert "an &lt;inn&gt;" in drawn and drawn.count("<rect") == 6
