"""Pairs of texts for the first stage of training, with what is known of each because of how it was made.

A pair is a first text (a reference, a structured input, a passage, or nothing) and a second (the output), with

============ ==================================================================================== ==========
omitted      share of the first text's content that the second leaves out                         0 to 1
added        share of the second text's content that the first does not have                      0 to 1
disorder     share of the second text's words that stand where they should not                    0 to 1
entailed     whether the second text follows from the first                                       0 or 1
acceptable   whether the second is an acceptable sentence                                         0 or 1
============ ==================================================================================== ==========

and NaN where it is unknown.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from rainbow.meaning import MeaningRepresentation, Slot
from rainbow.meaning.statements import meaning_as_text
from scripts.evaluator.alterations import Altered, Donors, alter, content, donors, is_content, plain, text_of, words_of
from scripts.evaluator.sources import Group, acceptable, groups, judged

TARGETS = ("omitted", "added", "disorder", "entailed", "acceptable")
COPIES = {"wikipedia": 1, "e2e": 2, "dialogue": 1, "tables": 2}  # pairs of texts for each text
INPUT_COPIES = {"e2e": 2, "dialogue": 2, "tables": 4}  # pairs of an input and a text for each text
TIMES = (0.2, 0.4, 0.25, 0.15)  # shares of texts that are altered never, once, twice and three times
UNRELATED = 0.06
DOCUMENTS, ALONE, SENTENCES = 6_000, 16_000, 12_000
CLEAR_DISORDER = 0.3  # from this share of moved words on, nobody can say what follows


class Pair(NamedTuple):
    """A pair of texts and what is known of it."""

    source: str
    first: str
    second: str
    omitted: float = math.nan
    added: float = math.nan
    disorder: float = math.nan
    entailed: float = math.nan
    acceptable: float = math.nan


def make_pairs(folder: Path, seed: int) -> pd.DataFrame:
    """Return all pairs in random order."""
    rng = np.random.default_rng(seed)
    by_source: dict[str, list[Group]] = {}
    for group in groups(folder):
        by_source.setdefault(group.source, []).append(group)
    pairs: list[Pair] = []
    for source, own in by_source.items():
        lent = donors([text for group in own for text in group.texts])
        for place, group in enumerate(own):
            pairs += _text_pairs(group, lent, rng)
            if group.meaning and group.meaning.slots:
                pairs += _input_pairs(group, own[place - 1 - int(rng.integers(50))], lent, rng)
        if source == "wikipedia":
            pairs += [_document(own, lent, rng) for _ in range(DOCUMENTS)]
        pairs += [_alone(own, lent, rng) for _ in range(ALONE // len(COPIES))]
    pairs += [_judged(*one) for one in judged(folder)]
    pairs += _sentences(folder, rng)
    return pd.DataFrame(pairs).sample(frac=1, random_state=seed, ignore_index=True)


def _times(rng: np.random.Generator) -> int:
    return int(rng.choice(len(TIMES), p=TIMES))


def _text_pairs(group: Group, lent: Donors, rng: np.random.Generator) -> Iterator[Pair]:
    """Yield pairs of texts of a group, the second altered, or another text."""
    for place, text in enumerate(group.texts):
        for _ in range(COPIES[group.source]):
            alike = int(rng.integers(len(group.texts))) if rng.random() < 0.75 else place
            if rng.random() < UNRELATED:
                yield _unrelated(group.source, text, text_of(lent.texts[rng.integers(len(lent.texts))]))
            else:
                words = words_of(group.texts[alike])
                yield _pair(group.source, text, words, alter(words, lent, rng, _times(rng)))


def _pair(
    source: str, first: str, words: Sequence[str], altered: Altered, omitted: float = 0, added: float = 0
) -> Pair:
    """Return a pair whose second text is altered; the shares add to those that a changed input omits and adds."""
    second = text_of(altered.words)
    if second == first:
        return Pair(source, first, second, 0.0, 0.0, 0.0, 1.0)
    disorder = min(1.0, altered.moved / len(altered.words))
    follows = float(altered.follows and not added) if disorder < CLEAR_DISORDER else math.nan
    return Pair(
        source,
        first,
        second,
        min(1.0, omitted + altered.taken / max(1, content(words))),
        min(1.0, added + altered.added / max(1, content(altered.words))),
        disorder,
        follows,
    )


def _unrelated(source: str, first: str, second: str) -> Pair:
    """Return a pair of texts that have nothing to do with each other but words that both have."""
    one, other = ({plain(word) for word in words_of(text) if is_content(word)} for text in (first, second))
    shared = len(one & other)
    return Pair(source, first, second, 1 - shared / max(1, len(one)), 1 - shared / max(1, len(other)), 0.0, 0.0)


def _input_pairs(group: Group, other: Group, lent: Donors, rng: np.random.Generator) -> Iterator[Pair]:
    """Yield pairs of an input and a text, where the input or the text was changed."""
    assert group.meaning and other.meaning
    for text in group.texts:
        for _ in range(INPUT_COPIES[group.source]):
            meaning, omitted, added = _changed(group.meaning, other.meaning, rng)
            words = words_of(text)
            times = _times(rng) if rng.random() < 0.6 else 0
            yield _pair(
                f"{group.source} input", meaning_as_text(meaning), words, alter(words, lent, rng, times), omitted, added
            )


def _changed(
    meaning: MeaningRepresentation, other: MeaningRepresentation, rng: np.random.Generator
) -> tuple[MeaningRepresentation, float, float]:
    """Return an input with slots dropped, put in or changed, and which shares its text omits and adds therefore."""
    slots, said = [meaning.slots[place] for place in rng.permutation(len(meaning.slots))], len(meaning.slots)
    dropped = int(rng.integers(1, len(slots))) if len(slots) > 1 and rng.random() < 0.3 else 0
    slots = slots[dropped:]
    changed = 0
    foreign = {slot.name: slot for slot in other.slots}
    if rng.random() < 0.35:
        for place, slot in enumerate(slots):
            new = foreign.get(slot.name)
            if new and new.value.lower() != slot.value.lower() and rng.random() < 0.5:
                slots[place] = slot._replace(value=new.value)
                changed += 1
    own = {slot.name for slot in meaning.slots}
    more: list[Slot] = [slot for slot in other.slots if slot.name not in own] if rng.random() < 0.35 else []
    slots += more
    omitted = (changed + len(more)) / len(slots)
    kept = tuple(slots[place] for place in rng.permutation(len(slots)))
    return meaning._replace(slots=kept), omitted, (dropped + changed) / said


def _document(own: Sequence[Group], lent: Donors, rng: np.random.Generator) -> Pair:
    """Return a passage of several texts, and one or two of them, reworded and altered."""
    passage = [own[place] for place in rng.integers(len(own), size=int(rng.integers(2, 6)))]
    chosen = passage[: 1 + int(rng.random() < 0.3)]
    words = [word for group in chosen for word in words_of(group.texts[-1])]
    first = [passage[place].texts[0] for place in rng.permutation(len(passage))]
    left = sum(content(words_of(group.texts[0])) for group in passage[len(chosen) :])
    omitted = left / max(1, left + content(words))
    pair = _pair("passage", " ".join(first), words, alter(words, lent, rng, _times(rng)))
    return pair._replace(omitted=min(1.0, omitted + (1 - omitted) * pair.omitted))


def _alone(own: Sequence[Group], lent: Donors, rng: np.random.Generator) -> Pair:
    """Return a text without a first text."""
    texts = own[rng.integers(len(own))].texts
    words = words_of(texts[rng.integers(len(texts))])
    altered = alter(words, lent, rng, _times(rng))
    return Pair("alone", "", text_of(altered.words), disorder=min(1.0, altered.moved / len(altered.words)))


def _judged(premise: str, hypothesis: str, label: str) -> Pair:
    return Pair("snli", premise, hypothesis, entailed=float(label == "entailment"))


def _sentences(folder: Path, rng: np.random.Generator) -> list[Pair]:
    """Return acceptable and unacceptable sentences."""
    pairs = list(acceptable(folder))
    chosen = [pairs[place] for place in rng.choice(len(pairs), SENTENCES // 2, replace=False)]
    return [
        Pair("sentences", "", text, acceptable=label)
        for pair in chosen
        for text, label in zip(pair, (1.0, 0.0), strict=True)
    ]
