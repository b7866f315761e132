"""Probability of an output under a pretrained model: alone, given its input or a reference."""

from __future__ import annotations

import math
import os
import re
import warnings
from abc import abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.meaning import MeaningRepresentation
from rainbow.metrics.contract.base import ENGLISH_ONLY, Column, Metric, MissingResourceError, make_columns
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.contract.registry import register
from rainbow.programs.language_models.engine import (
    DEFAULT,
    LONGEST,
    VARIABLE,
    Answer,
    log_probabilities,
    model_identity,
    model_unavailable_reason,
)
from rainbow.text.passages import join_lines, shared_sentences, word_counts

# Longer inputs are reduced to the sentences that share most words with the output.
MAX_WORDS = 350  # words
# Longer inputs are documents to summarise.
DOCUMENT_WORDS = 60  # words

_WORD = re.compile(r"\w+")
_KINDS = {
    "mean": "mean word probability",
    "sum": "text probability",
    "least": "lowest word probability",
    "low3": "3 lowest probabilities",
}

VERBALISE = "Write a text that says: {}"
SUMMARISE = "Summarize this article: {}"
REWORD = "Say this in other words: {}"


def _likelihood_columns(prefix: str, subject: str, condition: str) -> tuple[Column, ...]:
    """Return one column per kind; `subject` extends the chart label, `condition` the description."""
    return make_columns(
        {
            (f"{prefix}_{kind}", True, -math.inf, 0.0, name + subject): (
                f"Under a pretrained language model: {name}{condition}."
            )
            for kind, name in _KINDS.items()
        }
    )


def _model_name() -> str:
    return os.environ.get(VARIABLE) or DEFAULT


@dataclass(frozen=True)
class _Likelihood(Metric):
    """Base class of the likelihood metrics: the language model and the summary of its log-probabilities."""

    model: str = field(default_factory=_model_name)

    group = "language-model"
    surface_only = True
    languages = ENGLISH_ONLY
    undefined = f"the output has no word, or more than {LONGEST:,} tokens including its prompt"

    @classmethod
    def unavailable(cls) -> str | None:
        return model_unavailable_reason(_model_name())

    def known_languages(self, column: str = "") -> frozenset[str]:
        # SmolLM2 was trained on English; what another model knows is for its user to say.
        return super().known_languages(column) if self.model == DEFAULT else frozenset()

    @abstractmethod
    def asked(self, batch: Batch, row: int) -> Sequence[Answer]:
        """Return the model queries for a row that has a word."""

    def compute(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        if missing := model_unavailable_reason(self.model):
            raise MissingResourceError(f"{self.name}: {missing}")
        scores = np.full((len(rows), len(self.columns)), math.nan)
        filled = [place for place, row in enumerate(rows) if _WORD.search(batch.outputs[row])]
        asked = [self.asked(batch, rows[place]) for place in filled]
        logs = iter(log_probabilities([answer for answers in asked for answer in answers], self.model))
        for place, answers in zip(filled, asked, strict=True):
            scores[place] = np.concatenate([_likelihood_scores(next(logs)) for _ in answers])
        return scores

    def resources(self) -> Mapping[str, str]:
        return {"weights": model_identity(self.model), "longest": f"{LONGEST}/{MAX_WORDS}"}


@register
@dataclass(frozen=True)
class Likelihood(_Likelihood):
    """Probability of an output alone under a pretrained model: how usual it is as English.

    The model is SmolLM2 with 135 million parameters, quantised to 8 bits. Let p be the natural-log probability of each
    token of the output, and of the end of the text, given the preceding tokens.

    - `lik_mean`, `lik_sum`, `lik_least`: mean, sum and minimum of p;
    - `lik_low3`: mean of the three lowest p.

    NaN for an output without a word, and for one of more than 1,000 tokens. Install with ``rainbow fetch smollm2`` (93
    MB) and ``pip install 'rainbow-nlg[likelihood]'``; it does not need PyTorch.

    Parameters
    ----------
    model : str
        A GGUF file (Llama architecture with SmolLM tokens), a folder written by
        ``ct2-transformers-converter --copy_files tokenizer.json``, or a model on a server that returns prompt
        probabilities, e.g. vLLM: ``http://localhost:8000/v1#MODEL``. By default the environment variable
        ``RAINBOW_LANGUAGE_MODEL``, else SmolLM2.

    References
    ----------
    Kann, K., Rothe, S. and Filippova, K. (2018). Sentence-level fluency evaluation: references help, but can be spared!
    CoNLL.

    Examples
    --------
    >>> batch = Batch(["The inn is cheap.", "cheap inn the is"])
    >>> Likelihood().score(batch)[:, 0].round(1).tolist()  # doctest: +SKIP
    [-7.1, -9.2]
    """

    name = "likelihood"
    plain = "Probability of the output alone under a pretrained language model."
    columns = _likelihood_columns("lik", "", " of the output")
    needs = frozenset({"neural"})

    def asked(self, batch: Batch, row: int) -> Sequence[Answer]:
        return [Answer("", join_lines(batch.outputs[row]))]


@register
@dataclass(frozen=True)
class LikelihoodInput(_Likelihood):
    """Probability of an output given its input under a pretrained model, in any domain.

    The input may be a meaning representation, triples, a table, an article, a dialogue or any other text. The prompt
    asks the model to verbalise it, to summarise it if it has more than 60 words, or to paraphrase it. Inputs of more
    than 350 words are reduced to their first sentence and those that share most words with the output, in order.
    Columns are as in :class:`Likelihood`: `lik_input_mean`, `lik_input_sum`, `lik_input_least`, `lik_input_low3`.

    Parameters
    ----------
    model : str
        As in :class:`Likelihood`.

    References
    ----------
    Yuan, W., Neubig, G. and Liu, P. (2021). BARTScore: evaluating generated text as text generation. NeurIPS.
    Fu, J., Ng, S.-K., Jiang, Z. and Liu, P. (2024). GPTScore: evaluate as you desire. NAACL.

    Examples
    --------
    >>> batch = Batch(["the inn is cheap", "the inn is dear"], inputs=["inform(name='the inn',price=cheap)"] * 2)
    >>> LikelihoodInput().score(batch)[:, 0].round(1).tolist()  # doctest: +SKIP
    [-3.8, -5.7]
    """

    name = "likelihood-input"
    plain = "Probability of the output given its input under a pretrained language model."
    columns = _likelihood_columns("lik_input", ", for input", " of the output for its input")
    needs = frozenset({"mr", "neural"})

    def asked(self, batch: Batch, row: int) -> Sequence[Answer]:
        output = join_lines(batch.outputs[row])
        return [Answer(model_prompt(batch.mrs[row], batch.meanings[row], output), output)]


@register
@dataclass(frozen=True)
class LikelihoodReferences(_Likelihood):
    """Probability of an output as a paraphrase of a reference, and the reverse.

    Only the reference with the highest word F1 with the output (lower-cased; the first of ties) is used. The columns
    `lik_ref_...` score the output given the reference (nothing added), `lik_recall_...` the reference given the output
    (nothing omitted), as in :class:`Likelihood`.

    Parameters
    ----------
    model : str
        As in :class:`Likelihood`.

    References
    ----------
    Yuan, W., Neubig, G. and Liu, P. (2021). BARTScore: evaluating generated text as text generation. NeurIPS.

    Examples
    --------
    >>> batch = Batch(["the inn is cheap", "the inn is dear"], [["the inn is not expensive"]] * 2)
    >>> LikelihoodReferences().score(batch)[:, [0, 4]].round(1).tolist()  # doctest: +SKIP
    [[-3.2, -2.3], [-4.8, -2.9]]
    """

    name = "likelihood-references"
    plain = "Probability of the output as a paraphrase of a reference, and the reverse, under a pretrained model."
    columns = (
        *_likelihood_columns("lik_ref", ", for ref.", " of the output given a reference"),
        *_likelihood_columns("lik_recall", ", of ref.", " of a reference given the output"),
    )
    needs = frozenset({"references", "neural"})

    def asked(self, batch: Batch, row: int) -> Sequence[Answer]:
        output = join_lines(batch.outputs[row])
        nearest = join_lines(_nearest_reference(output, batch.references[row]))
        return [Answer(REWORD.format(nearest), output), Answer(REWORD.format(output), nearest)]


def model_prompt(text: str, meaning: MeaningRepresentation | None, output: str) -> str:
    """Return the prompt for a language model with a text as the input of an output."""
    if meaning is not None:
        return VERBALISE.format(_verbalise_meaning(meaning))
    words = len(text.split())
    return (SUMMARISE if words > DOCUMENT_WORDS else REWORD).format(
        join_lines(text) if words <= MAX_WORDS else _shared_sentences(text, output)
    )


def _shared_sentences(text: str, output: str) -> str:
    """Return the sentences of a long text that share most words with an output, in order."""
    warnings.warn(
        f"of inputs of more than {MAX_WORDS} words the sentences are read that have most in common with the output",
        stacklevel=2,
    )
    return shared_sentences(text, output, MAX_WORDS)


def _verbalise_meaning(meaning: MeaningRepresentation) -> str:
    """Return a meaning representation in words, without brackets and quotation marks."""
    names = (f"{slot.subject} {slot.name}".strip() for slot in meaning.slots)
    statements = (
        f"{name} = {slot.value}" if slot.value else name for name, slot in zip(names, meaning.slots, strict=True)
    )
    act = f"{meaning.act}: " if meaning.act else ""
    return join_lines(f"{act}{', '.join(statements)}".replace("_", " "))


def _nearest_reference(output: str, references: Sequence[str]) -> str:
    """Return the reference that shares the most words with an output."""
    return max(references, key=partial(_word_f1, word_counts(output)))


def _word_f1(own: Counter[str], reference: str) -> float:
    other = word_counts(reference)
    return 2 * (own & other).total() / ((own.total() + other.total()) or 1)


def _likelihood_scores(logs: Sequence[float] | None) -> list[float]:
    if not logs:
        return [math.nan] * len(_KINDS)
    lowest = sorted(logs)[:3]
    total = math.fsum(logs)
    return [total / len(logs), total, lowest[0], math.fsum(lowest) / len(lowest)]
