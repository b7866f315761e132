"""Facts that an output omits or adds, detected by an entailment classifier."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.base.fingerprint import fingerprint
from rainbow.meaning import parse_meaning
from rainbow.meaning.statements import slot_statements
from rainbow.metrics.contract.base import Metric, MissingResourceError, make_columns
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.contract.registry import register
from rainbow.programs.encoder import encoder_identity
from rainbow.programs.network import VARIABLE, classify_pairs, entailment_unavailable_reason

# Part of the signature, because sentences change with the templates.
_PROBE = "inform(name=a,food=b,kids_allowed=no,near=none,size=dont_care,phone)"


@register
@dataclass(frozen=True)
class Entailment(Metric):
    """Omitted and added facts, by textual entailment in both directions.

    Each slot of the meaning representation is verbalised as one sentence (:mod:`rainbow.meaning.statements`). A
    classifier predicts whether the output entails each sentence, and whether all sentences entail the output.

    - `nli_omitted`: share of sentences for which `entailment` is not the most probable label;
    - `nli_added`: probability that all sentences together do not entail the output;
    - `nli_score`: lowest probability of entailment, in either direction.

    You choose the classifier, and the agreement with people depends on it; no model is fetched. It needs
    ``pip install 'rainbow-nlg[neural]'``. The metric is only computed if named. An output without a letter or digit
    omits all facts. NaN if the meaning representation has no slot or is free text.

    Parameters
    ----------
    model : str
        A folder, or the name of a model in the Hugging Face cache; by default the environment variable ``RAINBOW_NLI``.

    References
    ----------
    After Dušek, O. and Kasner, Z. (2020). Evaluating semantic accuracy of data-to-text generation with natural language
    inference. INLG.

    Examples
    --------
    >>> batch = Batch(["the inn is cheap"], inputs=["inform(name='the inn',price_range=cheap)"])
    >>> Entailment("models/nli").score(batch).round(2).tolist()  # doctest: +SKIP
    [[0.0, 0.03, 0.97]]
    """

    model: str = field(default_factory=lambda: os.environ.get(VARIABLE, ""))

    name = "entailment"
    plain = "Which facts of the input the output omits or adds, according to your entailment classifier."
    group = "meaning"
    columns = make_columns(
        {
            ("nli_omitted", False, 0.0, 1.0, "omitted facts (NLI)"): (
                "Which facts of the input do not follow from the output, according to your entailment classifier."
            ),
            ("nli_added", False, 0.0, 1.0, "added content (NLI)"): (
                "Whether the output says something that does not follow from the input, according to your classifier."
            ),
            ("nli_score", True, 0.0, 1.0, "equal content (NLI)"): (
                "How surely output and input entail each other, according to your entailment classifier."
            ),
        }
    )
    needs = frozenset({"mr", "named"})
    surface_only = True
    undefined = "the meaning representation has no slot"

    @classmethod
    def unavailable(cls) -> str | None:
        return entailment_unavailable_reason()

    def compute(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        if missing := entailment_unavailable_reason(self.model):
            raise MissingResourceError(f"{self.name}: {missing}")
        return np.array([self._score_row(batch, row) for row in rows])

    def _score_row(self, batch: Batch, row: int) -> tuple[float, float, float]:
        meaning, output = batch.meanings[row], " ".join(batch.outputs[row].split())
        statements = slot_statements(meaning) if meaning else ()
        if not statements:
            return np.nan, np.nan, np.nan
        if not any(map(str.isalnum, output)):
            return 1.0, 1.0, 0.0
        *forth, back = classify_pairs(
            [*((output, sentence) for sentence in statements), (" ".join(statements), output)], self.model
        )
        omitted = sum(not results.most_probable for results in forth) / len(forth)
        return omitted, 1.0 - back.probability, min(results.probability for results in (*forth, back))

    def resources(self) -> Mapping[str, str]:
        sentences = fingerprint(slot_statements(parse_meaning(_PROBE)))
        return {"classifier": encoder_identity(self.model), "sentences": sentences}
