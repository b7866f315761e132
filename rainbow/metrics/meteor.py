"""METEOR 1.5: words matched exactly, by stem, as synonyms or as paraphrases, in as few stretches as possible."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rainbow.metrics.base import Column, FloatArray, Metric
from rainbow.metrics.batch import Batch
from rainbow.metrics.registry import register
from rainbow.text.meteor import LARGEST_EFFORT, effort, meteor, missing_meteor
from rainbow.text.meteor_files import JAR, PARAPHRASES, meteor_digest
from rainbow.text.ptb import ptb_tokens

__all__ = ["Meteor"]


@register
@dataclass(frozen=True)
class Meteor(Metric):
    """METEOR 1.5 for English (`-l en -norm`), the best over the references, as the MS-COCO tools compute it.

    The words of output and reference are aligned one to one: equal words (weight 1), equal stems (0.6), synonyms
    (0.8) and paraphrases (0.6), most matches first, then the fewest chunks (stretches in the same order in both). With
    precision P and recall R of the weighted matches, function words counting 0.25 and content words 0.75,

    ``(1 - 0.6 (chunks / matches)^0.2) P R / (0.85 P + 0.15 R)``

    where an alignment in one chunk has no penalty if nothing is left over. Between 0 and 1, higher is better. An output
    without a word scores 0, and so does a reference without a word (punctuation only).

    It is Denkowski and Lavie's own program that computes it: it comes with pycocoevalcap and runs inside this process,
    so Java must be installed. The first score in a process takes some seconds longer than the others. NaN for
    texts so long that the program would take minutes and gigabytes: beyond some 600 words of ordinary text against
    as many, or 250 times the same word (:func:`rainbow.text.meteor.effort`).

    References
    ----------
    Denkowski, M. and Lavie, A. (2014). Meteor universal: language specific translation evaluation for any target
    language. WMT.

    Examples
    --------
    >>> batch = Batch(["the inn is cheap", ""], [["a cheap inn", "the inn is not expensive"], ["the inn"]])
    >>> Meteor().score(batch).round(4).tolist()  # doctest: +SKIP
    [[0.3357], [0.0]]
    """

    name = "meteor"
    group = "word"
    columns = (Column("METEOR", True, 0.0, 1.0),)
    needs = frozenset({"references", "java"})
    undefined = "the output or a reference is too long, or repeats itself too much, for METEOR's aligner"

    @classmethod
    def unavailable(cls) -> str | None:
        return missing_meteor()

    def compute(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        """Give METEOR, shape (rows, 1).

        Raises
        ------
        RuntimeError
            If Java or METEOR is missing, or Java cannot be used in this process; the message says what to do.
        """
        outputs = batch.prepared(ptb_tokens, joined)
        references = batch.references.prepared(ptb_tokens, joined)
        with meteor() as score:
            return np.array(
                [
                    [score(outputs[row], references[row]) if _feasible(outputs[row], references[row]) else math.nan]
                    for row in rows
                ]
            )

    def resources(self) -> dict[str, str]:
        return {
            "tokens": "ptb",
            "program": f"meteor-1.5 {meteor_digest(JAR)}",
            "options": "-l en -norm",
            "paraphrases": meteor_digest(PARAPHRASES),
        }


def joined(tokens: Sequence[str]) -> str:
    """Give the tokens with a blank between them, as METEOR takes them.

    Examples
    --------
    >>> joined(["the", "inn"])
    'the inn'
    """
    return " ".join(tokens)


def _feasible(output: str, references: Sequence[str]) -> bool:
    longest = max(len(output), *map(len, references))
    # No text has more words than characters: of short texts the words need not be counted.
    return longest**4 <= LARGEST_EFFORT or all(effort(output, text) <= LARGEST_EFFORT for text in references)
