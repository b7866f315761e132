"""Evaluation options of the published tables of the E2E NLG Challenge."""

from __future__ import annotations

from rainbow.corpus import Corpus
from rainbow.systems.alignment import AlignedSystems
from rainbow.systems.replications.e2e_challenge.challenge_slot_errors import read_challenge_output
from rainbow.systems.replications.e2e_challenge.challenge_texts import challenge_tokens
from rainbow.systems.system_evaluation import EvaluationOptions
from rainbow.systems.text_measures.entropy import conditional_entropy
from rainbow.systems.text_measures.measures import MEASURES, ORDERS, Function, Measure
from rainbow.systems.text_measures.richness import SEGMENT, missing_packages


def _remove_outer_quotes(aligned: AlignedSystems) -> AlignedSystems:
    """Return the outputs without enclosing quotes, as in the published word-overlap scores."""
    outputs = aligned.corpus.frame["output"].str.replace(r"^'(.*)'$", r"\1", regex=True)
    return aligned._replace(corpus=Corpus(aligned.corpus.frame.assign(output=outputs)))


def challenge_measures() -> list[Measure]:
    """Return the measures of tables 9 and 10."""

    def as_printed(order: int) -> Function:
        return lambda texts: conditional_entropy(texts.ngrams[order], texts.ngrams[order - 1])

    changed = {f"conditional_entropy_{ORDERS[order]}": as_printed(order) for order in (2, 3)}
    by_name = {measure.name: measure for measure in MEASURES}
    if missing_packages() is None:
        changed[f"MSTTR-{SEGMENT}"] = by_name[f"MSTTR-{SEGMENT}_lemmas"].function
    return [measure._replace(function=changed.get(measure.name, measure.function)) for measure in MEASURES]


CHALLENGE = EvaluationOptions(
    _remove_outer_quotes, challenge_tokens, challenge_measures(), read_challenge_output, "challenge"
)
