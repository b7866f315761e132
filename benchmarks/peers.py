"""The tools that people use today, each as one function over rows: it gives their scores, shape (rows, columns)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from benchmarks.rows import Rows
from rainbow.metrics.word.lepor import import_hlepor
from rainbow.text.tokens.ptb import ptb_tokens

__all__ = [
    "TokenisedRows",
    "hlepor",
    "meteor",
    "nist",
    "pycocoevalcap",
    "readability",
    "rouge_n",
    "sacrebleu_chrf",
    "ter",
    "words",
]


class TokenisedRows(NamedTuple):
    """Rows as the MS-COCO tools take them: tokens with blanks between them, by the number of the row."""

    outputs: dict[int, list[str]]
    references: dict[int, list[str]]

    @classmethod
    def from_rows(cls, rows: Rows) -> TokenisedRows:
        """Tokenise rows."""
        return cls(
            {row: [" ".join(ptb_tokens(text))] for row, text in enumerate(rows.outputs)},
            {row: [" ".join(ptb_tokens(text)) for text in texts] for row, texts in enumerate(rows.references)},
        )


def pycocoevalcap(scorer: Any) -> Callable[[TokenisedRows], np.ndarray]:
    """Return the function that calls one of pycocoevalcap's scorers."""

    def scores(rows: TokenisedRows) -> np.ndarray:
        quiet = {"verbose": 0} if type(scorer).__name__ == "Bleu" else {}
        _, by_row = scorer.compute_score(rows.references, rows.outputs, **quiet)
        return np.atleast_2d(np.array(by_row)).T.reshape(len(rows.outputs), -1)

    return scores


def meteor() -> Callable[[TokenisedRows], np.ndarray]:
    """Return METEOR's own program, started and warm."""
    from pycocoevalcap.meteor.meteor import Meteor

    return pycocoevalcap(Meteor())


def rouge_n(rows: Rows) -> np.ndarray:
    """Return ROUGE-1 to ROUGE-4 by rouge-score: the best F1 over the references."""
    from rouge_score.rouge_scorer import RougeScorer

    names = [f"rouge{order}" for order in range(1, 5)]
    scorer = RougeScorer(names)
    return np.array(
        [
            np.max(
                [
                    [scores[name].fmeasure for name in names]
                    for scores in (scorer.score(text, output) for text in texts)
                ],
                0,
            )
            for output, texts in zip(rows.outputs, rows.references, strict=True)
        ]
    )


def nist(rows: Sequence[tuple[list[str], list[list[str]]]]) -> np.ndarray:
    """Return NIST by nltk, which counts the information of n-grams in the references of the one row."""
    from nltk.translate.nist_score import sentence_nist

    return np.array([[_or_nan(sentence_nist, references, output)] for output, references in rows])


def _or_nan(score: Callable[..., float], *arguments: Any) -> float:
    try:
        return score(*arguments)
    except ZeroDivisionError:
        return np.nan


def ter(rows: Rows) -> np.ndarray:
    """Return TER by sacrebleu, as a fraction."""
    from sacrebleu.metrics.ter import TER

    scorer = TER()
    return np.array(
        [
            [scorer.sentence_score(output, texts).score / 100]
            for output, texts in zip(rows.outputs, rows.references, strict=True)
        ]
    )


def sacrebleu_chrf(rows: Rows) -> np.ndarray:
    """Return chrF++ by sacrebleu."""
    from sacrebleu.metrics.chrf import CHRF

    scorer = CHRF(word_order=2)
    return np.array(
        [
            [scorer.sentence_score(output, texts).score]
            for output, texts in zip(rows.outputs, rows.references, strict=True)
        ]
    )


def hlepor(rows: TokenisedRows) -> np.ndarray:
    """Return hLEPOR by the package of that name: the best over the references."""
    score = import_hlepor().single_hlepor_score
    return np.array(
        [
            [max(score(text, output[0], separate_punctuation=False) for text in rows.references[row])]
            for row, output in rows.outputs.items()
        ]
    )


def readability(rows: Rows) -> np.ndarray:
    """Return seven measures of textstat and the misspellings that pyspellchecker finds."""
    from textstat import textstat

    checker = _spell_checker()
    measures = [getattr(textstat, name) for name in textstat_measures()]
    return np.array(
        [[*(measure(text) for measure in measures), len(checker.unknown(text.split()))] for text in rows.outputs]
    )


@cache
def _spell_checker() -> Any:
    from spellchecker import SpellChecker

    return SpellChecker(distance=1)


def textstat_measures() -> tuple[str, ...]:
    """Name the seven measures: without syllables where textstat lacks the dictionary that it downloads for them."""
    import nltk

    counts = ("char_count", "letter_count", "lexicon_count", "sentence_count")
    try:
        nltk.data.find("corpora/cmudict")
    except LookupError:
        return (*counts, "words_per_sentence", "avg_character_per_word", "avg_letter_per_word")
    return (*counts, "flesch_reading_ease", "syllable_count", "polysyllabcount")


def words(rows: Rows) -> np.ndarray:
    """Return the number of words by textstat."""
    from textstat import textstat

    return np.array([[textstat.lexicon_count(text, removepunct=False)] for text in rows.outputs], dtype=float)
