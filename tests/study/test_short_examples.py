"""Short examples of functions in study."""


def test_question_svg() -> None:
    from rainbow.study.paper.paper_files import Question, question_svg

    drawn = question_svg(Question.parse("quality"), {"input": "inn", "texts": ["an <inn>"], "reference": ""})
    assert "an &lt;inn&gt;" in drawn
    assert drawn.count("<rect") == 6


def test_of_study() -> None:
    from rainbow.study.questions import belonging_study

    assert belonging_study(["0a1b-r1-01", "0a1b-r1-02"]) == "0a1b"
