"""Textual measures as Dušek et al. (2020) computed them."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np

from rainbow.corpus import Corpus
from rainbow.systems.replications.e2e_challenge.challenge_texts import challenge_tokens
from rainbow.systems.textual.complexity import Trees
from rainbow.systems.textual.entropy import conditional_entropy
from rainbow.systems.textual.lemmas import missing_packages
from rainbow.systems.textual.measures import MEASURES, ORDERS, Function, Measure
from rainbow.systems.textual.richness import SEGMENT
from rainbow.systems.textual.textual import NAMES, textual

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["challenge_textual"]


def challenge_textual(
    corpus: Corpus,
    *,
    delexicalised_slots: Collection[str] = NAMES,
    rng: int | np.random.Generator = 0,
    trees: Trees | None = None,
) -> pd.DataFrame:
    """Return :func:`rainbow.systems.textual.textual.textual` as the challenge's script measured: tables 9 and 10.

    Texts are mended, MorphoDiTa's tokens taken where it is installed, and misspelt names delexicalised too
    (:mod:`rainbow.systems.replications.e2e_challenge.challenge_texts`); the ends of texts count among the contexts of
    conditional entropies; MSTTR-50 compares lemmas where those are installed (else words).

    Parameters
    ----------
    corpus
        E2E, loaded with ``as_published=True`` too for the printed figures of the two systems whose files put quotes
        round every text.
    delexicalised_slots, rng, trees
        As there.

    References
    ----------
    Dušek, O., Novikova, J. and Rieser, V. (2020). Evaluating the state-of-the-art of end-to-end natural language
    generation: the E2E NLG challenge. Computer Speech & Language 59. Tables 9 and 10.

    Examples
    --------
    >>> corpus = Corpus.of(["an inn near an inn"], [["a good inn"]], system=["template"])
    >>> table = challenge_textual(corpus).set_index(["system", "measure"])["value"]
    >>> table["template", "conditional_entropy_bigrams"].item()  # log2 4 of bigrams, less that of all five tokens
    -0.0719...
    """
    return textual(
        corpus,
        delexicalised_slots=delexicalised_slots,
        rng=rng,
        trees=trees,
        tokens=challenge_tokens,
        measures=_measures(),
    )


def _measures() -> list[Measure]:
    def as_printed(order: int) -> Function:
        return lambda texts: conditional_entropy(texts.ngrams[order], texts.ngrams[order - 1])

    changed = {f"conditional_entropy_{ORDERS[order]}": as_printed(order) for order in (2, 3)}
    by_name = {measure.name: measure for measure in MEASURES}
    if missing_packages() is None:
        changed[f"MSTTR-{SEGMENT}"] = by_name[f"MSTTR-{SEGMENT}_lemmas"].function
    return [measure._replace(function=changed.get(measure.name, measure.function)) for measure in MEASURES]
