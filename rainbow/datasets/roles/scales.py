"""Verbal rating scales: common scales, degrees of one adjective, good and bad."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from rainbow.datasets.lexicon import remove_accents

# Words that stand for marks, the worst first.
_USUAL = (
    "strongly disagree<disagree<somewhat disagree<neither agree nor disagree<somewhat agree<agree<strongly agree;"
    "strongly disagree<disagree<slightly disagree<neutral<slightly agree<agree<strongly agree;"
    "strongly disagree<disagree<neither agree nor disagree<agree<strongly agree;"
    "strongly disagree<disagree<neutral<agree<strongly agree;"
    "strongly disagree<disagree<undecided<agree<strongly agree;"
    "completely disagree<disagree<neutral<agree<completely agree;disagree<neutral<agree;"
    "very bad<bad<neutral<good<very good;very bad<bad<ok<good<very good;very poor<poor<fair<good<very good;"
    "very poor<poor<acceptable<good<very good;very poor<poor<average<good<excellent;"
    "poor<fair<good<very good<excellent;bad<poor<fair<good<excellent;poor<average<good;"
    "terrible<bad<ok<good<excellent;bad<okay<good;bad<ok<good;bad<neutral<good;"
    "very dissatisfied<dissatisfied<neutral<satisfied<very satisfied;"
    "very unlikely<unlikely<neutral<likely<very likely;not at all<slightly<moderately<very<extremely;"
    "not at all<partly<mostly<completely;not at all<partially<fully;"
    "trifft gar nicht zu<trifft eher nicht zu<teils/teils<trifft eher zu<trifft voll zu;"
    "trifft nicht zu<trifft eher nicht zu<neutral<trifft eher zu<trifft zu;"
    "stimme gar nicht zu<stimme eher nicht zu<teils/teils<stimme eher zu<stimme voll zu;"
    "stimme gar nicht zu<stimme eher nicht zu<neutral<stimme eher zu<stimme voll zu;"
    "sehr schlecht<schlecht<mittel<gut<sehr gut;ungenügend<mangelhaft<ausreichend<befriedigend<gut<sehr gut;"
    "bardzo źle<źle<średnio<dobrze<bardzo dobrze;"
    "pas du tout d'accord<plutôt pas d'accord<neutre<plutôt d'accord<tout à fait d'accord;"
    "très mauvais<mauvais<moyen<bon<très bon;muy malo<malo<regular<bueno<muy bueno;"
    "médiocre<passable<assez bien<bien<très bien;"
    "per niente<poco<abbastanza<molto<moltissimo;per niente<poco<abbastanza<molto;"
    "helemaal niet<een beetje<redelijk<zeer;helemaal oneens<oneens<neutraal<eens<helemaal eens;"
    "discordo totalmente<discordo<neutro<concordo<concordo totalmente;nada<poco<bastante<mucho;"
    "fortemente in disaccordo<in disaccordo<neutrale<d'accordo<fortemente d'accordo;"
    "totalmente en desacuerdo<en desacuerdo<neutral<de acuerdo<totalmente de acuerdo;nein<teilweise<ja;nein<ja;"
    "nej<ja;hayır<evet;плохо<удовлетворительно<хорошо<отлично;нет<да;否<是;いいえ<はい;아니오<예;"
    "non<oui;no<sí;never<rarely<sometimes<often<always;very low<low<medium<high<very high;low<medium<high;"
    "incorrect<partially correct<correct;none<some<most<all;no<partly<yes;no<maybe<yes;no<yes;n<y;false<true;👎<👍;"
    "poorly<somewhat<well<very well;not at all<a little<somewhat<very;not at all<somewhat<very;"
    "unacceptable<poor<acceptable<good<excellent;not fluent<somewhat fluent<fluent;worse<same<better;fail<pass;"
    "meget uenig<uenig<hverken eller<enig<meget enig;helt uenig<uenig<nøytral<enig<helt enig;"
    "instämmer inte alls<instämmer inte<neutral<instämmer<instämmer helt;"
    "täysin eri mieltä<jokseenkin eri mieltä<en osaa sanoa<jokseenkin samaa mieltä<täysin samaa mieltä;"
    "rozhodně nesouhlasím<spíše nesouhlasím<nevím<spíše souhlasím<rozhodně souhlasím;"
    "полностью не согласен<не согласен<нейтрально<согласен<полностью согласен;"
    "kesinlikle katılmıyorum<katılmıyorum<kararsızım<katılıyorum<kesinlikle katılıyorum;"
    "täysin eri mieltä<jokseenkin eri mieltä<ei samaa eikä eri mieltä<jokseenkin samaa mieltä<täysin samaa mieltä;"
    "전혀 그렇지 않다<그렇지 않다<보통이다<그렇다<매우 그렇다;"
    "とても悪い<悪い<普通<良い<とても良い;悪い<やや悪い<普通<やや良い<良い;"
    "全くそう思わない<そう思わない<どちらともいえない<そう思う<とてもそう思う;"
    "非常不同意<不同意<一般<同意<非常同意;很差<差<一般<好<很好;非常差<差<一般<好<非常好;down<up;thumbs down<thumbs up;"
    "definitely not<probably not<maybe<probably<definitely;worse<equal<better;f<d<c<b<a;f<e<d<c<b<a"
)
GRADED = ("n", "i", "p", "c")  # no answer, incorrect, partly, correct: what Inspect's scorers write
_SCALES = (*(tuple(scale.split("<")) for scale in _USUAL.split(";")), GRADED)
_MAX_WORDS = 100  # different words


def _value_by_word(sizes: dict[float, str]) -> dict[str, float]:
    return {word: size for size, words in sizes.items() for word in words.split("|")}


# Words of degree in English, German, French, Spanish, Italian, Portuguese and Dutch, without accents.
_PLAIN = 2.5
_DEGREES = _value_by_word({
    -4: "not at all|gar nicht|uberhaupt nicht|pas du tout|nada|per niente|per nulla|helemaal niet",
    -2: "not|no|nicht|pas|non|nao|niet",
    -1: "not very|not really|hardly|barely|wenig|kaum|peu|poco|pouco|weinig",
    1: "slightly|a little|a bit|somewhat|etwas|un peu|un poco|algo|um pouco|een beetje",
    2: "moderately|fairly|rather|quite|reasonably|partly|partially|eher|teilweise|assez|plutot|bastante|abbastanza|"
    "redelijk|razoavelmente",
    2.2: "mostly|ziemlich|weitgehend",
    3: "very|highly|sehr|tres|muy|molto|muito|zeer",
    4: "extremely|completely|totally|perfectly|fully|absolutely|vollig|vollkommen|ausserst|tout a fait|totalmente|"
    "completamente|volledig",
})  # fmt: skip
_MIDDLE = re.compile(r"neutra?l?|neutr[eoa]|neutraal|neither.*|so-so|undecided|unsure|mixed")
_WRONG = {"wrong": "right", "falsch": "richtig", "faux": "vrai", "falso": "vero", "fout": "goed"}
_WRONG |= {"different": "similar"}
_WHOLLY = {"identical": "completely similar"}  # one word for a degree
_OPPOSITE = re.compile(r"^(?:un|in|im|ir|dis|des|on)(?P<word>\w{3,})")
_GOOD = _value_by_word({
    4: "excellent|excellente|outstanding|exceptional|perfect|excelente|eccellente|ottimo|ottima|ausgezeichnet|"
    "hervorragend|perfekt|uitstekend|otimo|otima|parfait|parfaite|superb",
    3: "great",
    2: "good|gut|gute|bon|bonne|bueno|buena|buono|buona|bom|boa|goed|goede|dobrze|dobry|dobra",
    0: "ok|okay|fair|average|acceptable|adequate|medium|regular|aceptable|accettabile|aceitavel|acceptabel|akzeptabel|"
    "razoavel|razonable|mittel|mittelmassig|moyen|moyenne|medio|media|sufficiente|passable|satisfactory",
    -1: "mediocre|matig|mangelhaft|weak|schwach|faible|debole|insufficient|insufficiente|insuficiente",
    -2: "bad|poor|malo|mala|mau|ma|ruim|mauvais|mauvaise|cattivo|cattiva|scarso|scarsa|schlecht|slecht|zle|zly",
    -3: "terrible|ungenugend|awful|horrible|pessimo|pessima|pesimo|pesima|unacceptable",
})  # fmt: skip
# Words of quantity.
_EXTENT = _value_by_word({
    0: "no|nein|non|nee|nao|not at all|gar nicht|pas du tout|per niente|helemaal niet",
    1: "only in part|in part|partly|partially|to some extent|somewhat|teilweise|zum teil|"
    "en partie|en parte|in parte|deels",
    2: "mostly|largely|for the most part|weitgehend|grosstenteils|"
    "en grande partie|en gran parte|in gran parte|grotendeels",
    3: "yes|completely|fully|entirely|ja|oui|si|sim|vollstandig|entierement|completamente|interamente|volledig",
})  # fmt: skip
_YES = frozenset(["yes", "ja", "oui", "si", "sim", "tak"])
_NO = frozenset(["no", "nein", "non", "nee", "nao", "nie", "nej"])


def detect_scale(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the words of a rating scale, worst first; empty if the cells are not a scale."""
    labels = Counter(text.strip().casefold() for text in texts)
    if not 2 <= len(labels) <= _MAX_WORDS:
        return ()
    known = {scale: sum(labels[word] for word in scale) for scale in _SCALES}
    fitting = [scale for scale, count in known.items() if count >= 0.9 * len(texts)]
    best = min(fitting, key=lambda scale: (-known[scale], len(scale)), default=())
    if {*labels} <= {*best}:
        return best
    values = {word: _word_value(word) for word in labels}
    known_words = [word for word, value in values.items() if value is not None]
    if sum(labels[word] for word in known_words) >= 0.9 * len(texts):  # a slip or two say nothing
        values = {word: values[word] for word in known_words}
    # All words on a scale of their own come before most of the words on a usual one.
    return (
        _sort_words(_degree_values(labels))
        or _sort_words(values)
        or _sort_words(_extent_values(labels))
        or _three_point_scale(labels)
        or best
    )


def _sort_words(values: dict[str, float | None]) -> tuple[str, ...]:
    """Return at least three words sorted by value; empty if values are missing or tied."""
    known = {word: value for word, value in values.items() if value is not None}
    whole = len(known) == len(values) == len({*known.values()}) > 2
    return tuple(sorted(known, key=lambda word: known[word])) if whole else ()


def _degree_values(labels: Iterable[str]) -> dict[str, float | None]:
    """Return the values of degrees of one adjective, e.g. "very unnatural" to "natural"."""
    plain = {word: remove_accents(word) for word in labels}
    middle = [word for word, text in plain.items() if _MIDDLE.fullmatch(text)]
    parts = {word: _split_degree(text) for word, text in plain.items() if word not in middle}
    adjectives = {adjective for _, adjective in parts.values()}
    result: dict[str, float | None] = dict.fromkeys(middle, 0.0)
    of = set()
    for word, (degree, adjective) in parts.items():
        opposite = _WRONG.get(adjective) or _OPPOSITE.sub(r"\g<word>", adjective)
        if opposite in adjectives and opposite != adjective and degree is not None:
            degree, adjective = -degree, opposite
        result[word] = degree
        of.add(adjective)
    return result if len(of) == 1 else {}


def _split_degree(text: str) -> tuple[float | None, str]:
    """Return the value of a degree and its adjective; None if it is not a degree."""
    degree, _, adjective = _WHOLLY.get(text, text).rpartition(" ")
    return (_DEGREES.get(degree) if degree else _PLAIN), adjective


def _word_value(text: str) -> float | None:
    """Return how positive a word is, adjusted for its degree; None for unknown words."""
    if _MIDDLE.fullmatch(text):
        return 0.0
    degree, adjective = _split_degree(remove_accents(text))
    value = _GOOD.get(adjective)
    if value is None or degree is None:
        return None
    return -value if degree == _DEGREES["not"] else value * (1 + (degree - _PLAIN) / 4)


def _extent_values(labels: Iterable[str]) -> dict[str, float | None]:
    """Return the values of extents, e.g. "yes, completely" and "only in part"."""
    plain = {word: remove_accents(word) for word in labels}
    return {word: _EXTENT.get(text, _EXTENT.get(text.rpartition(", ")[2])) for word, text in plain.items()}


def _three_point_scale(labels: Iterable[str]) -> tuple[str, ...]:
    """Return no, one word in between, and yes; empty for other words."""
    words = {word: remove_accents(word) for word in labels}
    no, yes = ([word for word, plain in words.items() if plain in known] for known in (_NO, _YES))
    other = [word for word in words if word not in (*no, *yes)]
    return (no[0], other[0], yes[0]) if len(no) == len(yes) == len(other) == 1 else ()
