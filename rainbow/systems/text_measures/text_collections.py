"""Text collections to measure: each system's outputs, and the references."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

import numpy as np

from rainbow.base.lazy import pd
from rainbow.corpus import Corpus
from rainbow.meaning import MeaningRepresentation, delexicalise

# Names from the published tables.
ALL_REFERENCES, ONE_REFERENCE = "test set all", "test set rand"


class TextCollection(NamedTuple):
    """Texts measured together, with their meaning representations."""

    dataset: str
    system: str
    texts: list[str]
    meanings: list[MeaningRepresentation | None]

    def restricted_meanings(self, slots: Collection[str]) -> list[MeaningRepresentation | None]:
        """Return the meaning representation of each text, restricted to these slots."""
        names = {slot.lower() for slot in slots}
        return [meaning and _select_slots(meaning, names) for meaning in self.meanings]

    def delexicalised(self, slots: Collection[str]) -> list[str]:
        """Return the texts with the values of these slots replaced by one-token placeholders."""
        return list(map(delexicalise, self.texts, self.restricted_meanings(slots)))


def text_collections(corpus: Corpus, rng: np.random.Generator) -> Iterator[TextCollection]:
    """Yield every system's outputs, all references, and one reference per item, per data set."""
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


def _select_slots(meaning: MeaningRepresentation, names: Collection[str]) -> MeaningRepresentation:
    return meaning._replace(slots=tuple(slot for slot in meaning.slots if slot.name in names))
