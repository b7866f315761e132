"""How the published tables of the E2E NLG Challenge were computed."""

from __future__ import annotations

from rainbow.corpus import Corpus
from rainbow.systems.align import Aligned
from rainbow.systems.evaluate import Ways
from rainbow.systems.replications.e2e_challenge.challenge_measures import challenge_measures
from rainbow.systems.replications.e2e_challenge.challenge_slot_errors import challenge_reading
from rainbow.systems.replications.e2e_challenge.challenge_texts import challenge_tokens


def _unquoted(aligned: Aligned) -> Aligned:
    """Return the outputs without quotes round the whole: in print, word overlap alone did not count them."""
    outputs = aligned.corpus.frame["output"].str.replace(r"^'(.*)'$", r"\1", regex=True)
    return aligned._replace(corpus=Corpus(aligned.corpus.frame.assign(output=outputs)))


CHALLENGE = Ways(_unquoted, challenge_tokens, challenge_measures(), challenge_reading, "challenge")
