"""The evaluator: a network trained to compare an output with references or its input, and to judge it alone."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.meaning.statements import meaning_as_text
from rainbow.metrics.contract.base import ENGLISH_ONLY, Column, Metric, MissingResourceError, make_columns
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.contract.registry import register
from rainbow.programs.encoder import RATINGS, encoder_unavailable_reason, pair_encoder_identity, read_pairs
from rainbow.text.passages import join_lines, shared_sentences, split_sentences

# Longer inputs are documents, of which the sentences are read that share most words with the output.
DOCUMENT_WORDS = 100  # words
# Adequacy and omissions are judged from part of a document, at most this long.
SUMMARY_WORDS = 200  # words
# Longer outputs are read as far as this.
MAX_SENTENCES = 50
_VARIANT = f"{DOCUMENT_WORDS}/{SUMMARY_WORDS}/{MAX_SENTENCES}"

_PAIR_HEADS = ("adequacy", "omitted", "added", "disorder", "entailed")
_TEXT_HEADS = ("fluency", "acceptable", "disorder")
_DESCRIPTIONS = {
    "adequacy": ("meaning kept", "How well the output says the same as {}"),
    "omitted": ("content omitted", "What share of the content of {} the output omits"),
    "added": ("content added", "What share of the output's content is not in {}"),
    "disorder": ("words out of place", "What share of the output's words is out of place"),
    "entailed": ("follows", "How probably the output follows from {}"),
    "fluency": ("fluency", "How fluent the output is"),
    "acceptable": ("grammatical", "How probably the output is grammatical"),
}
_LOWER_IS_BETTER = ("omitted", "added", "disorder")


def _columns(prefix: str, heads: Sequence[str], subject: str, label: str, where: str) -> tuple[Column, ...]:
    texts = {head: (_DESCRIPTIONS[head], (-math.inf, math.inf) if head in RATINGS else (0.0, 1.0)) for head in heads}
    return make_columns(
        {
            (f"{prefix}_{head}", head not in _LOWER_IS_BETTER, *bounds, f"{short}{label}"): (
                f"{plain.format(subject)}, as read by a trained network {where}."
            )
            for head, ((short, plain), bounds) in texts.items()
        }
    )


@dataclass(frozen=True)
class _Evaluator(Metric):
    """Common base: what the network reads in pairs of texts, one set of pairs for each row."""

    group = "language-model"
    surface_only = True
    languages = ENGLISH_ONLY
    undefined = "the output has no letter or digit"
    heads: ClassVar[tuple[str, ...]] = _PAIR_HEADS

    @classmethod
    def unavailable(cls) -> str | None:
        return encoder_unavailable_reason()

    def compute(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        if missing := encoder_unavailable_reason():
            raise MissingResourceError(f"{self.name}: {missing}")
        values = np.full((len(rows), len(self.columns)), math.nan)
        worded = [place for place, row in enumerate(rows) if any(map(str.isalnum, batch.outputs[row]))]
        pairs = [self._pairs(batch, rows[place], join_lines(batch.outputs[rows[place]])) for place in worded]
        read = iter(read_pairs([pair for own in pairs for pair in own], self.heads))
        for place, own in zip(worded, pairs, strict=True):
            values[place] = self._combined(np.array([*islice(read, len(own))]))
        return values

    @abstractmethod
    def _pairs(self, batch: Batch, row: int, output: str) -> list[tuple[str, str]]:
        """Return the pairs of texts to read for a row."""

    @abstractmethod
    def _combined(self, read: FloatArray) -> FloatArray:
        """Return the columns from what was read in each pair, shape (pairs, heads)."""

    def resources(self) -> Mapping[str, str]:
        return {"network": pair_encoder_identity(), "limits": _VARIANT}


@register
@dataclass(frozen=True)
class Evaluator(_Evaluator):
    """How well an output says the same as its references, as read by a network trained for this.

    The network is MiniLM, 22 million parameters, with small trained differences. It reads a reference and the output
    together. It was trained on altered texts, whose errors are known because they were made, and then on ratings of
    translations and of answers in dialogues; none of data-to-text or of summaries.

    - `evaluator_adequacy`: expected rating of adequacy; 0 is the mean of the training data, 1 its standard deviation;
    - `evaluator_omitted`: share of the reference's content that the output omits;
    - `evaluator_added`: share of the output's content that is not in the reference;
    - `evaluator_disorder`: share of the output's words that are out of place;
    - `evaluator_entailed`: probability that the output follows from the reference.

    With several references, each column is the mean of the best and of the average reference. It takes about 7 ms per
    reference on one core, without PyTorch; install with ``rainbow fetch minilm`` (91 MB) and
    ``pip install 'rainbow-nlg[likelihood]'``. The metric is only computed if named. Pairs of more than 512 tokens are
    truncated. NaN for an output without a letter or digit. Agreement with people: docs/lab/evaluator.md.

    References
    ----------
    Sellam, T., Das, D. and Parikh, A. (2020). BLEURT: learning robust metrics for text generation. ACL.

    Hu, E. J. et al. (2022). LoRA: low-rank adaptation of large language models. ICLR.

    Examples
    --------
    >>> batch = Batch(["the inn is inexpensive", "the inn is dear"], [["the inn is cheap"]] * 2)
    >>> Evaluator().score(batch)[:, 4].round(1).tolist()  # doctest: +SKIP
    [0.9, 0.1]
    """

    name = "evaluator"
    plain = "How well the output says the same as its references, as read by a network trained for this."
    columns = _columns("evaluator", _PAIR_HEADS, "a reference", "", "with each reference")
    needs = frozenset({"references", "named"})

    def _pairs(self, batch: Batch, row: int, output: str) -> list[tuple[str, str]]:
        return [(join_lines(reference), output) for reference in batch.references[row]]

    def _combined(self, read: FloatArray) -> FloatArray:
        best = np.where([head in _LOWER_IS_BETTER for head in self.heads], read.min(axis=0), read.max(axis=0))
        return np.asarray((best + read.mean(axis=0)) / 2)


@register
@dataclass(frozen=True)
class EvaluatorInput(_Evaluator):
    """How well an output says what its input says, as read by the network of :class:`Evaluator`.

    The input may be a meaning representation, triples or a table, all of which are read in one notation, or any text.
    Columns are as in :class:`Evaluator`: `evaluator_input_adequacy`, `evaluator_input_omitted`,
    `evaluator_input_added`, `evaluator_input_disorder`, `evaluator_input_entailed`.

    Of an input of more than 100 words, a document, only part is read: for each of the first 50 sentences of the output
    the sentences of the document that share most words with it, up to 100 words; and for adequacy and omissions those
    that share most words with the whole output, up to 200. Added content and disorder are means over the output's
    sentences; `evaluator_input_entailed` is the mean of the lowest and of the average sentence.

    References
    ----------
    Laban, P., Schnabel, T., Bennett, P. N. and Hearst, M. A. (2022). SummaC: re-visiting NLI-based models for
    inconsistency detection in summarization. TACL.

    Examples
    --------
    >>> batch = Batch(["the inn is cheap", "the inn is dear"], inputs=["inform(name='the inn',price=cheap)"] * 2)
    >>> EvaluatorInput().score(batch)[:, 1].round(1).tolist()  # doctest: +SKIP
    [0.0, 0.5]
    """

    name = "evaluator-input"
    plain = "How well the output says what its input says, as read by a network trained for this."
    columns = _columns("evaluator_input", _PAIR_HEADS, "the input", ", for input", "with the input")
    needs = frozenset({"mr", "named"})

    def _pairs(self, batch: Batch, row: int, output: str) -> list[tuple[str, str]]:
        meaning, text = batch.meanings[row], batch.mrs[row]
        if meaning is not None:
            return [(meaning_as_text(meaning), output)]
        if len(text.split()) <= DOCUMENT_WORDS:
            return [(join_lines(text), output)]
        sentences = split_sentences(output)[:MAX_SENTENCES]
        parts = [(shared_sentences(text, sentence, DOCUMENT_WORDS, first=False), sentence) for sentence in sentences]
        return [(shared_sentences(text, output, SUMMARY_WORDS), output), *parts]

    def _combined(self, read: FloatArray) -> FloatArray:
        if len(read) == 1:
            return read.ravel()
        adequacy, omitted = read[0, :2]
        added, disorder, entailed = read[1:, 2:].T
        return np.array([adequacy, omitted, added.mean(), disorder.mean(), (entailed.min() + entailed.mean()) / 2])


@register
@dataclass(frozen=True)
class EvaluatorText(_Evaluator):
    """How well written an output is, as read alone by the network of :class:`Evaluator`.

    - `evaluator_text_fluency`: expected rating; 0 is the mean of the training data, 1 its standard deviation;
    - `evaluator_text_acceptable`: probability that it is grammatical;
    - `evaluator_text_disorder`: share of its words that are out of place.

    Each column is the mean over the first 50 sentences. The first was learned from ratings of translations seen
    without their source, the second from minimal pairs of sentences, the third from texts with moved words.

    References
    ----------
    Warstadt, A. et al. (2020). BLiMP: the benchmark of linguistic minimal pairs for English. TACL.

    Fomicheva, M. et al. (2022). MLQE-PE: a multilingual quality estimation and post-editing dataset. LREC.

    Examples
    --------
    >>> batch = Batch(["The inn is cheap.", "cheap the is inn"])
    >>> EvaluatorText().score(batch)[:, 2].round(1).tolist()  # doctest: +SKIP
    [0.0, 0.8]
    """

    name = "evaluator-text"
    plain = "How well written the output is, as read by a network trained for this."
    columns = _columns("evaluator_text", _TEXT_HEADS, "", ", alone", "without anything else")
    needs = frozenset({"named"})
    heads = _TEXT_HEADS

    def _pairs(self, batch: Batch, row: int, output: str) -> list[tuple[str, str]]:
        return [("", sentence) for sentence in split_sentences(output)[:MAX_SENTENCES]]

    def _combined(self, read: FloatArray) -> FloatArray:
        return np.asarray(read.mean(axis=0))
