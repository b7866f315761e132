"""A metric as a scorer, in English and other languages."""

import pytest

from rainbow.metrics import get
from rainbow.serving.metric_scorer import MetricScorer


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
