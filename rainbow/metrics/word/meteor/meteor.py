"""METEOR 1.5: exact, stem, synonym and paraphrase matches in as few chunks as possible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.base.native import compiled, kernels
from rainbow.metrics.contract.base import ENGLISH_ONLY, Column, Metric
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.contract.reference_tool import Tool, score_rows
from rainbow.metrics.contract.registry import register
from rainbow.metrics.word.meteor import meteor_score, meteor_tables
from rainbow.metrics.word.meteor.meteor_score import score_from_sums
from rainbow.programs.jvm import java_unavailable_reason
from rainbow.programs.meteor_files import JAR, PARAPHRASES, meteor_digest, meteor_file
from rainbow.text.tokens.ptb import ptb_tokens


def _java_scores(batch: Batch) -> FloatArray:
    """Return the scores of METEOR's Java program on the same tokens."""
    from rainbow.programs.meteor_program import meteor_program

    def tokens(text: str) -> str:
        return join_tokens(ptb_tokens(text))

    with meteor_program() as score:
        return score_rows(lambda output, references: score(tokens(output), [*map(tokens, references)]), batch)


@register
@dataclass(frozen=True)
class Meteor(Metric):
    """METEOR 1.5 for English (`-l en -norm`), best over the references, as in the MS-COCO tools.

    The words of output and reference are aligned one to one: equal words (weight 1), equal stems (0.6), synonyms (0.8)
    and paraphrases (0.6), with the most matches, then the fewest chunks (matches in the same order in both texts). With
    precision P and recall R of the weighted matches, function words weighted by 0.25 and content words by 0.75,

    ``(1 - 0.6 (chunks / matches)^0.2) P R / (0.85 P + 0.15 R)``

    without the penalty if a single chunk covers both texts. Between 0 and 1, higher is better. An output or a reference
    without a word scores 0. System scores sum weights, lengths, chunks and matches over outputs and best references.

    Scores equal those of Denkowski and Lavie's program, whose tables are read from pycocoevalcap; Java is not needed.
    The first score on a machine takes some seconds to compile the tables. NaN for texts with more than 250,000 possible
    matches: the same word more than 500 times in both texts, or thousands of ordinary words.

    References
    ----------
    Denkowski, M. and Lavie, A. (2014). Meteor universal: language specific translation evaluation for any target
    language. WMT.

    Examples
    --------
    >>> batch = Batch(["the inn is cheap", ""], [["a cheap inn", "the inn is not expensive"], ["the inn"]])
    >>> Meteor().score(batch).round(4).tolist()
    [[0.3357], [0.0]]
    """

    name = "meteor"
    plain = "How many words match a reference exactly, by stem, synonym or paraphrase, and in how few chunks."
    group = "word"
    columns = (Column("METEOR", True, 0.0, 1.0, short="matched words with synonyms"),)
    needs = frozenset({"references"})
    compares_words = True
    languages = ENGLISH_ONLY
    system_columns = columns
    undefined = "the output or a reference is too long or too repetitive for METEOR's aligner"

    @classmethod
    def unavailable(cls) -> str | None:
        try:
            for name in (JAR, PARAPHRASES):
                meteor_file(name)
        except FileNotFoundError as error:
            return str(error)
        return None

    tools = (Tool("pycocoevalcap", ("METEOR",), _java_scores, missing=java_unavailable_reason),)

    def compute(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        return _scores_and_sums(batch, rows)[:, :1]

    def compute_sums(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        return _scores_and_sums(batch, rows)[:, 1:]

    def score_sums(self, sums: FloatArray) -> FloatArray:
        with np.errstate(divide="ignore", invalid="ignore"):
            scores = score_from_sums(*np.moveaxis(sums, -1, 0))
        return np.where(sums[..., -2] == 0, 0.0, scores)[..., None]

    def resources(self) -> dict[str, str]:
        return {
            "tokens": "ptb",
            "program": f"meteor-1.5 {meteor_digest(JAR)}",
            "options": "-l en -norm",
            "paraphrases": meteor_digest(PARAPHRASES),
        }


def _scores_and_sums(batch: Batch, rows: Sequence[int]) -> FloatArray:
    """Return METEOR and its statistics (see :class:`MeteorScore`) of these rows, shape (rows, 8)."""
    tables = meteor_tables()
    if kernels():
        return compiled.meteor(*batch.encoded(ptb_tokens, rows), tables.native(), tables.split, batch.threads)
    steps = (ptb_tokens, join_tokens)
    outputs, references = batch.preprocess(*steps), batch.references.preprocess(*steps)
    return np.array([meteor_score(outputs[row], references[row], tables) for row in rows], dtype=float)


def join_tokens(tokens: Sequence[str]) -> str:
    """Return the tokens separated by spaces, as METEOR expects them."""
    return " ".join(tokens)
