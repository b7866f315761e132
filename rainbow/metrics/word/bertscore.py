"""BERTScore: tokens of output and reference matched by contextual embeddings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.metrics.contract.base import Metric, MissingResourceError, make_columns
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.contract.reference_tool import Tool, differs_by_output
from rainbow.metrics.contract.registry import register
from rainbow.programs.encoder import (
    TokenVectors,
    embed_texts,
    encoder_identity,
    encoder_unavailable_reason,
    layer_count,
)
from rainbow.programs.network import DEFAULT

# Number of rows embedded per batch, on all cores.
_BATCH_SIZE = 32

# Part of the signature: what scores depend on besides model and layer.
_VARIANT = "no idf, no rescaling"


def _bert_score_package(batch: Batch) -> FloatArray:
    """Return the scores of the bert-score package with the same model and layer."""
    from bert_score import BERTScorer

    from rainbow.programs.bundles import MINILM

    folder = str(MINILM[0].path.parent)
    scorer = BERTScorer(model_type=folder, num_layers=layer_count(DEFAULT), device="cpu")
    scores = scorer.score(list(batch.outputs), [list(texts) for texts in batch.references])
    return np.column_stack([each.double().numpy() for each in scores])


@register
@dataclass(frozen=True)
class BertScore(Metric):
    """BERTScore: precision, recall and F from token matches by cosine of contextual embeddings.

    Precision is the mean over the output's tokens of the highest cosine with a token of the reference, recall the
    reverse, F their harmonic mean; each is the maximum over the references. Scores equal those of the package
    bert-score without idf weights and rescaling: start and end tokens can be matched, but are not counted. Between 0
    and 1, and seldom below .3; compare only scores of the same model and layer.

    The default model is MiniLM, 22 million parameters: ``rainbow fetch minilm`` (91 MB) and
    ``pip install 'rainbow-nlg[likelihood]'``, without PyTorch. Other models need ``'rainbow-nlg[neural]'``. The metric
    is only computed if named. Texts are read as given and truncated at 512 tokens. Outputs without a letter or digit
    score 0.

    Parameters
    ----------
    model : str
        ``minilm``, a folder with a transformers model, or the name of one in the Hugging Face cache.
    layer : int, optional
        Layer of the embeddings; by default the last.

    References
    ----------
    Zhang, T., Kishore, V., Wu, F., Weinberger, K. Q. and Artzi, Y. (2020). BERTScore: evaluating text generation with
    BERT. ICLR.

    Wang, W. et al. (2020). MiniLM: deep self-attention distillation for task-agnostic compression of pre-trained
    transformers. NeurIPS.

    Examples
    --------
    >>> batch = Batch(["the inn is inexpensive"], [["the inn is cheap", "a bar"]])
    >>> BertScore().score(batch).round(2).tolist()  # doctest: +SKIP
    [[0.85, 0.85, 0.85]]
    """

    model: str = DEFAULT
    layer: int | None = None

    name = "bertscore"
    plain = "How well the words of output and reference match in meaning, by embeddings of a pretrained network."
    group = "word"
    columns = make_columns(
        {
            ("BERTScoreP", True, 0.0, 1.0, "similar words, precision"): (
                "How similar in meaning the words of the output are to those of a reference, in context."
            ),
            ("BERTScoreR", True, 0.0, 1.0, "similar words, recall"): (
                "How similar in meaning the words of a reference are to those of the output, in context."
            ),
            ("BERTScoreF", True, 0.0, 1.0, "similar words, BERTScore"): (
                "How similar in meaning output and reference are, word by word in context: F1 of precision and recall."
            ),
        }
    )
    needs = frozenset({"references", "named"})
    surface_only = True
    tools = (
        Tool(
            "bert-score",
            ("BERTScoreP", "BERTScoreR", "BERTScoreF"),
            _bert_score_package,
            "here an output without a letter or digit scores 0",
            differs_by_output(lambda output: not any(map(str.isalnum, output))),
            tolerance=1e-6,
        ),
    )

    def __post_init__(self) -> None:
        if self.layer is None and (self.model == DEFAULT or encoder_unavailable_reason(self.model) is None):
            object.__setattr__(self, "layer", layer_count(self.model))
        if self.layer is not None and not 1 <= self.layer <= (layers := layer_count(self.model)):
            raise ValueError(f"layer is {self.layer}: {self.model} has layers 1 to {layers}")

    @classmethod
    def unavailable(cls) -> str | None:
        return encoder_unavailable_reason()

    def compute(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        if missing := encoder_unavailable_reason(self.model):
            raise MissingResourceError(f"{self.name}: {missing}")
        values = np.zeros((len(rows), len(self.columns)))
        worded = [place for place, row in enumerate(rows) if any(map(str.isalnum, batch.outputs[row]))]
        for start in range(0, len(worded), _BATCH_SIZE):
            places = worded[start : start + _BATCH_SIZE]
            texts = [[batch.outputs[rows[place]], *batch.references[rows[place]]] for place in places]
            result = iter(embed_texts(list(chain.from_iterable(texts)), self.model, self.layer or 1))
            for place, own in zip(places, texts, strict=True):
                output, *references = islice(result, len(own))
                values[place] = np.max([_match_scores(output, reference) for reference in references], axis=0)
        return np.clip(values, 0.0, 1.0)

    def resources(self) -> Mapping[str, str]:
        return {"encoder": encoder_identity(self.model), "variant": _VARIANT}


def _match_scores(output: TokenVectors, reference: TokenVectors) -> tuple[float, float, float]:
    """Return precision, recall and F against one reference; 0 if a text has no token."""
    if not output.counts.any() or not reference.counts.any():
        return 0.0, 0.0, 0.0
    cosines = (output.vectors @ reference.vectors.T).astype(float)
    precision = float(cosines.max(axis=1)[output.counts].mean())
    recall = float(cosines.max(axis=0)[reference.counts].mean())
    together = precision + recall
    return precision, recall, 2 * precision * recall / together if together else 0.0
