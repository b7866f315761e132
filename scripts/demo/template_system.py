"""The system `template`: one fixed sentence per act and slot, hence safe, stiff and blind to exceptions."""

from __future__ import annotations

from .chance import Chance
from .grammar import frame_key, phrases, plural
from .lexicon import QUESTIONS
from .meanings import BOOLEANS, BOTH, DONT_CARE, Meaning

SENTENCES = {
    "inform": "{name} {facts}.",
    "inform count": "There are {count} {noun}s {facts}.",
    "inform_only_match": "{name} is the only {noun} that {facts}.",
    "inform_no_match": "I am sorry but there is no {noun} that {facts}.",
    "confirm": "You want a {noun} that {facts}. Is this correct?",
    "confirm dont_care": "You do not mind {facts}. Is this correct?",
    "select": "Do you want a {noun} that {facts}?",
    "request": "{facts}?",
    "reqmore": "Can I help you with anything else?",
    "goodbye": "Thank you and goodbye.",
}
UNKNOWN_SLOTS = ("postcode", "price")  # nobody wrote a sentence for these
RAW_SLOTS = (*BOOLEANS, "good_for_meal", "price_range")
RAW_RATE = 0.1  # a slot pasted as it stands: "it has kids allowed no"
DISAGREEING_RATE = 0.5  # "hotels that allows dogs"


def template(meaning: Meaning, chance: Chance) -> tuple[str, list[str]]:
    """Return the sentence for `meaning` and the names of its errors."""
    errors = [f"dropped:{slot}" for slot, _ in meaning.slots if slot in UNKNOWN_SLOTS]
    key = frame_key(meaning)
    verbs: list[str] = []
    for slot, value in meaning.slots:
        if slot not in ("name", "type", "count", *UNKNOWN_SLOTS):
            verb, error = _fact(slot, value, meaning, chance)
            verbs.append(verb)
            errors += error
    if key == "inform":
        facts, error = _separate_sentences(meaning, verbs)
    elif key == "inform count":
        facts, error = _plural_facts(verbs, chance)
    else:
        facts, error = _joined(key, verbs), []
    names = {"name": meaning.get("name"), "count": meaning.get("count"), "noun": meaning.domain}
    sentence = SENTENCES[key].format(**names, facts=facts)
    return sentence[0].upper() + sentence[1:], errors + error


def _fact(slot: str, value: str, meaning: Meaning, chance: Chance) -> tuple[str, list[str]]:
    if meaning.act == "request":
        return QUESTIONS[slot][0].replace("{noun}", meaning.domain), []
    if meaning.act == "select":
        options = [phrases(slot, "yes", "verb")[0], "not"] if value == BOTH else _options(slot, value)
        return " or ".join(options), []
    if value == DONT_CARE:
        place = "any" if meaning.act == "inform" else "mind"
        return phrases(slot, value, place)[0].replace("{noun}", meaning.domain), []
    if slot in RAW_SLOTS and chance.happens(RAW_RATE):
        return f"has {_raw_name(slot)} {value}", [f"raw:{slot}"]
    return phrases(slot, value, "verb")[0], []


def _raw_name(slot: str) -> str:
    return slot.replace("_", " ").removeprefix("has ")


def _options(slot: str, value: str) -> list[str]:
    first, *others = (phrases(slot, option, "verb")[0] for option in value.split(" or "))
    return [first, *(f"that {other}" for other in others)]


def _separate_sentences(meaning: Meaning, verbs: list[str]) -> tuple[str, list[str]]:
    price, named = meaning.get("price_range"), meaning.get("type")
    if price and f"has {_raw_name('price_range')} {price}" not in verbs:
        verbs = [verb for verb in verbs if verb != phrases("price_range", price, "verb")[0]]
        opening, wrong_article = f"is a {price} {meaning.domain}", price[0] in "aeiou"
    else:
        opening, wrong_article = f"is a {meaning.domain}", False
    told = [opening, *verbs] if price or named or not verbs else verbs
    return ". It ".join(told), ["article"] if wrong_article else []


def _plural_facts(verbs: list[str], chance: Chance) -> tuple[str, list[str]]:
    wrong = chance.happens(DISAGREEING_RATE)
    predicates = [verb for verb in verbs if verb.split()[0] not in ("if", "whether", "regardless")]
    ends = [verb for verb in verbs if verb not in predicates]
    told = [verb if wrong else plural(verb) for verb in predicates]
    facts = " ".join([f"that {' and '.join(told)}", *ends] if told else ends)
    return facts, ["agreement"] if wrong and told else []


def _joined(key: str, facts: list[str]) -> str:
    return (", and " if key == "request" else " and ").join(facts)
