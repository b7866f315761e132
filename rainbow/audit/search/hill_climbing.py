"""Hill climbing over texts: random edits that raise the score are kept."""

from __future__ import annotations

import math
from collections.abc import Sequence
from heapq import nlargest
from random import Random

START = 12  # random words, from which a search starts
EDITS = 48  # texts that are tried in a round
# How often a guided search reuses a helpful word, and the number of such words it remembers.
AGAIN, REMEMBERED = 0.5, 24

Text = tuple[str, ...]


class Climb:
    """Search for one input: proposes texts and receives their scores."""

    def __init__(self, words: Sequence[str], rng: Random, *, guided: bool) -> None:
        self._words, self._rng, self._guided = words, rng, guided
        self.text: Text = tuple(rng.choice(words) for _ in range(START))
        self.score = -math.inf
        self._tried: list[tuple[Text, str]] = []  # texts, and the word that is new in each
        self._earned: list[float] | None = None  # by each word of the text; None where that is not known
        self._helped: dict[str, float] = {}  # what words brought where they were tried

    def texts(self) -> list[Text]:
        """Return the next :data:`EDITS` texts to score; the first batch includes the starting text."""
        asks = self._guided and self._earned is None and 1 < len(self.text) <= EDITS and self.score > -math.inf
        left_out = [(self.text[:place] + self.text[place + 1 :], "") for place in range(len(self.text) * asks)]
        first = [(self.text, "")] * (self.score == -math.inf)
        edited = [self._edit() for _ in range(EDITS - len(left_out) - len(first))]
        self._asked, self._tried = len(left_out), [*left_out, *first, *edited]
        return [text for text, _ in self._tried]

    def update_best(self, scores: Sequence[float]) -> None:
        """Keep the best proposed text if it scores higher than the current one."""
        known = [-math.inf if math.isnan(score) else score for score in scores]
        if self._asked:
            self._earned = [self.score - score for score in known[: self._asked]]
        if self._guided and self.score > -math.inf:
            for (_, word), score in zip(self._tried, known, strict=True):
                if word:
                    self._helped[word] = max(score - self.score, self._helped.get(word, -math.inf))
        best = max(range(len(known)), key=known.__getitem__)
        if known[best] > self.score:
            self.text, self.score, self._earned = self._tried[best][0], known[best], None

    def _edit(self) -> tuple[Text, str]:
        """Return the text with one random edit, and its new word."""
        text = list(self.text)
        kind = self._rng.choice(("insert", "delete", "replace", "swap", "double"))
        if not text or kind == "insert":
            word = self._draw_word()
            text.insert(self._rng.randint(0, len(text)), word)
            return tuple(text), word
        if self._earned is None:
            place = self._rng.randrange(len(text))
        else:  # words that earn little are drawn more often
            order = sorted(range(len(text)), key=self._earned.__getitem__)
            place = self._rng.choices(order, [1 / rank for rank in range(1, len(order) + 1)])[0]
        if kind == "replace":
            text[place] = self._draw_word()
            return tuple(text), text[place]
        if kind == "delete":
            del text[place]
        elif kind == "double":
            text.insert(place, text[place])
        else:
            other = self._rng.randrange(len(text))
            text[place], text[other] = text[other], text[place]
        return tuple(text), ""

    def _draw_word(self) -> str:
        if self._helped and self._rng.random() < AGAIN:
            return self._rng.choice(nlargest(REMEMBERED, self._helped, key=self._helped.__getitem__))
        return self._rng.choice(self._words)
