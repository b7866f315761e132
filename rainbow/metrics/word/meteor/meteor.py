"""METEOR 1.5: exact, stem, synonym and paraphrase matches in as few chunks as possible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.base.native import compiled, kernels
from rainbow.metrics.contract.base import Column, Metric
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.contract.reference_tool import Tool, score_rows
from rainbow.metrics.contract.registry import register
from rainbow.metrics.word.meteor.languages import LANGUAGES, PARAMETERS, language_rules
from rainbow.metrics.word.meteor.meteor_score import MeteorScore, meteor_score, score_from_sums
from rainbow.metrics.word.meteor.stems import SNOWBALL, stems_problem
from rainbow.metrics.word.meteor.tables import meteor_tables
from rainbow.programs.jvm import java_string, java_unavailable_reason
from rainbow.programs.meteor_program import JAR, PARAPHRASES, meteor_digest, meteor_unavailable_reason
from rainbow.text.languages.detection import ENGLISH
from rainbow.text.tokens.ptb import ptb_tokens


def java_scores(batch: Batch, language: str = ENGLISH) -> FloatArray:
    """Return the scores of METEOR's Java program on the same tokens."""
    from rainbow.programs.meteor_program import ENGLISH_OPTIONS, Options, meteor_program

    known = LANGUAGES.get(language)
    options = ENGLISH_OPTIONS if known is None else Options(known.program, known.modules, known.is_split)

    def tokens(text: str) -> str:
        return program_text(text, language)

    with meteor_program(options) as score:
        return score_rows(lambda output, references: score(tokens(output), [*map(tokens, references)]), batch)


def program_text(text: str, language: str) -> str:
    """Return a text as the program takes it: PTB tokens in English, else the text, or its words if it splits none."""
    if language == ENGLISH:
        return join_tokens(ptb_tokens(text))
    return java_string(text if LANGUAGES[language].is_split else join_tokens(language_rules(language).split(text)))


@register
@dataclass(frozen=True)
class Meteor(Metric):
    """METEOR 1.5, best over the references; in English (`-l en -norm`) as in the MS-COCO tools.

    The words of output and reference are aligned one to one: equal words (weight 1), equal stems (0.6), synonyms (0.8)
    and paraphrases (0.6), with the most matches, then the fewest chunks (matches in the same order in both texts). With
    precision P and recall R of the weighted matches, function words weighted by 0.25 and content words by 0.75,

    ``(1 - 0.6 (chunks / matches)^0.2) P R / (0.85 P + 0.15 R)``

    without the penalty if a single chunk covers both texts. Between 0 and 1, higher is better. An output or a reference
    without a word scores 0. System scores sum weights, lengths, chunks and matches over outputs and best references.

    In Czech, Danish, Dutch, Finnish, French, German, Hungarian, Italian, Norwegian, Portuguese, Romanian, Russian,
    Spanish, Swedish and Turkish, words match exactly or by stem (Czech: exactly), with the program's parameters for the
    language (``-l de -norm -m "exact stem"``). Paraphrases in other languages are separate downloads and are not used,
    so scores are lower, and do not compare across languages. Function words are the English ones, as in the program.
    Words are split as `-norm` does in Czech, French, German, Russian and Spanish; for the others the program has no
    rules, and words are split as mteval-v14 does (``intl`` in sacrebleu) and lower-cased.

    Scores equal those of Denkowski and Lavie's program, whose tables are read from pycocoevalcap; Java is not needed.
    The first score on a machine takes some seconds to compile the tables. NaN for texts with more than 250,000 possible
    matches: the same word more than 500 times in both texts, or thousands of ordinary words.

    Parameters
    ----------
    language : str
        Code of the language of the outputs.

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

    language: str = ENGLISH

    name = "meteor"
    plain = "How many words match a reference exactly or by stem (English: also by meaning), and in how few chunks."
    group = "word"
    columns = (Column("METEOR", True, 0.0, 1.0, short="matched words with synonyms"),)
    needs = frozenset({"references"})
    compares_words = True
    languages = frozenset(PARAMETERS)
    system_columns = columns
    undefined = "the output or a reference is too long or too repetitive for METEOR's aligner"

    @classmethod
    def unavailable(cls) -> str | None:
        return meteor_unavailable_reason(JAR, PARAPHRASES)

    tools = (Tool("pycocoevalcap", ("METEOR",), java_scores, missing=java_unavailable_reason, scores_in=java_scores),)

    def compute(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        return self._scores_and_sums(batch, rows)[:, :1]

    def reasons(self, batch: Batch, values: FloatArray) -> dict[tuple[int, int], str]:
        problem = self._stems_problem()
        return {place: problem or reason for place, reason in super().reasons(batch, values).items()}

    def compute_sums(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        return self._scores_and_sums(batch, rows)[:, 1:]

    def score_sums(self, sums: FloatArray) -> FloatArray:
        with np.errstate(divide="ignore", invalid="ignore"):
            scores = score_from_sums(PARAMETERS[self.language], *np.moveaxis(sums, -1, 0))
        return np.where(sums[..., -2] == 0, 0.0, scores)[..., None]

    def resources(self) -> dict[str, str]:
        known, program = LANGUAGES.get(self.language), f"meteor-1.5 {meteor_digest(JAR)}"
        if known is None:
            paraphrases = meteor_digest(PARAPHRASES)
            return {"tokens": "ptb", "program": program, "options": "-l en -norm", "paraphrases": paraphrases}
        options = f"-l {known.program} {'-norm' if known.is_split else '-lower'} -m '{' '.join(known.modules)}'"
        own = {"tokens": "meteor" if known.is_split else "intl", "program": program, "options": options}
        return own | ({"stems": SNOWBALL} if known.has_stems else {})

    def _scores_and_sums(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        """Return METEOR and its statistics (:class:`MeteorScore`) of these rows, shape (rows, 8)."""
        if self.language != ENGLISH:
            return self._scores_in_language(batch, rows)
        tables = meteor_tables()
        if kernels():
            return compiled.meteor(*batch.encoded(ptb_tokens, rows), tables.native(), tables.split, batch.threads)
        pairs = batch.pairs(rows, ptb_tokens, join_tokens)
        return np.array([meteor_score(*texts, tables) for texts in pairs], dtype=float)

    def _scores_in_language(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        size = len(MeteorScore._fields)
        if self._stems_problem():
            return np.full((len(rows), size), np.nan)
        rules = language_rules(self.language)
        scores = [meteor_score(batch.outputs[row], batch.references[row], rules) for row in rows]
        return np.reshape(np.array(scores, dtype=float), (len(rows), size))

    def _stems_problem(self) -> str:
        """Return why the stems of the language would not be METEOR's; empty if they are."""
        known = LANGUAGES.get(self.language)
        return stems_problem() or "" if known is not None and known.has_stems else ""


def join_tokens(tokens: Sequence[str]) -> str:
    """Return the tokens separated by spaces, as METEOR expects them."""
    return " ".join(tokens)
