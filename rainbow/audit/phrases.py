"""Which phrase of a sentence carries a value: by lists of words, as far as simple rules go."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


SENTENCE_ENDS = frozenset(".!?;:")
PREPOSITIONS = _set(
    "about around at below beside between by for from in inside near of on outside over to under with within without"
)
# Prepositions that go on with what stands before them: "in the area of", "close to".
CONTINUING = _set("from of to")
# What a preposition leans on: "close to", "located in", "good for".
LEANED_ON = _set(
    "available close convenient far found good great ideal located next not right situated suitable suited well"
)
# Words with which a clause begins, and words that join clauses or members of a list; so does a comma.
RELATIVES = _set("if that where which who whose")
COORDINATORS = _set("and but or")
COPULAS = _set("are be been is s was were")
VERBS = COPULAS | _set(
    """accept accepts admit admits allow allowed allows can called charge charges cost costs could do does find found
    had has have lie lies may named offer offering offers permit permits priced provide provides providing rated reach
    reached serve served serves serving should sit sits take takes want welcome welcomes will would"""
)
PLURAL_VERBS = _set("are do have were")
ADVERBS = _set("also cannot currently not only still")
LINKS = RELATIVES | COORDINATORS | {","}
OPENERS = LINKS | VERBS | PREPOSITIONS
ARTICLES = _set("a an the")
VERBAL = VERBS | ADVERBS
PREPOSITIONAL = PREPOSITIONS | LEANED_ON
PRONOUNS = _set("it its the their they")
# What belongs to the value before it: "moderately priced", "child friendly".
SUFFIXES = _set("friendly priced style")


class Cut(NamedTuple):
    """The words to take out, from `start` up to and without `stop`, and a word to stand for them, if any."""

    start: int
    stop: int
    instead: str = ""


class _Sentence(NamedTuple):
    """A sentence of a text, from the word `first` up to and without `last`; `taken` are words of other values."""

    tokens: Sequence[str]
    first: int
    last: int
    taken: Collection[int]

    def has(self, place: int, words: Collection[str]) -> bool:
        """Return whether one of these words stands there that is not part of another value."""
        return self.first <= place < self.last and place not in self.taken and self.tokens[place] in words

    def is_plain(self, place: int) -> bool:
        """Return whether a word stands there that is not part of another value, and with which nothing new begins."""
        return self.first <= place < self.last and place not in self.taken and self.tokens[place] not in OPENERS


class _Left(NamedTuple):
    """Where what stands before a value in its clause begins; None where there is no such thing."""

    phrase: int
    preposition: int | None
    verb: int | None
    clause: int | None
    link: int | None


def carrier(tokens: Sequence[str], start: int, stop: int, taken: Collection[int]) -> Cut:
    """Return the phrase or clause that can be cut out together with a value; at least the value."""
    sentence = _sentence(tokens, start, stop, taken)
    left = _left(sentence, start)
    if left.preposition is None and sentence.has(stop, SUFFIXES):
        stop += 1
    right = _right(sentence, stop)
    if right is None:
        return Cut(start, stop)
    alone = _alone(sentence, start, stop) if right == stop else Cut(start, stop)
    if left.verb is None and left.preposition is None and (verb := _verb_after(sentence, right)):
        return _subject(sentence, left, verb) or alone
    if right + 1 < sentence.last and tokens[right] in ("and", "or"):
        return _coordinated(sentence, left, right, start)
    return _last_of_its_clause(sentence, left, right, alone)


def _sentence(tokens: Sequence[str], start: int, stop: int, taken: Collection[int]) -> _Sentence:
    first = next((place + 1 for place in range(start - 1, -1, -1) if tokens[place] in SENTENCE_ENDS), 0)
    last = next((place for place in range(stop, len(tokens)) if tokens[place] in SENTENCE_ENDS), len(tokens))
    return _Sentence(tokens, first, last, taken)


def _right(sentence: _Sentence, stop: int) -> int | None:
    """Return where the phrase ends that the value begins ("thai food"); None if another value stands in it."""
    place = stop
    while sentence.is_plain(place) or sentence.has(place, ["to"]):  # "a cheap place to eat"
        place += 1
    return None if place in sentence.taken else place


def _alone(sentence: _Sentence, start: int, stop: int) -> Cut:
    """Cut out a value that ends a noun phrase, with its article, or put `one` for it ("a cheap one")."""
    if sentence.has(start - 1, ARTICLES):
        return Cut(start - 1, stop)
    phrase = start
    while sentence.is_plain(phrase - 1) or phrase - 1 in sentence.taken:
        phrase -= 1
    return Cut(start, stop, "one" if sentence.tokens[phrase] in ("a", "an") else "")


def _verb_after(sentence: _Sentence, right: int) -> int | None:
    """Return where the verb stands whose subject ends here; systems put a comma between ("the inn, is cheap")."""
    verb = right + sentence.has(right, [","])
    return verb if sentence.has(verb, VERBS) else None


def _left(sentence: _Sentence, start: int) -> _Left:
    place = phrase = _before_plain(sentence, start)
    if (preposition := _preposition(sentence, phrase)) is not None:
        place = preposition
    if (verb := _before_verbs(sentence, place)) is not None:
        place = _before_plain(sentence, verb)
    linked = sentence.has(place - 1, LINKS)
    clause = place if linked or place == sentence.first else None
    link = place - 1 - sentence.has(place - 2, [","]) if linked else None
    return _Left(phrase, preposition, verb, clause, link)


def _before_plain(sentence: _Sentence, place: int) -> int:
    while sentence.is_plain(place - 1):
        place -= 1
    return place


def _before_verbs(sentence: _Sentence, place: int) -> int | None:
    """Go back over verbs with their adverbs; None if there is no verb."""
    start = place
    while sentence.has(place - 1, VERBAL):
        place -= 1
    return place if any(word in VERBS for word in sentence.tokens[place:start]) else None


def _preposition(sentence: _Sentence, phrase: int) -> int | None:
    """Return where the prepositional phrase begins: "in the area of soma", "close to soma"; None if it is none."""
    place = phrase
    while sentence.has(place - 1, PREPOSITIONS):
        place -= 1
        while sentence.has(place - 1, LEANED_ON):
            place -= 1
        before = _before_plain(sentence, place)
        if sentence.tokens[place] in CONTINUING and sentence.has(before - 1, PREPOSITIONS):
            place = before
    return place if place < phrase else None


def _subject(sentence: _Sentence, left: _Left, verb: int) -> Cut | None:
    """Cut out the clause whose subject the value is, or let a pronoun stand for the subject; None in a question."""
    end = verb
    while end < sentence.last and end not in sentence.taken and not sentence.has(end, LINKS):
        end += 1
    if left.link is not None and end not in sentence.taken:
        return Cut(left.link, end)
    if left.clause is None or "?" in sentence.tokens[sentence.last : sentence.last + 1]:
        return None
    return Cut(left.phrase, verb, "they" if sentence.tokens[verb] in PLURAL_VERBS else "it")


def _coordinated(sentence: _Sentence, left: _Left, right: int, start: int) -> Cut:
    """Cut out the first of two coordinated phrases, of the kind that the second is, and the word that joins them."""
    after = sentence.tokens[right + 1]
    if left.link is not None and sentence.tokens[left.link] not in RELATIVES:
        return Cut(left.link, right)
    if after in VERBAL and left.verb is not None:
        return Cut(left.verb, right + 1)
    if after in PREPOSITIONAL and left.preposition is not None:
        return Cut(left.preposition, right + 1)
    if after in PRONOUNS and left.clause is not None:
        return Cut(left.clause, right + 1)
    before = [place for place in (left.verb, left.preposition) if place is not None]
    if after in PRONOUNS and before:
        return Cut(min(before), right)
    return Cut(start, right + 1)  # "chinese and" of "chinese and french food"


def _last_of_its_clause(sentence: _Sentence, left: _Left, right: int, alone: Cut) -> Cut:
    """Cut out the clause, the whole sentence if there are others, the prepositional phrase, or the verb phrase."""
    tokens, first, last, _ = sentence
    if left.link is not None:
        return Cut(left.link, right)
    if left.clause == first and right == last and len(tokens) > last - first + 1:
        return Cut(first, min(last + 1, len(tokens)))
    if left.preposition is not None:
        return Cut(left.preposition, right)
    if left.verb is not None and right == alone.stop and tokens[left.verb] not in COPULAS:
        return Cut(left.verb, right) if left.clause is None else Cut(left.phrase, right, "it")  # "you may find it"
    return alone
