"""References and copies of them with errors, as rows that metrics score: to learn from where nobody rated anything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rainbow.base.arrays import IntArray
from rainbow.corpus import Corpus
from rainbow.learned.protocols.groups import folded_text, row_groups
from rainbow.learned.training.fabrication import ERRORS, with_errors, word_drawer
from rainbow.text.words.words_and_marks import text_words, word_places

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ReferenceErrors", "references_with_errors"]

# So many references are drawn, a fold leaves out what it may not learn, and so many of the rest are learned from. Drawn
# errors stand in for those that systems make: the more of them are learned the less it helps (docs/learned-metrics.md).
DRAWN, LEARNED = 400, 200


class ReferenceErrors(NamedTuple):
    """References as they are and with one to four errors, those of a reference one after the other.

    Attributes
    ----------
    corpus
        A row for each text, with the input, the references and the item of its source.
    rows
        The position of a row of the original corpus that has the reference; others with the same input have it too.
    folded
        The reference that each was made of, as it is told from outputs that are held out.
    errors
        How many errors each has.
    """

    corpus: Corpus
    rows: IntArray
    folded: list[str]
    errors: IntArray

    def learnable(self, frame: pd.DataFrame, rows: IntArray) -> IntArray:
        """Return the places of those that are learned from: of 200 references, which tell nothing of held-out rows.

        A reference must be one of an input of the rows that are learned from, and must not say what an output that is
        held out says.
        """
        inputs = row_groups(frame, "by-item")
        taken = set(rows.tolist())
        held = {folded_text(text) for row, text in enumerate(frame["output"].tolist()) if row not in taken}
        free = np.array([text not in held for text in self.folded], dtype=bool)
        return np.flatnonzero(np.isin(inputs[self.rows], inputs[rows]) & free)[: LEARNED * len(ERRORS)]


def references_with_errors(corpus: Corpus, seed: int = 2017) -> ReferenceErrors:
    """Return references of a corpus, up to 400 drawn ones, and four copies of each with one to four errors.

    Errors are those of :func:`~rainbow.learned.training.fabrication.with_errors`; all else of a text stays as it is
    written, so that nothing but the errors tells a copy from its source.

    Raises
    ------
    ValueError
        If there is no reference.

    Examples
    --------
    >>> corpus = Corpus.of([""], [["The Inn is cheap."]], item=["1"])
    >>> made = references_with_errors(corpus, seed=3)
    >>> for text, errors in zip(made.corpus.frame["output"], made.errors):
    ...     print(errors, text)
    0 The Inn is cheap.
    1 The Inn is cheap. cheap
    2 The . Inn is is cheap.
    3 The the cheap. Inn
    4 The Inn is . is. Inn
    """
    frame = corpus.frame
    said: dict[tuple[str, str, str], int] = {}
    for row, (dataset, item, texts) in enumerate(frame[["dataset", "item", "references"]].itertuples(index=False)):
        for text in texts:
            if word_places(text):
                said.setdefault((dataset, item, text), row)
    if not said:
        raise ValueError("there is no reference to put errors into: give references (columns mr and ref)")
    sources = list(said.items())
    Random(seed).shuffle(sources)
    sources = sources[:DRAWN]
    drawn = word_drawer(Counter(word for (_, _, text), _ in sources for word in text_words(text)))
    made = [copy for (_, _, text), _ in sources for copy in _copies(text, seed, lambda rng: f" {drawn(rng)}")]
    rows = np.repeat([row for _, row in sources], len(ERRORS))
    return ReferenceErrors(
        corpus.with_outputs(rows.tolist(), made, system="reference"),
        rows,
        [folded_text(text) for (_, _, text), _ in sources for _ in ERRORS],
        np.tile(ERRORS, len(sources)),
    )


def _copies(text: str, seed: int, drawn: Callable[[Random], str]) -> list[str]:
    """Return a text as it is, and copies with one to four errors; what is drawn depends on the seed and the text."""
    rng = Random(f"{seed}\0{text}".encode("utf-8", "surrogatepass"))
    ends = [end for _, end in word_places(text)]
    pieces = [text[start:end] for start, end in pairwise([0, *ends])]  # each word with the blanks before it
    return [_joined(with_errors(pieces, count, rng, drawn)) for count in ERRORS]


def _joined(pieces: Sequence[str]) -> str:
    """Join words that bring their blanks along; a first word that is no longer the first has none."""
    text = ""
    for piece in pieces:
        text += f" {piece}" if text[-1:].isalnum() and piece[0].isalnum() else piece
    return text.strip()
