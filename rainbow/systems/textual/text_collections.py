"""The collections of texts that are measured: each system's outputs, and the references."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

import numpy as np

from rainbow.corpus import Corpus
from rainbow.meaning import MeaningRepresentation, delexicalise
from rainbow.systems.replications.e2e_challenge.challenge_texts import delexicalised_tokens, mended, published_tokens
from rainbow.text.tokens.cased_tokens import cased_tokens

__all__ = ["ALL_REFERENCES", "ONE_REFERENCE", "TextCollection", "collections"]

# As the published tables call them.
ALL_REFERENCES, ONE_REFERENCE = "test set all", "test set rand"


class TextCollection(NamedTuple):
    """Texts that are measured together, each with the meaning representation that it realises."""

    dataset: str
    system: str
    texts: list[str]
    meanings: list[MeaningRepresentation | None]

    def delexicalised(self, slots: Collection[str]) -> list[str]:
        """Return the texts with the values of these slots as placeholders, one token each."""
        return [
            text if meaning is None else delexicalise(text, meaning)
            for text, meaning in zip(self.texts, self._meanings(slots), strict=True)
        ]

    def tokens(self, slots: Collection[str] = (), *, as_published: bool = False) -> list[list[str]]:
        """Return the tokens of each text, with the values of these slots as placeholders, one token each."""
        if not as_published:
            return [cased_tokens(text) for text in self.delexicalised(slots)]
        tokens = [published_tokens(mended(text)) for text in self.texts]
        return [
            found if meaning is None else delexicalised_tokens(found, meaning)
            for found, meaning in zip(tokens, self._meanings(slots), strict=True)
        ]

    def _meanings(self, slots: Collection[str]) -> list[MeaningRepresentation | None]:
        names = {slot.lower() for slot in slots}
        return [meaning and _only(meaning, names) for meaning in self.meanings]


def collections(corpus: Corpus, rng: np.random.Generator) -> Iterator[TextCollection]:
    """Return every system's outputs, then all references, then one reference per item, of each data set in turn.

    Rows of one item share its references: those of its first row count.

    Parameters
    ----------
    corpus
        A row per output.
    rng
        Draws the one reference.
    """
    import pandas as pd

    frame = corpus.frame.assign(meaning=pd.Series(corpus.meanings, dtype=object))
    for dataset, rows in frame.groupby("dataset", sort=False):
        for system, own in rows.groupby("system", sort=False):
            yield TextCollection(str(dataset), str(system), own["output"].tolist(), own["meaning"].tolist())
        first = rows.drop_duplicates("item")
        pairs = [pair for pair in zip(first["meaning"], first["references"], strict=True) if pair[1]]
        if pairs:
            texts = [text for _, references in pairs for text in references]
            meanings = [meaning for meaning, references in pairs for _ in references]
            yield TextCollection(str(dataset), ALL_REFERENCES, texts, meanings)
            drawn = [references[rng.integers(len(references))] for _, references in pairs]
            yield TextCollection(str(dataset), ONE_REFERENCE, drawn, [meaning for meaning, _ in pairs])


def _only(meaning: MeaningRepresentation, names: Collection[str]) -> MeaningRepresentation:
    return meaning._replace(slots=tuple(slot for slot in meaning.slots if slot.name in names))
