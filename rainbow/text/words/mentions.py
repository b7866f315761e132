"""Mentions of phrases in a text, whatever the spacing and inflection, and their negation."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import cache, cached_property
from itertools import takewhile
from typing import NamedTuple

from rainbow.base.caching import cache_by_size
from rainbow.base.fingerprint import fingerprint
from rainbow.text.tokens.folding import fold_text
from rainbow.text.words.snowball import stem_as_nltk

# Replacement for removed words in a list of words.
GAP = "|"

NEGATIONS = frozenset(
    ["0", "cannot", "neither", "never", "no", "non", "none", "nor", "not", "nothing", "without", "zero"]
)
# Boundaries of statements, beyond which a negation does not reach.
BREAKS = frozenset([*".,;:!?", GAP, "and", "but", "that", "which", "who"])
LONGEST = 1000  # letters of a phrase: all its beginnings are kept
# Maximum distance of a negation after a mention ("dogs are not allowed").
DENIED_AFTER = 2
NUMBERS = {
    word: str(number)
    for number, word in enumerate(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    )
}
SPELLINGS = {"avenue": "ave", "boulevard": "blvd", "center": "centre", "road": "rd", "street": "st"} | NUMBERS

_TOKEN = re.compile(r"[^\W_]+|[.,;:!?]")


class Mention(NamedTuple):
    """Position of a phrase in a list of words: `start` inclusive, `stop` exclusive."""

    start: int
    stop: int
    phrase: str


def mention_words(text: str) -> list[str]:
    """Return the folded words of a text and clause-ending punctuation; "n't" becomes "not"."""
    return _TOKEN.findall(fold_text(text).replace("n't", " not").replace("'", ""))


def phrase_key(phrase: str) -> str:
    """Return the folded letters and digits of a phrase, the key that ignores spacing."""
    return "".join(word for word in mention_words(phrase) if word.isalnum())


class Phrases:
    """Phrases prepared for matching in many texts."""

    def __init__(self, phrases: Iterable[str]) -> None:
        self.known = frozenset(phrase for phrase in phrases if len(phrase) <= LONGEST)

    @cached_property
    def beginnings(self) -> frozenset[str]:
        """First words of the phrases, also with a plural s."""
        forms = (f"{phrase}s" for phrase in self.known)
        return self.known | {form[:size] for form in forms for size in range(1, len(form) + 1)}


def find_mentions(tokens: Sequence[str], phrases: Phrases | Iterable[str]) -> Iterator[Mention]:
    """Return the mentions of the phrases, left to right, longest first, with an optional plural s."""
    if not isinstance(phrases, Phrases):
        phrases = Phrases(phrases)
    position, beginnings = 0, phrases.beginnings
    while position < len(tokens):
        result = _mention_at(tokens, position, phrases) if tokens[position] in beginnings else None
        if result:
            yield result
        position = result.stop if result else position + 1


def _mention_at(tokens: Sequence[str], start: int, phrases: Phrases) -> Mention | None:
    result, text = None, ""
    for stop in range(start, len(tokens)):
        if tokens[stop] == GAP:
            break
        if not tokens[stop].isalnum():
            continue
        text += tokens[stop]
        if text not in phrases.beginnings:
            break
        if text in phrases.known:
            result = Mention(start, stop + 1, text)
        elif text[-1] == "s" and text[:-1] in phrases.known:
            result = Mention(start, stop + 1, text[:-1])
    return result


def mask_mentions(tokens: Sequence[str], occupied: Sequence[Mention]) -> list[str]:
    """Return the words with a gap in place of each mention."""
    rest, position = [], 0
    for mention in occupied:
        rest += [*tokens[position : mention.start], GAP]
        position = mention.stop
    return rest + list(tokens[position:])


def find_negated(tokens: Sequence[str], stems: Container[str], reach: int | None = None) -> list[bool]:
    """Return for each word with one of these stems whether its clause negates it."""
    results: list[bool] = []
    negation: int | None = None  # position of the last one in this clause
    last = -2  # position of the last word with one of the stems
    for position, word in enumerate(tokens):
        if word in BREAKS:
            negation = None
        elif stem_word(word) in stems:
            before = negation is not None and (reach is None or position - negation <= reach)
            after = takewhile(lambda word: word not in BREAKS, tokens[position + 1 : position + 1 + DENIED_AFTER])
            denied = before or has_negation(after)
            results[-1:] = [results[-1] or denied] if last == position - 1 else [*results[-1:], denied]
            last = position
        if word in NEGATIONS:
            negation = position
    return results


def has_negation(tokens: Iterable[str]) -> bool:
    """Return whether the words contain a negation."""
    return any(word in NEGATIONS for word in tokens)


@cache_by_size(1 << 20)
def stem_word(word: str) -> str:
    """Return the Snowball stem of a word; adverbs are stemmed like their adjectives."""
    word = SPELLINGS.get(word, word)
    return stem_as_nltk(word[:-2] if word.endswith("ly") and len(word) > 4 else word)


# One word per suffix that Snowball English removes and that only this suffix changes (-ly words after a plural -ies,
# which is removed first), one per double consonant and per letter before -li, the exceptions of the stemmer, and words
# that newer revisions of Snowball stem differently.
PROBE = (
    "inn's inns' inn's' witnesses died ties tries famous guess serves agreed agreedlys allowed allowedlys booking "
    "bookinglys cycling typical robbing wedding stuffed begging swimming planning shopping starring sitting hoping "
    "happy say sky enjoyed youth publiclies friendlies lovelies amazinglies freshlies weeklies warmlies certainlies "
    "orderlies neatlies organization operational faithfulness responsibility carelesslies gentlies information "
    "nationalism personality famouslies sensitivity beautifullies agency vacancy appetizer elevator actuallies "
    "incrediblies technology outlying internationallies traditionallies rationalize certificates electricity "
    "alternative historical darkness wonderful disagreement insurance evidence comfortable eligible apartment "
    "restaurant different organism chocolate opportunity delicious expensive recognize decision hospital computer "
    "romantic recall house site skis dying news inning proceed generous communication arsenal university pasted "
    "emergency international biologist evening organ"
)


@cache
def stem_fingerprint() -> str:
    """Return a fingerprint of the stems of words with every known suffix."""
    return fingerprint([stem_word(word) for word in PROBE.split()])
