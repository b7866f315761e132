"""Word-based metrics work in every script: an equal text has the best score, another text a worse one."""

import pytest

import rainbow
from rainbow.corpus import Corpus
from rainbow.metrics import all_metrics

PAIRS = {
    "Arabic": ["الفندق في وسط المدينة الكبيرة.", "مطعم رخيص بجانب النهر الطويل."],
    "Chinese": ["酒店 位于 市 中心 附近。", "河边 的 便宜 餐馆 很 好。"],
    "German": ["Das Haus der Frau Müller ist schön.", "Über die Brücke fährt heute kein Zug."],
    "Greek": ["Το ξενοδοχείο είναι στο κέντρο.", "Φθηνό εστιατόριο δίπλα στο ποτάμι."],
    "Hebrew": ["המלון נמצא במרכז העיר הגדולה.", "מסעדה זולה ליד הנהר הארוך."],
    "Hindi": ["होटल शहर के केंद्र में है।", "नदी के पास एक सस्ता रेस्तरां।"],
    "Korean": ["호텔은 도시 중심에 있습니다 아주.", "강 근처의 저렴한 식당 하나."],
    "Russian": ["Гостиница находится в центре города.", "Это дешёвый ресторан у самой реки."],
    "Tamil": ["விடுதி நகரின் மையத்தில் உள்ளது இங்கே.", "ஆற்றின் அருகே மலிவான உணவகம் ஒன்று."],
}
COLUMNS = [
    column.name
    for metric in all_metrics().values()
    for column in metric.columns
    if metric.group == "word" and metric.needs == {"references"} and "BERTScore" not in column.name
]


@pytest.mark.parametrize("script", PAIRS)
def test_an_equal_text_is_better_than_another(script: str) -> None:
    texts = PAIRS[script]
    equal = rainbow.score_corpus(Corpus.from_texts(texts, [[text] for text in texts], language="en"), COLUMNS)
    other = rainbow.score_corpus(Corpus.from_texts(texts, [[text] for text in reversed(texts)], language="en"), COLUMNS)
    signs = {name: -1 if name == "TER" else 1 for name in COLUMNS}
    assert [name for name, sign in signs.items() if not (sign * (equal[name] - other[name]) > 0).all()] == []
