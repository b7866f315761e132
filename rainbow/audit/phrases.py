"""The phrase of a sentence that carries a value, found with word lists."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple


def _word_set(words: str) -> frozenset[str]:
    return frozenset(words.split())


SENTENCE_ENDS = frozenset(".!?;:")
PREPOSITIONS = _word_set(
    "about around at below beside between by for from in inside near of on outside over to under with within without"
)
# Prepositions that continue the preceding words: "in the area of", "close to".
CONTINUING = _word_set("from of to")
# Words before a preposition that belong to it: "close to", "located in", "good for".
LEANED_ON = _word_set(
    "available close convenient far found good great ideal located next not right situated suitable suited well"
)
# Words with which a clause begins, and words that join clauses or members of a list; so does a comma.
RELATIVES = _word_set("if that where which who whose")
COORDINATORS = _word_set("and but or")
COPULAS = _word_set("are be been is s was were")
VERBS = COPULAS | _word_set(
    """accept accepts admit admits allow allowed allows can called charge charges cost costs could do does find found
    had has have lie lies may named offer offering offers permit permits priced provide provides providing rated reach
    reached serve served serves serving should sit sits take takes want welcome welcomes will would"""
)
PLURAL_VERBS = _word_set("are do have were")
ADVERBS = _word_set("also cannot currently not only still")
LINKS = RELATIVES | COORDINATORS | {","}
OPENERS = LINKS | VERBS | PREPOSITIONS
ARTICLES = _word_set("a an the")
VERBAL = VERBS | ADVERBS
PREPOSITIONAL = PREPOSITIONS | LEANED_ON
PRONOUNS = _word_set("it its the their they")
# Words that belong to the value before them: "moderately priced", "child friendly".
SUFFIXES = _word_set("friendly priced style")


class Cut(NamedTuple):
    """Words to remove, from `start` up to but excluding `stop`, and an optional replacement."""

    start: int
    stop: int
    instead: str = ""


class _Sentence(NamedTuple):
    """A sentence of a text, from word `first` up to but excluding `last`; `taken` are words of other values."""

    tokens: Sequence[str]
    first: int
    last: int
    taken: Collection[int]

    def has(self, place: int, words: Collection[str]) -> bool:
        """Return whether one of these words is at this position and is not part of another value."""
        return self.first <= place < self.last and place not in self.taken and self.tokens[place] in words

    def is_plain(self, place: int) -> bool:
        """Return whether the word is not part of another value and starts no new phrase."""
        return self.first <= place < self.last and place not in self.taken and self.tokens[place] not in OPENERS


class _Left(NamedTuple):
    """Starts of the constituents before a value in its clause; None if absent."""

    phrase: int
    preposition: int | None
    verb: int | None
    clause: int | None
    link: int | None


def carrier_phrase(tokens: Sequence[str], start: int, stop: int, occupied: Collection[int]) -> Cut:
    """Return the phrase or clause that can be removed together with a value; at least the value."""
    first = next((place + 1 for place in range(start - 1, -1, -1) if tokens[place] in SENTENCE_ENDS), 0)
    last = next((place for place in range(stop, len(tokens)) if tokens[place] in SENTENCE_ENDS), len(tokens))
    sentence = _Sentence(tokens, first, last, occupied)
    left = _left_context(sentence, start)
    if left.preposition is None and sentence.has(stop, SUFFIXES):
        stop += 1
    right = stop  # the end of the phrase that starts with the value
    while sentence.is_plain(right) or sentence.has(right, ["to"]):  # "a cheap place to eat"
        right += 1
    if right in sentence.taken:  # it contains another value
        return Cut(start, stop)
    alone = _cut_value(sentence, start, stop) if right == stop else Cut(start, stop)
    verb = right + sentence.has(right, [","])  # of the subject that ends here
    if left.verb is None and left.preposition is None and sentence.has(verb, VERBS):
        return _cut_subject(sentence, left, verb) or alone
    if right + 1 < sentence.last and tokens[right] in ("and", "or"):
        return _cut_conjunct(sentence, left, right, start)
    return _cut_clause_end(sentence, left, right, alone)


def _cut_value(sentence: _Sentence, start: int, stop: int) -> Cut:
    """Remove a value that ends a noun phrase, with its article, or replace it by `one`."""
    if sentence.has(start - 1, ARTICLES):
        return Cut(start - 1, stop)
    phrase = start
    while sentence.is_plain(phrase - 1) or phrase - 1 in sentence.taken:
        phrase -= 1
    return Cut(start, stop, "one" if sentence.tokens[phrase] in ("a", "an") else "")


def _left_context(sentence: _Sentence, start: int) -> _Left:
    place = phrase = _skip_plain_words(sentence, start)
    if (preposition := _preposition_start(sentence, phrase)) is not None:
        place = preposition
    verb = place  # before verbs and their adverbs
    while sentence.has(verb - 1, VERBAL):
        verb -= 1
    has_verb = any(word in VERBS for word in sentence.tokens[verb:place])
    place = _skip_plain_words(sentence, verb) if has_verb else place
    linked = sentence.has(place - 1, LINKS)
    clause = place if linked or place == sentence.first else None
    link = place - 1 - sentence.has(place - 2, [","]) if linked else None
    return _Left(phrase, preposition, verb if has_verb else None, clause, link)


def _skip_plain_words(sentence: _Sentence, place: int) -> int:
    while sentence.is_plain(place - 1):
        place -= 1
    return place


def _preposition_start(sentence: _Sentence, phrase: int) -> int | None:
    """Return the start of a prepositional phrase such as "in the area of"; None if it is none."""
    place = phrase
    while sentence.has(place - 1, PREPOSITIONS):
        place -= 1
        while sentence.has(place - 1, LEANED_ON):
            place -= 1
        before = _skip_plain_words(sentence, place)
        if sentence.tokens[place] in CONTINUING and sentence.has(before - 1, PREPOSITIONS):
            place = before
    return place if place < phrase else None


def _cut_subject(sentence: _Sentence, left: _Left, verb: int) -> Cut | None:
    """Remove the clause whose subject is the value, or replace the subject by a pronoun; None for a question."""
    end = verb
    while end < sentence.last and end not in sentence.taken and not sentence.has(end, LINKS):
        end += 1
    if left.link is not None and end not in sentence.taken:
        return Cut(left.link, end)
    if left.clause is None or "?" in sentence.tokens[sentence.last : sentence.last + 1]:
        return None
    return Cut(left.phrase, verb, "they" if sentence.tokens[verb] in PLURAL_VERBS else "it")


def _cut_conjunct(sentence: _Sentence, left: _Left, right: int, start: int) -> Cut:
    """Remove the first of two coordinated phrases of one kind, and the conjunction."""
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


def _cut_clause_end(sentence: _Sentence, left: _Left, right: int, cut: Cut) -> Cut:
    """Remove the clause, sentence, prepositional phrase or verb phrase that the value ends."""
    tokens, first, last, _ = sentence
    if left.link is not None:
        return Cut(left.link, right)
    if left.clause == first and right == last and len(tokens) > last - first + 1:
        return Cut(first, min(last + 1, len(tokens)))
    if left.preposition is not None:
        return Cut(left.preposition, right)
    if left.verb is not None and right == cut.stop and tokens[left.verb] not in COPULAS:
        return Cut(left.verb, right) if left.clause is None else Cut(left.phrase, right, "it")  # "you may find it"
    return cut
