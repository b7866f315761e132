"""Surface counts of a text (characters, words, syllables) and its reading ease."""

from typing import NamedTuple

from rainbow.metrics.grammar.readability.syllables import count_syllables
from rainbow.text.tokens.folding import fold_text

POLYSYLLABLE = 3  # syllables from which a word counts as polysyllabic

_LETTERS = b"abcdefghijklmnopqrstuvwxyz"
_DIGITS = b"0123456789"
_BLANKS = b" \t\n\r\v\f"
_SEPARATORS = b"\x1c\x1d\x1e\x1f"  # str.split() takes these four for blanks, bytes.split() does not
_NOT_CHARACTERS = bytes(set(range(128)) - set(_LETTERS + _DIGITS + b"'"))
_NOT_WORDS = bytes(set(range(128)) - set(_LETTERS + _DIGITS + _BLANKS + _SEPARATORS))
_TO_BLANKS = bytes.maketrans(_DIGITS + _SEPARATORS, b" " * len(_DIGITS + _SEPARATORS))


class SurfaceCounts(NamedTuple):
    """Counts of one text and their ratios; a ratio over zero words is NaN.

    Source: Novikova, J., Dušek, O., Cercas Curry, A. and Rieser, V. (2017). Why we need new evaluation metrics for NLG.
    EMNLP. Flesch, R. (1948). A new readability yardstick. Journal of Applied Psychology 32(3).
    """

    characters: int  # letters a to z, digits and apostrophes (len)
    words: int  # whatever blanks separate, numbers and free-standing punctuation included (wps)
    lettered_words: int  # words that are left once digits are blanks and punctuation is deleted
    syllables: int  # syllables of the lettered words (sps)
    polysyllables: int  # lettered words of three syllables or more (pol)

    @property
    def characters_per_word(self) -> float:
        """Characters per word (cpw), at least 0."""
        return _ratio(self.characters, self.words)

    @property
    def syllables_per_word(self) -> float:
        """Syllables per word (spw), at least 0; numbers have no syllables."""
        return _ratio(self.syllables, self.words)

    @property
    def polysyllables_per_word(self) -> float:
        """Share of words with three or more syllables (ppw)."""
        return _ratio(self.polysyllables, self.words)

    @property
    def reading_ease(self) -> float:
        """Flesch reading ease (RE), ``206.835 - 1.015 W - 84.6 S / W`` for S syllables in W lettered words."""
        return 206.835 - 1.015 * self.lettered_words - 84.6 * _ratio(self.syllables, self.lettered_words)


def count_surface(text: str) -> SurfaceCounts:
    """Count the characters, words and syllables of one text, in linear time."""
    plain = _to_ascii(text)
    words = plain.translate(_TO_BLANKS, _NOT_WORDS).decode().split()
    syllables = [count_syllables(word) for word in words]
    return SurfaceCounts(
        characters=len(plain.translate(None, _NOT_CHARACTERS)),
        words=len(text.split()),
        lettered_words=len(words),
        syllables=sum(syllables),
        polysyllables=sum(number >= POLYSYLLABLE for number in syllables),
    )


def _to_ascii(text: str) -> bytes:
    folded = fold_text(text)
    if not folded.isascii():
        folded = " ".join(folded.split())  # blanks beyond ASCII would vanish and join two words
    return folded.encode("ascii", "ignore")


def _ratio(numerator: int, words: int) -> float:
    return numerator / words if words else float("nan")
