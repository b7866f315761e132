"""METEOR 1.5: words matched exactly, by stem, as synonyms or as paraphrases, in as few stretches as possible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.base.native import compiled, kernels
from rainbow.metrics.contract.base import Column, Metric
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.contract.registry import register
from rainbow.metrics.contract.tool import Tool, row_by_row
from rainbow.metrics.word.meteor import meteor_score, meteor_tables
from rainbow.metrics.word.meteor.meteor_score import score_of_sums
from rainbow.programs.jvm import java_problem
from rainbow.programs.meteor_files import JAR, PARAPHRASES, meteor_digest, meteor_file
from rainbow.text.tokens.ptb import ptb_tokens


def _program(batch: Batch) -> FloatArray:
    """Return what METEOR's own Java program gives on the same tokens."""
    from rainbow.programs.meteor_program import meteor_program

    def tokens(text: str) -> str:
        return joined(ptb_tokens(text))

    with meteor_program() as score:
        return row_by_row(lambda output, references: score(tokens(output), [*map(tokens, references)]), batch)


@register
@dataclass(frozen=True)
class Meteor(Metric):
    """METEOR 1.5 for English (`-l en -norm`), the best over the references, as the MS-COCO tools compute it.

    Source: Denkowski, M. and Lavie, A. (2014). Meteor universal: language specific translation evaluation for any
    target language. WMT.
    """

    name = "meteor"
    plain = "How many words match a reference exactly, by stem, synonym or paraphrase, and in how few pieces."
    group = "word"
    columns = (Column("METEOR", True, 0.0, 1.0, short="words matched, synonyms too"),)
    needs = frozenset({"references"})
    compares_words = True
    system_columns = columns
    undefined = "the output or a reference is too long, or repeats itself too much, for METEOR's aligner"

    @classmethod
    def unavailable(cls) -> str | None:
        try:
            for name in (JAR, PARAPHRASES):
                meteor_file(name)
        except FileNotFoundError as error:
            return str(error)
        return None

    tools = (Tool("pycocoevalcap", ("METEOR",), _program, missing=java_problem),)

    def compute(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        return _scored(batch, rows)[:, :1]

    def compute_sums(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        return _scored(batch, rows)[:, 1:]

    def of_sums(self, sums: FloatArray) -> FloatArray:
        with np.errstate(divide="ignore", invalid="ignore"):
            scores = score_of_sums(*np.moveaxis(sums, -1, 0))
        return np.where(sums[..., -2] == 0, 0.0, scores)[..., None]

    def resources(self) -> dict[str, str]:
        return {
            "tokens": "ptb",
            "program": f"meteor-1.5 {meteor_digest(JAR)}",
            "options": "-l en -norm",
            "paraphrases": meteor_digest(PARAPHRASES),
        }


def _scored(batch: Batch, rows: Sequence[int]) -> FloatArray:
    """Return METEOR of these rows and what they add up, as :class:`MeteorScore` orders it, shape (rows, 8)."""
    tables = meteor_tables()
    if kernels():
        return compiled.meteor(*batch.encoded(ptb_tokens, rows), tables.native(), tables.split, batch.threads)
    outputs, references = batch.prepared(ptb_tokens, joined), batch.references.prepared(ptb_tokens, joined)
    return np.array([meteor_score(outputs[row], references[row], tables) for row in rows], dtype=float)


def joined(tokens: Sequence[str]) -> str:
    """Return the tokens with a blank between them, as METEOR takes them."""
    return " ".join(tokens)
