"""Evaluation options of the published tables of the E2E NLG Challenge."""

from __future__ import annotations

from rainbow.corpus import Corpus
from rainbow.systems.alignment import AlignedSystems
from rainbow.systems.replications.e2e_challenge.challenge_measures import challenge_measures
from rainbow.systems.replications.e2e_challenge.challenge_slot_errors import read_challenge_output
from rainbow.systems.replications.e2e_challenge.challenge_texts import challenge_tokens
from rainbow.systems.system_evaluation import EvaluationOptions


def _remove_outer_quotes(aligned: AlignedSystems) -> AlignedSystems:
    """Return the outputs without enclosing quotes, as in the published word-overlap scores."""
    outputs = aligned.corpus.frame["output"].str.replace(r"^'(.*)'$", r"\1", regex=True)
    return aligned._replace(corpus=Corpus(aligned.corpus.frame.assign(output=outputs)))


CHALLENGE = EvaluationOptions(
    _remove_outer_quotes, challenge_tokens, challenge_measures(), read_challenge_output, "challenge"
)
