"""Textual measures of systems and references, in one tidy table."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from rainbow.base.lazy import pd
from rainbow.corpus import Corpus
from rainbow.corpus.text_profile import separate_characters
from rainbow.meaning import MeaningRepresentation, delexicalise
from rainbow.stats.tidy_tables import tidy_table
from rainbow.systems.text_measures.measures import MEASURES, Measure, TextStatistics, compute_measure
from rainbow.text.tokens.cased_tokens import cased_tokens
from rainbow.text.trees import d_level, parse_tree

# Gives the tokens of a text, the values of a meaning representation as placeholders, one token each.
TokensOf = Callable[[str, MeaningRepresentation | None], list[str]]

# Gives for every text the trees of its sentences in brackets, or None where it is not parsed.
Trees = Callable[[Sequence[str]], Sequence[Sequence[str] | None]]

COLUMNS = ("dataset", "system", "view", "measure", "value", "reason")

# Slots whose values are names, which do not reflect a system's style.
NAMES = ("name", "near")

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
        return [select_slots(meaning, slots) for meaning in self.meanings]

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


def select_slots(meaning: MeaningRepresentation | None, names: Collection[str]) -> MeaningRepresentation | None:
    """Return a meaning representation restricted to slots with these names."""
    return meaning and meaning._replace(slots=tuple(slot for slot in meaning.slots if slot.name in names))


def delexicalised_tokens(text: str, meaning: MeaningRepresentation | None) -> list[str]:
    """Return the cased tokens of a text with slot values replaced by placeholders."""
    return cased_tokens(delexicalise(text, meaning))


def character_tokens(text: str, meaning: MeaningRepresentation | None) -> list[str]:
    """Return the tokens of a text without spaces: each character of such a script, and words of the rest."""
    return delexicalised_tokens(separate_characters([text])[0], meaning)


def measure_texts(
    corpus: Corpus,
    *,
    rng: int | np.random.Generator = 0,
    trees: Trees | None = None,
    tokens: TokensOf = delexicalised_tokens,
    measures: Sequence[Measure] = MEASURES,
) -> pd.DataFrame:
    """Return the length, richness and variety of each system's outputs and of the references.

    Source: Dušek, O., Novikova, J. and Rieser, V. (2020). Evaluating the state-of-the-art of end-to-end natural
    language generation: the E2E NLG challenge. Computer Speech & Language 59. Tables 9 and 10.
    """
    rows = []
    for collection in text_collections(corpus, np.random.default_rng(rng)):
        slots_of_view = _view_slots(collection)
        for view, slots in slots_of_view.items():
            pairs = zip(collection.texts, collection.restricted_meanings(slots), strict=True)
            statistics = TextStatistics([tokens(text, meaning) for text, meaning in pairs])
            for measure in measures:
                value, reason = compute_measure(measure, statistics)
                rows.append((collection.dataset, collection.system, view, measure.name, value, reason))
        if trees is not None:
            view, slots = list(slots_of_view.items())[-1]
            result = complexity_measures(collection.delexicalised(slots), trees)
            rows += [(collection.dataset, collection.system, view, *measure) for measure in result]
    return tidy_table((dict(zip(COLUMNS, row, strict=True)) for row in rows), COLUMNS)


def texts_to_parse(corpus: Corpus) -> list[str]:
    """Return every distinct text that :func:`measure_texts` parses, delexicalised where possible."""
    texts: dict[str, None] = {}
    for collection in text_collections(corpus, np.random.default_rng(0)):
        slots = list(_view_slots(collection).values())[-1]
        texts.update(dict.fromkeys(collection.delexicalised(slots)))
    return list(texts)


def _view_slots(collection: TextCollection) -> dict[str, Collection[str]]:
    """Return the slots delexicalised in each view: none, and names if there are meanings."""
    return {"surface": (), "delexicalised": NAMES} if any(collection.meanings) else {"surface": ()}


def complexity_measures(texts: Sequence[str], trees: Trees) -> Iterator[tuple[str, float, str | None]]:
    """Yield name, value and reason (None if defined) of each measure over all sentences."""
    levels = [d_level(parse_tree(tree)) for results in trees(texts) for tree in results or ()]
    measures: dict[str, Callable[[int], float]] = {
        "mean_d_level": float,
        "level_0_2_percent": lambda level: 100.0 * (level <= 2),
        "level_6_7_percent": lambda level: 100.0 * (level >= 6),
    }
    for name, number in measures.items():
        if levels:
            yield name, math.fsum(map(number, levels)) / len(levels), None
        else:
            yield name, math.nan, "no text was parsed"
