"""Textual measures as Dušek et al. (2020) computed them."""

from __future__ import annotations

from rainbow.systems.text_measures.entropy import conditional_entropy
from rainbow.systems.text_measures.lemmas import missing_packages
from rainbow.systems.text_measures.measures import MEASURES, ORDERS, Function, Measure
from rainbow.systems.text_measures.richness import SEGMENT


def challenge_measures() -> list[Measure]:
    """Return the measures of tables 9 and 10."""

    def as_printed(order: int) -> Function:
        return lambda texts: conditional_entropy(texts.ngrams[order], texts.ngrams[order - 1])

    changed = {f"conditional_entropy_{ORDERS[order]}": as_printed(order) for order in (2, 3)}
    by_name = {measure.name: measure for measure in MEASURES}
    if missing_packages() is None:
        changed[f"MSTTR-{SEGMENT}"] = by_name[f"MSTTR-{SEGMENT}_lemmas"].function
    return [measure._replace(function=changed.get(measure.name, measure.function)) for measure in MEASURES]
